/**
 * Five promises along one history, so that the history is made, and the naive matcher asked, only once:
 *
 * D1: after every operation, the matches of the network are the matches of the naive matcher.
 * D2: when all facts are gone, no match and no index entry is left.
 * D6: with sharing and shortcuts off, and with indexes off, the same matches are found.
 * D8: with a hash that always collides, the same matches are found.
 * D13: a match fires once, and again only after it went away or a field that it reads changed.
 */
import { test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { History } from "../support/history.ts";
import { forAllCases } from "../support/minimise.ts";
import { Refraction } from "../support/refraction.ts";
import { Rig, type RigOptions } from "../support/rig.ts";

const OTHERS: readonly RigOptions[] = [
  { open: { sharing: false, shortcuts: false } },
  { open: { indexing: false } },
  { compile: { hash: () => 0n } },
];

/** Matches are compared when the first facts are there; what fires is watched from the beginning. */
function keepsItsPromises(one: Case): void {
  const rig = new Rig(SMALL, one.rules, {}, OTHERS);
  const refraction = new Refraction(rig);
  for (const [index, operation] of History.operations(one).entries()) {
    const step = rig.history.plan(operation);
    if (step === undefined) continue;
    if (step.is !== "run") {
      rig.apply(step);
      if (index >= one.facts.length - 1) rig.compare();
      refraction.note(step);
    }
    if (step.is === "run" || index % 3 === 2) refraction.run();
  }
  refraction.run();
  refraction.run();
  rig.compareFacts();
  rig.empty();
  rig.compare();
}

test(
  "the network finds and fires what the naive matcher finds, however it is opened, and forgets what is gone",
  () => {
    forAllCases(SMALL, runs(), keepsItsPromises);
  },
  PATIENT,
);
