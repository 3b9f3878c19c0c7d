/** The commands of the repl. */
import { type FactView, type Maybe, type RunResult, RunLimitError } from "../../index.ts";
import { bindingTexts, factVariables } from "../bindings.ts";
import { inColumns } from "../columns.ts";
import { factName } from "../fact-names.ts";
import { plural } from "../report.ts";
import { messageText, valueText } from "../value-text.ts";
import { visible } from "../visible.ts";
import { outcomeRows } from "../outcome-rows.ts";
import { definedNames } from "../arguments.ts";
import { factText } from "../watch/firings.ts";
import { CommandError, type ReplContext } from "./context.ts";
import { factIdOf, leadingFact, unquoted } from "./fact-reference.ts";
import { assertSource, BY_AUTHOR, changesOf } from "./source.ts";
import { gate, why } from "./why.ts";

interface Command {
  readonly usage: string;
  readonly line: string;
  /** Whether it may change facts or rules, so that it can be undone. */
  readonly changes: boolean;
  readonly run: (context: ReplContext, rest: string) => void;
  /** Returns whether a line that begins like the command is a statement of the language. */
  readonly statement?: (rest: string) => boolean;
}

export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    "assert",
    { usage: "assert Type(…)", line: "assert a fact; Type(…) does the same", changes: true, run: assertSource },
  ],
  [
    "update",
    {
      usage: "update FACT field: value",
      line: "change fields of a fact; null clears a field",
      changes: true,
      run: update,
    },
  ],
  ["retract", { usage: "retract FACT", line: "retract a fact", changes: true, run: retract }],
  [
    "run",
    {
      usage: "run",
      line: "fire rules until none is left to fire",
      changes: true,
      run: (context, rest) => fire(context, none(rest)),
    },
  ],
  [
    "step",
    {
      usage: "step [N]",
      line: "fire once, or N times",
      changes: true,
      run: (context, rest) => fire(context, count(rest)),
    },
  ],
  ["focus", { usage: "focus GROUP", line: "activate a rule group", changes: true, run: focus }],
  ["facts", { usage: "facts [Type]", line: "list facts", changes: false, run: facts }],
  ["agenda", { usage: "agenda", line: "list the matches waiting to fire, in order", changes: false, run: agenda }],
  ["matches", { usage: "matches RULE", line: "list the current matches of a rule", changes: false, run: matches }],
  ["query", { usage: "query NAME [name: value]", line: "run a query", changes: false, run: query }],
  [
    "why",
    {
      usage: "why FACT|RULE|GATE|N",
      line: "explain a fact, rule, gate, guardian, pipeline, flow or firing N",
      changes: false,
      run: why,
    },
  ],
  [
    "why not",
    {
      usage: "why not RULE [p=FACT]",
      line: "explain why a rule does not fire, and what would help",
      changes: false,
      run: why,
    },
  ],
  [
    "gate",
    {
      usage: "gate NAME [FACT]",
      line: "evaluate a gate, and show what is missing",
      changes: false,
      run: gate,
      statement: (rest) => /[{]|\bfor\b/u.test(rest),
    },
  ],
  ["rules", { usage: "rules", line: "list the rules", changes: false, run: rules }],
  ["types", { usage: "types", line: "list the types and their fields", changes: false, run: types }],
  ["undo", { usage: "undo", line: "undo the last change", changes: false, run: undo }],
]);

const FACT_FORMS = 'FACT is an id (Person~p1), a label (Person p1; after p= in quotes: p="Person p1"), or a name.';

export function helpText(): string {
  const rows = [
    ...[...COMMANDS.values()].map(({ usage, line }) => [usage, line] as const),
    ["rule … { … }, type …", "add statements to the program"] as const,
    ["help", "show this list"] as const,
    ["quit", "leave (or press Ctrl-D)"] as const,
  ];
  const width = Math.max(...rows.map(([usage]) => usage.length));
  const lines = rows.map(([usage, line]) => `  ${usage.padEnd(width)}   ${line}`);
  return [...lines, "", FACT_FORMS].join("\n");
}

// ---------------------------------------------------------------- changes

function update(context: ReplContext, rest: string): void {
  if (rest === "") throw new CommandError("name a fact and its new values: update Person p1 age: 31");
  const { id, rest: changes } = leadingFact(context, rest) ?? unknownFact(rest.split(/\s/u)[0] ?? "");
  const changed = context.session.update(id, changesOf(context, changes), BY_AUTHOR);
  const fact = context.session.fact(id);
  context.say(changed && fact !== undefined ? `~ ${factText(fact.id, fact.fields)}` : "no change");
}

function retract(context: ReplContext, rest: string): void {
  if (rest === "") throw new CommandError("name a fact: retract Person p1");
  const id = factIdOf(context, rest);
  if (context.session.fact(id) === undefined) unknownFact(rest);
  context.session.retract(id, BY_AUTHOR);
  const stays = context.session.fact(id) !== undefined;
  context.say(stays ? `${factName(id)} stays: a rule supports it` : `- ${factName(id)}`);
}

function unknownFact(reference: string): never {
  throw new CommandError(`no fact "${reference}": "facts" lists all facts`);
}

function focus({ session, say }: ReplContext, group: string): void {
  const name = unquoted(group);
  const groups = new Set(session.program.network().rules.flatMap((rule) => rule.group ?? []));
  if (!groups.has(name)) throw new CommandError(`no group "${name}": ${definedNames("group", [...groups])}`);
  session.focus(name);
  say(`${session.agenda().length} waiting to fire`);
}

