/**
 * Reads a source text statement by statement.
 *
 * Each statement is recognised by itself, so that a bad one does not hide the next and memory stays flat; plain facts
 * take the direct path. The result holds every statement that could be read; the report holds the errors of the others.
 */
import type { Report } from "../base/diagnostic.ts";
import { must } from "../base/invariant.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";
import { finish, SmallSteps, type Steps } from "../base/slices.ts";
import type { Source } from "../base/source.ts";
import type { Declaration, Expr } from "./ast.ts";
import { type BrokenName, bringsNames, brokenName, type Unread } from "./broken.ts";
import { builtTree } from "./depth.ts";
import { type Comment, type Lexeme, Lexer } from "./lexer.ts";
import type { Failure } from "./expected.ts";
import { readPlainFact } from "./plain-fact.ts";
import {
  KEYWORDS,
  longestStatement,
  type Lexemes,
  type Parts,
  type Recognised,
  recognisePart,
  recogniseExpression,
  recogniseStatement,
} from "./recogniser.ts";
import { resumeAt } from "./recovery.ts";
import { screen } from "./screen.ts";
import { namingRules } from "./unnamed.ts";
import { repairOf, reportFailure } from "./syntax-error.ts";

/** A source text as a tree. */
export interface ParsedFile {
  /** The source text. */
  readonly source: Source;
  /** The statements, in source order. */
  readonly declarations: readonly Declaration[];
  /** The comments, in source order. */
  readonly comments: readonly Comment[];
  /** The parts that could not be read. Absent when all could. */
  readonly unread?: Unread;
  /** Further paths by which other files of the program import it, through links for example. Absent when there are none. */
  readonly otherPaths?: readonly string[];
}

export interface ParseOptions {
  readonly limits?: Limits;
  /** False to turn off the direct path for plain facts, to compare it with the grammar. Default: true. */
  readonly plainFacts?: boolean;
}

/** Parses one file; unnamed rules are numbered in it. */
export function parseSource(report: Report, options: ParseOptions = {}): ParsedFile {
  const [named] = finish(namingRules([finish(readingSource(report, options))]));
  return must(named, "a file");
}

/** Parses a file that may be part of a program: unnamed rules have no name yet. One step for each statement. */
export function* readingSource(report: Report, options: ParseOptions = {}): Steps<ParsedFile> {
  const limits = options.limits ?? DEFAULT_LIMITS;
  if (!screen(report, limits)) {
    return { source: report.source, declarations: [], comments: [], unread: { names: [], more: true } };
  }
  return yield* new FileReader(report, limits, options.plainFacts ?? true).reading();
}

/** Parses a string that must be one expression, such as `{…}` in a reason. */
export function parseExpression(report: Report, limits: Limits = DEFAULT_LIMITS): Expr | undefined {
  const lexemes = new LexemeBuffer(new Lexer(report, KEYWORDS, limits));
  const found = recogniseExpression(lexemes, 0);
  const tree = found.readings[0];
  if (tree !== undefined && lexemes.at(found.end) === undefined) return builtTree(tree, report);
  reportFailure(report, lexemes, new Stop(found), found.end + 1);
  return undefined;
}

/** Parses a text that must be one part of a statement, such as the cell of a table; undefined when errors were reported. */
export function parsePart<Name extends keyof Parts>(
  name: Name,
  report: Report,
  limits: Limits,
): Parts[Name] | undefined {
  const lexemes = new LexemeBuffer(new Lexer(report, KEYWORDS, limits));
  const found = recognisePart(name, lexemes);
  const tree = found.readings[0];
  if (tree !== undefined && lexemes.at(found.end) === undefined) return builtTree(tree, report);
  reportFailure(report, lexemes, new Stop(found), found.end + 1);
  return undefined;
}

/** Returns how many parses each statement has: more than one means that the grammar is ambiguous. */
export function countReadings(report: Report): number[] {
  const counts: number[] = [];
  const lexemes = new LexemeBuffer(new Lexer(report, KEYWORDS, DEFAULT_LIMITS));
  while (lexemes.at(0) !== undefined) {
    const found = recogniseStatement(lexemes, 0);
    const whole = found.readings.length > 0;
    const end = whole ? found.end : longestStatement(lexemes, 0, found.end);
    if (end === undefined || end === 0) break;
    counts.push((whole ? found : recogniseStatement(lexemes, 0, end)).readings.length);
    lexemes.dropBefore(end);
  }
  return counts;
}

/** The tokens read so far for the current statement; those of finished statements are dropped. */
class LexemeBuffer implements Lexemes {
  readonly #lexer: Lexer;
  #lexemes: Lexeme[] = [];
  #ended = false;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  at(index: number): Lexeme | undefined {
    while (index >= this.#lexemes.length && !this.#ended) {
      const lexeme = this.#lexer.next();
      if (lexeme === undefined) this.#ended = true;
      else this.#lexemes.push(lexeme);
    }
    return this.#lexemes[index];
  }

  /** Drops the tokens before `index`, which becomes 0. */
  dropBefore(index: number): void {
    this.#lexemes = this.#lexer.beginStatement(this.#lexemes.slice(index));
  }

  /** Replaces a token by others. */
  replace(index: number, ...others: readonly Lexeme[]): void {
    this.#lexemes.splice(index, 1, ...others);
  }

  /**
   * Continues at an offset that was reached without this buffer; tokens that it has read already are not read again.
   */
  skipTo(offset: number): void {
    const kept = this.#lexemes.filter((lexeme) => lexeme.start >= offset);
    if (this.#lexer.position < offset) this.#lexer.continueAt(offset);
    this.#lexemes = this.#lexer.beginStatement(kept);
  }
}

