/**
 * Rules made of few tests: conjunctions, disjunctions and both mixed, from a pool of 96 tests, terms in random order. There
 * are many rules and few different conditions, as in rule bases that people keep.
 */
import { POOL, type Test, type Thing, valueIn } from "./alpha-work.ts";
import { below, type Random, SEED, seeded, shuffle, Tally } from "./random.ts";

export type Shape = "and" | "or" | "mixed";

/** A disjunction for each inner list, all of them joined by AND. */
export type Condition = readonly (readonly number[])[];

/** How many different conditions there are. */
const KINDS = 96;

/** Tests that few facts pass: for disjunctions, so that it is tests and not matches that cost. */
const RARE: readonly number[] = [...POOL.keys()].filter((position) => {
  const { op, value } = POOL[position] ?? { op: "<", value: 0 };
  return op === "==" || value === 50 || value === 950;
});
const ALL: readonly number[] = [...POOL.keys()];

export function conditionsOf(shape: Shape, count: number): Condition[] {
  const random = seeded(SEED + 7);
  const kinds = Array.from({ length: KINDS }, () => kindOf(random, shape));
  return Array.from({ length: count }, () => permuted(random, kinds[below(random, KINDS)] ?? []));
}

function kindOf(random: Random, shape: Shape): Condition {
  const chosen = distinctTests(random, shape === "or" ? RARE : ALL);
  const [first = 0, second = 0, third = 0] = chosen;
  if (shape === "and") return chosen.map((position) => [position]);
  return shape === "or" ? [chosen] : [[first, second], [third]];
}

function permuted(random: Random, condition: Condition): Condition {
  return shuffle(
    random,
    condition.map((terms) => shuffle(random, [...terms])),
  );
}

/** Three tests of different fields. */
function distinctTests(random: Random, from: readonly number[]): number[] {
  const chosen: number[] = [];
  while (chosen.length < 3) {
    const position = from[below(random, from.length)] ?? 0;
    if (chosen.every((other) => POOL[other]?.field !== POOL[position]?.field)) chosen.push(position);
  }
  return chosen;
}

/** What fires, found by testing every rule on every fact. */
export function plainAnswer(conditions: readonly Condition[], facts: readonly Thing[]): Tally {
  const tally = new Tally();
  for (const fact of facts) {
    const passed = POOL.map((test) => holds(test, fact));
    for (const [rule, condition] of conditions.entries()) {
      if (condition.every((terms) => terms.some((position) => passed[position]))) tally.fire(rule, fact.id);
    }
  }
  return tally;
}

function holds({ field, op, value }: Test, fact: Thing): boolean {
  const own = valueIn(fact, field);
  return op === "<" ? own < value : op === ">=" ? own >= value : own === value;
}
