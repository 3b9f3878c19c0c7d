/** The text of the author, and its place. */
import type { Source } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import type { Maybe } from "../../base/value.ts";

export interface Placed {
  readonly source: Source;
}

export function placeOf({ source }: Placed, span: Span): { file: string; line: number; column: number } {
  return { file: source.file, ...source.position(span.start) };
}

/** Returns the text on one line. */
export function wordsOf({ source }: Placed, span: Span): string {
  return source.text.slice(span.start, span.end).trim().replace(/\s+/gu, " ");
}

/** Returns a value as a program would write it; `unknown` when it is missing. */
export function valueWords(value: Maybe): string {
  if (value === undefined) return "unknown";
  if (Array.isArray(value)) return `[${value.map((item: Maybe) => valueWords(item)).join(", ")}]`;
  if (typeof value === "object") return `{${fieldWords(value as Readonly<Record<string, Maybe>>)}}`;
  return JSON.stringify(value);
}

/** `who: "p1", level: 1`. */
export function fieldWords(fields: Readonly<Record<string, Maybe>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${valueWords(value)}`)
    .join(", ");
}

/** `1 firing`, `2 firings`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

const SHOWN = 5;

/** Returns the lines of the first five items, and how many more items there are. */
export function firstFew<Item>(items: readonly Item[], lines: (item: Item) => readonly string[]): string[] {
  const more = items.length - SHOWN;
  return [...items.slice(0, SHOWN).flatMap(lines), ...(more > 0 ? [`and ${more} more`] : [])];
}
