/** D3: any order of the same assertions gives the same matches. */
import { test } from "vitest";
import type { Program } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, type Domain, SMALL } from "../support/engine-arbitrary.ts";
import { sourceOf } from "../support/engine-program.ts";
import { History, type Step } from "../support/history.ts";
import { labelledTexts } from "../support/labels.ts";
import { forAllCases } from "../support/minimise.ts";
import { expectSame, type MatchTexts, programOfRules } from "../support/rig.ts";

const STABLE: Domain = { ...SMALL, stableReferences: true };

type Assertion = Extract<Step, { is: "assert" }>;

/** The assertions that are accepted: no key twice. */
function assertionsOf(one: Case, history: History): Assertion[] {
  return one.facts.flatMap((fact) => {
    const step = history.plan({ is: "assert", fact });
    if (step?.is !== "assert") return [];
    history.note(step);
    return [step];
  });
}

function matchesInOrder(program: Program, assertions: readonly Assertion[], order: readonly number[]): MatchTexts {
  const session = program.session({ facts: "none" });
  const labels = new Map<string, string>();
  for (const index of order) {
    const step = assertions[index];
    if (step === undefined) continue;
    labels.set(session.assert(step.type, step.fields).id, `#${index}`);
  }
  return labelledTexts(session, program.checked.symbols.rules.names(), labels);
}

/** A shuffle that depends on nothing but the case. */
function shuffled(count: number, seed: number): number[] {
  const rank = (index: number): number => Math.imul(index + 1, 0x9e3779b1 ^ Math.imul(seed + 1, 0x85ebca6b)) >>> 0;
  return Array.from({ length: count }, (_, index) => index).sort((a, b) => rank(a) - rank(b));
}

function ordersAgree(one: Case): void {
  const history = new History(STABLE, one.rules);
  const program = programOfRules(history.rules);
  const assertions = assertionsOf(one, history);
  const written = assertions.map((_, index) => index);
  const expected = matchesInOrder(program, assertions, written);
  const orders = [written.toReversed(), shuffled(assertions.length, one.operations.length)];
  for (const order of orders) {
    const story = (): string => `${sourceOf(history.rules)}\n${JSON.stringify(assertions)}\n${JSON.stringify(order)}`;
    expectSame(expected, matchesInOrder(program, assertions, order), story);
  }
}

test(
  "facts can be asserted in any order",
  () => {
    forAllCases(STABLE, runs(), ordersAgree);
  },
  PATIENT,
);
