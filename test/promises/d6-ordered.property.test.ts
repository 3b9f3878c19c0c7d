/**
 * D6 for facts in the order of a field: joins, `not` and `exists` with bounds find the same matches, and fire in the same order, whether facts
 * are found between bounds or tried one by one. Also after updates, reloads and in restored sessions.
 */
import * as fc from "fast-check";
import { test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { followRanges, rangeCase } from "../support/ranges.ts";

test(
  "finding facts between bounds changes nothing but speed",
  () => {
    fc.assert(
      fc.property(rangeCase, (one) => followRanges(one, [{}, { shortcuts: false }, { indexing: false }])),
      { numRuns: runs(600), endOnFailure: true },
    );
  },
  PATIENT,
);
