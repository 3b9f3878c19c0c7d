/**
 * Large programs and large working memories: what a fact costs when there are more rules, and what facts and rules weigh.
 *
 *   npm run bench -- scale
 */
import { Tally } from "./data/random.ts";
import { stockWork, type StockWork } from "./data/stock-work.ts";
import { stockAnswer, Stocks } from "./hand/stock.ts";
import { type Benchmark, type Case, type Figures, verify } from "./lib/benchmark.ts";
import { heapUsed } from "./lib/heap.ts";
import type { RuleSession } from "../src/index.ts";
import { open, programOf, runToRest } from "./lib/open.ts";
import { stockRules } from "./sluice/stock-rules.ts";

const RULES = [100, 1000, 10_000, 100_000];
const FACTS = [10_000, 100_000, 1_000_000];
const FEW_RULES = 12;
const FEW_FACTS = 20_000;
/** Times that everything comes again. */
const ROUNDS = 3;

/** From source text to a session that is ready, and then facts one by one. Facts are items and stocks, half and half. */
function onSluice(rules: number, facts: number): Figures {
  const work = stockWork(rules, facts / 2);
  const tally = new Tally();
  stockAnswer(work, tally.fire);
  const expected = tally.take();
  const source = stockRules(work.rules);
  const empty = heapUsed();
  const begin = performance.now();
  const session = open(programOf(source), { fire: tally.fire });
  const build = performance.now() - begin;
  const built = heapUsed();
  const start = performance.now();
  for (const item of work.items) session.assert("Item", item);
  for (const stock of work.stocks) session.assert("Stock", stock);
  const load = performance.now() - start;
  const loaded = heapUsed();
  const running = performance.now();
  runToRest(session);
  const run = performance.now() - running;
  verify(tally.take(), expected);
  return {
    build,
    load,
    run,
    warm: (1000 * again(session, work, () => verify(tally.take(), expected))) / facts,
    ruleBytes: (built - empty) / rules,
    factBytes: (loaded - built) / facts,
    matches: expected.firings,
  };
}

/** Everything goes, and comes again: how long that takes once the machine code is warm. */
function again(session: RuleSession, { items, stocks }: StockWork, verified: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    for (const { id } of items) session.retract(`Item~${id}`);
    for (const { id } of stocks) session.retract(`Stock~${id}`);
    const start = performance.now();
    for (const item of items) session.assert("Item", item);
    for (const stock of stocks) session.assert("Stock", stock);
    best = Math.min(best, performance.now() - start);
    runToRest(session);
    verified();
  }
  return best;
}

function byHand(rules: number, facts: number): Figures {
  const work = stockWork(rules, facts / 2);
  const tally = new Tally();
  const begin = performance.now();
  const first = new Stocks(work, tally.fire);
  const build = performance.now() - begin;
  const loads = Array.from({ length: 1 + ROUNDS }, (_, round) => {
    const stocks = round === 0 ? first : new Stocks(work, tally.fire);
    tally.take();
    const start = performance.now();
    for (const item of work.items) stocks.addItem(item);
    for (const stock of work.stocks) stocks.addStock(stock);
    return performance.now() - start;
  });
  const [load = 0, ...later] = loads;
  return { build, load, warm: (1000 * Math.min(...later)) / facts, matches: tally.firings };
}

function cases(work: string, size: number, rules: number, facts: number): Case[] {
  return [
    { work, size, engine: "sluice", seconds: 600, measure: () => onSluice(rules, facts) },
    { work, size, engine: "hand", measure: () => byHand(rules, facts) },
  ];
}

export const benchmark: Benchmark = {
  about: `more rules (with ${FEW_FACTS.toLocaleString("en")} facts) and more facts (with ${FEW_RULES} rules)`,
  processes: 1,
  picture: "curves",
  figures: [
    { key: "build", title: "build", unit: "ms" },
    { key: "load", title: "load", unit: "ms" },
    { key: "run", title: "fire", unit: "ms" },
    { key: "warm", title: "each fact", unit: "µs" },
    { key: "ruleBytes", title: "each rule", unit: "B" },
    { key: "factBytes", title: "each fact", unit: "B" },
    { key: "matches", title: "matches", unit: "count" },
  ],
  versus: "warm",
  cases: [
    ...RULES.flatMap((rules) => cases("rules", rules, rules, FEW_FACTS)),
    ...FACTS.flatMap((facts) => cases("facts", facts, FEW_RULES, facts)),
  ],
};
