/** Programs of twice the size take about twice the steps to compile, plan and open. */
import { expect, test } from "vitest";
import { compile } from "../src/index.ts";
import { times } from "./attacks/case.ts";
import { longGuardian, longPipeline, manyRules, manyTypes, orGroups, wideGate } from "./attacks/programs.ts";
import { executedBlocks } from "./support/executed.ts";

const A = "type A(#n: number, v: number) A(1, 1)";

function nested(depth: number): string {
  let test = "v == 0";
  for (let level = 0; level < depth; level++) test = `(v == ${level} ${level % 2 === 0 ? "or" : "and"} not ${test})`;
  return `${A} rule r { when a: A(${test}) then print("x") }`;
}

const SHAPES: readonly (readonly [name: string, size: number, source: (size: number) => string])[] = [
  [
    "patterns of a rule",
    100,
    (n) => `${A} rule r { when ${times(n, (i) => `a${i}: A(n == 1)`, " ")} then print("x") }`,
  ],
  ["tests inside each other", 30, nested],
  [
    "an and of ors",
    60,
    (n) => `${A} rule r { when a: A(${times(n, (i) => `(v == ${i} or n == ${i})`, " and ")}) then print("x") }`,
  ],
  ["terms of an or", 200, (n) => `${A} rule r { when a: A(${times(n, (i) => `v == ${i}`, " or ")}) then print("x") }`],
  ["items of a list", 1000, (n) => `${A} rule r { when a: A(v in [${times(n, String, ", ")}]) then print("x") }`],
  [
    "fields of a type",
    150,
    (n) =>
      `type F(${times(n, (i) => `f${i}: number`, ", ")}) rule r { when F(${times(n, (i) => `f${i} == ${i}`, ", ")}) then print("x") }`,
  ],
  ["rules", 100, manyRules],
  ["types", 100, manyTypes],
  ["leaves of a gate", 100, wideGate],
  ["steps of a pipeline", 100, longPipeline],
];

test.each(SHAPES)("%s", (_, size, source) => {
  const stepsFor = (count: number): number => {
    const text = source(count);
    return executedBlocks(() => void compile(text).session().run());
  };
  stepsFor(2); // what is done once, such as reading the grammar
  const ratio = stepsFor(2 * size) / stepsFor(size);
  expect(ratio).toBeGreaterThan(1.5);
  expect(ratio).toBeLessThan(2.5);
});

test("the lines of a check share one chain: twice as many take at most four times the steps", () => {
  const stepsFor = (lines: number): number => {
    const text = longGuardian(lines);
    return executedBlocks(() => void compile(text).session());
  };
  stepsFor(2);
  expect(stepsFor(200) / stepsFor(100)).toBeLessThan(4);
});

test("another or group doubles the alternatives, and the steps", () => {
  const stepsFor = (groups: number): number => {
    const text = orGroups(groups);
    return executedBlocks(() => void compile(text).session());
  };
  stepsFor(2);
  expect(stepsFor(7) / stepsFor(6)).toBeLessThan(3);
});
