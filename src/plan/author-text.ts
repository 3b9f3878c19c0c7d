/** The author's own text, as messages and explanations quote it. */
import type { Source } from "../base/source.ts";
import type { Span } from "../base/span.ts";

const PIECES = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|\/\*[^]*?\*\/|\s+/gu;

/**
 * Returns the text of a span on one line: comments are left out, and each run of white space becomes one space, or nothing where a
 * bracket was opened or closed on a line of its own.
 */
export function authorText(source: Source, { start, end }: Span): string {
  const text = source.text.slice(start, end);
  return text
    .replace(PIECES, (piece: string, at: number) => {
      if (piece.startsWith('"') || piece.startsWith("'")) return piece;
      const isInside = "([".includes(text[at - 1] ?? " ") || ")]".includes(text[at + piece.length] ?? " ");
      return isInside && piece.includes("\n") ? "" : " ";
    })
    .trim();
}
