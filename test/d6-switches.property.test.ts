/** D6: with sharing off, and with indexes off, everything is found as before. */
import { test } from "vitest";
import type { OpenOptions } from "../src/index.ts";
import { PATIENT, runs } from "./support/cases.ts";
import { type Case, SMALL } from "./support/engine-arbitrary.ts";
import { History } from "./support/history.ts";
import { forAllCases } from "./support/minimise.ts";
import { expectSame, Rig } from "./support/rig.ts";

function switchedAgrees(one: Case, open: OpenOptions): void {
  const rig = new Rig(SMALL, one.rules);
  const switched = new Rig(SMALL, one.rules, { open });
  for (const [index, operation] of History.operations(one).entries()) {
    rig.follow(operation);
    switched.follow(operation);
    if (index >= one.facts.length - 1) expectSame(rig.texts(), switched.texts(), () => rig.story());
  }
}

test(
  "sharing changes nothing but speed",
  () => {
    forAllCases(SMALL, runs(), (one) => switchedAgrees(one, { sharing: false }));
  },
  PATIENT,
);

test(
  "indexes change nothing but speed",
  () => {
    forAllCases(SMALL, runs(), (one) => switchedAgrees(one, { indexing: false }));
  },
  PATIENT,
);
