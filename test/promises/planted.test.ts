/**
 * Tests that the first promise finds bugs: eight that rule engines have had are planted one at a time, and each must be found.
 *
 * If one of these fails, the generator no longer makes the programs that show the bug; see test/house/generator.test.ts.
 */
import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { Difference } from "../support/difference.ts";
import { caseOf, SMALL } from "../support/engine-arbitrary.ts";
import { plant } from "../support/planted-bugs.ts";
import { followAndCompare, type RigOptions } from "../support/rig.ts";

const MAX_CASES = 5_000;

afterEach(() => plant(undefined));

/** Returns how many cases it took to find a difference; undefined when there was none. Any other failure is thrown. */
function casesUntilFound(options: RigOptions, numRuns = MAX_CASES): number | undefined {
  const {
    failed,
    numRuns: tried,
    errorInstance,
  } = fc.check(
    fc.property(caseOf(SMALL), (one) => followAndCompare(one, SMALL, options)),
    { numRuns, seed: 20_260_101, endOnFailure: true },
  );
  if (failed && !(errorInstance instanceof Difference)) throw errorInstance;
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
  plant(bug);
  const cases = casesUntilFound(options);
  console.log(`${bug}: found after ${cases} cases`);
  expect(cases).toBeLessThanOrEqual(MAX_CASES);
});
