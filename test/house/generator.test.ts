/** Tests the generator of random programs: it produces every situation that the properties must see, and enough matches. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Coverage, SITUATIONS, situationsOf } from "../support/coverage.ts";
import { caseOf, SMALL } from "../support/engine-arbitrary.ts";

test("the generator brings about every situation, and enough matches", () => {
  const cases = 600;
  const coverage = new Coverage(SITUATIONS);
  for (const one of fc.sample(caseOf(SMALL), { numRuns: cases, seed: 1 })) coverage.add(situationsOf(one, SMALL));
  console.log(`in ${cases} cases\n${coverage.toString()}`);
  for (const [situation, count] of coverage.entries) expect(count, situation).toBeGreaterThan(cases / 100);
  expect(coverage.of("match sets that are not empty") / coverage.of("match sets")).toBeGreaterThanOrEqual(0.6);
});