/** The most repairs in one statement; each parses it again. */
const MAX_REPAIRS = 20;

/** Where reading stopped. What was expected there is found when somebody asks. */
class Stop implements Failure {
  readonly start = 0;
  readonly #found: Recognised<unknown>;
  #expected: Failure["expected"] | undefined = undefined;

  constructor(found: Recognised<unknown>) {
    this.#found = found;
  }

  get at(): number {
    return this.#found.end;
  }

  get expected(): Failure["expected"] {
    return (this.#expected ??= this.#found.expected());
  }
}

class FileReader {
  readonly #report: Report;
  readonly #lexer: Lexer;
  readonly #lexemes: LexemeBuffer;
  readonly #limits: Limits;
  readonly #plainFacts: boolean;
  readonly #declarations: Declaration[] = [];
  readonly #broken: BrokenName[] = [];
  readonly #small = new SmallSteps();
  #namesMissed = false;

  constructor(report: Report, limits: Limits, plainFacts: boolean) {
    this.#report = report;
    this.#limits = limits;
    this.#plainFacts = plainFacts;
    this.#lexer = new Lexer(report, KEYWORDS, limits);
    this.#lexemes = new LexemeBuffer(this.#lexer);
  }

  *reading(): Steps<ParsedFile> {
    for (let first = this.#lexemes.at(0); first !== undefined; first = this.#lexemes.at(0)) {
      if (!(yield* this.#readPlainFacts(first))) this.#readStatement();
      yield;
    }
    return {
      source: this.#report.source,
      declarations: this.#declarations,
      comments: this.#lexer.comments,
      ...this.#unread(),
    };
  }

  #unread(): { readonly unread?: Unread } {
    const more = this.#namesMissed || !this.#lexer.readAll;
    return this.#broken.length > 0 || more ? { unread: { names: this.#broken, more } } : {};
  }

  /** Reads plain facts as long as there are some; the lexer continues after them. */
  *#readPlainFacts(first: Lexeme): Steps<boolean> {
    if (!this.#plainFacts || first.type !== "word") return false;
    const text = this.#report.source.text;
    let end: number | undefined;
    for (;;) {
      const fact = readPlainFact(text, end ?? first.start, this.#limits.text);
      if (fact === undefined) break;
      this.#declarations.push(fact);
      end = fact.span.end;
      if (this.#small.isDue()) yield;
    }
    if (end === undefined) return false;
    this.#lexemes.skipTo(end);
    return true;
  }

  #readStatement(): void {
    if (this.#lexemes.at(0)?.text === ";") return this.#passOver();
    const found = this.#recognise();
    const tree = found.readings[0];
    if (tree !== undefined) return this.#add(tree, found.end);
    const failure = new Stop(found);
    if (!this.#acceptShorter(failure)) this.#giveUp(failure);
  }

  /** Skips a `;` between statements. */
  #passOver(): void {
    reportFailure(this.#report, this.#lexemes, { start: 0, at: 0, expected: [] }, 1);
    this.#lexemes.dropBefore(1);
  }

  /**
   * Recognises a statement despite mistakes with one obvious fix: `=` in a test is read as `==`, a `;`
   * is skipped. Each is reported, and the rest of the statement is checked too.
   */
  #recognise(): Recognised<Declaration> {
    let found = recogniseStatement(this.#lexemes, 0);
    for (let repairs = 0; repairs < MAX_REPAIRS && this.#repair(found); repairs++) {
      found = recogniseStatement(this.#lexemes, 0);
    }
    return found;
  }

  #repair(found: Recognised<Declaration>): boolean {
    const failure = new Stop(found);
    const repaired = repairOf(this.#lexemes, failure);
    const ended = found.readings.length > 0 && repaired?.length === 0;
    if (repaired === undefined || ended || this.#resume(failure.at) <= failure.at) return false;
    reportFailure(this.#report, this.#lexemes, failure, failure.at + 1);
    this.#lexemes.replace(failure.at, ...repaired);
    return true;
  }

  #resume(failed: number): number {
    return resumeAt(this.#report.source.text, this.#lexemes, 0, failed);
  }

  /**
   * Accepts a shorter part of a failed statement. The grammar may have run into the next statement before it failed:
   * when a shorter part is a statement, and what follows it can be parsed past the failure, the shorter part is used.
   */
  #acceptShorter(failure: Failure): boolean {
    if (failure.at <= 1) return false;
    const end = longestStatement(this.#lexemes, 0, failure.at);
    if (end === undefined || end >= failure.at) return false;
    const next = recogniseStatement(this.#lexemes, end);
    if (next.readings.length === 0 && next.end <= failure.at) return false;
    const tree = recogniseStatement(this.#lexemes, 0, end).readings[0];
    if (tree === undefined) return false;
    this.#add(tree, end);
    return true;
  }

  /** Adds a statement that was recognised, up to `end`. */
  #add(tree: () => Declaration, end: number): void {
    const built = builtTree(tree, this.#report);
    if (built !== undefined) this.#declarations.push(built);
    else this.#noteUnread();
    this.#lexemes.dropBefore(end);
  }

  /** Notes the names of the next statement, which could not be read. */
  #noteUnread(): void {
    const name = brokenName(this.#lexemes, 0);
    if (name !== undefined) this.#broken.push(name);
    if (bringsNames(this.#lexemes, 0)) this.#namesMissed = true;
  }

  #giveUp(failure: Failure): void {
    this.#noteUnread();
    const resume = this.#resume(failure.at);
    if (this.#lexemes.at(resume - 1)?.type !== "limit") reportFailure(this.#report, this.#lexemes, failure, resume);
    this.#lexemes.dropBefore(resume);
  }
}
