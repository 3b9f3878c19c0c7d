/**
 * No superlinear traps: counted in steps, not in time. The cost of one change must not grow with the facts that it does not
 * touch (a logarithm is allowed), and n facts must cost n times as much as one.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../src/index.ts";
import { FOLDS, GATES, JUDGES, PATTERNS, type Scenario, SESSIONS } from "./support/step-scenarios.ts";
import { startCounting, stepsOf } from "./support/steps.ts";

let stop: () => void = () => undefined;
beforeAll(() => {
  stop = startCounting();
});
afterAll(() => stop());

const SIZES = [250, 500, 1000, 2000];

interface Measured {
  readonly load: number;
  readonly changes: ReadonlyMap<string, number>;
}

function measure({ source, fill, changes }: Scenario, n: number): Measured {
  const program = compile(typeof source === "string" ? source : source(n));
  const session = program.session({ facts: "none" });
  const load = stepsOf(() => fill(session, n));
  const names = changes.map(({ name }, at) => `${at + 1} ${name}`);
  const steps = changes.map((change) => stepsOf(() => change.make(session, n)));
  return { load, changes: new Map(names.map((name, at) => [name, steps[at] ?? 0])) };
}

/** What grows more than it may, with its steps by size. */
function excess(scenario: Scenario): string[] {
  const measured = SIZES.map((n) => measure(scenario, n));
  const [first] = measured;
  const rows: (readonly [string, readonly number[], number, number])[] = [
    ["load", measured.map(({ load }) => load), 2.4, 500],
    ...[...(first?.changes.keys() ?? [])].map(
      (name) => [name, measured.map(({ changes }) => changes.get(name) ?? 0), 1.2, 60] as const,
    ),
  ];
  if (process.env["SHOW"]) for (const [name, steps] of rows) console.log(scenario.name, name, steps.join(" "));
  return rows.flatMap(([name, steps, times, plus]) => {
    const grows = steps.some((step, at) => at > 0 && step > times * (steps[at - 1] ?? 0) + plus);
    return grows ? [`${name}: ${steps.join(" ")}`] : [];
  });
}

describe.each([
  ["patterns", PATTERNS],
  ["aggregates", FOLDS],
  ["sessions", SESSIONS],
  ["gates", GATES],
  ["judges", JUDGES],
])("%s", (_, scenarios) => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", (_name, scenario) => {
    expect(excess(scenario)).toEqual([]);
  });
});
