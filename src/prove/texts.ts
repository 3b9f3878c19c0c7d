/** Tests on strings: `like` and `matches`. */
import { RE2JS } from "re2js";

/** Returns whether the pattern occurs anywhere in the text. */
export function findsPattern(text: string, pattern: string): boolean {
  return RE2JS.compile(pattern).matcher(text).find();
}

/** One character of a `like` pattern: a literal one, any one, or any run. */
type Piece = { readonly literal: string } | "one" | "run";

/** Returns whether the whole text matches. Two pointers: on failure the last run takes one character more. */
export function isLike(text: string, pattern: string): boolean {
  const characters = [...text];
  const pieces = piecesOf(pattern);
  let at = 0;
  let piece = 0;
  let run = -1;
  let runEnd = 0;
  while (at < characters.length) {
    const wanted = pieces[piece];
    if (wanted === "run") {
      run = piece++;
      runEnd = at;
    } else if (wanted !== undefined && fits(characters[at], wanted)) {
      piece++;
      at++;
    } else if (run >= 0) {
      piece = run + 1;
      at = ++runEnd;
    } else return false;
  }
  return pieces.slice(piece).every((rest) => rest === "run");
}

function fits(character: string | undefined, wanted: Piece): boolean {
  return wanted === "one" || (typeof wanted === "object" && wanted.literal === character);
}

/**
 * Returns the pieces of a pattern. A backslash makes `%`, `_` and itself literal; before anything else it is an
 * ordinary character.
 */
function piecesOf(pattern: string): Piece[] {
  const characters = [...pattern];
  const pieces: Piece[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const next = characters[at + 1] ?? "";
    if (character === "\\" && ["%", "_", "\\"].includes(next)) {
      pieces.push({ literal: next });
      at++;
    } else pieces.push(character === "%" ? "run" : character === "_" ? "one" : { literal: character });
  }
  return pieces;
}

/** Returns the digits of a number without an exponent: `0.00000012` for 1.2e-7. */
export function writtenOut(number: number): string {
  const [digits = "", exponent] = String(number).split("e");
  if (exponent === undefined) return digits;
  const [whole = "", fraction = ""] = digits.split(".");
  const shift = Number(exponent);
  if (shift < 0) return `0.${"0".repeat(-shift - 1)}${whole}${fraction}`;
  return whole + fraction.padEnd(shift, "0");
}
