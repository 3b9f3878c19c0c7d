/**
 * Tests that the work for logical facts grows with the number of facts that a change touches, not with its square.
 *
 * It counts `counters().supportSteps`, never time: shapes of n and of 2n facts are derived and removed.
 */
import { describe, expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

const TYPES = `
  type Root(#k: number)
  type Link(#from: number, #to: number)
  type N(#k: number)
  rule start { when r: Root then insert logical N(k: r.k) }`;

const ALONG = `${TYPES}
  rule along { when n: N l: Link(from == n.k) then insert logical N(k: l.to) }`;

const THROUGH_EXISTS = `${TYPES}
  rule along { when l: Link exists N(k == l.from) then insert logical N(k: l.to) }`;

type Link = readonly [number, number];
type Links = (n: number) => Iterable<Link>;

const SHAPES = {
  *chain(n: number): Iterable<Link> {
    for (let k = 1; k < n; k++) yield [k - 1, k];
  },
  *ring(n: number): Iterable<Link> {
    for (let k = 0; k < n; k++) yield [k, (k + 1) % n];
  },
  *tree(n: number): Iterable<Link> {
    for (let k = 1; k < n; k++) yield [(k - 1) >> 1, k];
  },
  *star(n: number): Iterable<Link> {
    for (let k = 1; k < n; k++) yield [0, k];
  },
  /** Every fact rests on the two before it. */
  *ladder(n: number): Iterable<Link> {
    for (let k = 1; k < n; k++) yield [k - 1, k];
    for (let k = 2; k < n; k++) yield [k - 2, k];
  },
} satisfies Readonly<Record<string, Links>>;

function sessionOf(rules: string, links: Iterable<Link>): RuleSession {
  const session = compile(rules).session({ facts: "none", limit: 10_000_000 });
  session.batch(() => {
    for (const [from, to] of links) session.assert("Link", { from, to });
  });
  return session;
}

const stepsOf = (session: RuleSession, work: () => void): number => {
  const before = session.counters().supportSteps;
  work();
  return session.counters().supportSteps - before;
};

interface Cost {
  readonly derive: number;
  readonly retract: number;
}

function upAndDown(rules: string, links: Links, n: number): Cost {
  const session = sessionOf(rules, links(n));
  const derive = stepsOf(session, () => {
    session.assert("Root", { k: 0 });
    session.run({ collect: false });
  });
  expect(session.facts("N")).toHaveLength(n);
  const retract = stepsOf(session, () => session.retract("Root~0"));
  expect(session.facts("N")).toEqual([]);
  expect(session.counters().logicalFacts).toBe(0);
  return { derive, retract };
}

function expectLinear(small: number, large: number): void {
  expect(small).toBeGreaterThan(0);
  expect(large).toBeLessThanOrEqual(2.2 * small);
}

describe.each([
  ["named facts", ALONG],
  ["exists", THROUGH_EXISTS],
])("through %s", (_, rules) => {
  test.each(Object.entries(SHAPES))("a %s is derived and taken down in linear work", (_name, links) => {
    const [small, large] = [upAndDown(rules, links, 500), upAndDown(rules, links, 1000)];
    expectLinear(small.derive, large.derive);
    expectLinear(small.retract, large.retract);
  });

  test("a ring with two roots stays whole when one goes, for linear work", () => {
    const twoRoots = (n: number): number => {
      const session = sessionOf(rules, SHAPES.ring(n));
      session.assert("Root", { k: 0 });
      session.run({ collect: false });
      session.assert("Root", { k: n / 2 });
      session.run({ collect: false });
      const steps = stepsOf(session, () => session.retract("Root~0"));
      expect(session.facts("N")).toHaveLength(n);
      session.retract(`Root~${n / 2}`);
      expect(session.facts("N")).toEqual([]);
      return steps;
    };
    expectLinear(twoRoots(500), twoRoots(1000));
  });

  test("the ends of a chain are taken off one by one for constant work each", () => {
    const fromTheEnd = (n: number): number => {
      const session = sessionOf(rules, SHAPES.chain(n));
      session.assert("Root", { k: 0 });
      session.run({ collect: false });
      return stepsOf(session, () => {
        for (let k = n - 1; k > 0; k--) session.retract(`Link~${k - 1}_${k}`);
        expect(session.facts("N")).toHaveLength(1);
      });
    };
    expectLinear(fromTheEnd(200), fromTheEnd(400));
  });
});

test("rungs of a ladder are taken away from below for constant work each", () => {
  const fromBelow = (n: number): number => {
    const session = sessionOf(ALONG, SHAPES.ladder(n));
    session.assert("Root", { k: 0 });
    session.run({ collect: false });
    const steps = stepsOf(session, () => {
      for (let k = 2; k < n; k++) session.retract(`Link~${k - 1}_${k}`);
    });
    expect(session.facts("N")).toHaveLength(n);
    session.retract("Link~0_1");
    expect(session.facts("N")).toHaveLength(n / 2);
    return steps;
  };
  expectLinear(fromBelow(200), fromBelow(400));
});

test("plain facts that rules conclude too are taken back one by one for constant work each", () => {
  const plainFirst = (n: number): number => {
    const session = sessionOf(ALONG, SHAPES.chain(n));
    for (let k = 0; k < n; k++) session.assert("N", { k });
    session.assert("Root", { k: 0 });
    session.run({ collect: false });
    const steps = stepsOf(session, () => {
      for (let k = 0; k < n; k++) session.retract(`N~${k}`);
    });
    expect(session.facts("N")).toHaveLength(n);
    session.retract("Root~0");
    expect(session.facts("N")).toEqual([]);
    return steps;
  };
  expectLinear(plainFirst(200), plainFirst(400));
});

test("facts behind an exists over given facts need no trial", () => {
  const session = compile(`
    type P(#k: number)
    type Q(#k: number)
    type D(#k: number)
    rule r { when p: P exists Q(k == p.k) then insert logical D(k: p.k) }`).session();
  const cost = (n: number): number => {
    for (let k = 0; k < n; k++) session.assert("P", { k });
    for (let k = 0; k < n; k++) session.assert("Q", { k });
    session.run({ collect: false });
    return stepsOf(session, () => {
      for (let k = 0; k < n; k++) {
        session.retract(`Q~${k}`);
        session.retract(`P~${k}`);
      }
      expect(session.facts()).toEqual([]);
    });
  };
  expectLinear(cost(200), cost(400));
});

test.each(["chain", "ring", "tree"] as const)("a %s of 100,000", (name) => {
  const n = 100_000;
  const { derive, retract } = upAndDown(ALONG, SHAPES[name], n);
  expect(derive).toBeLessThanOrEqual(6 * n);
  expect(retract).toBeLessThanOrEqual(6 * n);
});
