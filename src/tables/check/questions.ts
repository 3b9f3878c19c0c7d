/**
 * What is true of a table for all inputs: whether some row applies, which rows apply to the same input, which never apply, and which
 * columns never matter. Every answer is exact over the grid, and comes with an input that shows it; a question whose steps are used up
 * is not answered.
 */
import { OutOfSteps, StepBudget } from "../../base/step-budget.ts";
import type { Value } from "../../base/value.ts";
import type { HitPolicy, TableData } from "../table.ts";
import { DecisionTable } from "../decide.ts";
import { type Axis, axesOf, bestAxis, claimed, partsOf, quietPlaces, sharedPlace, uncoveredPlace } from "./grid.ts";
import { contradict, outcomeOf } from "./outcome.ts";
import type { Domain } from "./samples.ts";

/** A value for each column. */
export type Input = readonly Value[];

/** Two rows that apply to the same input. */
export interface Overlap {
  readonly rows: readonly [number, number];
  readonly input: Input;
}

/** A row that never applies. */
export interface IdleRow {
  readonly row: number;
  /** An input that passes all of its cells, and the row before it that takes it; absent when no input passes all of its cells. */
  readonly taken?: { readonly input: Input; readonly by: number };
  /** The column whose cell no value passes; absent when there is none. */
  readonly column?: number;
}

/** The answers about a table; those that are undefined were not found within the steps. */
export interface TableFindings {
  /** An input to which no row applies; null when there is none. */
  readonly gap: Input | null | undefined;
  readonly overlaps: readonly Overlap[] | undefined;
  /** Whether there are more overlaps than were collected. */
  readonly moreOverlaps: boolean;
  readonly idle: readonly IdleRow[] | undefined;
  /** The columns that never matter. */
  readonly useless: readonly number[] | undefined;
}

/** What to ask. */
export interface TableQuestions {
  /** The steps of one question. */
  readonly steps: number;
  /** The most overlaps that are collected. */
  readonly overlaps: number;
  /** Returns a text that is equal for two computed outputs only if their values are. */
  readonly computed: (index: number) => string;
}

/** Policies for which no row that applies is a missing value. */
const NEEDS_ROW: ReadonlySet<HitPolicy> = new Set<HitPolicy>(["first", "unique", "any", "min", "max"]);

/** Answers the questions about a table; `domains` are the values that its columns can have. */
export function tableFindings(table: TableData, domains: readonly Domain[], questions: TableQuestions): TableFindings {
  const asking = (): Asking => new Asking(table, axes, questions);
  const axes = axesOf(table, domains);
  const { policy } = table;
  const overlaps = policy === "unique" || policy === "any" ? within(() => asking().overlaps()) : NO_OVERLAPS;
  return {
    gap: NEEDS_ROW.has(policy) ? within(() => asking().gap()) : null,
    overlaps: overlaps?.found,
    moreOverlaps: overlaps?.more === true,
    idle: within(() => asking().idle()),
    useless: within(() => asking().useless()),
  };
}

const NO_OVERLAPS: { readonly found: readonly Overlap[]; readonly more: boolean } = { found: [], more: false };

/** Returns what the work gives; undefined when its steps are used up. */
function within<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfSteps) return undefined;
    throw error;
  }
}

type Rows = readonly number[];

/** One question about a table, with its own steps. */
class Asking {
  readonly #table: TableData;
  readonly #axes: readonly Axis[];
  readonly #questions: TableQuestions;
  readonly #budget: StepBudget;
  readonly #spend: (steps: number) => void;
  /** All rows that some input passes. */
  readonly #rows: Rows;
  readonly #all: readonly number[];
  /** The steps of finding the rows for one input. The index does not help with values of any kind. */
  readonly #cost: number;

  constructor(table: TableData, axes: readonly Axis[], questions: TableQuestions) {
    this.#table = table;
    this.#axes = axes;
    this.#questions = questions;
    this.#budget = new StepBudget(questions.steps);
    this.#spend = (steps) => this.#budget.spend(steps);
    this.#rows = table.rows.flatMap((_, row) => (this.#emptyAxis(row) === undefined ? [row] : []));
    this.#all = axes.map((_, axis) => axis);
    this.#cost = axes.some(({ isIndexed }) => !isIndexed) ? table.rows.length : axes.length;
  }

