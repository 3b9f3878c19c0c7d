/** D4 through source text and reloads: rules added as text, and rules that are added and removed at every step. */
import { test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { SMALL } from "../support/engine-arbitrary.ts";
import { byText, ruleTimesAgree } from "../support/growth.ts";
import { History } from "../support/history.ts";
import { forAllCases } from "../support/minimise.ts";
import { Rig } from "../support/rig.ts";

test(
  "a rule that is added as text finds the facts that were there before it",
  () => {
    forAllCases(SMALL, runs(1_000), (one) => ruleTimesAgree(one, byText()));
  },
  PATIENT,
);
test(
  "a rule that is added and removed again and again",
  () => {
    forAllCases(SMALL, runs(1_000), (one) => {
      const rig = new Rig(SMALL, one.rules);
      for (const operation of History.operations(one)) {
        rig.follow(operation);
        const [first] = rig.history.rules;
        if (first === undefined) continue;
        rig.apply({ is: "remove", name: first[0] });
        rig.apply({ is: "add", name: first[0], rule: first[1] });
      }
      rig.compare();
    });
  },
  PATIENT,
);
