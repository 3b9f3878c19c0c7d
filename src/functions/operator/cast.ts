/** Casts: `(number) x`, `(string) x`, `(bool) x`. */
import { type TimeKind, timeNumbers, timeTexts } from "../../base/time.ts";
import type { Maybe } from "../../base/value.ts";
import { finite } from "../arguments.ts";

/** Returns the value as one of another type; undefined when it has no such form. */
export function cast(
  to: "number" | "string" | "bool" | `${TimeKind} text` | `${TimeKind} number`,
  value: Maybe,
): Maybe {
  switch (to) {
    case "number":
      return toNumber(value);
    case "string":
      return toText(value);
    case "bool":
      return toBool(value);
    case "date text":
      return timeTexts("date", value);
    case "instant text":
      return timeTexts("instant", value);
    case "duration text":
      return timeTexts("duration", value);
    case "date number":
      return timeNumbers("date", value);
    case "instant number":
      return timeNumbers("instant", value);
    case "duration number":
      return timeNumbers("duration", value);
  }
}

function toNumber(value: Maybe): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string" || !/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/u.test(value))
    return undefined;
  return finite(Number(value));
}

/** The text that `+` joins and (string) gives; lists and objects have none. */
export function toText(value: Maybe): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}

function toBool(value: Maybe): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== "string") return undefined;
  const folded = value.trim().toLowerCase();
  return folded === "true" ? true : folded === "false" ? false : undefined;
}