  /** Returns an axis on which a row covers nothing. */
  #emptyAxis(row: number): number | undefined {
    const found = this.#axes.findIndex(({ covered }) => covered[row]?.length === 0);
    return found < 0 ? undefined : found;
  }

  /** Returns whether a row fits whatever is on the axes. */
  #isWhole(row: number, open: readonly number[]): boolean {
    for (const axis of open) if ((this.#axes[axis] as Axis).covered[row] !== null) return false;
    return true;
  }

  /** Returns the input at places of the grid, by axis; the first place of an axis where none is given. */
  #inputAt(places: ReadonlyMap<number, number>): Input {
    const byColumn = new Map<string, Value>();
    for (const [axis, { column, samples }] of this.#axes.entries()) {
      byColumn.set(this.#table.columns[column]?.text ?? "", samples[places.get(axis) ?? 0] as Value);
    }
    return this.#table.columns.map(({ text }) => byColumn.get(text) as Value);
  }

  // ---------------------------------------------------------------- gaps

  /** Returns an input to which no row applies; null when there is none. */
  gap(): Input | null {
    const places = this.#gapIn(this.#rows, this.#all, new Map(), new Set());
    return places === null ? null : this.#inputAt(places);
  }

  #gapIn(
    rows: Rows,
    open: readonly number[],
    places: ReadonlyMap<number, number>,
    covered: Set<string>,
  ): ReadonlyMap<number, number> | null {
    if (rows.length === 0) return places;
    this.#spend(rows.length);
    if (rows.some((row) => this.#isWhole(row, open))) return null;
    const key = `${open.join()};${rows.join()}`;
    if (covered.has(key)) return null;
    const chosen = bestAxis(this.#axes, open, rows, this.#spend) as number;
    const axis = this.#axes[chosen] as Axis;
    const rest = open.filter((one) => one !== chosen);
    if (rows.every((row) => this.#isWhole(row, rest))) {
      this.#spend(rows.length + axis.samples.length);
      const place = uncoveredPlace(axis, rows);
      return place === undefined ? null : new Map(places).set(chosen, place);
    }
    // Where the rows with "-" cover everything, the others do not matter.
    const always = rows.filter((row) => axis.covered[row] === null);
    if (always.length > 0 && this.#gapIn(always, rest, places, covered) === null) return null;
    for (const { place, rows: fitting } of partsOf(axis, rows, this.#spend)) {
      const gap = this.#gapIn(fitting, rest, new Map(places).set(chosen, place), covered);
      if (gap !== null) return gap;
    }
    covered.add(key);
    return null;
  }

  // ---------------------------------------------------------------- overlaps

  /** Returns pairs of rows that apply to the same input, against the hit policy, in the order of the rows. */
  overlaps(): { readonly found: readonly Overlap[]; readonly more: boolean } {
    const found = new Map<string, Overlap>();
    const isComplete = this.#overlapsIn(this.#rows, this.#all, found, new Set());
    const inOrder = [...found.values()].sort((a, b) => a.rows[0] - b.rows[0] || a.rows[1] - b.rows[1]);
    return { found: inOrder, more: !isComplete };
  }

  /** Collects overlaps; returns false when there are more than are collected. */
  #overlapsIn(rows: Rows, open: readonly number[], found: Map<string, Overlap>, seen: Set<string>): boolean {
    if (rows.length < 2) return true;
    const chosen = rows.length <= FEW ? undefined : bestAxis(this.#axes, open, rows, this.#spend);
    if (chosen === undefined) return this.#pairsOf(rows, found);
    const key = `${open.join()};${rows.join()}`;
    if (seen.has(key)) return true;
    seen.add(key);
    const rest = open.filter((one) => one !== chosen);
    for (const part of partsOf(this.#axes[chosen] as Axis, rows, this.#spend)) {
      if (!this.#overlapsIn(part.rows, rest, found, seen)) return false;
    }
    return true;
  }

  #pairsOf(rows: Rows, found: Map<string, Overlap>): boolean {
    for (const [at, first] of rows.entries()) {
      this.#spend(rows.length - at);
      for (const second of rows.slice(at + 1)) {
        const key = `${first} ${second}`;
        if (found.has(key) || !this.#isAgainstPolicy(first, second)) continue;
        const places = this.#sharedPlaces(first, second);
        if (places === undefined) continue;
        if (found.size === this.#questions.overlaps) return false;
        found.set(key, { rows: [first, second], input: this.#inputAt(places) });
      }
    }
    return true;
  }

  #sharedPlaces(first: number, second: number): ReadonlyMap<number, number> | undefined {
    const places = new Map<number, number>();
    for (const [axis, { covered }] of this.#axes.entries()) {
      const place = sharedPlace(covered[first] ?? null, covered[second] ?? null);
      if (place === undefined) return undefined;
      places.set(axis, place);
    }
    return places;
  }

  /** Returns whether two rows must not apply together. */
  #isAgainstPolicy(first: number, second: number): boolean {
    return this.#table.policy === "unique" || contradict(this.#table, first, second);
  }

  // ---------------------------------------------------------------- rows that never apply

  /** Returns the rows that never apply, in order. */
  idle(): readonly IdleRow[] {
    const live = new Set<number>();
    if (this.#table.policy === "first") {
      this.#noteLikely(live);
      this.#liveIn(this.#rows, this.#all, live, new Set());
    } else for (const row of this.#rows) live.add(row);
    return this.#table.rows.flatMap((_, row) => (live.has(row) ? [] : [this.#idleRow(row)]));
  }

  /**
   * Notes rows that are the first to apply for an input where few other rows do, found through the index over the rows. In most tables
   * these are all rows, so that hardly anything is left to be proved.
   */
  #noteLikely(live: Set<number>): void {
    const table = new DecisionTable(this.#table);
    const quiet = this.#axes.map(quietPlaces);
    for (const row of this.#rows) {
      const places = new Map(quiet.map((quietest, axis) => [axis, quietest(row)]));
      const before = table.steps;
      const [first] = table.rowsFor(this.#inputAt(places));
      this.#spend(this.#cost + table.steps - before);
      if (first?.row === row) live.add(row);
    }
  }

  /** Notes the rows that are the first to apply for some input. */
  #liveIn(rows: Rows, open: readonly number[], live: Set<number>, seen: Set<string>): void {
    const left = this.#undecided(rows, open, live);
    const [first] = left;
    if (first === undefined) return;
    const chosen = bestAxis(this.#axes, open, left, this.#spend);
    if (chosen === undefined || this.#isWhole(first, open)) {
      live.add(first);
      return;
    }
    const key = `${open.join()};${left.join()}`;
    if (seen.has(key)) return;
    seen.add(key);
    const rest = open.filter((one) => one !== chosen);
    const axis = this.#axes[chosen] as Axis;
    if (left.every((row) => this.#isWhole(row, rest))) {
      this.#spend(left.length + axis.samples.length);
      return claimed(axis, left, (row) => live.add(row));
    }
    for (const part of partsOf(axis, left, this.#spend)) {
      this.#liveIn(part.rows, rest, live, seen);
      if (left.every((row) => live.has(row))) return;
    }
  }

  /** Returns the rows up to the last one of which it is open whether it ever applies; none after one that always does. */
  #undecided(rows: Rows, open: readonly number[], live: ReadonlySet<number>): Rows {
    this.#spend(rows.length);
    const whole = rows.findIndex((row) => this.#isWhole(row, open));
    const reached = whole < 0 ? rows : rows.slice(0, whole + 1);
    return reached.slice(0, reached.findLastIndex((row) => !live.has(row)) + 1);
  }

  #idleRow(row: number): IdleRow {
    const axis = this.#emptyAxis(row);
    const column = axis === undefined ? undefined : this.#axes[axis]?.column;
    if (column !== undefined) return { row, column };
    const places = new Map(this.#axes.map(({ covered }, one) => [one, covered[row]?.[0]?.from ?? 0]));
    const by = this.#rows.find((other) => this.#fits(other, places));
    return by === undefined ? { row } : { row, taken: { input: this.#inputAt(places), by } };
  }

  #fits(row: number, places: ReadonlyMap<number, number>): boolean {
    return this.#axes.every(({ covered }, axis) => {
      const place = places.get(axis) ?? 0;
      return covered[row]?.some(({ from, to }) => from <= place && place <= to) ?? true;
    });
  }

  // ---------------------------------------------------------------- columns that never matter

  /** Returns the columns that never matter: whatever their value is, the table gives the same. */
  useless(): readonly number[] {
    return this.#table.columns.flatMap(({ text }, column) => {
      const axis = this.#axes.findIndex((one) => this.#table.columns[one.column]?.text === text);
      return this.#isUseless(axis) ? [column] : [];
    });
  }

  #isUseless(axis: number): boolean {
    const rest = this.#all.filter((one) => one !== axis);
    const seen = new Set<string>();
    let first: Rows | undefined;
    for (const { rows } of partsOf(this.#axes[axis] as Axis, this.#rows, this.#spend)) {
      first ??= rows;
      if (!this.#isSame(first, rows, rest, seen)) return false;
    }
    return true;
  }

  /** Returns whether two sets of rows give the same for all inputs; `open` are the axes that are not decided yet. */
  #isSame(one: Rows, other: Rows, open: readonly number[], seen: Set<string>): boolean {
    const [a, b] = [this.#reached(one, open), this.#reached(other, open)];
    if (a.length === b.length && a.every((row, at) => row === b[at])) return true;
    const both = [...new Set([...a, ...b])].sort((x, y) => x - y);
    const chosen = bestAxis(this.#axes, open, both, this.#spend);
    if (chosen === undefined) return this.#outcome(a) === this.#outcome(b);
    const key = `${open.join()};${a.join()};${b.join()}`;
    if (seen.has(key)) return true;
    const rest = open.filter((axis) => axis !== chosen);
    const [inA, inB] = [new Set(a), new Set(b)];
    for (const { rows } of partsOf(this.#axes[chosen] as Axis, both, this.#spend)) {
      const [left, right] = [rows.filter((row) => inA.has(row)), rows.filter((row) => inB.has(row))];
      if (!this.#isSame(left, right, rest, seen)) return false;
    }
    seen.add(key);
    return true;
  }

  /** Returns the rows without those after one that always applies, where only the first counts. */
  #reached(rows: Rows, open: readonly number[]): Rows {
    this.#spend(rows.length);
    if (this.#table.policy !== "first") return rows;
    const whole = rows.findIndex((row) => this.#isWhole(row, open));
    return whole < 0 ? rows : rows.slice(0, whole + 1);
  }

  #outcome(rows: Rows): string {
    return outcomeOf(this.#table, rows, this.#questions.computed);
  }
}

/** Up to so many rows are compared pair by pair. */
const FEW = 6;
