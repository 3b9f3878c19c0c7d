/** The lines of a file as one text again, with the way back from offsets to lines. */
import type { Position } from "./json-facts.ts";
import type { Line } from "./lines.ts";

/** Texts cannot be longer than about 2^29 characters. */
const LONGEST = 500_000_000;

export interface WholeText {
  readonly text: string;
  readonly position: Position;
}

/** Undefined when it is too long for one text. */
export function wholeText(lines: Iterable<Line>): WholeText | undefined {
  const texts: string[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const { text } of lines) {
    texts.push(text);
    starts.push(length);
    length += text.length + 1;
    if (length > LONGEST) return undefined;
  }
  return { text: texts.join("\n"), position: (offset) => positionIn(starts, offset) };
}

function positionIn(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
