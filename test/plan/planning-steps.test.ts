/** Tests that planning a rule with twice as many patterns takes about twice the steps. A step is one name lookup. */
import { expect, test } from "vitest";
import { controlsLast } from "../../src/plan/controls.ts";
import { compile } from "../../src/index.ts";
import { times } from "../attacks/case.ts";

function stepsFor(patterns: number): number {
  const each = times(patterns, (index) => `a${index}: A(n == 1)`, " ");
  const { checked } = compile(`type A(#n: number, v: number) rule r { when ${each} then print("x") }`);
  const body = checked.symbols.rules.get("r")?.decl.body;
  if (body?.kind !== "block") throw new Error("a rule in the block form");
  let steps = 0;
  const resolutions = new Proxy(checked.resolutions, {
    get: (of, key) => {
      steps += 1;
      const value: unknown = Reflect.get(of, key);
      return typeof value === "function" ? (value.bind(of) as unknown) : value;
    },
  });
  controlsLast({ ...checked, resolutions }, body);
  return steps;
}

test("a pattern is not compared with every other one to find control facts", () => {
  expect(stepsFor(100)).toBeGreaterThan(100);
  expect(stepsFor(200)).toBeLessThan(2.1 * stepsFor(100));
});
