/** D1: the matches of the network are the matches of the naive matcher, after every operation. */
import { test } from "vitest";
import { PATIENT, runs } from "./support/cases.ts";
import { SMALL } from "./support/engine-arbitrary.ts";
import { forAllCases } from "./support/minimise.ts";
import { followAndCompare } from "./support/rig.ts";

test(
  "the network finds what the naive matcher finds",
  () => {
    forAllCases(SMALL, runs(), (one) => followAndCompare(one, SMALL));
  },
  PATIENT,
);
