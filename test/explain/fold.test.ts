/** Tests how steps are folded for people: only a step whose whole sentence is in the line above is left out. */
import { expect, test } from "vitest";
import { stepsBelow } from "../../src/explain/show/fold.ts";
import type { Explanation } from "../../src/explain/tell/step.ts";

function step(sentence: string, children: readonly Explanation[] = []): Explanation {
  return {
    unit_id: "1",
    depth: 0,
    observation: "",
    decision: "decompose",
    downward_rationale: "",
    upward_rationale: sentence,
    outcome: "true",
    children,
  };
}

test.each([
  ["N n matches, because n is 1.", "n is 1.", true],
  ["N n matches, because n is 1, which is under 2.", "n is 1.", true],
  ["N n matches, because p.n is 1.", "n is 1.", true],
  ["N n matches, because n is 12.", "n is 1.", false],
  ["N n matches, because n is 1.5.", "n is 1.", false],
  ["N n matches, because n is 12 and n is 1.", "n is 1.", true],
  ["N n matches, because born is 1.", "n is 1.", false],
])("below %j the step %j is folded: %j", (above, sentence, folded) => {
  const leaf = step("a leaf that differs");
  const only = step(sentence, [leaf]);
  expect(stepsBelow(step(above, [only]))).toEqual(folded ? [leaf] : [only]);
});
