/**
 * A direct path for the cells of tables in files: `-`, `5`, `"gold"`, `FR`, `>= 1000`, `[0..10)`. Files of tables are long and most of
 * their cells are plain. Returns the same tree as the grammar, and declines everything else by returning undefined.
 */
import type { Expr, NumberExpr, RangeExpr, TableCell, UnaryTest } from "./ast.ts";
import { readValue } from "./plain-fact.ts";

/** Returns the expression that a text is; undefined when it is not a plain one. */
export function plainOutput(text: string, longestText: number): Expr | undefined {
  const from = text.length - text.trimStart().length;
  return whole(text, from, longestText);
}

/** Returns the tests of a cell; undefined when they are not plain ones. */
export function plainCell(text: string, longestText: number): TableCell | undefined {
  const from = text.length - text.trimStart().length;
  const span = { start: from, end: text.trimEnd().length };
  if (text.slice(span.start, span.end) === "-") return { tests: [], span };
  const test = plainTest(text, from, longestText) ?? plainRange(text);
  return test === undefined ? undefined : { tests: [test], span: test.span };
}

const COMPARATOR = /(==|!=|<=|>=|<|>)[ \t]*/uy;

function plainTest(text: string, from: number, longestText: number): UnaryTest | undefined {
  COMPARATOR.lastIndex = from;
  const [written = "", op = "=="] = COMPARATOR.exec(text) ?? [];
  const right = whole(text, from + written.length, longestText);
  if (right === undefined) return undefined;
  return { kind: "unary", op: op as UnaryTest["op"], right, negated: false, span: right.span };
}

const RANGE = /^(\s*\[)(\d{1,15}(?:\.\d{1,15})?)\.\.(\d{1,15}(?:\.\d{1,15})?)([)\]])\s*$/u;

function plainRange(text: string): UnaryTest | undefined {
  const [, opening, from, to, closing] = RANGE.exec(text) ?? [];
  if (opening === undefined || from === undefined || to === undefined) return undefined;
  const at = opening.length;
  const number = (written: string, start: number): NumberExpr => ({
    kind: "number",
    value: Number(written),
    span: { start, end: start + written.length },
  });
  const end = at + from.length + 2 + to.length + 1;
  const span = { start: at - 1, end };
  const range: RangeExpr = {
    kind: "range",
    from: number(from, at),
    to: number(to, at + from.length + 2),
    open: closing === ")",
    span,
  };
  return { kind: "unary", op: "in", right: range, negated: false, span };
}

/** Returns the plain value that is all of the rest. A minus is left to the grammar. */
function whole(text: string, from: number, longestText: number): Expr | undefined {
  if (text[from] === "-") return undefined;
  const value = readValue(text, from, longestText);
  return value !== undefined && text.slice(value.span.end).trim() === "" ? value : undefined;
}
