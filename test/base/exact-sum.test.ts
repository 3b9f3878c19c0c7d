/** Tests the exact sum: sums and averages are exact, are rounded once, and forget removed numbers, even ones that overflowed. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exactAverage } from "../../src/prove/aggregates.ts";
import { ExactSum } from "../../src/base/exact-sum.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { open } from "../support/session.ts";

// ---------------------------------------------------------------- an oracle with rational numbers

/** A number as numerator and a power of two below it. */
function rational(value: number): bigint {
  // every finite number is an integer multiple of 2^-1074
  let scaled = value;
  let shift = 1074n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift -= 1n;
  }
  return BigInt(scaled) << shift;
}

/** The next larger number in size, infinity taken as 2^1024, as the rounding rule of IEEE 754 does. */
const BEYOND = 1n << (1024n + 1074n);

function size(value: number): bigint {
  return value === Infinity ? BEYOND : rational(value);
}

function next(value: number, by: 1n | -1n): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + by);
  return view.getFloat64(0);
}

function isEven(value: number): boolean {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return (view.getBigUint64(0) & 1n) === 0n;
}

/** No neighbour of the result is nearer to the exact quotient, and a tie went to the even one. */
function isNearest(result: number, numbers: readonly number[], divisor: bigint): boolean {
  const exact = numbers.reduce((sum, number) => sum + rational(number), 0n);
  const [wanted, found] = exact < 0n ? [-exact, -result] : [exact, result];
  if (found < 0) return false;
  const away = (value: number): bigint => {
    const difference = wanted - size(value) * divisor;
    return difference < 0n ? -difference : difference;
  };
  const neighbours = [found > 0 ? next(found, -1n) : undefined, found === Infinity ? undefined : next(found, 1n)];
  return neighbours.every((one) => {
    if (one === undefined) return true;
    const [here, there] = [away(found), away(one)];
    return here < there || (here === there && isEven(found));
  });
}

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    1.7e308,
    -1.7e308,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    5e-324,
    2 ** 960,
    -(2 ** 960),
    2 ** 53,
    1,
    0.1,
  ),
);

function sumOf(numbers: readonly number[]): ExactSum {
  const sum = new ExactSum();
  for (const number of numbers) sum.add(number);
  return sum;
}

test(
  "sum and average are the nearest numbers to the exact ones, after any numbers came and went",
  () => {
    const some = fc.array(anyNumber, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(some, fc.array(anyNumber, { maxLength: 12 }), (stay, go) => {
        const sum = sumOf([...go.slice(1), ...stay, ...go.slice(0, 1)]);
        for (const number of go) sum.add(-number);
        const { total } = sum;
        const average = sum.dividedBy(stay.length);
        expect(isNearest(total, stay, 1n)).toBe(true);
        expect(isNearest(average, stay, BigInt(stay.length))).toBe(true);
        expect(exactAverage(stay) + 0).toBe(average + 0);
      }),
      { numRuns: runs() },
    );
  },
  PATIENT,
);

test("an average is rounded once", () => {
  // The exact sum is 2^54 + 6, which lies between two numbers; its third part does not.
  const numbers = [2 ** 54, 3, 3];
  const average = sumOf(numbers).dividedBy(3);
  expect(isNearest(average, numbers, 3n)).toBe(true);
  expect(sumOf([1.7e308, 1.7e308]).dividedBy(2)).toBe(1.7e308);
  expect(sumOf([5e-324, 0]).dividedBy(2)).toBe(0);
  expect(sumOf([5e-324, 1e-323]).dividedBy(2)).toBe(1e-323);
});

// ---------------------------------------------------------------- in a session

const SOURCE = `type Item(#id: string, n: number)
rule total { when s: sum(i.n) from i: Item then log(s) }
rule mean { when m: avg(i.n) from i: Item then log(m) }`;

const values = (session: ReturnType<typeof open>, rule: string): unknown[] =>
  [...session.matches(rule)].map((match) => Object.values(match.bindings)[0]);

test("a sum that was once too large is known again when the large values are gone", () => {
  const session = open(SOURCE);
  session.assert("Item", { id: "a", n: 1.7e308 });
  const b = session.assert("Item", { id: "b", n: 1.7e308 });
  session.assert("Item", { id: "c", n: 0.5 });
  expect(values(session, "total")).toEqual([]);
  expect(values(session, "mean")).toEqual([1.7e308 / 1.5]);
  session.retract(b);
  expect(values(session, "total")).toEqual([1.7e308]);
  session.retract("Item~a");
  expect([values(session, "total"), values(session, "mean")]).toEqual([[0.5], [0.5]]);
});
