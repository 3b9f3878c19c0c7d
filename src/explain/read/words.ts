/** Texts of the program, and values as they would be written in it. */
import type { Source } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import { sourceOf } from "../../language/copied.ts";
import { expressionText, elementText } from "../../language/print-part.ts";

/** Returns a value as it would be written in a program. */
export function valueWords(value: Maybe): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return `[${value.map((item: Maybe) => valueWords(item)).join(", ")}]`;
  if (typeof value === "object") return `{${fieldWords(value as Readonly<Record<string, Maybe>>)}}`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The most characters of a string or list in an observation. */
const MAX_STRING_LENGTH = 200;
const MAX_LIST_LENGTH = 20;

/** Returns a value shortened for a sentence: `"Dear …" (4,012 characters)`. */
export function seenValue(value: Maybe): string {
  if (typeof value === "string" && value.length > MAX_STRING_LENGTH) {
    return `${JSON.stringify(`${value.slice(0, MAX_STRING_LENGTH)}…`)} (${plural(value.length, "character")})`;
  }
  if (typeof value === "number") return readableNumber(value);
  if (!Array.isArray(value)) return valueWords(value);
  const items = value.slice(0, MAX_LIST_LENGTH).map((item: Maybe) => seenValue(item));
  const more = value.length > MAX_LIST_LENGTH ? `, …] (${plural(value.length, "item")})` : "]";
  return `[${items.join(", ")}${more}`;
}

/** The most digits of a number that is shown as it is. */
const MAX_DIGITS = 10;

/**
 * Returns a number that people can read: without the last digits that only computing makes (0.8500000000000001), and
 * `about 0.333` for one with more digits than that.
 */
function readableNumber(value: number): string {
  if (digitsOf(value) <= MAX_DIGITS || Number.isInteger(value)) return String(value);
  const exact = Number(value.toPrecision(MAX_DIGITS + 2));
  if (digitsOf(exact) < MAX_DIGITS) return String(exact);
  return `about ${Number(Math.abs(value) >= 1 ? value.toFixed(2) : value.toPrecision(3))}`;
}

function digitsOf(value: number): number {
  const [digits = ""] = String(value).split("e");
  return digits.replaceAll(/[-.]|^-?0\.?0*/gu, "").length;
}

export function fieldWords(fields: Readonly<Record<string, Maybe>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${seenValue(value)}`)
    .join(", ");
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

export function allParts(count: number): string {
  return count === 2 ? "both parts" : `all ${count} parts`;
}

/** The text of expressions and elements on one line, as written; printed from the tree when a comment is in it. */
export class Words {
  readonly #source: Source;
  readonly #texts = new WeakMap<object, string>();

  constructor(source: Source) {
    this.#source = source;
  }

  expression(expr: ast.Expr): string {
    return this.#of(expr, () => expressionText(expr));
  }

  element(element: ast.Element): string {
    return this.#of(element, () => elementText(element));
  }

  #of(node: { readonly span: Span }, print: () => string): string {
    const kept = this.#texts.get(node);
    if (kept !== undefined) return kept;
    const written = (sourceOf(node) ?? this.#source).text.slice(node.span.start, node.span.end);
    const usable = written !== "" && !written.includes("//") && !written.includes("/*");
    const words = (usable ? written : print()).replace(QUOTED_OR_BLANK, inOneLine).trim();
    this.#texts.set(node, words);
    return words;
  }
}

/** Blanks outside strings, which become one; after an opening and before a closing bracket, a line break is removed. */
const QUOTED_OR_BLANK = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|([([])\s*\n\s*|\s*\n\s*(?=[)\]])|\s+/gu;

function inOneLine(
  found: string,
  quoted: string | undefined,
  bracket: string | undefined,
  at: number,
  all: string,
): string {
  if (quoted !== undefined || bracket !== undefined) return quoted ?? bracket ?? "";
  return found.includes("\n") && /^[)\]]/u.test(all.slice(at + found.length)) ? "" : " ";
}
