/**
 * Text from outside on its way to a terminal, a log or a page: nothing in it steers the terminal, turns the direction of
 * reading, breaks a line where none is expected, or stays invisible.
 *
 * These are control characters, separators of lines and paragraphs, halves of surrogate pairs, format characters and whatever
 * else is invisible by definition. Line breaks and tabs stay. So do joiners and variation selectors, which are part of how
 * some scripts and emoji are written, and the format characters of some scripts that are visible.
 */
export const HIDDEN: RegExp =
  /(?![\n\t]|\u200c|\u200d|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u180b-\u180d\u180f]|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Strings with nothing to escape, which most are. */
const PLAIN = /^[\n\t -~]*$/;

/**
 * Escapes control characters and invisible characters as `\uXXXX`, so that a string is safe to print.
 *
 * @param mark - What replaces each such character. Default: its escape.
 */
export function printable(text: string, mark?: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN, (character) => mark ?? escapeOf(character));
}

/** Escapes like {@link printable}, and line breaks too, so that the result stays on one line. */
export function printableLine(text: string, mark?: string): string {
  return printable(text, mark).replace(/[\n\t]/gu, (character) => mark ?? escapeOf(character));
}

function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unitOf(character.charCodeAt(at))).join("");
}

function unitOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