function none(rest: string): undefined {
  if (rest !== "") throw new CommandError('"run" takes no arguments; "step 3" fires three times');
}

function count(rest: string): number {
  if (rest === "") return 1;
  if (!/^[1-9]\d{0,8}$/u.test(rest)) throw new CommandError(`"step" takes a positive integer, not "${rest}"`);
  return Number(rest);
}

/** Fires `most` times; undefined: until nothing is left, or up to the firing limit. */
function fire(context: ReplContext, most: number | undefined): void {
  const { session } = context;
  try {
    show(context, session.run(most === undefined ? {} : { limit: most }));
  } catch (error) {
    if (!(error instanceof RunLimitError)) throw error;
    show(context, error.result);
    if (most === undefined) throw error;
  }
}

/** The most lines about gates, guardians and pipelines. */
const MAX_OUTCOMES = 30;

function show({ session, say, paint }: ReplContext, result: RunResult): void {
  const { fired, effects, halted } = result;
  const facts = factVariables(session.program.network());
  for (const one of fired) {
    say(
      `${paint("faint", String(one.n).padStart(4))}  ${paint("bold", visible(one.rule))}  ${bindingTexts(facts, one.rule, one.bindings).join("  ")}`.trimEnd(),
    );
    for (const { action, args } of effects.filter((effect) => effect.n === one.n)) {
      const said = action === "log" || action === "print";
      say(`        ${said ? messageText(args) : `${action}(${args.map(valueText).join(", ")})`}`);
    }
  }
  const outcomes = inColumns(outcomeRows(paint, result));
  for (const line of outcomes.slice(0, MAX_OUTCOMES)) say(line);
  if (outcomes.length > MAX_OUTCOMES) say(`… and ${outcomes.length - MAX_OUTCOMES} more`);
  const head = fired.length === 0 ? "nothing fired" : plural(fired.length, "firing");
  const rest = session.agenda().length;
  say(`${head}${halted ? ", halted" : ""}${rest === 0 ? "" : `; ${rest} waiting to fire`}`);
}

function undo(context: ReplContext): void {
  if (!context.undo()) throw new CommandError("nothing to undo");
  context.say(
    `undone; ${plural(context.session.facts().length, "fact")}, ${context.session.agenda().length} waiting to fire`,
  );
}

// ---------------------------------------------------------------- questions

function facts({ session, say }: ReplContext, type: string): void {
  const { open, types } = session.program.data().schema;
  if (type !== "" && !open && !types.has(type)) throw new CommandError(`no type "${type}": "types" lists all types`);
  const found = session.facts(type === "" ? undefined : type);
  for (const { id, fields } of found) say(factText(id, fields));
  if (found.length === 0) say("none");
}

function agenda({ session, say }: ReplContext): void {
  const waiting = session.agenda();
  const facts = factVariables(session.program.network());
  for (const [index, one] of waiting.entries()) {
    say(
      `${String(index + 1).padStart(4)}  ${visible(one.rule)}  ${bindingTexts(facts, one.rule, one.bindings).join("  ")}`.trimEnd(),
    );
  }
  if (waiting.length === 0) say("nothing to fire");
}

function matches({ session, say }: ReplContext, rule: string): void {
  const names = session.program.network().rules.map(({ name }) => name);
  const name = unquoted(rule);
  if (!names.includes(name)) throw new CommandError(`no rule "${name}": ${definedNames("rule", names)}`);
  const found = session.matches(name);
  for (const match of found) say(row(match.bindings));
  if (found.length === 0) say("none");
}

function query(context: ReplContext, rest: string): void {
  const [, name = "", args = ""] = /^([^\s(]+)\s*\(?([^]*?)\)?$/u.exec(rest) ?? [];
  if (name === "") {
    throw new CommandError(
      `name a query: ${definedNames("query", [...context.session.program.checked.symbols.queries.names()])}`,
    );
  }
  const found = context.session.query(name, args.trim() === "" ? {} : changesOf(context, args.trim()));
  for (const one of found) context.say(row(one));
  if (found.length === 0) context.say("none");
}

function rules({ session, say }: ReplContext): void {
  for (const { name, salience, group } of session.program.network().rules) {
    const notes = [
      ...(salience === 0 ? [] : [`salience ${salience}`]),
      ...(group === undefined ? [] : [`group "${group}"`]),
    ];
    say(`${visible(name)}${notes.length === 0 ? "" : `   ${notes.join(", ")}`}`);
  }
  if (session.program.network().rules.length === 0) say("none");
}

function types({ session, say }: ReplContext): void {
  const own = [...session.program.data().schema.types.values()].filter((type) => !type.engineKept);
  for (const { name, fields } of own) {
    say(
      `${name}(${fields.map((field) => `${field.key ? "#" : field.at === true ? "@" : ""}${field.name}`).join(", ")})`,
    );
  }
  if (own.length === 0) say("no types are declared: any type and field may be used");
}

// ---------------------------------------------------------------- text

/** Returns the variables of a match or the columns of an answer: facts by their labels. */
function row(of: Readonly<Record<string, unknown>>): string {
  return Object.entries(of)
    .map(([name, value]) => `${name} = ${isFact(value) ? factName(value.id) : valueText(value as Maybe)}`)
    .join("  ");
}

function isFact(value: unknown): value is FactView {
  return typeof value === "object" && value !== null && "id" in value && "fields" in value;
}
