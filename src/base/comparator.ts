/** The comparisons of the language, and what each says of two values. */
import { not, type Truth } from "./truth.ts";
import { equal, type Maybe, order } from "./value.ts";

/** A comparison, as it is written. */
export type Comparator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** Returns the truth of a comparison; unknown when a value is missing, or when the two cannot be compared. */
export function compareBy(op: Comparator, left: Maybe, right: Maybe): Truth {
  if (op === "==") return equal(left, right);
  if (op === "!=") return not(equal(left, right));
  const difference = order(left, right);
  return difference === undefined ? undefined : holdsFor(op, difference);
}

/** Returns whether a comparison holds for two values whose difference is below 0, 0 or above 0. */
export function holdsFor(op: Comparator, difference: number): boolean {
  switch (op) {
    case "==":
      return difference === 0;
    case "!=":
      return difference !== 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

/** The comparison that means the same when its sides are exchanged: `a < b` is `b > a`. */
export const FLIPPED: Readonly<Record<Comparator, Comparator>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** The comparison that is true where another one is false: `not a < b` is `a >= b`. */
export const OPPOSITE: Readonly<Record<Comparator, Comparator>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};
