/**
 * Tests that the first promise finds bugs: those that rule engines have had are planted one at a time, and each must be found.
 *
 * If one of these fails, the generator no longer makes the programs that show the bug; see test/house/generator.test.ts.
 */
import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { Difference } from "../support/difference.ts";
import { randomFrom, tryAll } from "../support/clock-history.ts";
import { type ClockWorld, DAYS_WORLD, INSTANTS, LAST_FACTS } from "../support/clock-model.ts";
import { caseOf, SMALL } from "../support/engine-arbitrary.ts";
import { tryGates } from "../support/gates-in-time.ts";
import { everyItem, itemCase } from "../support/items-history.ts";
import { everyOrder } from "../support/join-history.ts";
import { nestedFirings } from "../support/nested-sessions.ts";
import { plant, SORTED_BUGS } from "../support/planted-bugs.ts";
import { followRanges, rangeCase } from "../support/ranges.ts";
import { runningCases, runningStory } from "../support/running-cases.ts";
import { followAndCompare, type RigOptions } from "../support/rig.ts";

const MAX_CASES = 5_000;

afterEach(() => plant(undefined));

/** Returns how many cases it took to find a difference; undefined when there was none. Any other failure is thrown. */
function casesUntilFound(options: RigOptions, numRuns = MAX_CASES): number | undefined {
  const {
    failed,
    numRuns: tried,
    errorInstance,
  } = fc.check(
    fc.property(caseOf(SMALL), (one) => followAndCompare(one, SMALL, options)),
    { numRuns, seed: 20_260_101, endOnFailure: true },
  );
  if (failed && !(errorInstance instanceof Difference)) throw errorInstance;
  return failed ? tried : undefined;
}

test("nothing is found when nothing is planted", () => {
  expect(casesUntilFound({}, 500)).toBeUndefined();
});

test.each([
  ["duplicate-ancestor", {}],
  ["not-never-unblocks", {}],
  ["join-key-without-operator", {}],
  ["alpha-by-hash-only", { compile: { hash: () => 0n } }],
  ["join-compares-as-text", {}],
  ["delete-only-first", {}],
  ["exists-ends-at-one", {}],
  ["alpha-without-type", {}],
  ["fill-before-entered", {}],
  ["last-of-ties-first", {}],
  ["items-equal-are-one", {}],
  ["items-not-retracted", {}],
  ["items-not-heard", {}],
] as const)("%s is found", (bug, options) => {
  plant(bug);
  const cases = casesUntilFound(options);
  console.log(`${bug}: found after ${cases} cases`);
  expect(cases).toBeLessThanOrEqual(MAX_CASES);
});

test("nothing is found when buckets are sorted from two items on", () => {
  plant("sorted-at-once");
  expect(casesUntilFound({}, 1_000)).toBeUndefined();
  expect(rangesUntilFound(100)).toBeUndefined();
  for (const world of [INSTANTS, DAYS_WORLD, LAST_FACTS]) expect(isFoundByClock(world, 60)).toBe(false);
});

/** Returns how many histories of facts between bounds it took to find a difference; undefined when there was none. */
function rangesUntilFound(numRuns = 1_000): number | undefined {
  const follows = fc.property(rangeCase, (one) => followRanges(one, [{}]));
  const {
    failed,
    numRuns: tried,
    errorInstance,
  } = fc.check(follows, { numRuns, seed: 20_260_101, endOnFailure: true });
  if (failed && !(errorInstance instanceof Difference)) throw errorInstance;
  return failed ? tried : undefined;
}

test.each(SORTED_BUGS)("%s is found by facts between bounds", (bug) => {
  plant(bug);
  const cases = rangesUntilFound();
  console.log(`${bug}: found after ${cases} histories`);
  expect(cases).toBeDefined();
});

/** Returns how many histories of lists it took to find a difference from the model; undefined when there was none. */
function listsUntilFound(numRuns = MAX_CASES): number | undefined {
  const result = fc.check(fc.property(itemCase, everyItem), { numRuns, seed: 20_260_101, endOnFailure: true });
  if (result.failed && !(result.errorInstance instanceof Difference)) throw result.errorInstance;
  return result.failed ? result.numRuns : undefined;
}

test("no item is found when nothing is planted", () => {
  expect(listsUntilFound(300)).toBeUndefined();
});

test.each([
  "items-equal-are-one",
  "items-not-retracted",
  "items-not-heard",
  "items-all-restart",
  "items-left-in-place",
  "items-not-put-in-order",
  "items-of-a-way-that-is-gone",
  "items-with-one-key",
] as const)("%s is found by items", (bug) => {
  plant(bug);
  const cases = listsUntilFound();
  console.log(`${bug}: found after ${cases} histories`);
  expect(cases).toBeLessThanOrEqual(MAX_CASES);
});

