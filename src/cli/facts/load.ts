/**
 * Loads facts files into a session and collects all errors of all files. When there is one, the session must not be used: it
 * contains only the facts without errors.
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
import { followFact } from "../clock.ts";
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
  /** Receives the texts of files that are not too large, for showing lines. */
  readonly texts: Texts;
  readonly progress: Progress;
}

/** The largest file, in characters, whose lines are shown with errors. */
const LARGEST_SHOWN = 4 * 1024 * 1024;

/** Loads all files; policy files first, so that policy is there before the facts it applies to. */
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

  /** Yields the bytes of a file; an error of the system becomes a diagnostic. */
  *#chunks(path: string): Iterable<Uint8Array> {
    try {
      yield* this.#context.io.chunks(path);
    } catch (error) {
      this.unreadable.push(cannotRead(path, error));
    }
  }

  #read(path: string, lines: Iterable<Line>, sink: FactSink, isWhole: () => boolean): void {
    const named = formatByName(path);
    const detected = named === undefined ? formatByContent(lines) : { format: named, lines };
    if (detected.format === "csv") return readCsvFacts(typeByName(path), detected.lines, this.#checker, sink);
    if (detected.format === "ndjson") return readNdjsonFacts(detected.lines, sink);
    const whole = wholeText(detected.lines);
    if (whole === undefined) return sink.report(TOO_LARGE, within(1, 1));
    // A file that could not be read to its end would look like another error.
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
    if (given.faulty) return this.#reportFact(given, undefined, report);
    try {
      this.#retractShipped(given);
      followFact(this.#context.io, this.#context.session, given.type, given.fields);
      const { id } = this.#context.session.assert(given.type, given.fields, this.#by);
      if (this.#checker.isKeyed(given.type)) this.#places.add(id, given.line, given.column);
    } catch (error) {
      if (error instanceof FactError) return this.#reportFact(given, error, report);
      throw error;
    }
    this.#loaded += 1;
    this.#context.progress.tick(() => `${this.#loaded.toLocaleString("en")} facts loaded`);
  }

  /** Retracts a row of a built-in table that policy replaces, as a fact of the program does. */
  #retractShipped({ type, fields }: FileFact): void {
    if (this.#by.role !== "policy" || this.#context.program.checked.shipped.size === 0) return;
    const id = this.#checker.idOf(type, fields);
    if (id !== undefined && this.#places.isShipped(id)) this.#context.session.retract(id, this.#by);
  }

  /** Returns the type to count errors by; undefined for types that the program does not declare, of which a file can name any number. */
  #declared(type: string): string | undefined {
    return this.#checker.schema.types.has(type) ? type : undefined;
  }

  /** Reports what is wrong with a fact; `error` is why it could not be asserted. */
  #reportFact(given: FileFact, error: FactError | undefined, report: Report): void {
    const problems = this.#checker.problems(given.type, given.fields);
    const type = this.#declared(given.type);
    for (const problem of problems) report(problem, rangeOf(given, problem), type);
    if (problems.length === 0 && error !== undefined) report(this.#withOtherPlace(given, error), given.range(), type);
  }

  #withOtherPlace(given: FileFact, error: FactError): Mistake {
    const id = error.code === "E410" ? this.#checker.idOf(given.type, given.fields) : undefined;
    const place = id === undefined ? undefined : this.#places.of(id);
    const hint =
      place === undefined ? error.hint : `the other fact is at ${place}; change one of the keys, or remove one fact`;
    return { code: error.code, message: error.message, hint };
  }
}

const TOO_LARGE: Mistake = {
  code: "E302",
  message: "the file is too large for one JSON value",
  hint: 'convert it to NDJSON, with one {"Type": {…}} per line',
};

function rangeOf(given: FileFact, { code, field, path }: FactProblem): Range {
  const ofName = code === "E401" || code === "E403";
  return field === undefined ? given.range() : given.range({ field, of: ofName ? "name" : "value", path });
}

/** Keeps the lines of a file, up to a size. */
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
