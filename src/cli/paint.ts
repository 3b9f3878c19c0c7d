/**
 * Colours for a terminal, or none.
 *
 * Words are painted with marks; `safe-output.ts` turns these into the codes of terminals, and escapes everything else that
 * could steer one. Marks hold a key that nobody outside this process knows, so no text from outside can contain one.
 */
import { randomUUID } from "node:crypto";

export type Paint = (code: keyof typeof CODES, words: string) => string;

const CODES = { bold: "1", faint: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;

const KEY = randomUUID();

/** Escape sequences by the names of marks. */
const SEQUENCES: ReadonlyMap<string, string> = new Map([
  ...Object.values(CODES).map((code) => [code, `\u001b[${code}m`] as const),
  ["0", "\u001b[0m"],
  ["return", "\r"],
  ["erase", "\u001b[K"],
]);

/** Splits a text into words and, between them, the names of marks. */
const MARKS = new RegExp(`<${KEY}:(\\w+)>`, "gu");

function mark(name: string): string {
  return `<${KEY}:${name}>`;
}

export function painter(color: boolean): Paint {
  return (code, words) => (color && words !== "" ? `${mark(CODES[code])}${words}${mark("0")}` : words);
}

/** Moves to the beginning of the line; erases the rest of the line. */
export const RETURN: string = mark("return");
export const ERASE: string = mark("erase");

/** Replaces marks by escape sequences, and everything else by what `show` returns for it. */
export function unmarked(text: string, show: (words: string) => string): string {
  if (!text.includes(KEY)) return show(text);
  return text
    .split(MARKS)
    .map((part, index) => (index % 2 === 0 ? show(part) : (SEQUENCES.get(part) ?? "")))
    .join("");
}

export function withoutMarks(text: string): string {
  return text.includes(KEY) ? text.replace(MARKS, "") : text;
}
