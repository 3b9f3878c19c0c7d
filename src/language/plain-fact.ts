/**
 * A direct path for plain fact statements: `Person("p1", "Ann", 30)`, `ann = Person(id: "p1", age: -3, vip: true)`.
 *
 * Files of facts are long and simple, and the grammar is slow for each token. This reads exactly the statements whose
 * values are single strings without escapes, numbers, booleans or bare words, returns the same tree as the grammar, and
 * declines everything else by returning undefined.
 */
import type { Ident, Expr, FactArg, FactDecl } from "./ast.ts";
import { RESERVED, VERBS, WORD } from "./lexemes.ts";

const BLANKS = /[\s\ufeff]*/uy;
const NAME = new RegExp(WORD.source, "uy");
const TEXT = /"[^"\\\n]*"|'[^'\\\n]*'/uy;
/** A number that is short enough to be exact and finite, and not the beginning of another token such as `10m`. */
const NUMBER = /(-\s*)?(\d{1,15}(?:\.\d{1,15})?)(?![\p{L}\p{M}\p{N}_.])/uy;

const OPEN = 0x28;
const CLOSE = 0x29;
const COMMA = 0x2c;
const COLON = 0x3a;
const EQUALS = 0x3d;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const ZERO = 0x30;
const NINE = 0x39;

/** Returns the fact that begins at `from` (after optional blanks); undefined when it is not a plain one. */
export function readPlainFact(text: string, from: number, longestText: number): FactDecl | undefined {
  const word = plainName(text, skip(text, from));
  if (word === undefined) return undefined;
  const next = skip(text, word.span.end);
  if (text.charCodeAt(next) === OPEN) return readArgs(text, null, word, next + 1, longestText);
  if (text.charCodeAt(next) !== EQUALS) return undefined;
  const type = plainName(text, skip(text, next + 1));
  if (type === undefined) return undefined;
  const open = skip(text, type.span.end);
  return text.charCodeAt(open) === OPEN ? readArgs(text, word, type, open + 1, longestText) : undefined;
}

function readArgs(
  text: string,
  name: Ident | null,
  type: Ident,
  from: number,
  longestText: number,
): FactDecl | undefined {
  const args: FactArg[] = [];
  let at = skip(text, from);
  if (text.charCodeAt(at) === CLOSE) return finished(name, type, args, at + 1);
  for (;;) {
    const arg = readArg(text, at, longestText);
    if (arg === undefined) return undefined;
    args.push(arg);
    at = skip(text, arg.span.end);
    const separator = text.charCodeAt(at);
    if (separator === CLOSE) return finished(name, type, args, at + 1);
    if (separator !== COMMA) return undefined;
    at = skip(text, at + 1);
  }
}

function finished(name: Ident | null, type: Ident, args: readonly FactArg[], end: number): FactDecl {
  const fact = { kind: "fact-literal", type, args, span: { start: type.span.start, end } } as const;
  return { kind: "fact", name, fact, span: { start: (name ?? type).span.start, end } };
}

function readArg(text: string, from: number, longestText: number): FactArg | undefined {
  const word = beginsValue(text.charCodeAt(from)) ? undefined : match(NAME, text, from);
  if (word !== undefined) {
    const colon = skip(text, from + word.length);
    if (text.charCodeAt(colon) === COLON) {
      const value = readValue(text, skip(text, colon + 1), longestText);
      if (value === undefined) return undefined;
      const name = { name: word, span: { start: from, end: from + word.length } };
      return { name, value, span: { start: from, end: value.span.end } };
    }
  }
  const value = readValue(text, from, longestText);
  return value === undefined ? undefined : { name: null, value, span: value.span };
}

/** Returns whether a string or a number begins with a character, and no name. */
function beginsValue(first: number): boolean {
  return first === DOUBLE_QUOTE || first === SINGLE_QUOTE || (first >= ZERO && first <= NINE);
}

/** Returns the value that begins at `start`: a string without escapes, a number or a bare word; undefined when it is not a plain one. */
export function readValue(text: string, start: number, longestText: number): Expr | undefined {
  const first = text.charCodeAt(start);
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) {
    const quoted = match(TEXT, text, start);
    if (quoted === undefined || quoted.length - 2 > longestText) return undefined;
    return { kind: "text", value: quoted.slice(1, -1), span: { start, end: start + quoted.length } };
  }
  const number = match(NUMBER, text, start);
  if (number !== undefined) return readNumber(number, start);
  const word = match(NAME, text, start);
  return word === undefined ? undefined : readWord(word, start);
}

function readNumber(written: string, start: number): Expr | undefined {
  const value = Number(written.replace(/\s/gu, ""));
  if (Object.is(value, -0)) return undefined;
  return { kind: "number", value, span: { start, end: start + written.length } };
}

function readWord(word: string, start: number): Expr | undefined {
  const span = { start, end: start + word.length };
  const folded = word.toLowerCase();
  if (folded === "true" || folded === "false") return { kind: "bool", value: folded === "true", span };
  if (RESERVED.has(folded) || VERBS.has(folded)) return undefined;
  return { kind: "path", root: { name: word, span }, fields: [], span };
}

function plainName(text: string, start: number): Ident | undefined {
  const word = match(NAME, text, start);
  if (word === undefined) return undefined;
  const folded = word.toLowerCase();
  if (RESERVED.has(folded) || VERBS.has(folded)) return undefined;
  return { name: word, span: { start, end: start + word.length } };
}

function match(shape: RegExp, text: string, at: number): string | undefined {
  shape.lastIndex = at;
  return shape.exec(text)?.[0];
}

function skip(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code > 0x20 && code < 0x7f) return from;
  BLANKS.lastIndex = from;
  return from + (BLANKS.exec(text)?.[0].length ?? 0);
}
