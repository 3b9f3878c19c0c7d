/** What can be said about a group of matches, kept up to date as they come and go. */
import { type Maybe, order, same, type Value } from "../base/value.ts";
import { ExactSum } from "./exact-sum.ts";
import type { Match } from "./match.ts";
import { planted } from "./planted.ts";

/** Whether the match that the group belongs to passes, and with which value. */
export interface Answer {
  readonly passes: boolean;
  readonly value: Maybe;
}

export interface Accumulator {
  add(match: Match, value: Maybe): void;
  remove(match: Match): void;
  answer(): Answer;
}

export type AccumulatorKind =
  "not" | "exists" | "exists-value" | "count" | "sum" | "avg" | "min" | "max" | "collect" | "distinct";

export function accumulator(kind: AccumulatorKind): Accumulator {
  switch (kind) {
    case "not":
      return new Counter((count) => ({ passes: count === 0, value: undefined }));
    case "exists":
      return new Counter((count) => ({ passes: count > 0, value: undefined }));
    case "exists-value":
      return new Counter((count) => ({ passes: true, value: count > 0 }));
    case "count":
      return new Counter((count) => ({ passes: true, value: count }));
    case "sum":
      return new Summer((sum) => sum.total);
    case "avg":
      return new Summer((sum, count) => (count === 0 ? undefined : sum.dividedBy(count)));
    case "min":
      return new Extreme(-1);
    case "max":
      return new Extreme(1);
    case "collect":
      return new Collector(false);
    case "distinct":
      return new Collector(true);
  }
}

class Counter implements Accumulator {
  #count = 0;
  readonly #answer: (count: number) => Answer;

  constructor(answer: (count: number) => Answer) {
    this.#answer = answer;
  }

  add(): void {
    this.#count += 1;
  }

  remove(): void {
    if (planted("not-never-unblocks")) return;
    this.#count -= planted("exists-ends-at-one") && this.#count === 2 ? 2 : 1;
  }

  answer(): Answer {
    return this.#answer(this.#count);
  }
}

/** A result that is not known does not pass. */
function known(value: Maybe): Answer {
  return { passes: value !== undefined, value };
}

/** One value that is no number makes the sum unknown. */
class Summer implements Accumulator {
  readonly #values = new Map<Match, Maybe>();
  readonly #sum = new ExactSum();
  #unknown = 0;
  readonly #result: (sum: ExactSum, count: number) => number | undefined;

  constructor(result: (sum: ExactSum, count: number) => number | undefined) {
    this.#result = result;
  }

  add(match: Match, value: Maybe): void {
    this.#values.set(match, value);
    if (typeof value === "number") this.#sum.add(value);
    else this.#unknown += 1;
  }

  remove(match: Match): void {
    const value = this.#values.get(match);
    this.#values.delete(match);
    if (typeof value === "number") this.#sum.add(-value);
    else this.#unknown -= 1;
  }

  answer(): Answer {
    if (this.#unknown > 0) return known(undefined);
    const result = this.#result(this.#sum, this.#values.size);
    return known(result !== undefined && Number.isFinite(result) ? result + 0 : undefined);
  }
}

/** The extreme is remembered; only when it goes away are the others looked through again. */
class Extreme implements Accumulator {
  readonly #values = new Map<Match, Maybe>();
  readonly #direction: 1 | -1;
  #best: Maybe = undefined;
  #stale = false;

  constructor(direction: 1 | -1) {
    this.#direction = direction;
  }

  add(match: Match, value: Maybe): void {
    if (this.#values.size === 0 || order(value, this.#best) === undefined) this.#stale = true;
    else if (!this.#stale && this.#beats(value, this.#best)) this.#best = value;
    this.#values.set(match, value);
  }

  remove(match: Match): void {
    const value = this.#values.get(match);
    this.#values.delete(match);
    this.#stale ||= value === undefined || value === this.#best || this.#best === undefined;
  }

  answer(): Answer {
    if (this.#stale) this.#lookThrough();
    return known(this.#values.size === 0 ? undefined : this.#best);
  }

  #beats(value: Maybe, best: Maybe): boolean {
    return (order(value, best) ?? 0) * this.#direction > 0;
  }

  /** Unknown as soon as two values have no order, or a value has none by itself. */
  #lookThrough(): void {
    this.#stale = false;
    let best: Maybe;
    let first = true;
    for (const value of this.#values.values()) {
      if (order(value, first ? value : best) === undefined) {
        this.#best = undefined;
        return;
      }
      if (first || this.#beats(value, best)) best = value;
      first = false;
    }
    this.#best = best;
  }
}

/** A list in the order of the facts; missing values are left out. */
class Collector implements Accumulator {
  readonly #values = new Map<Match, Maybe>();
  readonly #distinct: boolean;
  /** The match that came last; as long as each came behind the one before, nothing needs to be sorted. */
  #latest: Match | undefined = undefined;
  #ordered = true;

  constructor(distinct: boolean) {
    this.#distinct = distinct;
  }

  add(match: Match, value: Maybe): void {
    if (this.#latest !== undefined && compareFacts(this.#latest, match) > 0) this.#ordered = false;
    this.#latest = match;
    this.#values.set(match, value);
  }

  remove(match: Match): void {
    this.#values.delete(match);
    if (this.#values.size > 0) return;
    this.#latest = undefined;
    this.#ordered = true;
  }

  answer(): Answer {
    const list: Value[] = [];
    for (const value of this.#inOrder()) {
      if (value === undefined || (this.#distinct && isAmong(list, value))) continue;
      list.push(value);
    }
    return { passes: true, value: list };
  }

  #inOrder(): Iterable<Maybe> {
    if (this.#ordered) return this.#values.values();
    return [...this.#values].sort(([a], [b]) => compareFacts(a, b)).map(([, value]) => value);
  }
}

function isAmong(list: readonly Value[], value: Value): boolean {
  for (const other of list) if (same(other, value)) return true;
  return false;
}

/** By the order of their facts, from the root down; both chains have the same levels. */
function compareFacts(a: Match, b: Match): number {
  if (a === b || a.parent === undefined || b.parent === undefined) return 0;
  const above = compareFacts(a.parent, b.parent);
  return above !== 0 ? above : (a.fact?.order ?? 0) - (b.fact?.order ?? 0);
}
