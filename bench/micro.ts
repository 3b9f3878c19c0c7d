/**
 * Small pieces by themselves: one fact replaced in networks of different kinds.
 *
 *   npm run bench -- micro
 */
import { Bench } from "tinybench";
import { compile } from "../src/index.ts";
import { type Benchmark, type Figures, verify } from "./lib/benchmark.ts";

const FACTS = 10_000;
const TYPES = "type Item(#id: number, group: number, amount: number) type Group(#id: number, limit: number)";

interface Program {
  readonly rules: string;
  /** How many matches there are when all facts are. */
  readonly matches: number;
}

const GROUPS = 100;
const LIMIT = 50;
const IDS = Array.from({ length: FACTS }, (_, id) => id);
const LARGE = IDS.filter((id) => itemOf(id).amount > 3).length;

const PROGRAMS: Readonly<Record<string, Program>> = {
  "one pattern": { rules: "rule r { when i: Item(amount > 3) then log(i.id) }", matches: LARGE },
  "join on a key": {
    rules: "rule r { when i: Item(amount > 3) g: Group(id == i.group) then log(i.id) }",
    matches: LARGE,
  },
  not: { rules: "rule r { when i: Item(amount > 3) not Group(id == i.group) then log(i.id) }", matches: 0 },
  sum: {
    rules:
      "rule r { when g: Group total: sum(i.amount) from i: Item(group == g.id) where total > g.limit then log(g.id) }",
    matches: IDS.slice(0, GROUPS).filter((group) => sumOf(group) > LIMIT).length,
  },
};

function itemOf(id: number): { id: number; group: number; amount: number } {
  return { id, group: id % GROUPS, amount: id % 7 };
}

function sumOf(group: number): number {
  return IDS.map(itemOf)
    .filter((item) => item.group === group)
    .reduce((sum, { amount }) => sum + amount, 0);
}

async function measure({ rules, matches }: Program): Promise<Figures> {
  const session = compile(`${TYPES} ${rules}`).session();
  for (let id = 0; id < GROUPS; id++) session.assert("Group", { id, limit: LIMIT });
  for (const id of IDS) session.assert("Item", itemOf(id));
  let n = 0;
  const bench = new Bench({ time: 500 }).add("replace", () => {
    n = (n + 1) % FACTS;
    session.retract(`Item~${n}`);
    session.assert("Item", itemOf(n));
  });
  await bench.run();
  const result = bench.tasks[0]?.result;
  if (result?.state !== "completed") throw new Error("the benchmark did not complete");
  verify({ matches: session.matches("r").length }, { matches });
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
  cases: Object.entries(PROGRAMS).map(([work, program]) => ({
    work,
    size: FACTS,
    engine: "sluice",
    measure: () => measure(program),
  })),
};
