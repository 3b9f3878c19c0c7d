/**
 * How long a question takes: a lookup by key, a join that follows a key, and the matches of a rule about one fact. `indexed` is
 * a session as it is opened; `assembled` is one without indexes, where every question makes nodes of its own.
 *
 *   npm run bench -- query
 */
import type { RuleSession } from "../src/index.ts";
import { below, SEED, seeded } from "./data/random.ts";
import { type Answer, type Benchmark, type Case, type Figures, verify } from "./lib/benchmark.ts";
import { open, programOf } from "./lib/open.ts";
import { collectGarbage } from "./lib/repeat.ts";

const SIZES = [1000, 10_000, 100_000];
const ORDERS_EACH = 2;

const RULES = `type Person(#id: number, city: string)
type Order(#num: number, buyer: number, total: number)
query person(id: number) { p: Person(p.id == id) }
query orders(id: number) { p: Person(p.id == id) o: Order(buyer == p.id) }
rule "only seven" { when p: Person(id == 7) then log(p.id) }`;

type Work = "by key" | "join" | "matches";

function sessionOf(size: number, indexing: boolean): RuleSession {
  const session = open(programOf(RULES), {}, { indexing });
  for (let id = 0; id < size; id++) {
    session.assert("Person", { id, city: `c${id % 100}` });
    for (let at = 0; at < ORDERS_EACH; at++)
      session.assert("Order", { num: id * ORDERS_EACH + at, buyer: id, total: at });
  }
  return session;
}

/** Asks, and returns the sum of what the rows say. */
function ask(session: RuleSession, work: Work, id: number): number {
  if (work === "matches") return session.matches("only seven").length;
  if (work === "by key") return sum(session.query("person", { id }).map(({ p }) => numberIn(p, "id") + 1));
  return sum(session.query("orders", { id }).map(({ o }) => numberIn(o, "num") + 1));
}

function expectedOf(work: Work, id: number): number {
  if (work === "matches") return 1;
  if (work === "by key") return id + 1;
  return sum(Array.from({ length: ORDERS_EACH }, (_, at) => id * ORDERS_EACH + at + 1));
}

function numberIn(view: unknown, field: string): number {
  return Number((view as { readonly fields: Readonly<Record<string, unknown>> }).fields[field]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function measure(work: Work, size: number, indexing: boolean): Figures {
  const session = sessionOf(size, indexing);
  const random = seeded(SEED);
  const start = performance.now();
  ask(session, work, 0);
  const first = 1000 * (performance.now() - start);
  const questions = indexing ? 20_000 : 20;
  const ids = Array.from({ length: 2 * questions }, () => below(random, size));
  for (const id of ids.slice(0, questions)) ask(session, work, id);
  collectGarbage();
  const found: Record<string, number> = { rows: 0 };
  const begin = performance.now();
  for (const id of ids.slice(questions)) found["rows"] = (found["rows"] ?? 0) + ask(session, work, id);
  const each = (1000 * (performance.now() - begin)) / questions;
  const expected: Answer = { rows: sum(ids.slice(questions).map((id) => expectedOf(work, id))) };
  verify(found, expected);
  return { first, each };
}

const CASES: readonly Case[] = (["by key", "join", "matches"] as const).flatMap((work) =>
  SIZES.flatMap((size) => [
    { work, size, engine: "indexed", measure: () => measure(work, size, true) },
    { work, size, engine: "assembled", measure: () => measure(work, size, false) },
  ]),
);

export const benchmark: Benchmark = {
  about: "one question among many facts (size: persons, each with two orders)",
  shows: "each",
  picture: "curves",
  figures: [
    { key: "first", title: "first", unit: "µs" },
    { key: "each", title: "each", unit: "µs" },
  ],
  cases: CASES,
};
