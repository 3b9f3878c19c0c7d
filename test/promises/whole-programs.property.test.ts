/**
 * D1 for whole programs: with every kind of statement about facts, and whatever actions do, the network finds what the brute-force
 * matcher finds in the facts that are there, whatever the clock shows, in a session that continues from its snapshot, and after rules
 * were added; and effects have the values that it computes. What gates and guardians say is what they say in a new session with the same facts.
 */
import { expect, test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { randomFrom } from "../support/clock-history.ts";
import { seen, STEPS, tryWhole } from "../support/whole-histories.ts";

const CASES = 5_000;

test(
  "whole programs find what the brute-force matcher finds",
  () => {
    tryWhole(randomFrom(6), runs(CASES));
    expect(seen.judged).toBeGreaterThan(runs(CASES) / 20);
    expect(seen.effects).toBeGreaterThan(runs(CASES) / 20);
    expect(seen.matches).toBeGreaterThan(runs(CASES) * (STEPS / 2));
  },
  PATIENT,
);
