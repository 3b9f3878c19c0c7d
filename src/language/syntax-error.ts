/** Says in plain words why a statement could not be read. */
import type { Report } from "../base/diagnostic.ts";
import { nearest } from "../base/nearest.ts";
import type { Lexeme } from "./lexer.ts";
import { OPERATORS } from "./lexemes.ts";
import type { Lexemes, Terminal } from "./recogniser.ts";
import { STATEMENT_WORDS } from "./recovery.ts";

export interface Failure {
  /** The first lexeme of the statement. */
  readonly start: number;
  /** The lexeme that does not fit, or the end of the text. */
  readonly at: number;
  readonly expected: readonly Terminal[];
}

/** `resume` is where reading goes on: when that is not behind the failure, a bracket was left open before it. */
export function reportFailure(report: Report, lexemes: Lexemes, failure: Failure, resume: number): void {
  const found = lexemes.at(failure.at);
  const next = lexemes.at(resume);
  const open = openBracket(lexemes, { ...failure, at: Math.min(failure.at, resume) });
  if (next !== undefined && resume <= failure.at && open !== undefined) {
    const line = report.source.position(open.start).line;
    const message = `"${open.text}" in line ${line} is not closed before the next statement begins`;
    report.error("E100", { start: next.start, end: next.end }, message, `close it with "${CLOSERS[open.text]}"`);
    return;
  }
  const before = failure.at > failure.start ? lexemes.at(failure.at - 1) : undefined;
  if (found === undefined) return reportEnd(report, lexemes, failure, before);
  if (found.type === "limit" || isOpenText(found)) return; // said by the lexer
  const span = { start: found.start, end: found.end };
  if (isSingleEquals(lexemes, failure, found)) {
    report.error("E106", span, 'a single "=" does not compare', 'use "==" to compare');
    return;
  }
  report.error("E100", span, unexpected(found, before), hint(report, lexemes, failure, found));
}

/** The `=` that stands where only `==` can; the beginning of `=>` and `=<` is another mistake. */
function isSingleEquals(lexemes: Lexemes, failure: Failure, found: Lexeme): boolean {
  if (found.text !== "=" || !expects(failure, "==")) return false;
  const next = lexemes.at(failure.at + 1);
  return next?.start !== found.end || !COMPARATORS.has(next.text);
}

/** What to read in place of the lexeme that does not fit, where there is no doubt about what was meant. */
export function repairOf(lexemes: Lexemes, failure: Failure): readonly Lexeme[] | undefined {
  const found = lexemes.at(failure.at);
  if (found === undefined) return undefined;
  if (isSingleEquals(lexemes, failure, found)) return [{ ...found, text: "==" }];
  return found.text === ";" && failure.at > failure.start ? [] : undefined;
}

function reportEnd(report: Report, lexemes: Lexemes, failure: Failure, before: Lexeme | undefined): void {
  const end = before?.end ?? report.source.text.length;
  const place = { start: before?.start ?? end, end };
  const follows = before !== undefined && expectsValue(failure) ? `, a value must follow ${quote(before)}` : "";
  const open = openBracket(lexemes, failure);
  const unclosed =
    open === undefined ? undefined : `"${open.text}" in line ${report.source.position(open.start).line} is not closed`;
  report.error(
    "E101",
    place,
    `unexpected end of file${follows}`,
    unclosed ?? (follows === "" ? expectation(failure) : undefined),
  );
}

