/** Tests the shrinking of failing cases: it always ends, and its result still fails. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Case, caseOf, SMALL } from "../support/engine-arbitrary.ts";
import { minimise } from "../support/minimise.ts";

const CASES: readonly Case[] = fc.sample(caseOf(SMALL), { numRuns: 30, seed: 5 });
const sizeOf = (one: Case): number => JSON.stringify(one).length;
const never = (): boolean => false;

test("whatever fails becomes nothing when everything fails", () => {
  for (const one of CASES) {
    const { rules, facts, operations } = minimise(one, () => true, never);
    expect([rules, facts, operations]).toEqual([[], [], []]);
  }
});

test("what cannot be left out stays", () => {
  for (const one of CASES) {
    const retracts = (some: Case): number => some.operations.filter(({ is }) => is === "retract").length;
    const smallest = minimise(one, (smaller) => retracts(smaller) === retracts(one), never);
    expect(smallest.operations).toEqual(Array.from({ length: retracts(one) }, () => ({ is: "retract", which: 0 })));
  }
});

test("it never comes back to a case that it had, whichever of the smaller ones fail", () => {
  for (const [index, one] of CASES.slice(0, 8).entries()) {
    const taken = new Set([JSON.stringify(one)]);
    let asked = 0;
    minimise(
      one,
      (smaller) => {
        asked += 1;
        if (asked % (index + 2) !== 0) return false;
        const text = JSON.stringify(smaller);
        expect(taken.has(text)).toBe(false);
        taken.add(text);
        return true;
      },
      never,
    );
    expect(taken.size).toBeGreaterThan(1);
  }
});

test("when the time is over, the smallest so far is what it gives", () => {
  const [one] = CASES as [Case];
  let taken = 0;
  const stopped = minimise(
    one,
    () => {
      taken += 1;
      return true;
    },
    () => taken >= 3,
  );
  expect(taken).toBe(3);
  expect(sizeOf(stopped)).toBeLessThan(sizeOf(one));
  expect(stopped).not.toEqual(minimise(one, () => true, never));
});
