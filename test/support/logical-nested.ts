/**
 * Cases whose rules look at facts inside nested groups, double negations and aggregates, with long histories: facts of derived types
 * are given and taken back, several changes are one commit, sessions go on from snapshots.
 */
import * as fc from "fast-check";
import { must } from "../../src/base/invariant.ts";
import { assertion, FIELDS, type LogicalCase, type LogicalOperation, operationOf, small, STRATA } from "./logical.ts";

/** Numbers that choose: each part of a rule takes the next one. */
class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(count: number): number {
    const number = this.#numbers[this.#at % this.#numbers.length] ?? 0;
    this.#at += 1;
    return number % count;
  }

  of<Item>(items: readonly Item[]): Item {
    return must(items[this.below(items.length)], "there is something to choose from");
  }
}

interface Place {
  readonly choose: Choices;
  /** Types that a rule may ask for: all up to its own stratum. */
  readonly there: readonly string[];
  /** Types whose absence it may ask for: those of lower strata. */
  readonly absent: readonly string[];
  /** Values that are known so far. */
  readonly known: readonly string[];
}

/** A test that an own field equals something known. */
function test({ choose, known }: Place, type: string): string {
  return `${choose.of(FIELDS[type] ?? [])} == ${choose.of(known)}`;
}

const within = (place: Place, variable: string, type: string): Place => ({
  ...place,
  known: (FIELDS[type] ?? []).map((field) => `${variable}.${field}`),
});

/** `y: D(a == v1.a)`, or without the test. */
function first(
  place: Place,
  variable: string,
  types: readonly string[],
): { readonly text: string; readonly inside: Place } {
  const type = place.choose.of(types);
  const tested = place.choose.below(2) === 0 ? test(place, type) : "";
  return { text: `${variable}: ${type}(${tested})`, inside: within(place, variable, type) };
}

function pattern(place: Place, types: readonly string[]): string {
  const type = place.choose.of(types);
  return `${type}(${test(place, type)})`;
}

function count(place: Place, types: readonly string[], comparison: string): string {
  const type = place.choose.of(types);
  const field = place.choose.of(FIELDS[type] ?? []);
  return `where COUNT(n: ${type} / n.${field} == ${place.choose.of(place.known)}) ${comparison}`;
}

type Element = (place: Place) => string;

const ELEMENTS: readonly Element[] = [
  (place) => `exists ${pattern(place, place.there)}`,
  (place) => `not ${pattern(place, place.absent)}`,
  (place) => {
    const { text, inside } = first(place, "y", place.there);
    return `exists (${text} not ${pattern(inside, place.absent)})`;
  },
  (place) => {
    const { text, inside } = first(place, "y", place.there);
    return `exists (${text} exists ${pattern(inside, place.there)})`;
  },
  (place) => {
    const { text, inside } = first(place, "y", place.there);
    return `exists (${text} z: ${pattern(inside, place.there)})`;
  },
  (place) => {
    const { text, inside } = first(place, "y", place.absent);
    return `not (${text} not ${pattern(inside, place.there)})`;
  },
  (place) => {
    const { text, inside } = first(place, "y", place.absent);
    return `not (${text} exists ${pattern(inside, place.absent)})`;
  },
  (place) => {
    const { text, inside } = first(place, "y", place.there);
    const { text: second, inside: deep } = first(inside, "z", place.absent);
    return `exists (${text} not (${second} not ${pattern(deep, place.there)}))`;
  },
  (place) => `(exists ${pattern(place, place.there)} or exists ${pattern(place, place.there)})`,
  (place) => `(not ${pattern(place, place.absent)} or exists ${pattern(place, place.there)})`,
  (place) => {
    const { text, inside } = first(place, "y", place.absent);
    return `forall (${text} : ${place.choose.of(inside.known)} == ${place.choose.of(place.known)})`;
  },
  (place) => count(place, place.there, ">= 2"),
  (place) => count(place, place.absent, "< 2"),
  (place) => {
    const { text, inside } = first(place, "y", place.there);
    return `exists (${text} ${count(inside, place.absent, place.choose.of(["< 1", "== 1", ">= 2"]))})`;
  },
];

const choices = fc.array(fc.nat(59), { minLength: 16, maxLength: 16 }).map((numbers) => new Choices(numbers));

/** `when v1: P(a == 1) exists (y: D(a == v1.a) not X(b == y.a)) then insert logical D(a: v1.a, b: 0)`. */
const rule: fc.Arbitrary<string> = fc.tuple(fc.constantFrom(0, 1, 1, 1, 1, 2), choices).map(([stratum, choose]) => {
  const lower = ["P", ...STRATA.slice(0, stratum).flat()];
  const own = STRATA[stratum] ?? [];
  // What depends on the rule itself comes up most: there the circles are.
  const ground: Place = { choose, there: [...lower, ...own, ...own], absent: lower, known: ["0", "1", "2"] };
  const { text, inside } = first(ground, "v1", choose.below(2) === 0 ? ["P"] : ground.there);
  const elements = Array.from({ length: 1 + choose.below(2) }, () => choose.of(ELEMENTS)(inside));
  const into = choose.of(own);
  // Not `c`: it can be updated, and an update matches again only what the conditions read.
  const values = [...inside.known.filter((path) => !path.endsWith(".c")), "0", "1"];
  const fields = (FIELDS[into] ?? []).map((field) => `${field}: ${choose.of(values)}`);
  return `when ${[text, ...elements].join(" ")} then insert logical ${into}(${fields.join(", ")})`;
});

const give: fc.Arbitrary<LogicalOperation> = fc.record({
  is: fc.constant("give" as const),
  type: fc.constantFrom(...STRATA.flat(), "D"),
  a: small,
  b: small,
});
const single: fc.Arbitrary<LogicalOperation> = fc.oneof(
  { weight: 6, arbitrary: operationOf(rule) },
  { weight: 3, arbitrary: give },
  { weight: 1, arbitrary: fc.constant({ is: "restore" as const }) },
);
const change = fc.oneof(
  { weight: 2, arbitrary: give },
  { weight: 2, arbitrary: assertion },
  { weight: 3, arbitrary: fc.nat(8).map((which) => ({ is: "retract" as const, which })) },
);
const together: fc.Arbitrary<LogicalOperation> = fc.record({
  is: fc.constant("together" as const),
  batch: fc.boolean(),
  operations: fc.array(change, { minLength: 2, maxLength: 4 }),
});

export const nestedCase: fc.Arbitrary<LogicalCase> = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 5, size: "max" }),
  operations: fc.array(fc.oneof({ weight: 4, arbitrary: single }, { weight: 1, arbitrary: together }), {
    minLength: 1,
    maxLength: 16,
    size: "max",
  }),
});
