/** D1 with rules that change facts when they fire: the network still finds what the naive matcher finds. */
import { test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { type Domain, SMALL } from "../support/engine-arbitrary.ts";
import { forAllCases } from "../support/minimise.ts";
import { followAndCompare } from "../support/rig.ts";

const ACTING: Domain = { ...SMALL, deeds: true };

test(
  "the network finds what the naive matcher finds, whatever actions did to the facts",
  () => {
    forAllCases(ACTING, runs(10_000), (one) => followAndCompare(one, ACTING));
  },
  PATIENT,
);
