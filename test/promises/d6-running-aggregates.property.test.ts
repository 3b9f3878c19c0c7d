/**
 * D6 for running aggregates: a value that matches with equal keys share (shortcuts on) is the one that each match computes for itself
 * (shortcuts off). Rules wait and fire alike, whatever is updated, reloaded or restored from a snapshot meanwhile, and when all facts
 * are gone nothing is left.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { runningCases, runningStory } from "../support/running-cases.ts";

test(
  "rules over running aggregates wait and fire as without them",
  () => {
    fc.assert(
      fc.property(runningCases, (one) => {
        expect(runningStory(one, {})).toEqual(runningStory(one, { shortcuts: false }));
      }),
      { numRuns: runs(4000) },
    );
  },
  PATIENT,
);
