/**
 * How long one change takes until everything has fired, with many rules and many facts already there.
 *
 *   npm run bench -- latency
 */
import { below, SEED, seeded, Tally } from "./data/random.ts";
import { type Stock, stockWork, type StockWork } from "./data/stock-work.ts";
import { Stocks } from "./hand/stock.ts";
import { type Answer, type Benchmark, type Case, type Figures, verify } from "./lib/benchmark.ts";
import { open, programOf, runToRest } from "./lib/open.ts";
import { collectGarbage } from "./lib/repeat.ts";
import { stockRules } from "./sluice/stock-rules.ts";

const RULES = 10_000;
const FACTS = 100_000;
const CHANGES = 20_000;
/** Not counted: until the machine code is warm. */
const WARM_UP = 5000;

/** The stock of a random item gets another level. */
function changesOf(count: number): Stock[] {
  const random = seeded(SEED + 9);
  return Array.from({ length: count }, () => ({ id: below(random, FACTS / 2), level: below(random, 100) }));
}

interface Engine {
  fill(work: StockWork): void;
  change(stock: Stock): void;
}

function measure(engine: Engine, tally: Tally): Figures {
  const work = stockWork(RULES, FACTS / 2);
  const changes = changesOf(WARM_UP + CHANGES);
  engine.fill(work);
  for (const stock of changes.slice(0, WARM_UP)) engine.change(stock);
  tally.take();
  collectGarbage();
  const times = changes.slice(WARM_UP).map((stock) => {
    const start = performance.now();
    engine.change(stock);
    return 1000 * (performance.now() - start);
  });
  verify(tally.take(), expectedOf(work, changes));
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(share * times.length)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), worst: times.at(-1) ?? 0 };
}

function expectedOf(work: StockWork, changes: readonly Stock[]): Answer {
  const tally = new Tally();
  const stocks = new Stocks(work, tally.fire);
  for (const item of work.items) stocks.addItem(item);
  for (const stock of changes.slice(0, WARM_UP)) stocks.addStock(stock);
  tally.take();
  for (const stock of changes.slice(WARM_UP)) stocks.addStock(stock);
  return tally.take();
}

function onSluice(): Figures {
  const tally = new Tally();
  const { rules } = stockWork(RULES, 0);
  const session = open(programOf(stockRules(rules)), { fire: tally.fire });
  return measure(
    {
      fill: ({ items, stocks }) => {
        for (const item of items) session.assert("Item", item);
        for (const stock of stocks) session.assert("Stock", stock);
        runToRest(session);
      },
      change: (stock) => {
        session.retract(`Stock~${stock.id}`);
        session.assert("Stock", stock);
        runToRest(session);
      },
    },
    tally,
  );
}

function byHand(): Figures {
  const tally = new Tally();
  const work = stockWork(RULES, 0);
  const stocks = new Stocks(work, tally.fire);
  return measure(
    {
      fill: ({ items, stocks: levels }) => {
        for (const item of items) stocks.addItem(item);
        for (const stock of levels) stocks.addStock(stock);
      },
      change: (stock) => stocks.addStock(stock),
    },
    tally,
  );
}

const CASES: readonly Case[] = [
  { work: "retract, assert", size: FACTS, engine: "sluice", measure: onSluice },
  { work: "retract, assert", size: FACTS, engine: "hand", measure: byHand },
];

export const benchmark: Benchmark = {
  about: `one change to rest, with ${RULES.toLocaleString("en")} rules (size: facts)`,
  shows: ["p50", "p99", "p999", "worst"],
  picture: "works",
  figures: [
    { key: "p50", title: "p50", unit: "µs" },
    { key: "p99", title: "p99", unit: "µs" },
    { key: "p999", title: "p99.9", unit: "µs" },
    { key: "worst", title: "worst", unit: "µs" },
  ],
  cases: CASES,
};
