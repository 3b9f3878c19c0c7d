/**
 * The inputs of a table as a grid: one axis for each column, with a place on it for every sample of the column. A row covers a box of
 * the grid: on every axis some places. Columns that look at the same expression are one axis.
 *
 * Splitting the rows of an axis by place, axis by axis, answers every question about a table without visiting each cell of the grid:
 * a part of the grid is looked at once for all inputs that the same rows fit.
 */
import type { Value } from "../../base/value.ts";
import { cellTruth } from "../cell.ts";
import { type PieceRange, Pieces } from "../pieces.ts";
import type { Cell, TableData } from "../table.ts";
import { type Domain, type Sample, samplesOf } from "./samples.ts";

/** Places from one number to another, both included. */
export type Ranges = readonly PieceRange[];

/** One axis of the grid. */
export interface Axis {
  /** The first column that looks at this expression. */
  readonly column: number;
  readonly samples: readonly Value[];
  /** By row: the places that it covers; null for all of them. */
  readonly covered: readonly (Ranges | null)[];
  /** Whether the index over the rows finds them by what is on this axis. */
  readonly isIndexed: boolean;
}

/** Returns the axes of a table; `domains` are the values that its columns can have. */
export function axesOf({ columns, rows }: TableData, domains: readonly Domain[]): readonly Axis[] {
  const groups = new Map<string, number[]>();
  for (const [column, { text }] of columns.entries()) groups.set(text, [...(groups.get(text) ?? []), column]);
  return Array.from(groups.values(), (group): Axis => {
    const [column = 0] = group;
    const cellsOf = (row: number): readonly Cell[] => group.map((one) => rows[row]?.cells[one] ?? null);
    const cells = rows.flatMap((_, row) => cellsOf(row));
    const pieces = new Pieces(cells);
    const samples = samplesOf(domains[column] ?? { kind: "any" }, cells, pieces);
    const covered = rows.map((_, row) => coveredBy(cellsOf(row), samples, pieces));
    const isIndexed = samples[0]?.piece !== undefined;
    return { column, samples: samples.map(({ value }) => value), covered, isIndexed };
  });
}

/** Returns the places that pass all of the cells; null for all places. */
function coveredBy(cells: readonly Cell[], samples: readonly Sample[], pieces: Pieces): Ranges | null {
  let result: Ranges | null = null;
  for (const cell of cells) {
    if (cell === null) continue;
    const passing = placesOf(cell, samples, pieces);
    result = result === null ? passing : intersection(result, passing);
  }
  const [only] = result ?? [];
  return only?.from === 0 && only.to === samples.length - 1 ? null : result;
}

function placesOf(cell: Cell, samples: readonly Sample[], pieces: Pieces): Ranges {
  if (samples[0]?.piece === undefined) {
    const places = samples.flatMap(({ value }, place) => (cellTruth(cell, value) === true ? [place] : []));
    return places.map((place) => ({ from: place, to: place }));
  }
  return pieces.passing(cell).flatMap(({ from, to }) => {
    const range = { from: placeFrom(samples, from), to: placeFrom(samples, to + 1) - 1 };
    return range.from > range.to ? [] : [range];
  });
}

/** Returns the first place whose piece is not before the given one. */
function placeFrom(samples: readonly Sample[], piece: number): number {
  let low = 0;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle]?.piece ?? 0) < piece) low = middle + 1;
    else high = middle;
  }
  return low;
}

function intersection(a: Ranges, b: Ranges): Ranges {
  return a.flatMap((one) =>
    b.flatMap((other) => {
      const range = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
      return range.from > range.to ? [] : [range];
    }),
  );
}

/** Returns the first place that two rows share on an axis; undefined when there is none. */
export function sharedPlace(a: Ranges | null, b: Ranges | null): number | undefined {
  if (a === null) return b === null ? 0 : b[0]?.from;
  if (b === null) return a[0]?.from;
  for (let [x, y] = [0, 0]; x < a.length && y < b.length;) {
    const [one, other] = [a[x] as PieceRange, b[y] as PieceRange];
    const from = Math.max(one.from, other.from);
    if (from <= Math.min(one.to, other.to)) return from;
    if (one.to < other.to) x += 1;
    else y += 1;
  }
  return undefined;
}

/** Returns, for an axis, a function that finds a place which a row covers and few other rows do: the quietest one, or the end of a range. */
export function quietPlaces({ covered, samples }: Axis): (row: number) => number {
  const changes = samples.map(() => 0);
  for (const ranges of covered) {
    for (const { from, to } of ranges ?? []) {
      changes[from] = (changes[from] ?? 0) + 1;
      if (to + 1 < changes.length) changes[to + 1] = (changes[to + 1] ?? 0) - 1;
    }
  }
  const counts: number[] = [];
  for (const [place, change] of changes.entries()) counts.push((counts[place - 1] ?? 0) + change);
  let quietest = 0;
  for (const [place, count] of counts.entries()) if (count < (counts[quietest] ?? 0)) quietest = place;
  return (row) => {
    const ranges = covered[row] ?? null;
    if (ranges === null) return quietest;
    let best = ranges[0]?.from ?? 0;
    for (const { from, to } of ranges) {
      for (const place of from <= quietest && quietest <= to ? [from, to, quietest] : [from, to]) {
        if ((counts[place] ?? 0) < (counts[best] ?? 0)) best = place;
      }
    }
    return best;
  };
}

