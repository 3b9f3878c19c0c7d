/** Tests that work in slices has small steps. Steps and calls are counted; nothing is timed. */
import { afterEach, expect, type MockInstance, test, vi } from "vitest";
import { finish, Slices, type Steps } from "../../src/base/slices.ts";
import { blueprintsOf } from "../../src/engine/blueprints.ts";
import { AlphaNode } from "../../src/rete/alpha.ts";
import { compile, compileAsync, Program, type RuleSession } from "../../src/index.ts";

afterEach(() => void vi.restoreAllMocks());

/** Counts steps, and the most calls of a function in one of them. */
class Counted {
  steps = 0;
  mostCalls = 0;
  spy: MockInstance | undefined = undefined;

  get calls(): number {
    return this.spy?.mock.calls.length ?? 0;
  }

  /** Counts all work in slices from now on. */
  static slices(): Counted {
    const counted = new Counted();
    vi.spyOn(Slices.prototype, "run").mockImplementation((steps) => Promise.resolve(counted.finish(steps)));
    return counted;
  }

  finish<Result>(steps: Steps<Result>): Result {
    for (;;) {
      const before = this.calls;
      const next = steps.next();
      this.mostCalls = Math.max(this.mostCalls, this.calls - before);
      if (next.done === true) return next.value;
      this.steps += 1;
    }
  }
}

function stepsOf(steps: Steps<unknown>): number {
  const counted = new Counted();
  counted.finish(steps);
  return counted.steps;
}

const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join("\n");

const TYPES = "type P(#id: string, age: number, town: string, @at: instant) type Q(#id: string, age: number)";

/** Programs of any size, with the steps that each of their statements takes to compile: one for each pass over it. */
const PROGRAMS: readonly [name: string, passes: number, source: (count: number) => string][] = [
  ["rules", 4, (count) => many(count, (at) => `rule r${at} { when p: P(age > ${at}) then log(p.id) }`)],
  [
    "windows",
    6,
    (count) => many(count, (at) => `rule r${at} { when p: P(age > ${at}) over last 10 min then log(p.id) }`),
  ],
  [
    "tests of the clock",
    5,
    (count) => many(count, (at) => `rule r${at} { when p: P(age > ${at}, now - at > 1 h) then log(p.id) }`),
  ],
  [
    "calls",
    5,
    (count) =>
      `function twice(x: number): number = x * 2
       ${many(count, (at) => `rule r${at} { when p: P(twice(age) > ${at}) then log(p.id) }`)}`,
  ],
  [
    "rows of queries",
    5,
    (count) =>
      `query adults() { p: P(age > 17) }
       ${many(count, (at) => `rule r${at} { when a in adults() q: Q(age > ${at}) then log(q.id) }`)}`,
  ],
  ["private names", 7, (count) => many(count, (at) => `private function f${at}(x: number): number = x * 2`)],
  ["conditions", 6, (count) => many(count, (at) => `condition c${at}(p: P) : p.age > ${at}`)],
];

test.each(PROGRAMS)("every pass over a program with %s is in steps", (_, passes, source) => {
  const steps = (count: number): number =>
    stepsOf(Program.compiling([{ file: "rules.tsd", source: `${TYPES}\n${source(count)}` }], {}));
  expect((steps(200) - steps(100)) / 100).toBeGreaterThanOrEqual(passes);
});

test("everything that judges is planned in a step of its own", () => {
  const source = (count: number): string =>
    many(
      count,
      (at) => `gate "g${at}" for p: P { require p.age > ${at} } pipeline d${at} for p: P { otherwise FORWARD "x" }`,
    );
  const steps = (count: number): number => stepsOf(compile(`${TYPES}\n${source(count)}`).planning(true));
  expect(steps(60) - steps(20)).toBeGreaterThanOrEqual(80);
});

