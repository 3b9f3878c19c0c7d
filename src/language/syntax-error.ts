/** Reports why a statement could not be parsed. */
import type { Report } from "../base/diagnostic.ts";
import { closerOf, OpenBrackets } from "./brackets.ts";
import { expectation, expects, expectsValue, type Failure } from "./expected.ts";
import { COMPARATORS, hint } from "./hint.ts";
import type { Lexeme } from "./lexer.ts";
import type { Lexemes } from "./recogniser.ts";

/** Reports one failure. `resume` is where parsing continues: when that is not after the failure, a bracket was left open before it. */
export function reportFailure(report: Report, lexemes: Lexemes, failure: Failure, resume: number): void {
  const found = lexemes.at(failure.at);
  const next = lexemes.at(resume);
  const unclosed = openBefore(lexemes, failure.start, Math.min(failure.at, resume)).innermost;
  if (next !== undefined && resume <= failure.at && unclosed !== undefined) {
    const { line } = report.source.position(unclosed.start);
    const message = `"${unclosed.text}" on line ${line} is not closed before the next statement`;
    report.error("E100", { start: next.start, end: next.end }, message, `close it with "${closerOf(unclosed)}"`);
    return;
  }
  const before = failure.at > failure.start ? lexemes.at(failure.at - 1) : undefined;
  const open = openBefore(lexemes, failure.start, failure.at);
  if (found === undefined) return reportEnd(report, failure, before, open.innermost);
  if (found.type === "limit" || openTextOnLine(report, lexemes, failure.at)) return; // the lexer has reported it
  const span = { start: found.start, end: found.end };
  if (isSingleEquals(lexemes, failure, found)) {
    report.error("E106", span, '"=" does not compare', 'use "==" to compare');
    return;
  }
  report.error("E100", span, unexpected(found, before), hint({ report, lexemes, failure, found, before, open }));
}

function openBefore(lexemes: Lexemes, start: number, end: number): OpenBrackets {
  const open = new OpenBrackets();
  for (let index = start; index < end; index++) {
    const lexeme = lexemes.at(index);
    if (lexeme !== undefined) open.take(lexeme);
  }
  return open;
}

/** Returns whether this is `=` where only `==` is possible; the start of `=>` and `=<` is another mistake. */
function isSingleEquals(lexemes: Lexemes, failure: Failure, found: Lexeme): boolean {
  if (found.text !== "=" || !expects(failure, "==")) return false;
  const next = lexemes.at(failure.at + 1);
  return next?.start !== found.end || !COMPARATORS.has(next.text);
}

/** Returns the tokens to read instead of the unexpected one, when the intended meaning is certain. */
export function repairOf(lexemes: Lexemes, failure: Failure): readonly Lexeme[] | undefined {
  const found = lexemes.at(failure.at);
  if (found === undefined) return undefined;
  if (isSingleEquals(lexemes, failure, found)) return [{ ...found, text: "==" }];
  const { innermost } = openBefore(lexemes, failure.start, failure.at);
  return found.text === ";" && innermost?.text !== "(" ? [] : undefined;
}

function reportEnd(report: Report, failure: Failure, before: Lexeme | undefined, open: Lexeme | undefined): void {
  const end = before?.end ?? report.source.text.length;
  const place = { start: before?.start ?? end, end };
  const follows = before !== undefined && expectsValue(failure) ? `: expected a value after ${quote(before)}` : "";
  const unclosed =
    open === undefined ? undefined : `"${open.text}" on line ${report.source.position(open.start).line} is not closed`;
  const hintAtEnd = unclosed ?? (follows === "" ? expectation(failure) : undefined);
  report.error("E101", place, `unexpected end of file${follows}`, hintAtEnd);
}

function unexpected(found: Lexeme, before: Lexeme | undefined): string {
  const where = before === undefined ? " at the start of a statement" : ` after ${quote(before)}`;
  if (found.type !== "bad") return `unexpected ${quote(found)}${where}`;
  const point = (found.text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `unexpected character "${found.text}" (U+${point})${where}`;
}

/** Returns whether a string is not closed on this line: a missing quote anywhere on a line shows at its end. */
function openTextOnLine(report: Report, lexemes: Lexemes, from: number): boolean {
  const line = (lexeme: Lexeme): number => report.source.position(lexeme.start).line;
  const first = lexemes.at(from);
  for (let index = from; index < from + MAX_LINE_TOKENS; index++) {
    const lexeme = lexemes.at(index);
    if (lexeme === undefined || first === undefined || line(lexeme) !== line(first)) return false;
    if (isOpenText(lexeme)) return true;
  }
  return false;
}

/** The most tokens of a line that are examined. */
const MAX_LINE_TOKENS = 200;

function isOpenText(lexeme: Lexeme): boolean {
  return lexeme.type === "bad" && /^(?:["'}]|\$")/u.test(lexeme.text);
}

const MAX_QUOTE_LENGTH = 40;

function quote(lexeme: Lexeme): string {
  const written = lexeme.type === "text" ? lexeme.text : String(lexeme.value);
  const short = written.length > MAX_QUOTE_LENGTH ? `${written.slice(0, MAX_QUOTE_LENGTH)}…` : written;
  return lexeme.type === "text" ? short : `"${short}"`;
}
