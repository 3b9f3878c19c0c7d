/** What is known of a syntax error when a hint is chosen: the tokens around it, and how to read them. */
import type { Report } from "../base/diagnostic.ts";
import type { OpenBrackets } from "./brackets.ts";
import type { Failure } from "./expected.ts";
import type { Lexeme } from "./lexer.ts";
import type { Lexemes } from "./recogniser.ts";

/** All facts about a syntax error. */
export interface Situation {
  readonly report: Report;
  readonly lexemes: Lexemes;
  readonly failure: Failure;
  /** The unexpected token. */
  readonly found: Lexeme;
  /** The token before it in the statement. */
  readonly before: Lexeme | undefined;
  /** The brackets that are open there. */
  readonly open: OpenBrackets;
}

/** Returns the hint for a mistake that it knows. */
export type Advice = (situation: Situation) => string | undefined;

/** Returns a token of the statement by its distance from the unexpected one; -1 is the one before it. */
export function tokenAt({ lexemes, failure }: Situation, distance: number): Lexeme | undefined {
  const index = failure.at + distance;
  return index < failure.start ? undefined : lexemes.at(index);
}

/** Returns a word in lower case; "" for another token. */
export function wordOf(lexeme: Lexeme | undefined): string {
  const isWord = lexeme?.type === "word" || lexeme?.type === "reserved" || lexeme?.type === "verb";
  return isWord ? String(lexeme.value).toLowerCase() : "";
}

/** Returns whether nothing stands between two tokens. */
export function touch(first: Lexeme | undefined, second: Lexeme | undefined): boolean {
  return first !== undefined && first.end === second?.start;
}

/** Returns whether a value may end with a token. */
export function endsValue(lexeme: Lexeme | undefined): boolean {
  if (lexeme === undefined) return false;
  return VALUES.has(lexeme.type) || lexeme.text === ")" || lexeme.text === "]";
}

const VALUES: ReadonlySet<string> = new Set(["word", "number", "text", "amount", "time"]);

/** Returns the source from one token to another. */
export function textBetween({ report }: Situation, first: Lexeme | undefined, last: Lexeme | undefined): string {
  return first === undefined || last === undefined ? "" : report.source.text.slice(first.start, last.end);
}

/** Returns the distance of the bracket that a closing bracket at a distance closes; undefined when it is too far away. */
export function openerBefore(situation: Situation, distance: number): number | undefined {
  let depth = 0;
  for (let at = distance; at > distance - FARTHEST; at--) {
    const token = tokenAt(situation, at);
    if (token === undefined) return undefined;
    if (token.type !== "symbol") continue;
    if (CLOSING.has(token.text)) depth += 1;
    else if (OPENING.has(token.text) && --depth === 0) return at;
  }
  return undefined;
}

/** Returns the distance of the token that closes the bracket around a place; undefined when it is too far away. */
export function closerAfter(situation: Situation, distance: number): number | undefined {
  let depth = 0;
  for (let at = distance; at < distance + FARTHEST; at++) {
    const token = tokenAt(situation, at);
    if (token === undefined) return undefined;
    if (token.type !== "symbol") continue;
    if (OPENING.has(token.text)) depth += 1;
    else if (CLOSING.has(token.text) && depth-- === 0) return at;
  }
  return undefined;
}

/** Returns the distance of the innermost bracket that is open; undefined when it is too far away. */
export function openBefore(situation: Situation): number | undefined {
  const { innermost } = situation.open;
  if (innermost === undefined) return undefined;
  for (let at = -1; at > -FARTHEST; at--) if (tokenAt(situation, at) === innermost) return at;
  return undefined;
}

/** Returns the distance at which a value begins that ends at a distance: a name with its fields, a call, a number. */
export function valueBefore(situation: Situation, distance: number): number | undefined {
  let at = distance;
  const token = tokenAt(situation, at);
  if (token === undefined) return undefined;
  if (token.type === "number" || token.type === "text" || token.type === "amount") return at;
  while (CLOSING.has(tokenAt(situation, at)?.text ?? "")) {
    const opener = openerBefore(situation, at);
    if (opener === undefined) return undefined;
    if (tokenAt(situation, opener - 1)?.type !== "word") return opener;
    at = opener - 1;
  }
  if (wordOf(tokenAt(situation, at)) === "") return undefined;
  if (tokenAt(situation, at - 1)?.text !== ".") return at;
  return valueBefore(situation, at - 2);
}

/** Returns the source of the value that ends at a distance; "…" when it is not a simple one. */
export function valueText(situation: Situation, distance: number): string {
  const from = valueBefore(situation, distance);
  if (from === undefined) return "…";
  return textBetween(situation, tokenAt(situation, from), tokenAt(situation, distance)) || "…";
}

/** Returns the source of a number, string or name at a distance that nothing follows but the end of a value; "…" for another. */
export function simpleText(situation: Situation, distance: number): string {
  const token = tokenAt(situation, distance);
  const isSimple = token?.type === "number" || token?.type === "text" || token?.type === "word";
  return isSimple && tokenAt(situation, distance + 1)?.text !== "." ? textBetween(situation, token, token) : "…";
}

/** The most tokens that are examined in one direction: a file of mistakes must not take quadratic time. */
const FARTHEST = 100;

const OPENING = new Set(["(", "[", "{"]);
const CLOSING = new Set([")", "]", "}"]);
