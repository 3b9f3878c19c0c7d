/** Aligns cells in columns by the width that they have on a terminal. */

import { withoutMarks } from "./paint.ts";

/** The widest column, in terminal cells: one long id must not push everything else out of sight. */
export const WIDEST_COLUMN = 40;

const PLAIN = /^[ -~]*$/u;
const NO_ROOM = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const DOUBLE_ROOM =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

/** Returns the width in terminal cells: a combining mark takes none, a Chinese character two. */
export function widthOf(text: string): number {
  const words = withoutMarks(text);
  if (PLAIN.test(words)) return words.length;
  let width = 0;
  for (const character of words) {
    width += NO_ROOM.test(character) ? 0 : DOUBLE_ROOM.test(character) ? 2 : 1;
  }
  return width;
}

/** Pads a text with blanks on the right. */
export function filled(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Returns one line per row; an empty column is left out. */
export function inColumns(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) => columnWidth(rows.map((row) => row[at] ?? "")));
  return rows.map((row) =>
    row
      .flatMap((cell, at) => (widths[at] === 0 ? [] : [filled(cell, widths[at] ?? 0)]))
      .join("  ")
      .trimEnd(),
  );
}

function columnWidth(cells: readonly string[]): number {
  const widths = cells.map(widthOf);
  return Math.max(0, ...widths.map((width) => Math.min(width, WIDEST_COLUMN)));
}