test("a session is opened in steps: one for each rule and each node, and for each fact of the program", async () => {
  const rules = many(50, (at) => `rule r${at} { when p: P(age > ${at}) q: Q(age == p.age) then log(p.id) }`);
  const facts = many(90, (at) => `Q("q${at}", ${at})`);
  const program = await compileAsync(`${TYPES}\n${rules}\n${facts}`);
  const plan = program.plan(true);
  expect(stepsOf(blueprintsOf(program, plan, {}).sharing())).toBeGreaterThanOrEqual(
    plan.rules.length + plan.nodes.length,
  );
  const counted = Counted.slices();
  await program.openAsync();
  expect(counted.steps).toBeGreaterThanOrEqual(90);
  expect(counted.steps).toBeLessThan(180); // the blueprint is there
});

test("sessions that are opened at the same time share one plan and one blueprint", () => {
  const program = compile(`${TYPES}\n${many(60, (at) => `rule r${at} { when p: P(age > ${at}) then log(p.id) }`)}`);
  const plans: unknown[] = [];
  const sharing = [0, 1].map(() => {
    const planning = program.planning(true);
    planning.next();
    return planning;
  });
  for (const planning of sharing) plans.push(finish(planning));
  expect(plans[0]).toBe(plans[1]);
  const ways = blueprintsOf(program, program.plan(true), {});
  const making = [0, 1].map(() => {
    const steps = ways.sharing();
    steps.next();
    return steps;
  });
  const [first, second] = making.map((steps) => finish(steps));
  expect(first).toBe(second);
});

// ---------------------------------------------------------------- snapshots

/** Rules with a single pattern. */
const SINGLE = `type A(#id: number, kind: number)
  ${many(40, (at) => `rule r${at} { when a: A(kind == ${at}) then log(a.id) }`)}`;

async function written(session: RuleSession): Promise<string[]> {
  const lines: string[] = [];
  await session.snapshot({ stream: { write: (line, done) => (lines.push(line), done()) } });
  return lines;
}

test("a snapshot asks for the rules of each fact once, and for few facts in a step", async () => {
  const counted = Counted.slices();
  counted.spy = vi.spyOn(AlphaNode.prototype, "collect");
  const program = compile(SINGLE);
  const session = program.session();
  const facts = 2_000;
  session.batch(() => {
    for (let id = 0; id < facts; id++) session.assert("A", { id, kind: id % 80 });
  });
  const reached = facts + facts / 2; // all pass their type, and half of them are of a kind that a rule names
  counted.spy.mockClear();
  const lines = await written(session);
  expect(counted.calls).toBe(reached);
  expect(counted.mostCalls).toBeLessThanOrEqual(64);
  counted.spy.mockClear();
  const stream = new Blob(lines).stream() as unknown as AsyncIterable<Uint8Array>;
  const copy = await program.openAsync({ from: stream });
  expect(counted.calls).toBe(2 * reached); // once when the network gets the fact
  expect(counted.mostCalls).toBeLessThanOrEqual(64);
  expect(copy.agenda()).toEqual(session.agenda());
  expect(copy.snapshot().matches).toEqual(session.snapshot().matches);
});

test("marks of rules that have changed are skipped in steps", async () => {
  const before = compile("type A(#id: number) rule r { when a: A(id >= 0) then log(a.id) }").session();
  for (let id = 0; id < 500; id++) before.assert("A", { id });
  const lines = await written(before);
  const counted = Counted.slices();
  const steps = async (source: string): Promise<number> => {
    counted.steps = 0;
    const stream = new Blob(lines).stream() as unknown as AsyncIterable<Uint8Array>;
    const session = await compile(source).openAsync({ from: stream });
    expect(session.agenda().length).toBe(500);
    return counted.steps;
  };
  const same = await steps("type A(#id: number) rule r { when a: A(id >= 0) then log(a.id) }");
  const changed = await steps("type A(#id: number) rule r { when a: A(id >= 0) then log(a.id, 1) }");
  expect(changed).toBeGreaterThanOrEqual(same);
});
