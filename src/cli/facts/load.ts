/**
 * Loads files of facts into a session: all mistakes of all files are found. When there is one the session must not be used:
 * it holds the facts that were right.
 */
import {
  type ChangeBy,
  type Diagnostic,
  FactChecker,
  FactError,
  type FactProblem,
  type Program,
  type Session,
} from "../../index.ts";
import type { Inputs } from "../inputs.ts";
import type { Io } from "../io.ts";
import type { Progress } from "../progress.ts";
import type { Texts } from "../report.ts";
import { cannotRead } from "../sources.ts";
import { readCsvFacts } from "./csv-facts.ts";
import { formatByContent, formatByName, typeByName } from "./format.ts";
import type { FactSink, FileFact } from "./file-fact.ts";
import { readJsonFacts, readNdjsonFacts } from "./json-facts.ts";
import { type Line, linesOf } from "./lines.ts";
import { type Mistake, diagnosticOf, type Range, type Report, within } from "./mistake.ts";
import { Mistakes } from "./mistakes.ts";
import { Places } from "./places.ts";
import { wholeText } from "./whole-text.ts";

export interface LoadedFacts {
  readonly mistakes: Mistakes;
  readonly unreadable: readonly Diagnostic[];
}

export interface LoadContext {
  readonly io: Io;
  readonly program: Program;
  readonly session: Session;
  /** Gets the texts of files that are not too large, for showing lines. */
  readonly texts: Texts;
  readonly progress: Progress;
}

/** Of files up to this size, lines are shown with mistakes. */
const LARGEST_SHOWN = 4 * 1024 * 1024;

/** Policy files come first: what they state is there before the facts that it judges. */
export function loadFacts(context: LoadContext, files: Pick<Inputs, "facts" | "policy">): LoadedFacts {
  const loader = new Loader(context);
  for (const path of files.policy) loader.load(path, { role: "policy" });
  for (const path of files.facts) loader.load(path, {});
  return loader;
}

class Loader implements LoadedFacts {
  readonly mistakes = new Mistakes();
  readonly unreadable: Diagnostic[] = [];
  readonly #context: LoadContext;
  readonly #places: Places;
  #by: ChangeBy = {};
  #checker: FactChecker;
  #loaded = 0;

  constructor(context: LoadContext) {
    this.#context = context;
    this.#checker = new FactChecker(context.program);
    this.#places = new Places(context.program);
  }

  load(path: string, by: ChangeBy): void {
    const file = path === "-" ? "<stdin>" : path;
    if (by.role !== this.#by.role) this.#checker = new FactChecker(this.#context.program, by);
    this.#by = by;
    const found = this.mistakes.beginFile();
    const report: Report = (complaint, range, type) => found.add(diagnosticOf(file, complaint, range), type);
    const kept = new KeptText(LARGEST_SHOWN);
    const lines = linesOf(this.#chunks(path), { report, see: (text) => kept.add(text) });
    const unreadable = this.unreadable.length;
    const isWhole = (): boolean => found.count === 0 && this.unreadable.length === unreadable;
    this.#places.beginFile(file);
    this.#read(path, lines, this.#sink(report), isWhole);
    const text = kept.text();
    if (text !== "" && text !== undefined) this.#context.texts.add([{ file, source: text }]);
    found.end();
  }

  /** What the system says against reading becomes a diagnostic. */
  *#chunks(path: string): Iterable<Uint8Array> {
    try {
      yield* this.#context.io.chunks(path);
    } catch (error) {
      this.unreadable.push(cannotRead(path, error));
    }
  }

  #read(path: string, lines: Iterable<Line>, sink: FactSink, isWhole: () => boolean): void {
    const named = formatByName(path);
    const told = named === undefined ? formatByContent(lines) : { format: named, lines };
    if (told.format === "csv") return readCsvFacts(typeByName(path), told.lines, this.#checker, sink);
    if (told.format === "ndjson") return readNdjsonFacts(told.lines, sink);
    const whole = wholeText(told.lines);
    if (whole === undefined) return sink.report(TOO_LARGE, within(1, 1));
    // What could not be read to its end would look like another mistake.
    if (isWhole()) readJsonFacts(whole.text, whole.position, sink);
  }

  #sink(report: Report): FactSink {
    return {
      report,
      nesting: this.#context.program.limits.valueNesting,
      admits: (type, range) => this.#admits(type, range, report),
      fact: (given) => this.#add(given, report),
    };
  }

  #admits(type: string, range: Range, report: Report): boolean {
    const problem = this.#checker.typeProblem(type);
    if (problem !== undefined) report(problem, range, this.#declared(type));
    return problem === undefined;
  }

  #add(given: FileFact, report: Report): void {
    if (given.faulty) return this.#complain(given, undefined, report);
    try {
      this.#giveWay(given);
      const { id } = this.#context.session.assert(given.type, given.fields, this.#by);
      if (this.#checker.isKeyed(given.type)) this.#places.add(id, given.line, given.column);
    } catch (error) {
      if (error instanceof FactError) return this.#complain(given, error, report);
      throw error;
    }
    this.#loaded += 1;
    this.#context.progress.tick(() => `${this.#loaded.toLocaleString("en")} facts loaded`);
  }

  /** A row of a shipped table is replaced by policy, as it is by a fact of the program itself. */
  #giveWay({ type, fields }: FileFact): void {
    if (this.#by.role !== "policy" || this.#context.program.checked.shipped.size === 0) return;
    const id = this.#checker.idOf(type, fields);
    if (id !== undefined && this.#places.isShipped(id)) this.#context.session.retract(id, this.#by);
  }

  /** Mistakes are counted by type, as far as the program knows the type: a file can name any number of others. */
  #declared(type: string): string | undefined {
    return this.#checker.schema.types.has(type) ? type : undefined;
  }

  /** `error` is why it could not be asserted: the first mistake in it, or its key. */
  #complain(given: FileFact, error: FactError | undefined, report: Report): void {
    const problems = this.#checker.problems(given.type, given.fields);
    const type = this.#declared(given.type);
    for (const problem of problems) report(problem, rangeOf(given, problem), type);
    if (problems.length === 0 && error !== undefined) report(this.#withOtherPlace(given, error), given.range(), type);
  }

  #withOtherPlace(given: FileFact, error: FactError): Mistake {
    const id = error.code === "E410" ? this.#checker.idOf(given.type, given.fields) : undefined;
    const place = id === undefined ? undefined : this.#places.of(id);
    const hint =
      place === undefined ? error.hint : `the other one is at ${place}; change the key, or remove one of them`;
    return { code: error.code, message: error.message, hint };
  }
}

const TOO_LARGE: Mistake = {
  code: "E302",
  message: "this file is too large to be read as one JSON value",
  hint: 'write it as NDJSON, one {"Type": {…}} per line',
};

function rangeOf(given: FileFact, { code, field }: FactProblem): Range {
  const ofName = code === "E401" || code === "E403";
  return field === undefined ? given.range() : given.range({ field, of: ofName ? "name" : "value" });
}

/** Keeps lines as long as they are not too much. */
class KeptText {
  readonly #limit: number;
  #lines: string[] | undefined = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: string): void {
    this.#size += text.length + 1;
    if (this.#size > this.#limit) this.#lines = undefined;
    else this.#lines?.push(text);
  }

  text(): string | undefined {
    return this.#lines?.join("\n");
  }
}
