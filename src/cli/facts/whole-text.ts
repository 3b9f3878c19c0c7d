/** Joins the lines of a file to one text, and maps offsets back to lines. */
import { Source } from "../../index.ts";
import type { Position } from "./json-facts.ts";
import type { Line } from "./lines.ts";

/** The longest text in characters: a string holds about 2^29. */
const LONGEST = 500_000_000;

export interface WholeText {
  readonly text: string;
  readonly position: Position;
}

/** Returns undefined when the text is too long for one string. */
export function wholeText(lines: Iterable<Line>): WholeText | undefined {
  const texts: string[] = [];
  let length = 0;
  for (const { text } of lines) {
    texts.push(text);
    length += text.length + 1;
    if (length > LONGEST) return undefined;
  }
  const source = new Source("", texts.join("\n"));
  return { text: source.text, position: (offset) => source.position(offset) };
}