/** Returns whether running aggregates differ from those of each match. */
function isFoundByRunning(numRuns: number): boolean {
  const { failed } = fc.check(
    fc.property(
      runningCases,
      (one) => JSON.stringify(runningStory(one, {})) === JSON.stringify(runningStory(one, { shortcuts: false })),
    ),
    { numRuns, seed: 20_260_101, endOnFailure: true },
  );
  return failed;
}

test("no running aggregate is found when nothing is planted", () => {
  expect(isFoundByRunning(100)).toBe(false);
});

test.each([
  "running-not-filled",
  "running-value-kept",
  "running-bound-not-reached",
  "running-not-asked-again",
] as const)("%s is found by running aggregates", (bug) => {
  plant(bug);
  expect(isFoundByRunning(1_000)).toBe(true);
});

/** Returns whether a rule fires otherwise when its patterns are joined in another order. */
function isFoundByOrders(numRuns: number): boolean {
  const { failed, errorInstance } = fc.check(everyOrder, { numRuns, seed: 20_260_101, endOnFailure: true });
  if (failed && !(errorInstance instanceof Difference)) throw errorInstance;
  return failed;
}

test("no order of joining is found when nothing is planted", () => {
  expect(isFoundByOrders(100)).toBe(false);
});

test.each([
  "joined-order-is-written",
  "moved-test-reads-own-fact",
  "moved-test-lost",
  "hash-of-the-joined-order",
] as const)("%s is found by orders of joining", (bug) => {
  plant(bug);
  expect(isFoundByOrders(1000)).toBe(true);
});

test("mark-in-shared-node is found by a session inside another", () => {
  const right = nestedFirings();
  expect(right.nested).toEqual(right.alone);
  plant("mark-in-shared-node");
  const { nested, alone } = nestedFirings();
  expect(nested).not.toEqual(alone);
});

/** Returns whether a difference is found; one that is found is an error of an expectation. */
function isFoundByClock(world: ClockWorld, cases: number): boolean {
  try {
    tryAll(world, cases);
    return false;
  } catch {
    return true;
  }
}

test("no test of the clock is found when nothing is planted", () => {
  expect(isFoundByClock(INSTANTS, 60)).toBe(false);
  expect(isFoundByClock(LAST_FACTS, 60)).toBe(false);
});

test.each([
  ["timer-one-late", INSTANTS],
  ["timer-not-cancelled", INSTANTS],
  ["timer-only-first", INSTANTS],
  ["timer-without-revalue", INSTANTS],
  ["bound-rounded-down", INSTANTS],
  ["solved-without-turning", INSTANTS],
  ["wait-fails", INSTANTS],
  ["window-closes-early", INSTANTS],
  ["window-open-on-the-right", INSTANTS],
  ["future-fact-enters", INSTANTS],
  ["not-within-does-not-wait", INSTANTS],
  ["open-window-forgotten", INSTANTS],
  ["unset-clock-is-zero", INSTANTS],
  ["today-without-zone", DAYS_WORLD],
  ["heap-loses-ties", INSTANTS],
  ["clock-not-in-snapshot", INSTANTS],
  ["window-closed-left", INSTANTS],
  ["window-open-right", INSTANTS],
  ["window-from-the-future", INSTANTS],
  ["windows-shared-by-field", INSTANTS],
  ["window-not-moved", INSTANTS],
  ["window-of-no-length", INSTANTS],
  ["window-of-negative-length", INSTANTS],
  ["last-one-too-many", LAST_FACTS],
  ["last-fell-out-for-good", LAST_FACTS],
  ["last-are-first", LAST_FACTS],
  ["last-not-moved", LAST_FACTS],
  ["last-of-all", LAST_FACTS],
  ["last-from-the-future", LAST_FACTS],
  ["last-in-doubt-are-sure", LAST_FACTS],
  ["expiry-one-late", INSTANTS],
  ["expiry-not-moved", INSTANTS],
  ["expired-fact-enters", INSTANTS],
  ["expiry-forgotten-in-snapshot", INSTANTS],
] as const)("%s is found", (bug, world) => {
  plant(bug);
  expect(isFoundByClock(world, 800)).toBe(true);
});

/** Returns whether a gate, guardian or pipeline differs from its definition. */
function isFoundByGates(cases: number): boolean {
  try {
    tryGates(randomFrom(134), cases);
    return false;
  } catch {
    return true;
  }
}

test("no gate in time is found when nothing is planted", () => {
  expect(isFoundByGates(10)).toBe(false);
});

test.each([
  "window-closes-early",
  "open-window-is-nothing",
  "quorum-stays-open",
  "last-unknown-number",
  "last-without-key",
  "window-of-no-length",
  "window-of-negative-length",
] as const)("%s is found by gates", (bug) => {
  plant(bug);
  expect(isFoundByGates(100)).toBe(true);
});
