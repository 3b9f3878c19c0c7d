/** Breaks the text of a box into lines, and measures the box. */
import { widthOf } from "../columns.ts";
import { visible } from "../visible.ts";
import { clip, kindLine, sharingLine, titleOf } from "./look.ts";
import type { Box } from "./model.ts";
import type { MeasuredBox } from "./picture.ts";

/** The width of a character of a monospaced font at 13 and at 11 pixels, rounded up. */
const TITLE_CHARACTER = 8;
export const SMALL_CHARACTER = 6.8;
const TITLE_LINE = 17;
export const SMALL_LINE = 15;
const PADDING = 10;
const WIDEST = 34;
const WIDEST_SMALL = 40;
const WIDEST_STATE = 56;
const MOST_LINES = 4;

/** Measures a box; `facts` says where the facts of a join come from when no arrow does. */
export function measure(box: Box, facts: readonly string[]): MeasuredBox {
  const title = wrap(titleOf(box), WIDEST, MOST_LINES);
  const sharing = sharingLine(box, WIDEST_SMALL);
  const small = [
    ...facts
      .flatMap((words) => wrap(visible(words), WIDEST_SMALL, 2))
      .map((words) => ({ words, look: "facts" as const })),
    ...(box.kind === "state" ? wrap(kindLine(box), WIDEST_STATE, 3) : [kindLine(box)]).map((words) => ({
      words,
      look: "kind" as const,
    })),
    ...(sharing === undefined ? [] : [{ words: sharing, look: "sharing" as const }]),
  ];
  const width = Math.max(
    90,
    ...title.map((line) => widthOf(line) * TITLE_CHARACTER + 2 * PADDING),
    ...small.map(({ words }) => widthOf(words) * SMALL_CHARACTER + 2 * PADDING),
  );
  const height = title.length * TITLE_LINE + small.length * SMALL_LINE + 2 * PADDING - 4;
  return { box, title, small, width: Math.ceil(width), height };
}

/** Breaks a text at blanks where possible; cuts off what is too long for `most` lines. */
function wrap(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\s)/u)) {
    for (const piece of piecesOf(word, width)) {
      if (
        line !== "" &&
        widthOf(line.trimEnd()) + widthOf(piece.trimEnd()) + (line.length - line.trimEnd().length) > width
      ) {
        lines.push(line.trimEnd());
        line = "";
      }
      line += piece;
    }
  }
  lines.push(line.trimEnd());
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), clip(`${lines[most - 1] ?? ""} …`, width)];
}

function piecesOf(word: string, width: number): string[] {
  const characters = [...word];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += width) pieces.push(characters.slice(at, at + width).join(""));
  return pieces;
}
