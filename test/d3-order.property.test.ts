/** D3: any order of the same assertions gives the same matches. */
import { test } from "vitest";
import { PATIENT, runs } from "./support/cases.ts";
import { type Case, type Domain, SMALL } from "./support/engine-arbitrary.ts";
import type { Step } from "./support/history.ts";
import { labelledTexts } from "./support/labels.ts";
import { forAllCases } from "./support/minimise.ts";
import { expectSame, type MatchTexts, Rig } from "./support/rig.ts";

const STABLE: Domain = { ...SMALL, stableReferences: true };

type Assertion = Extract<Step, { is: "assert" }>;

/** The assertions that are accepted: no key twice. */
function assertionsOf(one: Case): Assertion[] {
  const rig = new Rig(STABLE, one.rules);
  return one.facts.flatMap((fact) => {
    const step = rig.history.plan({ is: "assert", fact });
    if (step?.is !== "assert") return [];
    rig.history.note(step);
    return [step];
  });
}

function matchesInOrder(one: Case, assertions: readonly Assertion[], order: readonly number[]): MatchTexts {
  const rig = new Rig(STABLE, one.rules);
  const labels = new Map<string, string>();
  for (const index of order) {
    const step = assertions[index];
    if (step === undefined) continue;
    labels.set(rig.session.assert(step.type, step.fields).id, `#${index}`);
  }
  return labelledTexts(rig.session, rig.history.rules.keys(), labels);
}

/** A shuffle that depends on nothing but the case. */
function shuffled(count: number, seed: number): number[] {
  const rank = (index: number): number => Math.imul(index + 1, 0x9e3779b1 ^ Math.imul(seed + 1, 0x85ebca6b)) >>> 0;
  return Array.from({ length: count }, (_, index) => index).sort((a, b) => rank(a) - rank(b));
}

function ordersAgree(one: Case): void {
  const assertions = assertionsOf(one);
  const written = assertions.map((_, index) => index);
  const expected = matchesInOrder(one, assertions, written);
  const orders = [written.toReversed(), shuffled(assertions.length, one.operations.length)];
  for (const order of orders) {
    const story = (): string =>
      `${new Rig(STABLE, one.rules).story()}\n${JSON.stringify(assertions)}\n${JSON.stringify(order)}`;
    expectSame(expected, matchesInOrder(one, assertions, order), story);
  }
}

test(
  "facts can be asserted in any order",
  () => {
    forAllCases(STABLE, runs(), ordersAgree);
  },
  PATIENT,
);
