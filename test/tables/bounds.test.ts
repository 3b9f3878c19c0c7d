/** Tests that a number is found among bounds where looking at each finds it, however they are spread. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Bounds } from "../../src/tables/bounds.ts";
import { runs } from "../support/cases.ts";

const EXTREME = [
  0,
  -1,
  1,
  5e-324,
  -5e-324,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  1e308,
  -1e308,
  2 ** 53,
  0.1 + 0.2,
  0.3,
];
const number = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.integer({ min: -20, max: 20 }).map((tenths) => tenths / 10),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(...EXTREME),
);

test("the place of a number is that of a linear search", () => {
  fc.assert(
    fc.property(fc.uniqueArray(number, { minLength: 1, maxLength: 40 }), number, (given, input) => {
      const sorted = [...new Set(given.map((one) => one + 0))].sort((a, b) => a - b);
      const bounds = new Bounds(sorted);
      for (const one of [input, ...sorted, ...sorted.map((bound) => bound + 0.05)]) {
        const place = sorted.filter((bound) => bound < one).length;
        expect(bounds.below(one)).toBe(place);
        expect(bounds.isAt(place, one)).toBe(sorted.includes(one));
      }
    }),
    { numRuns: runs(2000) },
  );
});
