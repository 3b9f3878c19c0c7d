/** D1 for expressions: the engine and the naive matcher give every expression the same value. */
import * as fc from "fast-check";
import { test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { EXPRESSIONS_AGREE } from "../support/expression-agrees.ts";

test(
  "an expression has the same value, true, false or unknown, in the engine and in the naive matcher",
  () => {
    fc.assert(EXPRESSIONS_AGREE, { numRuns: runs() });
  },
  PATIENT,
);
