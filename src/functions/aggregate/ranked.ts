/**
 * `first … by`, `last … by` and `top n … by`: values in the order of their keys. Facts with the same key are in fact order, so that
 * `first` takes the earliest of them, `last` the latest, and `top` the earliest first. One value or key that is missing, keys
 * without an order, and numbers among strings make the result unknown.
 *
 * The values are a sorted list: a change costs O(log n), and what is on top is a part of the list.
 */
import { type Accumulator, type Answer, type Held, known } from "../../base/accumulator.ts";
import {
  beginning,
  type Entry,
  entryOf,
  first,
  insert,
  last,
  ListVersion,
  type Member,
  remove,
  type Tree,
} from "../../base/ordered-list.ts";
import { type Maybe, order, type Value } from "../../base/value.ts";
import { type Aggregate, listOf } from "../built-in.ts";

export const FIRST: Aggregate = {
  name: "first",
  takes: "keyed",
  result: (value) => value,
  alwaysKnown: false,
  summary: "the value with the smallest key",
  example: { values: [5, 3, 8].map((n) => [n, n]), gives: 3 },
  compute: (values) => sorted(values, 1)?.[0]?.value,
  accumulator: () => new Ranking(1, (tree) => first(tree)?.value),
};

export const LAST: Aggregate = {
  name: "last",
  takes: "keyed",
  result: (value) => value,
  alwaysKnown: false,
  summary: "the value with the largest key",
  example: { values: [5, 3, 8].map((n) => [n, n]), gives: 8 },
  compute: (values) => sorted(values, 1)?.at(-1)?.value,
  accumulator: () => new Ranking(1, (tree) => last(tree)?.value),
};

export const TOP: Aggregate = {
  name: "top",
  takes: "keyed",
  count: { name: "n", allowed: "0 or a positive integer", allows: isCount },
  result: listOf,
  alwaysKnown: false,
  summary: "a list of the n values with the largest keys, the largest first",
  example: { values: [5, 3, 8].map((n) => [n, n, 2]), gives: [8, 5] },
  compute: topOf,
  accumulator: () => new Ranking(-1, listed),
};

function isCount(n: number): boolean {
  return Number.isInteger(n) && n >= 0;
}

function topOf(values: readonly Maybe[]): Maybe {
  const all = sorted(values, -1);
  if (all === undefined || all.length === 0) return all?.map(({ value }) => value);
  const n = all[0]?.count;
  return typeof n === "number" && isCount(n) ? all.slice(0, n).map(({ value }) => value) : undefined;
}

/** Returns the beginning of the list, without writing it out. The count is the same in all entries: it depends on no fact of the group. */
function listed(tree: Tree, count: Maybe): Held {
  if (tree === undefined) return new ListVersion(undefined);
  return typeof count === "number" && isCount(count) ? new ListVersion(beginning(tree, count)) : undefined;
}

// ---------------------------------------------------------------- values with keys

/** What an aggregate takes of each fact: `[value, key]` or `[value, key, count]`. */
interface Keyed {
  readonly value: Value;
  readonly key: number | string;
  readonly count: Maybe;
}

/** Returns the parts; undefined when one of them is missing or the key has no order. */
function keyed(parts: Maybe): Keyed | undefined {
  if (!Array.isArray(parts)) return undefined;
  const [value, key, count] = parts as readonly Maybe[];
  return value === undefined || (typeof key !== "number" && typeof key !== "string")
    ? undefined
    : { value, key, count };
}

/** Returns the parts in the order of their keys, in which equal ones stay as they are; undefined when they have no order. */
function sorted(values: readonly Maybe[], direction: 1 | -1): readonly Keyed[] | undefined {
  const all = values.map(keyed).filter((one) => one !== undefined);
  const [one] = all;
  if (all.length < values.length || all.some(({ key }) => typeof key !== typeof one?.key)) return undefined;
  return all.sort((a, b) => (order(a.key, b.key) ?? 0) * direction);
}

class Ranking implements Accumulator {
  readonly #direction: 1 | -1;
  readonly #result: (tree: Tree, count: Maybe) => Held;
  readonly #entries = new Map<Member, Entry>();
  readonly #counts = new Map<Member, Maybe>();
  #numbers: Tree = undefined;
  #strings: Tree = undefined;
  #unknown = 0;
  #serial = 0;

  constructor(direction: 1 | -1, result: (tree: Tree, count: Maybe) => Held) {
    this.#direction = direction;
    this.#result = result;
  }

  add(member: Member, value: Maybe): void {
    const parts = keyed(value);
    if (parts === undefined) {
      this.#unknown += 1;
      return;
    }
    this.#serial += 1;
    const entry = entryOf(member, parts.value, this.#serial, { key: parts.key, direction: this.#direction });
    this.#entries.set(member, entry);
    if (parts.count !== undefined) this.#counts.set(member, parts.count);
    if (typeof parts.key === "number") this.#numbers = insert(this.#numbers, entry);
    else this.#strings = insert(this.#strings, entry);
  }

  remove(member: Member): void {
    const entry = this.#entries.get(member);
    if (entry === undefined) {
      this.#unknown -= 1;
      return;
    }
    this.#entries.delete(member);
    this.#counts.delete(member);
    if (typeof entry.rank?.key === "number") this.#numbers = remove(this.#numbers, entry);
    else this.#strings = remove(this.#strings, entry);
  }

  answer(): Answer {
    const mixed = this.#numbers !== undefined && this.#strings !== undefined;
    if (this.#unknown > 0 || mixed) return known(undefined);
    const [count] = this.#counts.values();
    const value = this.#result(this.#numbers ?? this.#strings, count);
    return { passes: value !== undefined, value };
  }
}
