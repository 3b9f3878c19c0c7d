/** Values, facts and calls as a person reads them. */
import type { Maybe } from "../../index.ts";

/** As one would write it in a program; unknown is the word. */
export function valueText(value: Maybe): string {
  if (value === undefined) return "unknown";
  if (Array.isArray(value)) return `[${value.map((item: Maybe) => valueText(item)).join(", ")}]`;
  if (typeof value === "object") return `{${fieldsText(value as Readonly<Record<string, Maybe>>)}}`;
  return typeof value === "string" ? visible(JSON.stringify(value)) : String(value);
}

/** `who: "p1", level: 1`. */
export function fieldsText(fields: Readonly<Record<string, Maybe>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(", ");
}

/** What `log` and `print` say: texts as they are, with a blank between values. */
export function messageText(args: readonly Maybe[]): string {
  return args.map((arg) => (typeof arg === "string" ? visible(arg) : valueText(arg))).join(" ");
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Control characters as a mark, so that data cannot steer a terminal. Line breaks stay. */
export function visible(text: string): string {
  return text.replace(CONTROL, "\u00b7");
}

/** The same on one line: a name from outside cannot begin a line of its own. */
export function oneLine(text: string): string {
  return visible(text).replace(/[\r\n\u2028\u2029]+/gu, "\u00b7");
}
