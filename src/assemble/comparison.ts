/**
 * Comparisons as functions. Most of those at joins compare a field of the fact with a field of the match: these are written
 * out, so that nothing is called to read either side.
 */
import type { Comparator } from "../base/comparator.ts";
import { unreachable } from "../base/invariant.ts";
import { not, type Truth } from "../base/truth.ts";
import { equal, type Maybe, order } from "../base/value.ts";
import type { Match } from "../rete/match.ts";
import type { Evaluate } from "./scope.ts";

/** Returns a comparison of two values; unknown when they cannot be compared. */
export function compare(by: Comparator, left: Evaluate, right: Evaluate): Evaluate {
  switch (by) {
    case "==":
      return (match, fact) => equal(left(match, fact), right(match, fact));
    case "!=":
      return (match, fact) => not(equal(left(match, fact), right(match, fact)));
    case "<":
      return (match, fact) => less(left(match, fact), right(match, fact));
    case ">":
      return (match, fact) => more(left(match, fact), right(match, fact));
    case "<=":
      return (match, fact) => atMost(left(match, fact), right(match, fact));
    case ">=":
      return (match, fact) => atLeast(left(match, fact), right(match, fact));
    default:
      return unreachable(by);
  }
}

/** A slot of the fact beside the match, and a slot of the fact `up` levels above the last of the match. */
export interface TwoSlots {
  readonly factSlot: number;
  readonly up: number;
  readonly matchSlot: number;
}

/** Returns a comparison of two slots, with that of the fact on the left. */
export function compareSlots(by: Comparator, { factSlot, up, matchSlot }: TwoSlots): Evaluate {
  switch (by) {
    case "==":
      return (match, fact) => equal(fact?.values[factSlot], read(match, up, matchSlot));
    case "!=":
      return (match, fact) => not(equal(fact?.values[factSlot], read(match, up, matchSlot)));
    case "<":
      return (match, fact) => less(fact?.values[factSlot], read(match, up, matchSlot));
    case ">":
      return (match, fact) => more(fact?.values[factSlot], read(match, up, matchSlot));
    case "<=":
      return (match, fact) => atMost(fact?.values[factSlot], read(match, up, matchSlot));
    case ">=":
      return (match, fact) => atLeast(fact?.values[factSlot], read(match, up, matchSlot));
    default:
      return unreachable(by);
  }
}

function read(match: Match | undefined, up: number, slot: number): Maybe {
  let found = match;
  for (let step = up; step > 0; step--) found = found?.parent;
  return found?.fact?.values[slot];
}

function less(a: Maybe, b: Maybe): Truth {
  return typeof a === "number" && typeof b === "number" ? a < b : isBelow(order(a, b));
}

function more(a: Maybe, b: Maybe): Truth {
  return less(b, a);
}

function atMost(a: Maybe, b: Maybe): Truth {
  return typeof a === "number" && typeof b === "number" ? a <= b : not(isBelow(order(b, a)));
}

function atLeast(a: Maybe, b: Maybe): Truth {
  return atMost(b, a);
}

/** Returns whether a difference is below 0; unknown when there is none. */
function isBelow(difference: number | undefined): Truth {
  return difference === undefined ? undefined : difference < 0;
}
