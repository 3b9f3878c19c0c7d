/** Prints strings, numbers, names and labels so that they parse back to the same value. */
import { HIDDEN } from "../base/printable.ts";
import type { Ident, Label } from "./ast.ts";
import { RESERVED, VERBS, WORD } from "./lexemes.ts";

const WHOLE_WORD = new RegExp(`^(?:${WORD.source})$`, "u");

/**
 * The characters that are always escaped: quotes, backslashes, control characters, and those that are invisible or
 * change the direction of text.
 */
const SPECIAL = new RegExp(`["\\\\\n\t]|${HIDDEN.source}`, "gu");

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
]);

export function textWords(value: string): string {
  return `"${value.replace(SPECIAL, (character: string, at: number) => escaped(character, value.codePointAt(at + 1)))}"`;
}

function escaped(character: string, next: number | undefined): string {
  if (character === "\\") return next !== undefined && standsForItself(String.fromCodePoint(next)) ? "\\" : "\\\\";
  return SHORT_ESCAPES.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** Returns whether a backslash may stay single, as in `"\d+"`, because it cannot begin an escape. */
function standsForItself(next: string): boolean {
  return !/[ntru']/u.test(next) && next.search(SPECIAL) < 0;
}

/** Prints the text of a template between its quotes and holes. */
export function templateWords(value: string): string {
  return value.replace(IN_TEMPLATE, (character: string) => {
    if (character === "{" || character === "}") return character + character;
    return character === "\\" ? "\\\\" : escaped(character, undefined);
  });
}

const IN_TEMPLATE = new RegExp(`[{}]|${SPECIAL.source}`, "gu");

export function numberWords(value: number): string {
  const written = String(value).replace("e+", "e");
  // All digits of an integer are read, so all of them are written: 2 ** 67 is not 147573952589676410000.
  return /^-?\d{16,}$/u.test(written) ? BigInt(value).toString() : written;
}

export function labelWords(label: Label): string {
  const { module } = label;
  if (module !== undefined)
    return `${module}.${plainLabelWords({ ...label, name: label.name.slice(module.length + 1) })}`;
  return plainLabelWords(label);
}

function plainLabelWords(label: Label): string {
  return label.quoted || !WHOLE_WORD.test(label.name) ? textWords(label.name) : label.name;
}

/** Prints a name where only a plain name needs no quotes. */
export function judgedWords(label: Label): string {
  const folded = label.name.toLowerCase();
  return RESERVED.has(folded) || VERBS.has(folded) ? textWords(label.name) : labelWords(label);
}

/** Prints the name before a colon in an object, where strings are names too. */
export function entryWords(name: Ident): string {
  return WHOLE_WORD.test(name.name) ? name.name : textWords(name.name);
}
