/**
 * No superlinear traps, counted in steps instead of time: the cost of one change must not grow with the facts that it does not
 * touch (except by a logarithm), and n facts must cost n times as much as one.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile, type Program } from "../../src/index.ts";
import {
  FOLDS,
  GATES,
  JUDGES,
  manyRules,
  PATTERNS,
  PROGRAMS,
  type Scenario,
  SESSIONS,
} from "../support/step-scenarios.ts";
import { startCounting, stepsTaken } from "../support/steps.ts";
import { TIMES } from "../support/time-scenarios.ts";

let stop: () => void = () => undefined;
beforeAll(() => {
  stop = startCounting();
});
afterAll(() => stop());

const SIZES = process.env["SLUICE_QUICK"] === "1" ? [250, 1000] : [250, 500, 1000, 2000];

/**
 * The steps of a reload for each node and each rule that stay: walking the lists takes one or two, ranks of direct terminals one more.
 * A little is left for what was made ready by an earlier reload, or not.
 */
const MOST_STEPS = 3.3;

interface Measured {
  readonly load: number;
  readonly changes: ReadonlyMap<string, number>;
}

function measure(scenario: Scenario, program: Program, n: number): Measured {
  const session = program.session({ facts: "none" });
  stepsTaken();
  scenario.fill(session, n);
  const load = stepsTaken();
  const steps = new Map<string, number>();
  for (const [at, change] of scenario.changes.entries()) {
    change.make(session, n);
    steps.set(`${at + 1} ${change.name}`, stepsTaken());
  }
  return { load, changes: steps };
}

/** From 250 to 2,000 a logarithm grows by 1.4. */
function growsLikeLog(steps: readonly number[]): boolean {
  const [first = 0] = steps;
  return steps.every((step) => step <= 1.5 * first + 150);
}

/** Twice as many facts, twice the work, and a little for the logarithm. */
function growsLikeLine(steps: readonly number[], doubled = 2.4): boolean {
  return steps.every((step, at) => {
    const doublings = at === 0 ? 0 : Math.log2((SIZES[at] ?? 1) / (SIZES[at - 1] ?? 1));
    return at === 0 || step <= doubled ** doublings * (steps[at - 1] ?? 0) + 500;
  });
}

function sourceFor(source: Scenario["source"], n: number): string {
  return typeof source === "string" ? source : source(n);
}

/** What grows more than it may, with its steps by size. */
function excess(scenario: Scenario): string[] {
  const { source } = scenario;
  const only = typeof source === "string" ? compile(source) : undefined;
  const measured = SIZES.map((n) => measure(scenario, only ?? compile(sourceFor(source, n)), n));
  const load = measured.map((one) => one.load);
  const names = [...(measured[0]?.changes.keys() ?? [])];
  const changes = names.map((name) => [name, measured.map((one) => one.changes.get(name) ?? 0)] as const);
  return [
    ...(growsLikeLine(load, scenario.doubled) ? [] : [`load: ${load.join(" ")}`]),
    ...changes.flatMap(([name, steps]) => (growsLikeLog(steps) ? [] : [`${name}: ${steps.join(" ")}`])),
  ];
}

test("the counter sees a loop that turns n times, and a list that is built for each of n", () => {
  const grows = (source: string): string[] => {
    const fill: Scenario["fill"] = (session, n) => {
      session.assert("A", { id: "a" });
      for (let at = 0; at < n; at++) session.assert("B", { id: `b${at}`, v: at });
    };
    const reads: Scenario["changes"] = [{ name: "read", make: (session) => session.matches("r") }];
    const types = "type A(#id: string)\ntype B(#id: string, v: number)\n";
    return excess({ name: "", source: `${types}rule r { when ${source} then log(1) }`, fill, changes: reads });
  };
  expect(grows("a: A list: collect(b.v) from b: B")).toEqual([expect.stringMatching(/^1 read: /u)]);
  expect(grows("a: A list: collect(b.v) from b: B where count(list) > 3")).toEqual([expect.stringMatching(/^load: /u)]);
});

describe.each([
  ["patterns", PATTERNS],
  ["aggregates", FOLDS],
  ["sessions", SESSIONS],
  ["programs", PROGRAMS],
  ["gates", GATES],
  ["judges", JUDGES],
  ["times", TIMES],
])("%s", (_, scenarios) => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", (_name, scenario) => {
    expect(excess(scenario)).toEqual([]);
  });
});

test("a question costs the same, however many calls of a function have failed", () => {
  const known = {
    params: [{ name: "x", type: { kind: "string" }, optional: false }],
    result: { kind: "bool" },
  } as const;
  const program = compile(
    `type P(#id: string)
     type Blocked(#id: string)
     rule r { when p: P(risky(p.id)) then insert Blocked(id: p.id) }
     gate "g" for p: P { require not exists Blocked(id == p.id) }`,
    { functions: { risky: known } },
  );
  const steps = SIZES.map((n) => {
    const session = program.session();
    session.batch(() => {
      for (let at = 0; at < n; at++) session.assert("P", { id: `p${at}` });
    });
    session.gate("g", "P~p1");
    stepsTaken();
    expect(session.gate("g", "P~p0").outcome).toBe("hold");
    return stepsTaken();
  });
  expect(steps).toSatisfy(growsLikeLog);
});

describe("a reload with a rule more or less", () => {
  const MORE = {
    "that joins": "rule more { when p: P(v > 3) q: Q(k == p.k, v == -1) then log(q.id) }",
    "with a single pattern": "rule more { when q: Q(v == -1) then log(q.id) }",
    "with a not": "rule more { when p: P(v > 3) not Q(k == p.k, v == -1) then log(p.id) }",
  };

  /** Returns the steps of the reloads, and how many nodes and rules the program has. */
  function reloads(more: string, n: number): { readonly steps: Readonly<Record<string, number>>; items: number } {
    const session = compile(manyRules(n)).session();
    // One match of the pattern that all rules share: a join that goes looks for its entry among those of each match above it.
    session.assert("P", { id: "p", k: "k", v: 4 });
    for (let at = 0; at < 20; at++) session.assert("Q", { id: `q${at}`, k: "k", v: at });
    const { nodes, rules } = session.program.network();
    const steps: Record<string, number> = {};
    const count = (name: string, program: Program): void => {
      stepsTaken();
      session.reload(program);
      steps[name] = stepsTaken();
    };
    count("more", session.program.extend(more));
    count("less", session.program.without("more"));
    count("without the first", session.program.without("r0"));
    count("as a whole", compile(manyRules(n)));
    return { steps, items: nodes.length + rules.length };
  }

  // Both lists are walked once to find what differs. Nothing else is done for a node or a rule that stays.
  test.each(Object.entries(MORE))("%s compares the nodes that stay, and makes the others", (_, more) => {
    const measured = SIZES.map((n) => reloads(more, n));
    const [first, ...others] = measured;
    for (const { steps, items } of others) {
      const grown = items - (first?.items ?? 0);
      for (const name of ["more", "less", "without the first"]) {
        expect((steps[name] ?? 0) - (first?.steps[name] ?? 0), name).toBeLessThanOrEqual(MOST_STEPS * grown);
      }
      expect((steps["as a whole"] ?? 0) - (first?.steps["as a whole"] ?? 0)).toBeGreaterThan(MOST_STEPS * grown);
    }
  });
});
