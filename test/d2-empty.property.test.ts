/** D2: when every fact is gone, nothing is remembered of any. */
import { expect, test } from "vitest";
import { PATIENT, runs } from "./support/cases.ts";
import { Difference } from "./support/difference.ts";
import { type Case, SMALL } from "./support/engine-arbitrary.ts";
import { forAllCases } from "./support/minimise.ts";
import { Rig } from "./support/rig.ts";
import { History } from "./support/history.ts";
import { open } from "./support/session.ts";

function leavesNothing(one: Case): void {
  const rig = new Rig(SMALL, one.rules);
  for (const operation of History.operations(one)) rig.follow(operation);
  for (const { id } of rig.history.facts) rig.apply({ is: "retract", id });
  rig.compare();
  const { facts, matches, indexEntries, logicalFacts } = rig.session.counters();
  const left = { facts, matches, indexEntries, logicalFacts };
  if (Object.values(left).some((count) => count !== 0)) {
    throw new Difference(`${JSON.stringify(left)}\n${rig.story()}`);
  }
}

test(
  "after every fact is retracted no match, no partial match and no index entry is left",
  () => {
    forAllCases(SMALL, runs(), leavesNothing);
  },
  PATIENT,
);

test("the counters count", () => {
  const session = open("rule r { when a: A b: B(b.n == a.n) then log(a) }");
  session.assert("A", { n: 1 });
  session.assert("B", { n: 1 });
  const { facts, matches, indexEntries } = session.counters();
  expect(Math.min(facts, matches, indexEntries)).toBeGreaterThan(1);
});
