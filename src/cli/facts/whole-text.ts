/** The lines of a file as one text again, with the way back from offsets to lines. */
import { Source } from "../../index.ts";
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
  let length = 0;
  for (const { text } of lines) {
    texts.push(text);
    length += text.length + 1;
    if (length > LONGEST) return undefined;
  }
  const source = new Source("", texts.join("\n"));
  return { text: source.text, position: (offset) => source.position(offset) };
}
