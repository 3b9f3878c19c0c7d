/**
 * Tests that a bug in each kind of node of a plan, and in each kind of expression, is found by some property. The bugs are in
 * test/support/planted-bugs.ts; the kinds are read off the types, so that a new one is red until it has a bug that is found.
 */
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { decideAfter } from "../support/after-model.ts";
import { randomFrom, tryAll } from "../support/clock-history.ts";
import { DAYS_WORLD, INSTANTS, LAST_FACTS } from "../support/clock-model.ts";
import { constructsOf, schemaOf } from "../support/constructs.ts";
import { caseOf, SMALL } from "../support/engine-arbitrary.ts";
import { EXPRESSIONS_AGREE } from "../support/expression-agrees.ts";
import { steadyAsLooking, steps } from "../support/flow-program.ts";
import { tryGates } from "../support/gates-in-time.ts";
import { verdictHistory, verdictsAfter } from "../support/guardian-histories.ts";
import { everyItem, itemCase } from "../support/items-history.ts";
import { BUGS_OF_NODES, plant, type PlantedBug } from "../support/planted-bugs.ts";
import { followAndCompare } from "../support/rig.ts";
import { tryWhole } from "../support/whole-histories.ts";

const SEED = 20_260_101;

afterEach(() => plant(undefined));

function cases<Case>(arbitrary: fc.Arbitrary<Case>, check: (one: Case) => unknown, numRuns: number): () => void {
  const property = fc.property(arbitrary, (one) => void check(one));
  return () => fc.assert(property, { numRuns, seed: SEED, endOnFailure: true });
}

/** What may find a bug, the quick ones first; each throws at a difference. */
const FINDERS: Readonly<Record<string, () => void>> = {
  "small programs": cases(caseOf(SMALL), (one) => followAndCompare(one, SMALL), 400),
  expressions: () => fc.assert(EXPRESSIONS_AGREE, { numRuns: 1500, seed: SEED, endOnFailure: true }),
  items: cases(itemCase, everyItem, 200),
  instants: () => tryAll(INSTANTS, 150),
  days: () => tryAll(DAYS_WORLD, 60),
  "last facts": () => tryAll(LAST_FACTS, 100),
  gates: () => tryGates(randomFrom(134), 40),
  flows: cases(steps, steadyAsLooking, 200),
  verdicts: cases(verdictHistory, verdictsAfter, 300),
  decisions: () => {
    for (let done = 0; done < 60; done++) decideAfter(randomFrom(done));
  },
  "whole programs": () => tryWhole(randomFrom(6), 400),
};

/** Returns the first of the finders that finds a difference. */
function finder(): string | undefined {
  return Object.entries(FINDERS).find(([, find]) => {
    try {
      find();
      return false;
    } catch {
      return true;
    }
  })?.[0];
}

test("nothing is found when nothing is planted", () => {
  expect(finder()).toBeUndefined();
});

describe("each kind of node", () => {
  test.each(Object.entries(BUGS_OF_NODES))("%s", (kind, bugs) => {
    for (const bug of bugs) {
      plant(bug);
      const found = finder();
      console.log(`${kind}: ${bug} is found by ${found}`);
      expect(found, bug).toBeDefined();
    }
  });
});

/** Kinds of expression that no property compares: each has tests by hand. */
const BY_HAND = new Set(["unmet", "outcome"]);

describe("each kind of expression", () => {
  const kinds = constructsOf(schemaOf("src/plan/plan.ts", ["op"], ["PlanExpr"])).filter((name) => !name.includes(" "));

  test.each(kinds.filter((kind) => !BY_HAND.has(kind)))("%s", (kind) => {
    plant(`value-of-${kind}` as PlantedBug);
    const found = finder();
    console.log(`${kind}: found by ${found}`);
    expect(found).toBeDefined();
  });
});
