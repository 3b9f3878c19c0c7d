/**
 * How long a window is: `over last r.quiet`, `within r.patience after t`. A length that no window can have is refused, so that the
 * tests of the window are unknown and the session says why. No program can write these calls: the checker and the planner put them
 * around lengths.
 */
import type { HostType } from "../base/host-types.ts";
import type { Maybe } from "../base/value.ts";
import { type BuiltInFunction, need } from "./built-in.ts";

/** A function as far as its calls need it. */
export type CalledFunction = Pick<BuiltInFunction, "name" | "signature" | "compute" | "refuses">;

const DURATION: HostType = { kind: "duration" };

function lengthOf(name: string, isLength: (length: number) => boolean, wanted: string): CalledFunction {
  return {
    name,
    signature: { params: [need("length", DURATION)], result: DURATION },
    compute: (length: Maybe): Maybe => (typeof length === "number" && isLength(length) ? length : undefined),
    refuses: ([length]) =>
      typeof length === "number" && !isLength(length)
        ? {
            how: `is no window of time: its length must ${wanted}`,
            hint: "correct the facts that the length is computed from",
          }
        : undefined,
  };
}

/** `over last d` holds facts from after `now - d` to `now`: nothing, unless d is above zero. */
export const OVER_LAST: CalledFunction = lengthOf("over last …", (length) => length > 0, "be above zero");

/** `over last n` holds n facts: an integer above zero. */
export const OVER_LAST_FACTS: CalledFunction = {
  name: "over last … facts",
  signature: { params: [need("count", { kind: "number" })], result: { kind: "number" } },
  compute: (count: Maybe): Maybe => (isCount(count) ? count : undefined),
  refuses: ([count]) =>
    typeof count === "number" && !isCount(count)
      ? {
          how: "is no number of facts: it must be an integer above zero",
          hint: "correct the facts that the number is computed from",
        }
      : undefined,
};

function isCount(count: Maybe): boolean {
  return typeof count === "number" && Number.isInteger(count) && count > 0;
}

/** `within d after t` holds facts from t to t + d: one instant when d is zero. Of a date, d may be a number of months. */
export const WITHIN: CalledFunction = lengthOf("within …", (length) => length >= 0, "not be negative");
