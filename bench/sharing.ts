/**
 * What sharing nodes is worth: the same rules with sharing on and off.
 *
 *   npm run bench -- sharing
 *
 * The time of a fact is that from `assert` to all its matches; firing them costs the same either way and is not counted.
 */
import type { Program } from "../src/index.ts";
import { conjunctions } from "./data/alpha-work.ts";
import { Tally } from "./data/random.ts";
import { conditionsOf, plainAnswer, type Shape } from "./data/sharing-work.ts";
import { type Benchmark, type Case, type Figures, verify } from "./lib/benchmark.ts";
import { heapUsed, MEGABYTE } from "./lib/heap.ts";
import { open, programOf, runToRest } from "./lib/open.ts";
import { conditionRules } from "./sluice/alpha-rules.ts";

const RULES = [10, 100, 1000, 10_000];
const FACTS = 250;
/** So often, or for so many milliseconds, but three times at least: a few facts alone would show cold machine code. */
const ROUNDS = 100;
const PATIENCE = 1000;

function measure(shape: Shape, rules: number, sharing: boolean): Figures {
  const facts = conjunctions().facts.slice(0, FACTS);
  const conditions = conditionsOf(shape, rules);
  const expected = plainAnswer(conditions, facts).take();
  const before = heapUsed();
  const begin = performance.now();
  const program = programOf(conditionRules(conditions));
  const tally = new Tally();
  const session = open(program, { fire: tally.fire }, { sharing });
  const build = performance.now() - begin;
  const heap = (heapUsed() - before) / MEGABYTE;
  let best = Number.POSITIVE_INFINITY;
  const end = performance.now() + PATIENCE;
  for (let round = 0; round < 3 || (round < ROUNDS && performance.now() < end); round++) {
    const start = performance.now();
    for (const fact of facts) session.assert("Thing", fact);
    best = Math.min(best, performance.now() - start);
    runToRest(session);
    verify(tally.take(), expected);
    for (const fact of facts) session.retract(`Thing~${fact.id}`);
  }
  return { ...nodesOf(program, sharing), heap, build, fact: (1000 * best) / FACTS };
}

function nodesOf(program: Program, sharing: boolean): Figures {
  const { nodes } = program.plan(sharing);
  return { alpha: nodes.filter(({ kind }) => kind === "alpha").length, nodes: nodes.length };
}

function cases(work: Shape, size: number): Case[] {
  return [
    { work, size, engine: "sluice", measure: () => measure(work, size, true) },
    { work, size, engine: "sluice, sharing off", measure: () => measure(work, size, false) },
  ];
}

export const benchmark: Benchmark = {
  about: "node sharing: 96 different conditions from a pool of 96 tests, terms in random order (size: rules)",
  shows: "fact",
  picture: "curves",
  figures: [
    { key: "alpha", title: "alpha nodes", unit: "count" },
    { key: "nodes", title: "nodes", unit: "count" },
    { key: "heap", title: "heap", unit: "MB" },
    { key: "build", title: "build", unit: "ms" },
    { key: "fact", title: "each fact", unit: "µs" },
  ],
  cases: (["and", "or", "mixed"] as const).flatMap((shape) => RULES.flatMap((rules) => cases(shape, rules))),
};
