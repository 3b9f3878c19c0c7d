/** `clamp`: a number kept within bounds. A lower bound above the upper bound is refused, because no number is within them. */
import type { Maybe } from "../../base/value.ts";
import { finite } from "../arguments.ts";
import { type BuiltInFunction, need, NUMBER, type Refusal } from "../built-in.ts";

export const CLAMP: BuiltInFunction = {
  name: "clamp",
  signature: { params: [need("number", NUMBER), need("low", NUMBER), need("high", NUMBER)], result: NUMBER },
  summary: "the number, or the bound that it is beyond; unknown (E521) when `low` is above `high`",
  example: { call: "clamp(120, 0, 100)", gives: 100 },
  compute: clamped,
  refuses,
};

function clamped(number: Maybe, low: Maybe, high: Maybe): Maybe {
  if (typeof number !== "number" || typeof low !== "number" || typeof high !== "number") return undefined;
  return low > high ? undefined : finite(Math.min(Math.max(number, low), high));
}

function refuses([number, low, high]: readonly Maybe[]): Refusal | undefined {
  if (typeof number !== "number" || typeof low !== "number" || typeof high !== "number") return undefined;
  return low > high ? { how: "has a lower bound above its upper bound", hint: "write clamp(x, low, high)" } : undefined;
}
