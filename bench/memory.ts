/**
 * Memory under change: a million times retract and assert, with joins, `not` and aggregates in the way; then everything is
 * retracted, and nothing may be left.
 *
 *   npm run bench -- memory
 */
import { compile, type RuleSession } from "../src/index.ts";
import { type Benchmark, type Figures, WrongAnswer } from "./lib/benchmark.ts";
import { heapUsed, MEGABYTE } from "./lib/heap.ts";

const CYCLES = [100_000, 1_000_000];
const WARM_UP = 50_000;

/** Bytes; what grows with the pairs would be much more. */
const MOST_GROWTH = 2 * MEGABYTE;

const RULES = `
type Item(#id: number, group: number, amount: number)
type Group(#id: number, limit: number)
rule over { when g: Group total: sum(i.amount) from i: Item(group == g.id) where total > g.limit then log(g.id) }
rule pair { when i: Item(amount > 3) g: Group(id == i.group) not Item(group == i.group, amount > i.amount) then log(i.id) }
`;

function measure(cycles: number): Figures {
  const session = compile(RULES).session();
  for (let id = 0; id < 10; id++) session.assert("Group", { id, limit: 20 });
  for (let id = 0; id < 100; id++) session.assert("Item", item(id));
  cycle(session, 0, WARM_UP);
  const before = heapUsed();
  const start = performance.now();
  cycle(session, WARM_UP, WARM_UP + cycles);
  const ms = performance.now() - start;
  const growth = heapUsed() - before;
  if (growth > MOST_GROWTH) throw new WrongAnswer(`${Math.round(growth / cycles)} bytes are left of each pair`);
  for (const fact of session.facts()) session.retract(fact.id);
  return { each: (1000 * ms) / cycles, heap: before / MEGABYTE, growth: growth / MEGABYTE, left: leftOver(session) };
}

function cycle(session: RuleSession, from: number, to: number): void {
  for (let id = from; id < to; id++) {
    session.retract(`Item~${id}`);
    session.assert("Item", item(id + 100));
  }
}

function item(id: number): { id: number; group: number; amount: number } {
  return { id, group: id % 10, amount: id % 7 };
}

/** Facts and matches after everything is retracted. */
function leftOver(session: RuleSession): number {
  const { fired: _, ...counters } = session.counters();
  const left = Object.values(counters).filter((value) => typeof value === "number");
  const sum = left.reduce((all, value) => all + value, 0);
  if (sum > 0) throw new WrongAnswer(`left behind: ${JSON.stringify(counters)}`);
  return sum;
}

export const benchmark: Benchmark = {
  about: "facts that come and go (size: how many retract and assert pairs)",
  processes: 1,
  shows: "each",
  picture: "works",
  figures: [
    { key: "each", title: "each pair", unit: "µs" },
    { key: "heap", title: "heap", unit: "MB" },
    { key: "growth", title: "growth", unit: "MB" },
    { key: "left", title: "left at the end", unit: "count" },
  ],
  cases: CYCLES.map((size) => ({ work: "replace", size, engine: "sluice", measure: () => measure(size) })),
};
