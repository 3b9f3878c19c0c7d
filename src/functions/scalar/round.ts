/**
 * `round` and `fixed`: a number with so many decimals, as a number and as a string.
 *
 * Both round the decimal number that people see, not the binary one that stores it: 1.005 has two decimals as 1.01. A half is
 * rounded away from zero, and what rounds to zero has no sign.
 */
import type { Maybe } from "../../base/value.ts";
import { finite } from "../arguments.ts";
import { type BuiltInFunction, may, need, NUMBER, type Refusal, STRING } from "../built-in.ts";
import { digitsOf, unitsOf } from "../decimal.ts";

const MOST_DECIMALS = 20;

export const ROUND: BuiltInFunction = {
  name: "round",
  signature: { params: [need("number", NUMBER), may("decimals", NUMBER)], result: NUMBER },
  summary:
    "the nearest integer, or the nearest number with -20 to 20 decimals (else unknown, E521); a half is rounded away from zero",
  example: { call: "round(1.005, 2)", gives: 1.01 },
  compute: round,
  refuses: refusesBelow(-MOST_DECIMALS, "round to"),
};

export const FIXED: BuiltInFunction = {
  name: "fixed",
  signature: { params: [need("number", NUMBER), need("decimals", NUMBER)], result: STRING },
  summary: "the number as a string with 0 to 20 decimals (else unknown, E521); a half goes away from 0",
  example: { call: "fixed(1.005, 2)", gives: "1.01" },
  compute: fixed,
  refuses: refusesBelow(0, "write"),
};

/** A number of decimals that is given and missing makes the result missing. */
function round(number: Maybe, ...rest: readonly Maybe[]): Maybe {
  const decimals = rest.length === 0 ? 0 : rest[0];
  if (typeof number !== "number" || typeof decimals !== "number" || !isCount(decimals, -MOST_DECIMALS)) {
    return undefined;
  }
  if (decimals === 0) return finite(Math.sign(number) * Math.round(Math.abs(number)));
  return finite(Math.sign(number) * Number(`${unitsOf(Math.abs(number), decimals)}e${-decimals}`));
}

function fixed(number: Maybe, decimals: Maybe): Maybe {
  if (typeof number !== "number" || typeof decimals !== "number" || !isCount(decimals, 0)) return undefined;
  const units = unitsOf(Math.abs(number), decimals);
  const { whole, fraction } = digitsOf(units, decimals);
  const sign = number < 0 && units > 0n ? "-" : "";
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** Returns what refuses a number of decimals that is no integer from `fewest` on. */
function refusesBelow(fewest: number, verb: string): (args: readonly Maybe[]) => Refusal | undefined {
  return ([number, decimals]) => {
    if (typeof number !== "number" || typeof decimals !== "number" || isCount(decimals, fewest)) return undefined;
    return {
      how: `cannot ${verb} ${decimals} decimals`,
      hint: `use an integer of ${fewest} to ${MOST_DECIMALS} decimals`,
    };
  };
}

function isCount(decimals: number, fewest: number): boolean {
  return Number.isInteger(decimals) && decimals >= fewest && decimals <= MOST_DECIMALS;
}