function unexpected(found: Lexeme, before: Lexeme | undefined): string {
  const where = before === undefined ? " where a statement should begin" : ` after ${quote(before)}`;
  if (found.type !== "bad") return `unexpected ${quote(found)}${where}`;
  const point = (found.text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `unexpected character "${found.text}" (U+${point})${where}`;
}

function hint(report: Report, lexemes: Lexemes, failure: Failure, found: Lexeme): string | undefined {
  if (found.type === "bad" && /[“”„«»‘’「」]/u.test(found.text)) return 'a text stands in straight quotes: "…"';
  const meant = found.type === "bad" ? plainSign(found.text) : otherComparator(lexemes, failure, found);
  if (meant !== undefined) return `write "${meant}"`;
  if (COMPARATORS.has(found.text) && expects(failure, "and") && expects(failure, "+")) {
    return `comparisons cannot be chained: join two of them with "and"`;
  }
  const before = lexemes.at(failure.at - 1)?.text ?? "";
  const setting = SETTINGS.has(found.text) ? found.text : before;
  if (SETTINGS.has(setting) && (expects(failure, "on") || expects(failure, "."))) {
    return `"${setting}" comes before the "on … then" blocks`;
  }
  if (found.type === "verb" && expects(failure, "then")) return 'actions come behind "then"';
  const open = openBracket(lexemes, failure);
  if (open !== undefined && isLeftOpen(open, found, before)) {
    return `"${open.text}" in line ${report.source.position(open.start).line} is not closed`;
  }
  if (open === undefined && CLOSING.has(found.text)) return "no bracket is open that it could close: leave it out";
  const reserved = reservedWord(failure, found);
  if (reserved !== undefined) return reserved;
  if (lexemes.at(failure.start)?.text === "import" && failure.at === failure.start + 1) {
    return 'the file is named in quotes: import "other.tsd"';
  }
  if (found.text === "#") return 'a comment begins with "//"';
  if (found.text === ";") return 'no separator is needed here: leave the ";" out';
  const first = lexemes.at(failure.start);
  if (failure.at === failure.start + 1 && first?.type === "word") {
    const meant = nearest(first.text, STATEMENT_WORDS);
    if (meant !== undefined && meant !== first.text) return `did you mean "${meant}"?`;
  }
  if (expects(failure, ",") && VALUE_TYPES.has(found.type) && open !== undefined && open.text !== "{") {
    return `a comma or "${CLOSERS[open.text]}" is missing before it`;
  }
  return expectation(failure);
}

const VALUE_TYPES: ReadonlySet<string> = new Set(["text", "number", "word"]);

/** Another closing bracket shows it, or the `then` that never stands inside parentheses. */
function isLeftOpen(open: Lexeme, found: Lexeme, before: string): boolean {
  if (found.type === "symbol" && CLOSING.has(found.text)) return CLOSERS[open.text] !== found.text;
  return open.text !== "{" && (found.text === "then" || before === "then");
}

/** A reserved word where a name was meant; an operator there only means that something is missing before it. */
function reservedWord(failure: Failure, found: Lexeme): string | undefined {
  if (found.type !== "reserved" && found.type !== "verb") return undefined;
  if (!failure.expected.some((one) => "type" in one && one.type === "word")) return undefined;
  const word = String(found.value);
  if (!expectsValue(failure)) return `"${word}" is a reserved word: choose another name`;
  return OPERATORS.has(found.text)
    ? undefined
    : `"${word}" is a reserved word: a field of this name follows a dot, p.${word}`;
}

/** Words of gates and guardians that would be actions behind `then`. */
const SETTINGS = new Set(["require", "logic", "trust", "track", "retry", "check"]);

const COMPARATORS = new Set(["==", "!=", "<", "<=", ">", ">="]);

/** Comparisons as other languages write them. */
const OTHER_COMPARATORS: ReadonlyMap<string, string> = new Map([
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
  ["=>", ">="],
  ["=<", "<="],
]);

/** Signs as they stand in printed text. */
const PRINTED_SIGNS: ReadonlyMap<string, string> = new Map([
  ["≥", ">="],
  ["≤", "<="],
  ["≠", "!="],
  ["×", "*"],
  ["÷", "/"],
  ["−", "-"],
  ["–", "-"],
  ["→", "==>"],
  ["、", ","],
]);

/** The sign of the language that a character stands for; also `（` and other wide forms. */
function plainSign(character: string): string | undefined {
  const narrow = character.normalize("NFKC");
  return PRINTED_SIGNS.get(character) ?? (/^[!-~]+$/u.test(narrow) && narrow !== character ? narrow : undefined);
}

/** The sign that is meant, when this one and its neighbour make up one that the language does not know. */
function otherComparator(lexemes: Lexemes, failure: Failure, found: Lexeme): string | undefined {
  const before = lexemes.at(failure.at - 1);
  const next = lexemes.at(failure.at + 1);
  const withBefore = before?.end === found.start ? OTHER_COMPARATORS.get(before.text + found.text) : undefined;
  return withBefore ?? (next?.start === found.end ? OTHER_COMPARATORS.get(found.text + next.text) : undefined);
}

/** "expected a name or “(”", when the list is short enough to help. */
function expectation(failure: Failure): string | undefined {
  const wanted = new Set<string>();
  const value = expectsValue(failure);
  if (value) wanted.add("a value");
  for (const terminal of failure.expected) {
    const words = describe(terminal, value);
    if (words !== undefined) wanted.add(words);
  }
  if (wanted.size === 0 || wanted.size > 6) return undefined;
  const list = [...wanted];
  const last = list.pop();
  return list.length === 0 ? `expected ${last}` : `expected ${list.join(", ")} or ${last}`;
}

function describe(terminal: Terminal, value: boolean): string | undefined {
  if ("literal" in terminal) return value && VALUE_LITERALS.has(terminal.literal) ? undefined : `"${terminal.literal}"`;
  if (terminal.type === "number") return value ? undefined : "a number";
  if (terminal.type === "text") return value ? undefined : "a text";
  if (terminal.type === "quantity") return "a duration such as 10m";
  return value || terminal.type !== "word" ? undefined : "a name";
}

/** Literals that begin a value; named one by one they would bury the rest. */
const VALUE_LITERALS = new Set([
  "-",
  "(",
  "[",
  "{",
  "true",
  "false",
  "not",
  "exists",
  "all",
  "any",
  "at",
  "cast",
  "gate",
  "guardian",
]);

function expectsValue(failure: Failure): boolean {
  return expects(failure, "true") && failure.expected.some((one) => "type" in one && one.type === "number");
}

function expects(failure: Failure, literal: string): boolean {
  return failure.expected.some((one) => "literal" in one && one.literal === literal);
}

const CLOSING = new Set([")", "]", "}"]);
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function openBracket(lexemes: Lexemes, failure: Failure): Lexeme | undefined {
  const open: Lexeme[] = [];
  for (let index = failure.start; index < failure.at; index++) {
    const lexeme = lexemes.at(index);
    if (lexeme === undefined || lexeme.type !== "symbol") continue;
    if (lexeme.text === "(" || lexeme.text === "[" || lexeme.text === "{") open.push(lexeme);
    else if (lexeme.text === ")" || lexeme.text === "]" || lexeme.text === "}") open.pop();
  }
  return open.at(-1);
}

function isOpenText(lexeme: Lexeme): boolean {
  return lexeme.type === "bad" && (lexeme.text.startsWith('"') || lexeme.text.startsWith("'"));
}

const LONGEST_QUOTE = 40;

function quote(lexeme: Lexeme): string {
  const written = lexeme.type === "text" ? lexeme.text : String(lexeme.value);
  const short = written.length > LONGEST_QUOTE ? `${written.slice(0, LONGEST_QUOTE)}…` : written;
  return lexeme.type === "text" ? short : `"${short}"`;
}
