/** D4: rules added before, between or after the facts find the same matches. */
import { test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { SMALL } from "../support/engine-arbitrary.ts";
import { byTree, ruleTimesAgree } from "../support/growth.ts";
import { forAllCases } from "../support/minimise.ts";

test(
  "a rule finds the facts that were there before it",
  () => {
    forAllCases(SMALL, runs(), (one) => ruleTimesAgree(one, byTree()));
  },
  PATIENT,
);
