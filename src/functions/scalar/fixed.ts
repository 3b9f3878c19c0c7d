/**
 * `fixed`: a number as a string with a fixed number of decimals.
 *
 * It rounds the decimal number that people see, not the binary one that stores it: 1.005 has two decimals as 1.01. A half is
 * rounded away from zero, and what rounds to zero has no sign.
 */
import type { Maybe } from "../../base/value.ts";
import { type BuiltInFunction, need, NUMBER, type Refusal, STRING } from "../built-in.ts";

const MOST_DECIMALS = 20;

export const FIXED: BuiltInFunction = {
  name: "fixed",
  signature: { params: [need("number", NUMBER), need("decimals", NUMBER)], result: STRING },
  summary: "the number as a string with 0 to 20 decimals (else unknown, E521); a half goes away from 0",
  example: { call: "fixed(1.005, 2)", gives: "1.01" },
  compute: fixed,
  refuses,
};

function fixed(number: Maybe, decimals: Maybe): Maybe {
  if (typeof number !== "number" || typeof decimals !== "number" || !isCount(decimals)) return undefined;
  const units = unitsOf(Math.abs(number), decimals);
  const digits = String(units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const sign = number < 0 && units > 0n ? "-" : "";
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

function refuses([number, decimals]: readonly Maybe[]): Refusal | undefined {
  if (typeof number !== "number" || typeof decimals !== "number" || isCount(decimals)) return undefined;
  return {
    how: `cannot write ${decimals} decimals`,
    hint: `write fixed(x, n) with an integer n of 0 to ${MOST_DECIMALS}`,
  };
}

function isCount(decimals: number): boolean {
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= MOST_DECIMALS;
}

/** Returns how many units of the last decimal a number has, rounded: 1.005 has 101 hundredths. */
function unitsOf(number: number, decimals: number): bigint {
  const [, whole = "0", fraction = "", exponent = "0"] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/u.exec(String(number)) ?? [];
  const value = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + decimals;
  if (shift >= 0) return value * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  return (2n * value + unit) / (2n * unit);
}
