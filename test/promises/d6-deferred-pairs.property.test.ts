/**
 * D6 for deferred pairs: pairs with a control fact that are made late (shortcuts on) fire in the same order as pairs that are
 * made at once (shortcuts off).
 *
 * The test asks for matches only at the end, because asking makes the pairs.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, type OpenOptions, type Program, type RuleSession, RunLimitError } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";

const TYPES = `
type Stage(#id: number, value: string)
type A(#k: number, v: number, done: bool)
type B(#k: number, v: number)
type C(v: number)
action say(a: number, b: number)
`;

/** What stands between \`when\` and \`then\` beside the control fact, and what is done about it. */
const BODIES = [
  ["a: A(done == false)", "say(a.k, 0)  a.done = true"],
  ["a: A(done == false)", "say(a.k, 1)"],
  ["a: A(v > 1)  b: B(v == a.v)", "say(a.k, b.k)"],
  ["a: A  b: B", "say(a.k, b.k)  retract b"],
  ["a: A  not C(v == a.v)", "say(a.k, 2)  insert C(v: a.v)"],
  ["a: A  n: count() from B(v == a.v)", "say(a.k, n)"],
  ["a: A  b: A(v != a.v)", "say(b.k, a.k)  b.v = a.v"],
] as const;
const SWITCHES = ['s.value = "Y"', 's.value = "X"', "retract s", 's.value = "Z"'] as const;

const ruleArbitrary = fc.record({
  body: fc.constantFrom(...BODIES),
  change: fc.constantFrom(...SWITCHES),
  when: fc.constantFrom("X", "Y", "Z"),
  first: fc.boolean(),
  salience: fc.constantFrom(0, 0, 0, 5),
});

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant("A" as const), k: fc.nat(9), v: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("B" as const), k: fc.nat(5), v: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant("Stage" as const), k: fc.nat(1), value: fc.constantFrom("X", "Y", "Z") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant("gone" as const), type: fc.constantFrom("A", "B"), k: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("off" as const), k: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("run" as const), limit: fc.integer({ min: 1, max: 30 }) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

interface Case {
  readonly rules: readonly (typeof ruleArbitrary extends fc.Arbitrary<infer One> ? One : never)[];
  readonly operations: readonly Operation[];
  readonly strategy: "breadth" | "depth";
}

const cases: fc.Arbitrary<Case> = fc.record({
  rules: fc.array(ruleArbitrary, { minLength: 1, maxLength: 4 }),
  operations: fc.array(operation, { minLength: 8, maxLength: 40 }),
  strategy: fc.constantFrom("breadth" as const, "depth" as const),
});

function programOf({ rules }: Case): Program {
  const texts = rules.map(({ body: [patterns, actions], change, when, first, salience }, at) => {
    const control = `s: Stage(value == "${when}")`;
    const all = first ? `${control}  ${patterns}` : `${patterns}  ${control}`;
    return `rule r${at} salience ${salience} { when ${all} then ${actions}  ${change} }`;
  });
  return compile(TYPES + texts.join("\n"));
}

function follow(session: RuleSession, one: Operation, fired: string[]): void {
  switch (one.is) {
    case "A":
      return void session.upsert("A", { k: one.k, v: one.v, done: false });
    case "B":
      return void session.upsert("B", { k: one.k, v: one.v });
    case "Stage":
      return void session.upsert("Stage", { id: one.k, value: one.value });
    case "gone":
      return void session.retract(`${one.type}~${one.k}`);
    case "off":
      return void session.retract(`Stage~${one.k}`);
    case "run":
      return run(session, one.limit, fired);
  }
}

function run(session: RuleSession, limit: number, fired: string[]): void {
  try {
    note(session.run({ limit }), fired);
  } catch (error) {
    if (!(error instanceof RunLimitError)) throw error;
    note(error.result, fired);
  }
}

function note({ fired }: ReturnType<RuleSession["run"]>, into: string[]): void {
  for (const { rule, bindings } of fired) into.push(`${rule} ${JSON.stringify(bindings)}`);
  into.push("rest");
}

function story(one: Case, program: Program, options: OpenOptions): string[] {
  const session = program.session({ strategy: one.strategy, ...options });
  const fired: string[] = [];
  for (const operation of one.operations) follow(session, operation, fired);
  for (const at of one.rules.keys())
    fired.push(
      ...session
        .matches(`r${at}`)
        .map((match) => JSON.stringify(match))
        .sort(),
    );
  return [...fired, JSON.stringify(session.agenda()), JSON.stringify(session.counters().waiting)];
}

describe("pairs with a control fact", () => {
  test(
    "fire in the same order, made late or at once",
    () => {
      fc.assert(
        fc.property(cases, (one) => {
          const program = programOf(one);
          expect(story(one, program, {})).toEqual(story(one, program, { shortcuts: false }));
        }),
        { numRuns: runs(5000) },
      );
    },
    PATIENT,
  );
});
