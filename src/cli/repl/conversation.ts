/** Runs what the user types line by line: finds the command, keeps states for undo, and reports errors. */
import { type RuleSession, SessionError, type Snapshot } from "../../index.ts";
import { followFact, keepTime } from "../clock.ts";
import type { Dialogue, Io } from "../io.ts";
import { painter } from "../paint.ts";
import { plural } from "../report.ts";
import { visible } from "../visible.ts";
import { UsageError } from "../arguments.ts";
import { COMMANDS, helpText } from "./commands.ts";
import { complete } from "./complete.ts";
import { CommandError, type ReplContext } from "./context.ts";
import { isUnfinished, stateSource } from "./source.ts";

interface Before {
  readonly program: RuleSession["program"];
  readonly snapshot: Snapshot;
}

/** The most changes that can be undone. */
const MAX_UNDOS = 100;

export class Conversation implements Dialogue {
  /** Whether a line failed. */
  failed = false;
  readonly #io: Io;
  readonly #context: ReplContext;
  readonly #past: Before[] = [];
  /** The lines of an unfinished statement. */
  #open: string[] = [];
  /** The messages of problems that were shown. */
  #shown: ReadonlySet<string> = new Set();

  constructor(io: Io, session: RuleSession) {
    this.#io = io;
    this.#context = {
      session,
      names: new Map(),
      follow: (type, fields) => followFact(io, this.#context.session, type, fields),
      say: (text) => io.out(`${text}\n`),
      paint: painter(io.outColor),
      undo: () => this.#undo(),
    };
    this.#showProblems();
  }

  /** Shows a problem when it appears, and again when it reappears. */
  #showProblems(): void {
    const { problems } = this.#context.session;
    for (const { code, message, hint } of problems) {
      if (this.#shown.has(message)) continue;
      this.#io.err(`error ${code}  ${visible(message)}\n      = ${visible(hint)}\n`);
    }
    this.#shown = new Set(problems.map(({ message }) => message));
  }

  welcome(): string {
    const { session } = this.#context;
    const rules = plural(session.program.network().rules.length, "rule");
    const facts = plural(session.facts().length, "fact");
    return `${rules}, ${facts}, ${session.agenda().length} waiting to fire; type "help" for a list of commands`;
  }

  prompt(): string {
    return this.#open.length > 0 ? "… " : "> ";
  }

  complete(line: string): readonly [hits: readonly string[], replaced: string] {
    return complete(this.#context.session, line);
  }

  interrupted(): void {
    if (this.#open.length === 0) this.#io.out('\n(type "quit" or press Ctrl-D to leave)\n');
    else this.#io.out("\n");
    this.#open = [];
  }

  /** Ends the conversation. An unfinished statement is run, and reported as what it is. */
  end(): void {
    const source = this.#open.join("\n");
    this.#open = [];
    if (source !== "") this.#attempt(true, () => stateSource(this.#context, source));
  }

  line(text: string): boolean {
    const source = [...this.#open, text].join("\n");
    const [, word = "", rest = ""] = /^\s*([\p{L}-]*)\s*([^]*)$/u.exec(text) ?? [];
    const known = this.#open.length === 0 ? COMMANDS.get(word.toLowerCase()) : undefined;
    const command = known?.statement?.(rest) === true ? undefined : known;
    if (command === undefined && isUnfinished(source)) {
      this.#open.push(text);
      return true;
    }
    this.#open = [];
    if (source.trim() === "") return true;
    if (["quit", "exit"].includes(source.trim().toLowerCase())) return false;
    if (word.toLowerCase() === "help" && command === undefined) this.#context.say(helpText());
    else if (command === undefined) this.#attempt(true, () => stateSource(this.#context, source));
    else this.#attempt(command.changes, () => command.run(this.#context, rest.trim()));
    return true;
  }

  /** Runs a line. A line that fails changes nothing; a change can be undone. */
  #attempt(changes: boolean, work: () => void): void {
    const { session } = this.#context;
    keepTime(this.#io, session);
    const before = changes ? { program: session.program, snapshot: session.snapshot() } : undefined;
    try {
      work();
    } catch (error) {
      this.failed = true;
      this.#io.err(`${this.#errorText(error)}\n`);
      if (before !== undefined) this.#keepIfChanged(before);
      return;
    } finally {
      this.#showProblems();
    }
    if (before !== undefined) this.#keepIfChanged(before);
  }

  /** Keeps the state before a change. A run that failed halfway is a change too. */
  #keepIfChanged(before: Before): void {
    const { session } = this.#context;
    if (session.program === before.program && JSON.stringify(session.snapshot()) === JSON.stringify(before.snapshot))
      return;
    this.#past.push(before);
    if (this.#past.length > MAX_UNDOS) this.#past.shift();
  }

  #undo(): boolean {
    const before = this.#past.pop();
    if (before === undefined) return false;
    this.#context.session = before.program.session({
      from: before.snapshot,
      functions: this.#io.functions,
      missingFunctions: "unknown",
    });
    return true;
  }

  #errorText(error: unknown): string {
    if (error instanceof CommandError || error instanceof UsageError) return visible(error.message);
    if (error instanceof SessionError) {
      const hint = error.hint === undefined ? "" : `\n      = ${visible(error.hint)}`;
      return `error ${error.code}  ${visible(error.message)}${hint}`;
    }
    throw error;
  }
}
