/**
 * Bugs that engines have had, planted one at a time: the first property must find each of them.
 *
 * Should one of these fail, the generator has become blind; see test/house/generator.test.ts for what it brings about.
 */
import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { caseOf, SMALL } from "../support/engine-arbitrary.ts";
import { followAndCompare, type RigOptions } from "../support/rig.ts";

const MOST = 5_000;

const planted = globalThis as { __sluicePlantedBug?: string | undefined };

afterEach(() => {
  planted.__sluicePlantedBug = undefined;
});

/** How many cases it took; undefined when none showed the bug. */
function casesUntilFound(options: RigOptions, numRuns = MOST): number | undefined {
  const { failed, numRuns: tried } = fc.check(
    fc.property(caseOf(SMALL), (one) => followAndCompare(one, SMALL, options)),
    { numRuns, seed: 20_260_101, endOnFailure: true },
  );
  return failed ? tried : undefined;
}

test("nothing is found when nothing is planted", () => {
  expect(casesUntilFound({}, 500)).toBeUndefined();
});

test.each([
  ["duplicate-ancestor", {}],
  ["not-never-unblocks", {}],
  ["join-key-without-operator", {}],
  ["alpha-by-hash-only", { compile: { hash: () => 0n } }],
  ["join-compares-as-text", {}],
  ["delete-only-first", {}],
  ["exists-ends-at-one", {}],
  ["alpha-without-type", {}],
] as const)("%s is found", (bug, options) => {
  planted.__sluicePlantedBug = bug;
  const cases = casesUntilFound(options);
  console.log(`${bug}: found after ${cases} cases`);
  expect(cases).toBeLessThanOrEqual(MOST);
});
