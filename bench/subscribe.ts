/**
 * What subscriptions cost a change: with none, with one, and with many, each about another key, or all about the same query and
 * parameters. The deltas that arrive are verified.
 *
 *   npm run bench -- subscribe
 */
import { below, SEED, seeded } from "./data/random.ts";
import { type Benchmark, type Case, type Figures, verify } from "./lib/benchmark.ts";
import { open, programOf } from "./lib/open.ts";
import { collectGarbage } from "./lib/repeat.ts";

const FACTS = 20_000;
const CHANGES = 20_000;
const COUNTS = [0, 1, 100, 10_000];

const RULES = `type Person(#id: number, city: number, age: number)
query lives_in(city: number) { p: Person(p.city == city) }`;

type Work = "other keys" | "the same key";

function measure(work: Work, count: number): Figures {
  const session = open(programOf(RULES), {});
  for (let id = 0; id < FACTS; id++) session.assert("Person", { id, city: id, age: 0 });
  let heard = 0;
  const begin = performance.now();
  for (let at = 0; at < count; at++) {
    const city = work === "other keys" ? at : 0;
    session.subscribe({ query: "lives_in" }, { city }, ({ changed }) => void (heard += changed.length));
  }
  const subscribe = count === 0 ? 0 : (1000 * (performance.now() - begin)) / count;
  const random = seeded(SEED);
  const ids = Array.from({ length: CHANGES }, () => below(random, work === "other keys" ? FACTS : 2));
  const changes = work === "other keys" ? CHANGES : Math.max(200, CHANGES / Math.max(1, count));
  const change = (id: number, age: number): void => void session.update(`Person~${id}`, { age });
  for (const [at, id] of ids.slice(0, changes).entries()) change(id, at + 1);
  collectGarbage();
  heard = 0;
  const start = performance.now();
  for (const [at, id] of ids.slice(0, changes).entries()) change(id, -at - 1);
  const each = (1000 * (performance.now() - start)) / changes;
  const touched = ids.slice(0, changes).filter((id) => (work === "other keys" ? id < count : id === 0));
  verify({ heard }, { heard: touched.length * (work === "other keys" ? 1 : count) });
  return { subscribe, each };
}

const CASES: readonly Case[] = (["other keys", "the same key"] as const).flatMap((work) =>
  COUNTS.map((size) => ({ work, size, engine: "sluice", measure: () => measure(work, size) })),
);

export const benchmark: Benchmark = {
  about: `one update among ${FACTS.toLocaleString("en")} facts (size: subscriptions)`,
  shows: "each",
  picture: "curves",
  figures: [
    { key: "subscribe", title: "subscribe", unit: "µs" },
    { key: "each", title: "change", unit: "µs" },
  ],
  cases: CASES,
};
