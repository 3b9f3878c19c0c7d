/** Finds out how a file of facts is written: by its name, or by its first lines. */
import { isWholeObject } from "./json-facts.ts";
import type { Line } from "./lines.ts";

export type Format = "json" | "ndjson" | "csv";

const BY_ENDING: ReadonlyMap<string, Format> = new Map([
  ["csv", "csv"],
  ["ndjson", "ndjson"],
  ["jsonl", "ndjson"],
]);

/** Undefined when the content must tell. */
export function formatByName(file: string): Format | undefined {
  return BY_ENDING.get(endingOf(file));
}

/** Whether a name on the command line can only be that of a file of facts. */
export function namesFacts(file: string): boolean {
  return endingOf(file) === "json" || BY_ENDING.has(endingOf(file));
}

/** `data/Person.csv` holds facts of the type Person. */
export function typeByName(file: string): string {
  return file.replace(/^.*[/\\]/u, "").replace(/\.[^.]*$/u, "");
}

function endingOf(file: string): string {
  return /\.([^./\\]+)$/u.exec(file)?.[1]?.toLowerCase() ?? "";
}

/** NDJSON when the first line is an object by itself and another line follows; otherwise JSON. */
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
