/** Tests the search for the repeating sequence of rules in a run that does not end. */
import { expect, test } from "vitest";
import { findCycle } from "../../src/session/cycle.ts";

const letters = (text: string): string[] => text.split("");

test("one rule that fires again and again is a cycle of one", () => {
  expect(findCycle(letters("abccc"))).toEqual(["c"]);
});

test("the shortest sequence that repeats three times is named", () => {
  expect(findCycle(letters("xxabababab"))).toEqual(["a", "b"]);
  expect(findCycle(letters("aabaabaab"))).toEqual(["a", "a", "b"]);
});

test("two repetitions are not enough", () => {
  expect(findCycle(letters("abcabc"))).toEqual([]);
  expect(findCycle([])).toEqual([]);
});

test("only the end of the list counts", () => {
  expect(findCycle(letters("abababc"))).toEqual([]);
});

test("a long run is searched in little time", () => {
  const rules = Array.from({ length: 100_000 }, (_, index) => String(index % 997));
  expect(findCycle(rules)).toHaveLength(997);
});
