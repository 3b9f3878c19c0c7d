/** Comparisons with their sides exchanged. */
import type { Comparator } from "./plan.ts";

/** The comparator that means the same when its sides are exchanged: `a < b` is `b > a`. */
export const FLIPPED: Readonly<Record<Comparator, Comparator>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
