/** Determines the format of a facts file by its name, or by its first lines. */
import { isWholeObject } from "./json-facts.ts";
import type { Line } from "./lines.ts";

export type Format = "json" | "ndjson" | "csv";

const BY_ENDING: ReadonlyMap<string, Format> = new Map([
  ["csv", "csv"],
  ["ndjson", "ndjson"],
  ["jsonl", "ndjson"],
]);

/** Returns the format by the ending of the name; undefined when the content decides. */
export function formatByName(file: string): Format | undefined {
  return BY_ENDING.get(endingOf(file));
}

/** Returns whether a file has the ending of a facts file. */
export function namesFacts(file: string): boolean {
  return endingOf(file) === "json" || BY_ENDING.has(endingOf(file));
}

/** Returns the type of the facts in a CSV file: `Person` for `data/Person.csv`. */
export function typeByName(file: string): string {
  return file.replace(/^.*[/\\]/u, "").replace(/\.[^.]*$/u, "");
}

function endingOf(file: string): string {
  return /\.([^./\\]+)$/u.exec(file)?.[1]?.toLowerCase() ?? "";
}

/** Returns NDJSON when the first line is a whole object and another line follows, and JSON otherwise; with all lines. */
export function formatByContent(lines: Iterable<Line>): { readonly format: Format; readonly lines: Iterable<Line> } {
  const rest = lines[Symbol.iterator]();
  const seen: Line[] = [];
  let objects = 0;
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    seen.push(next.value);
    if (next.value.text.trim() === "") continue;
    if (objects === 1) return { format: "ndjson", lines: chain(seen, rest) };
    if (!isWholeObject(next.value.text)) break;
    objects = 1;
  }
  return { format: "json", lines: chain(seen, rest) };
}

function* chain(seen: readonly Line[], rest: Iterator<Line>): Iterable<Line> {
  yield* seen;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}
