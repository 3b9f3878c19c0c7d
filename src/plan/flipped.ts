/** Comparisons with their sides exchanged: `a < b` is `b > a`. */
import type { Comparator } from "./plan.ts";

export const FLIPPED: Readonly<Record<Comparator, Comparator>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
