/** Values, fields and messages as text for a person. */
import type { Maybe } from "../index.ts";
import { visible } from "./visible.ts";

/** Returns a value as it is written in a program; `unknown` for a missing one. */
export function valueText(value: Maybe): string {
  if (value === undefined) return "unknown";
  if (Array.isArray(value)) return `[${value.map((item: Maybe) => valueText(item)).join(", ")}]`;
  if (typeof value === "object") return `{${fieldsText(value as Readonly<Record<string, Maybe>>)}}`;
  return typeof value === "string" ? visible(JSON.stringify(value)) : String(value);
}

/** Returns `who: "p1", level: 1`. */
export function fieldsText(fields: Readonly<Record<string, Maybe>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(", ");
}

/** Returns what `log` and `print` print: strings as they are, with a blank between values. */
export function messageText(args: readonly Maybe[]): string {
  return args.map((arg) => (typeof arg === "string" ? visible(arg) : valueText(arg))).join(" ");
}
