/** Tests that sorted blocks find between two values, and around one, what a search through all items finds. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareOrdinals, justAbove, type Ordinal } from "../../src/rete/range.ts";
import { Place, SortedBlocks } from "../../src/rete/sorted-blocks.ts";
import { PATIENT, runs } from "../support/cases.ts";

/** Few values, so that many items are equal; strings that UTF-16 units and code points put in different orders. */
const ordinal = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom<Ordinal[]>(-0, 0.5, -1e308, 1e308, "", "a", "ab", "\uffff", "\u{10000}") },
);

type Step = { readonly key: Ordinal; readonly end: Ordinal } | { readonly remove: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ key: ordinal, end: ordinal }) },
  { weight: 3, arbitrary: fc.record({ remove: fc.nat() }) },
);

/** Many items come before any goes: blocks are cut, and later become one again. */
const history = fc.tuple(
  fc.array(fc.record({ key: ordinal, end: ordinal }), { maxLength: 700, size: "max" }),
  fc.array(step, { maxLength: 900, size: "max" }),
);

const isBetween = (key: Ordinal, from: Ordinal, to: Ordinal | undefined): boolean =>
  compareOrdinals(key, from) >= 0 && (to === undefined || compareOrdinals(key, to) <= 0);

test(
  "they find what a search through all items finds, in the order of keys and then of arrival",
  () => {
    fc.assert(
      fc.property(history, ordinal, ordinal, fc.boolean(), ([first, then], from, to, isOpen) => {
        const blocks = new SortedBlocks<number>(true);
        const all: Place<number>[] = [];
        const add = ({ key, end }: { readonly key: Ordinal; readonly end: Ordinal }, item: number): void => {
          const place = new Place(item, key, end === -1e308 ? undefined : end);
          blocks.add(place);
          all.push(place);
        };
        for (const [at, one] of [...first, ...then].entries()) {
          if ("key" in one) add(one, at);
          else if (all.length > 0) for (const gone of all.splice(one.remove % all.length, 1)) blocks.remove(gone);
        }
        const upper = isOpen ? undefined : to;
        all.sort((a, b) => compareOrdinals(a.key, b.key) || a.order - b.order);
        const between = all.filter(({ key }) => isBetween(key, from, upper)).map(({ item }) => item);
        const found: number[] = [];
        blocks.collect(from, upper, found);
        expect(found).toEqual(between);
        const isEven = (item: number): boolean => item % 2 === 0;
        expect(blocks.first(from, upper, isEven)).toBe(between.find(isEven));
        expect(blocks.last(from, upper, isEven)).toBe(between.findLast(isEven));
        const around: number[] = [];
        blocks.around(from, around);
        const expected = all.filter(({ key, end }) => isBetween(from, key, end)).map(({ item }) => item);
        expect(around.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
      }),
      { numRuns: runs(500) },
    );
  },
  PATIENT,
);

test("justAbove is the next double, and at the smallest numbers at most that", () => {
  const between = (low: number, high: number): number => low + (high - low) / 2;
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const above = justAbove(value);
      if (Math.abs(value) > 2 ** -1000) expect(above).toBeGreaterThan(value);
      else expect(above).toBeGreaterThanOrEqual(value);
      if (Number.isFinite(above)) expect([value, above]).toContain(between(value, above));
    }),
    { numRuns: 20_000 },
  );
  for (const power of [-900, -1, 0, 1, 52, 53, 1023]) {
    expect(justAbove(2 ** power)).toBe(2 ** power + 2 ** (power - 52));
    expect(justAbove(-(2 ** power))).toBe(-(2 ** power) + 2 ** (power - 53));
  }
  expect(justAbove(0)).toBe(Number.MIN_VALUE);
  expect(justAbove(-0)).toBe(Number.MIN_VALUE);
  expect(justAbove(Number.MAX_VALUE)).toBe(Infinity);
});
