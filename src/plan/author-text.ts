/** The author's own text on one line: comments are left out, runs of blanks become one. */
import type { Source } from "../base/source.ts";
import type { Span } from "../base/span.ts";

const PIECES = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|\/\*[^]*?\*\/|\s+/gu;

export function authorText(source: Source, { start, end }: Span): string {
  const text = source.text.slice(start, end);
  return text.replace(PIECES, (piece) => (piece.startsWith('"') || piece.startsWith("'") ? piece : " ")).trim();
}
