/**
 * W1 and W4: rules that test one fact by itself.
 *
 * W1: each rule is the conjunction of two or three tests from a pool of 96. W4: every rule is the same disjunction of four
 * tests, each rule with the terms in another order; it fires once for a fact, however many terms hold.
 */
import { below, type Random, SEED, seeded, shuffle } from "./random.ts";

export interface Test {
  readonly field: string;
  readonly op: "<" | ">=" | "==";
  readonly value: number | string;
}

/** Numbers n0 … n7 below 1000 and two words. */
export interface Thing {
  readonly id: number;
  readonly [field: string]: number | string;
}

/** The value of a field; every thing has every field. */
export function valueIn(fact: Thing, field: string): number | string {
  return fact[field] ?? 0;
}

export interface AlphaWork {
  readonly tests: readonly Test[];
  /** Positions in `tests`, in written order. */
  readonly rules: readonly (readonly number[])[];
  readonly facts: readonly Thing[];
}

const NUMBERS = 8;
const RULES = 5000;
const FACTS = 10_000;

export const POOL: readonly Test[] = pool();

function pool(): Test[] {
  const tests: Test[] = [];
  for (let index = 0; index < NUMBERS; index++) {
    for (const value of [50, 100, 150, 200, 250]) tests.push({ field: `n${index}`, op: "<", value });
    for (const value of [750, 800, 850, 900, 950]) tests.push({ field: `n${index}`, op: ">=", value });
  }
  for (let index = 0; index < 10; index++) tests.push({ field: "c0", op: "==", value: `a${index}` });
  for (let index = 0; index < 6; index++) tests.push({ field: "c1", op: "==", value: `k${index}` });
  return tests;
}

export function conjunctions(): AlphaWork {
  const random = seeded(SEED + 1);
  const rules = Array.from({ length: RULES }, () => conjunction(random));
  return { tests: POOL, rules, facts: Array.from({ length: FACTS }, (_, id) => thing(random, id)) };
}

/** Two or three tests of different fields. */
function conjunction(random: Random): number[] {
  const length = 2 + below(random, 2);
  const chosen: number[] = [];
  const fields = new Set<string>();
  while (chosen.length < length) {
    const position = below(random, POOL.length);
    const field = POOL[position]?.field ?? "";
    if (fields.has(field)) continue;
    fields.add(field);
    chosen.push(position);
  }
  return chosen;
}

function thing(random: Random, id: number): Thing {
  const fields: Record<string, number | string> = {};
  for (let index = 0; index < NUMBERS; index++) fields[`n${index}`] = below(random, 1000);
  return { id, ...fields, c0: `a${below(random, 10)}`, c1: `k${below(random, 50)}` };
}

export function permutedOrs(facts: readonly Thing[]): AlphaWork {
  const random = seeded(SEED + 4);
  const tests: Test[] = [
    { field: "n0", op: "<", value: 25 },
    { field: "n1", op: ">=", value: 975 },
    { field: "c1", op: "==", value: "k7" },
    { field: "n2", op: ">=", value: 980 },
  ];
  return { tests, rules: Array.from({ length: 1000 }, () => shuffle(random, [0, 1, 2, 3])), facts };
}
