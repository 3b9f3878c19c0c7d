/**
 * Joins of several patterns in different orders, and a join by a range.
 *
 *   npm run bench -- joins
 *
 * W7 joins six patterns in a chain; the last of them has a constant. `good` writes the pattern with the constant first, `bad` writes it
 * last, and `cross` writes first and third before the second, which links them. W15 joins spans with the points in them.
 */
import { chainWork, KIND, type Link, type Point, rangeWork, type Span } from "./data/join-work.ts";
import { Chains } from "./hand/chains.ts";
import { Ranges } from "./hand/ranges.ts";
import { programOf, runToRest } from "./lib/open.ts";
import { benchmarkOf, casesOf, type Task } from "./lib/task.ts";
import { assertion, rulesForClips } from "./peers/clips/clips.ts";

const ORDERS = {
  good: `f: F(kind == ${KIND}) e: E(id == f.up) d: D(id == e.up) c: C(id == d.up) b: B(id == c.up) A(id == b.up)`,
  bad: `a: A b: B(up == a.id) c: C(up == b.id) d: D(up == c.id) e: E(up == d.id) f: F(up == e.id, kind == ${KIND})`,
  cross: `a: A c: C b: B(up == a.id, id == c.up) d: D(up == c.id) e: E(up == d.id) f: F(up == e.id, kind == ${KIND})`,
};
type Order = keyof typeof ORDERS;

function chainRules(order: Order): string {
  const types = ["A", "B", "C", "D", "E", "F"].map((type) => `type ${type}(#id: number, up: number, kind: number)\n`);
  return `${types.join("")}action fire(rule: number, id: number)\nrule chain { when ${ORDERS[order]} then fire(0, f.id) }\n`;
}

function chain(order: Order, sizes: readonly number[]): Task<readonly Link[]> {
  return {
    work: `W7 ${order}`,
    sizes,
    given: chainWork,
    program: () => programOf(chainRules(order)),
    onSluice: (session, facts) => ({
      work: () => {
        for (const { type, fields } of facts) session.assert(type, fields);
        runToRest(session);
      },
    }),
    byHand: (facts, fire) => ({
      work: () => {
        const chains = new Chains();
        for (const fact of facts) chains.add(fact);
        chains.fireAll(fire);
      },
    }),
    onClips: (facts) => ({
      rules: rulesForClips(chainRules(order)),
      timed: facts.map(({ type, fields }) => assertion(type, fields)),
    }),
  };
}

const RANGE_RULES = `type Span(#id: number, from: number, to: number)
type Point(#id: number, at: number)
action fire(rule: number, id: number)
rule within { when s: Span p: Point(at >= s.from, at < s.to) then fire(s.id, p.id) }
`;

const ranges: Task<readonly (Span | Point)[]> = {
  work: "W15",
  sizes: [1000, 2000, 4000, 8000],
  given: rangeWork,
  program: () => programOf(RANGE_RULES),
  onSluice: (session, facts) => ({
    work: () => {
      for (const { type, fields } of facts) session.assert(type, fields);
      runToRest(session);
    },
  }),
  byHand: (facts, fire) => ({
    work: () => {
      const all = new Ranges();
      for (const fact of facts) all.add(fact);
      all.fireAll(fire);
    },
  }),
  onClips: (facts) => ({
    rules: rulesForClips(RANGE_RULES),
    timed: facts.map(({ type, fields }) => assertion(type, fields)),
  }),
};

export const tasks = {
  good: chain("good", [500, 1000, 2000, 4000]),
  bad: chain("bad", [500, 1000, 2000, 4000]),
  cross: chain("cross", [250, 500, 1000, 2000]),
  ranges,
};

export const benchmark = benchmarkOf(
  "joins of six patterns in different orders, and by a range (size: facts of each type)",
  [...casesOf(tasks.good), ...casesOf(tasks.bad), ...casesOf(tasks.cross), ...casesOf(ranges)],
);
