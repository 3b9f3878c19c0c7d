/** Breaks a text into lines that fit a width in terminal cells: after a blank where there is one, else anywhere. */
import { widthOf } from "../columns.ts";

export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const end = breakOf(rest, width);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Returns where the first line ends: after its last blank, unless that leaves less than a third of the line. */
function breakOf(text: string, width: number): number {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width && end > 0) break;
    end += character.length;
  }
  const blank = text.lastIndexOf(" ", end);
  return blank > end / 3 ? blank : end;
}
