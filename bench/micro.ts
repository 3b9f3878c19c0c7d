/**
 * Small pieces by themselves: one fact replaced in networks of different kinds.
 *
 *   npm run bench -- micro
 */
import { Bench } from "tinybench";
import { compile } from "../src/index.ts";
import type { Benchmark, Figures } from "./lib/benchmark.ts";

const FACTS = 10_000;
const TYPES = "type Item(#id: number, group: number, amount: number) type Group(#id: number, limit: number)";

const PROGRAMS: Readonly<Record<string, string>> = {
  "one pattern": "rule r { when i: Item(amount > 3) then log(i.id) }",
  "join on a key": "rule r { when i: Item(amount > 3) g: Group(id == i.group) then log(i.id) }",
  not: "rule r { when i: Item(amount > 3) not Group(id == i.group) then log(i.id) }",
  sum: "rule r { when g: Group total: sum(i.amount) from i: Item(group == g.id) where total > g.limit then log(g.id) }",
};

async function measure(rules: string): Promise<Figures> {
  const session = compile(`${TYPES} ${rules}`).session();
  for (let id = 0; id < 100; id++) session.assert("Group", { id, limit: 50 });
  for (let id = 0; id < FACTS; id++) session.assert("Item", { id, group: id % 100, amount: id % 7 });
  let n = 0;
  const bench = new Bench({ time: 500 }).add("replace", () => {
    n = (n + 1) % FACTS;
    session.retract(`Item~${n}`);
    session.assert("Item", { id: n, group: n % 100, amount: n % 7 });
  });
  await bench.run();
  const result = bench.tasks[0]?.result;
  if (result?.state !== "completed") throw new Error("the benchmark did not complete");
  return { p50: 1000 * result.latency.p50, p99: 1000 * result.latency.p99 };
}

export const benchmark: Benchmark = {
  about: "one fact retracted and asserted again (size: facts in memory)",
  shows: "p50",
  picture: "works",
  figures: [
    { key: "p50", title: "median", unit: "µs" },
    { key: "p99", title: "p99", unit: "µs" },
  ],
  cases: Object.entries(PROGRAMS).map(([work, rules]) => ({
    work,
    size: FACTS,
    engine: "sluice",
    measure: () => measure(rules),
  })),
};