/** The rows that fit a part of an axis, and a place in it. */
export interface Part {
  readonly place: number;
  readonly rows: readonly number[];
}

/**
 * Yields the parts of an axis with different rows, each once, those with few rows first where that costs nothing: the places that no
 * row asks for come first. `spend` hears of the work.
 */
export function* partsOf(axis: Axis, rows: readonly number[], spend: (steps: number) => void): Iterable<Part> {
  const always: number[] = [];
  const starts = new Map<number, number[]>();
  const ends = new Map<number, number[]>();
  for (const row of rows) {
    const ranges = axis.covered[row] ?? null;
    if (ranges === null) {
      always.push(row);
      continue;
    }
    for (const { from, to } of ranges) {
      add(starts, from, row);
      add(ends, to + 1, row);
    }
  }
  const turns = [...new Set([0, ...starts.keys(), ...ends.keys()])].sort((a, b) => a - b);
  spend(rows.length + turns.length);
  const alone = placeWithout(turns, starts, ends, axis.samples.length);
  if (alone !== undefined) yield { place: alone, rows: always };
  const seen = new Set<string>();
  const active = new Set<number>();
  for (const place of turns) {
    if (place >= axis.samples.length) break;
    for (const row of ends.get(place) ?? []) active.delete(row);
    for (const row of starts.get(place) ?? []) active.add(row);
    if (active.size === 0) continue;
    const some = [...active].sort((a, b) => a - b);
    spend(some.length);
    const key = some.join();
    if (seen.has(key)) continue;
    seen.add(key);
    spend(always.length);
    yield { place, rows: merged(always, some) };
  }
}

function add(lists: Map<number, number[]>, key: number, row: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [row]);
  else list.push(row);
}

/** Returns the first place that no row asks for. */
function placeWithout(
  turns: readonly number[],
  starts: ReadonlyMap<number, readonly number[]>,
  ends: ReadonlyMap<number, readonly number[]>,
  length: number,
): number | undefined {
  let open = 0;
  for (const place of turns) {
    open += (starts.get(place)?.length ?? 0) - (ends.get(place)?.length ?? 0);
    if (open === 0 && place < length) return place;
  }
  return undefined;
}

/** Returns a place that no row covers; undefined when there is none. */
export function uncoveredPlace(axis: Axis, rows: readonly number[]): number | undefined {
  let left: number | undefined;
  claimed(
    axis,
    rows,
    () => undefined,
    (place) => (left = place),
  );
  return left;
}

/** Calls `claims` for each row that covers a place which no row before it covers; `rest` gets the first place that no row covers. */
export function claimed(
  { samples, covered }: Axis,
  rows: readonly number[],
  claims: (row: number) => void,
  rest: (place: number | undefined) => void = () => undefined,
): void {
  // By place: the first place from there on that is free.
  const next = Array.from({ length: samples.length + 1 }, (_, place) => place);
  const freeFrom = (place: number): number => {
    let found = place;
    while (next[found] !== found) found = next[found] as number;
    for (let at = place; at !== found;) {
      const after = next[at] as number;
      next[at] = found;
      at = after;
    }
    return found;
  };
  for (const row of rows) {
    let isFirst = false;
    for (const { from, to } of covered[row] ?? [{ from: 0, to: samples.length - 1 }]) {
      for (let place = freeFrom(from); place <= to; place = freeFrom(place + 1)) {
        next[place] = place + 1;
        isFirst = true;
      }
    }
    if (isFirst) claims(row);
  }
  const free = freeFrom(0);
  rest(free < samples.length ? free : undefined);
}

/** Returns two lists in order as one in order. */
function merged(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const result: number[] = [];
  for (let [x, y] = [0, 0]; x < a.length || y < b.length;) {
    const [one, other] = [a[x] ?? Infinity, b[y] ?? Infinity];
    result.push(Math.min(one, other));
    if (one <= other) x += 1;
    if (other <= one) y += 1;
  }
  return result;
}

/** Returns the axis of `open` that leaves the fewest rows below a place on average, among those where a row asks for something. */
export function bestAxis(
  axes: readonly Axis[],
  open: readonly number[],
  rows: readonly number[],
  spend: (steps: number) => void,
): number | undefined {
  let best: { readonly axis: number; readonly left: number } | undefined;
  for (const index of open) {
    const { covered, samples } = axes[index] as Axis;
    let asking = 0;
    let places = 0;
    for (const row of rows) {
      const ranges = covered[row] ?? null;
      if (ranges === null) continue;
      asking += 1;
      for (const { from, to } of ranges) places += to - from + 1;
    }
    spend(rows.length);
    if (asking === 0) continue;
    const left = rows.length - asking + places / samples.length;
    if (best === undefined || left < best.left) best = { axis: index, left };
  }
  return best?.axis;
}
