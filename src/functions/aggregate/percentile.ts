/**
 * `percentile`: the number below which so many percent of the numbers are, from the smallest at 0 to the largest at 100. Between two
 * numbers it lies on the line that joins them (as PERCENTILE_CONT in SQL and PERCENTILE in spreadsheets), so that at 50 it is the
 * median. The percent is the decimal that people see, so that 99.9 is exactly that, and the result is rounded once. One value that
 * is no number makes the result unknown.
 *
 * The numbers are a sorted list: a change costs O(log n).
 */
import { type Accumulator, type Answer, known } from "../../base/accumulator.ts";
import {
  type Entry,
  entryAt,
  entryOf,
  insert,
  type Member,
  remove,
  sizeOf,
  type Tree,
} from "../../base/ordered-list.ts";
import { fromUnits, inUnits } from "../../base/units.ts";
import type { Maybe } from "../../base/value.ts";
import { finite } from "../arguments.ts";
import { type Aggregate, NUMBER } from "../built-in.ts";
import { unitsOf } from "../decimal.ts";

export const PERCENTILE: Aggregate = {
  name: "percentile",
  takes: "numbers",
  count: { name: "percent", allowed: "from 0 to 100", allows: isPercent },
  result: () => NUMBER,
  alwaysKnown: false,
  summary: "the number that so many percent are below, between two of them on the line that joins these",
  example: { values: [1, 2, 3, 4, 15].map((v) => [v, 90]), gives: 10.6 },
  compute: percentileOf,
  accumulator: () => new Distribution(),
  candidates,
};

function isPercent(percent: number): boolean {
  return percent >= 0 && percent <= 100;
}

function percentileOf(values: readonly Maybe[]): number | undefined {
  const all = values.map(numberIn).filter((one) => one !== undefined);
  if (all.length < values.length) return undefined;
  const numbers = all.map(({ value }) => value).sort((a, b) => a - b);
  return between((index) => numbers[index], numbers.length, all[0]?.percent);
}

interface Part {
  readonly value: number;
  readonly percent: Maybe;
}

/** Returns the parts of `[value, percent]`; undefined when the value is no number. */
function numberIn(parts: Maybe): Part | undefined {
  if (!Array.isArray(parts)) return undefined;
  const [value, percent] = parts as readonly Maybe[];
  return typeof value === "number" ? { value, percent } : undefined;
}

/** As many decimals as every percent has that is not below the smallest number. */
const DECIMALS = 340;
const HUNDRED = 100n * 10n ** BigInt(DECIMALS);

/** Returns the value at a percent of sorted numbers. */
function between(at: (index: number) => number | undefined, count: number, percent: Maybe): number | undefined {
  if (count === 0 || typeof percent !== "number" || !isPercent(percent)) return undefined;
  const place = unitsOf(percent, DECIMALS) * BigInt(count - 1);
  const index = Number(place / HUNDRED);
  const [low, high] = [at(index), at(index + 1)];
  const beyond = place % HUNDRED;
  if (low === undefined) return undefined;
  if (high === undefined || beyond === 0n || low === high) return finite(low);
  return finite(fromUnits(inUnits(low) * (HUNDRED - beyond) + inUnits(high) * beyond, HUNDRED));
}

/** A member may have to be the target, or one of the two numbers between which the target is. */
function candidates(target: number, others: readonly number[], percent: Maybe): readonly number[] {
  if (typeof percent !== "number" || others.length === 0) return [target];
  const sorted = others.toSorted((a, b) => a - b);
  const place = (percent / 100) * sorted.length;
  const [index, part] = [Math.floor(place), place % 1];
  const beside = sorted[index];
  if (beside === undefined) return [target];
  return [target, (target - beside * (1 - part)) / part, (target - beside * part) / (1 - part)].filter(Number.isFinite);
}

class Distribution implements Accumulator {
  readonly #entries = new Map<Member, Entry>();
  readonly #percents = new Map<Member, Maybe>();
  #numbers: Tree = undefined;
  #unknown = 0;
  #serial = 0;

  add(member: Member, parts: Maybe): void {
    const number = numberIn(parts);
    if (number === undefined) {
      this.#unknown += 1;
      return;
    }
    this.#serial += 1;
    const entry = entryOf(member, number.value, this.#serial, { key: number.value, direction: 1 });
    this.#entries.set(member, entry);
    this.#percents.set(member, number.percent);
    this.#numbers = insert(this.#numbers, entry);
  }

  remove(member: Member): void {
    const entry = this.#entries.get(member);
    if (entry === undefined) {
      this.#unknown -= 1;
      return;
    }
    this.#entries.delete(member);
    this.#percents.delete(member);
    this.#numbers = remove(this.#numbers, entry);
  }

  answer(): Answer {
    if (this.#unknown > 0) return known(undefined);
    const [percent] = this.#percents.values();
    const numbers = this.#numbers;
    return known(between((index) => entryAt(numbers, index)?.value as number | undefined, sizeOf(numbers), percent));
  }
}
