/**
 * `sqrt`, `pow` and `log`: the nearest number to the exact result, on every machine. What has no result, or one that is too
 * large for a number, is refused.
 */
import type { Maybe } from "../../base/value.ts";
import { finite, onNumber } from "../arguments.ts";
import { type BuiltInFunction, may, need, NUMBER, type Refusal } from "../built-in.ts";
import {
  exactly,
  exponential,
  integerPower,
  logarithm,
  product,
  quotient,
  scaled,
  unscaled,
} from "../double-double.ts";

const VALUE = need("number", NUMBER);

export const POWER_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "sqrt",
    signature: { params: [VALUE], result: NUMBER },
    summary: "the square root; unknown (E521) for a negative number",
    example: { call: "sqrt(2.25)", gives: 1.5 },
    compute: onNumber(Math.sqrt),
    refuses: ([number]) =>
      typeof number === "number" && number < 0
        ? { how: "has no result: the number is negative", hint: "test the number first, or use sqrt(abs(x))" }
        : undefined,
    results: { least: 0, most: Infinity, whole: false },
  },
  {
    name: "pow",
    signature: { params: [VALUE, need("power", NUMBER)], result: NUMBER },
    summary: "the number raised to a power; unknown (E521) when there is no such number, or it is too large",
    example: { call: "pow(1.5, 2)", gives: 2.25 },
    compute: (number, exponent) =>
      typeof number === "number" && typeof exponent === "number" ? finite(power(number, exponent)) : undefined,
    refuses: refusesPower,
  },
  {
    name: "log",
    signature: { params: [VALUE, may("base", NUMBER)], result: NUMBER },
    summary:
      "the natural logarithm, or that to a base; unknown (E521) unless the number and the base are above 0 and the base is not 1",
    example: { call: "log(1000, 10)", gives: 3 },
    compute: logOf,
    refuses: refusesLog,
  },
];

/** Integer powers up to this are products; others go through the logarithm. */
const MOST_PRODUCTS = 1024;

/** Returns the power, NaN when there is none and infinity when it is too large. Anything to the power of 0 is 1. */
function power(number: number, exponent: number): number {
  if (exponent === 0 || number === 1) return 1;
  if (number === 0) return exponent > 0 ? 0 : NaN;
  if (number < 0) {
    if (!Number.isInteger(exponent)) return NaN;
    return Math.abs(exponent % 2) === 1 ? -power(-number, exponent) : power(-number, exponent);
  }
  const base = scaled(number);
  const size = Math.abs(exponent);
  if (Number.isInteger(exponent) && size <= MOST_PRODUCTS) {
    const raised = integerPower(base, size);
    if (exponent > 0) return unscaled(raised);
    return unscaled({ mantissa: quotient(exactly(1), raised.mantissa), exponent: -raised.exponent });
  }
  const ln = logarithm(base);
  const estimate = ln.high * exponent;
  if (Math.abs(estimate) > 1000) return estimate > 0 ? Infinity : 0;
  return unscaled(exponential(product(ln, exactly(exponent))));
}

function refusesPower([number, exponent]: readonly Maybe[]): Refusal | undefined {
  if (typeof number !== "number" || typeof exponent !== "number") return undefined;
  const result = power(number, exponent);
  if (Number.isFinite(result)) return undefined;
  const hint = "test the numbers first";
  if (!Number.isNaN(result)) return { how: "is too large for a number", hint };
  const why = number === 0 ? "0 has no negative power" : "a negative number has only integer powers";
  return { how: `has no result: ${why}`, hint };
}

/** A base that is given and missing makes the result missing. */
function logOf(number: Maybe, ...rest: readonly Maybe[]): Maybe {
  const [base] = rest;
  if (typeof number !== "number" || (rest.length > 0 && typeof base !== "number")) return undefined;
  if (number <= 0 || (typeof base === "number" && !isBase(base))) return undefined;
  const ln = logarithm(scaled(number));
  return finite(typeof base === "number" ? quotient(ln, logarithm(scaled(base))).high : ln.high);
}

function isBase(base: number): boolean {
  return base > 0 && base !== 1;
}

function refusesLog([number, ...rest]: readonly Maybe[]): Refusal | undefined {
  const [base] = rest;
  if (typeof number !== "number" || (rest.length > 0 && typeof base !== "number")) return undefined;
  if (number <= 0)
    return { how: "has no result: only numbers above 0 have a logarithm", hint: "test the number first" };
  if (typeof base !== "number" || isBase(base)) return undefined;
  return { how: `has no result: ${base} is no base of a logarithm`, hint: "use a base above 0 that is not 1" };
}
