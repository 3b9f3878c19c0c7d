/** The author's own words, and values as one would write them. */
import type { Source } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import { expressionText, elementText } from "../../language/print-part.ts";

/** As it would be written in a program. */
export function valueWords(value: Maybe): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return `[${value.map((item: Maybe) => valueWords(item)).join(", ")}]`;
  if (typeof value === "object") return `{${fieldWords(value as Readonly<Record<string, Maybe>>)}}`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Longer texts and lists are cut where they are told as seen. */
const LONGEST_TEXT = 200;
const LONGEST_LIST = 20;

/** The same, as short as a sentence can bear: `"Dear …" (4,012 characters)`. */
export function seenValue(value: Maybe): string {
  if (typeof value === "string" && value.length > LONGEST_TEXT) {
    return `${JSON.stringify(`${value.slice(0, LONGEST_TEXT)}…`)} (${plural(value.length, "character")})`;
  }
  if (!Array.isArray(value)) return valueWords(value);
  const items = value.slice(0, LONGEST_LIST).map((item: Maybe) => seenValue(item));
  const more = value.length > LONGEST_LIST ? `, …] (${plural(value.length, "item")})` : "]";
  return `[${items.join(", ")}${more}`;
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

/** What stands at a place of the source, in one line; printed from the tree where the text does not tell. */
export class Words {
  readonly #source: Source;
  readonly #kept = new WeakMap<object, string>();

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
    const kept = this.#kept.get(node);
    if (kept !== undefined) return kept;
    const written = this.#source.text.slice(node.span.start, node.span.end);
    const usable = written !== "" && !written.includes("//") && !written.includes("/*");
    const words = (usable ? written : print()).replace(QUOTED_OR_BLANK, inOneLine).trim();
    this.#kept.set(node, words);
    return words;
  }
}

/** Blanks count for one, except inside a text; a bracket that was broken into lines is closed up. */
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
