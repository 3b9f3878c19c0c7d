/**
 * The inputs of a column, cut at every constant of its cells: each constant is a piece of its own, and so is everything between two
 * of them. All inputs of a piece pass the same cells, so a cell is a set of pieces, and a column is decided by finding one.
 *
 * With k constants the pieces are numbered 0 to 2k: piece 2i + 1 is constant i, piece 2i is what is below it and above the one
 * before. The two booleans are the pieces 0 and 1.
 */
import { compareText, type Maybe } from "../base/value.ts";
import { Bounds } from "./bounds.ts";
import type { Cell, CellTest, Plain } from "./table.ts";

/** Pieces from one number to another, both included. */
export interface PieceRange {
  readonly from: number;
  readonly to: number;
}

type Kind = "number" | "string" | "boolean";

/** The pieces of one column. */
export class Pieces {
  /** The kind of all constants; undefined when there is none, or when they are of different kinds. */
  readonly kind: Kind | undefined;
  /** The constants in order, each once. */
  readonly points: readonly Plain[];
  /** The number of pieces. */
  readonly count: number;
  readonly #places: ReadonlyMap<Plain, number>;
  /** Whether a cell compares with more than equality: then what is between two constants matters. */
  readonly #isOrdered: boolean;
  /** Finds a number where what is between two constants matters; undefined for other columns. */
  readonly #bounds: Bounds | undefined;
  #steps = 0;

  constructor(cells: Iterable<Cell>) {
    const points = new Set<Plain>();
    let ordered = false;
    for (const cell of cells) {
      for (const test of cell ?? []) {
        for (const value of constantsOf(test)) points.add(value);
        ordered ||= !EQUALITIES.has(test.op);
      }
    }
    const kinds = new Set([...points].map((point) => typeof point as Kind));
    this.kind = kinds.size === 1 ? [...kinds][0] : undefined;
    this.points = this.kind === "boolean" ? [false, true] : [...points].sort(ascending);
    this.count = this.kind === "boolean" ? 2 : 2 * this.points.length + 1;
    this.#places = new Map(this.points.map((point, place) => [point, place]));
    this.#isOrdered = ordered;
    this.#bounds = ordered && this.kind === "number" ? new Bounds(this.points as readonly number[]) : undefined;
  }

  /** The steps of searches so far: constants that were compared with an input. */
  get steps(): number {
    return this.#steps + (this.#bounds?.steps ?? 0);
  }

  /** Returns the piece that an input is in; undefined when it is missing or of another kind than the constants. */
  pieceOf(input: Maybe): number | undefined {
    if (input === undefined || typeof input !== this.kind) return undefined;
    if (this.#bounds !== undefined) return pieceAt(this.#bounds, input as number);
    this.#steps += 1;
    const place = this.#places.get(input as Plain);
    if (this.kind === "boolean") return place;
    if (place !== undefined) return 2 * place + 1;
    return this.#isOrdered ? 2 * this.#above(input as Plain) : 0;
  }

  /** Returns how many constants are below an input that is none of them. */
  #above(input: Plain): number {
    let low = 0;
    let high = this.points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      this.#steps += 1;
      if (ascending(this.points[middle] as Plain, input) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the pieces that pass a cell, in order. For a column of one kind of constants. */
  passing(cell: Cell): readonly PieceRange[] {
    const last = this.count - 1;
    if (cell === null) return [{ from: 0, to: last }];
    return joined(cell.flatMap((test) => this.#passingTest(test, last)));
  }

  #passingTest(test: CellTest, last: number): readonly PieceRange[] {
    switch (test.op) {
      case "among":
        return joined(test.values.map((value) => this.#only(value)));
      case "not among":
        return complement(joined(test.values.map((value) => this.#only(value))), last);
      case "within":
        return this.#within(test, last);
      case "outside":
        return complement(this.#within(test, last), last);
      case "==":
        return [this.#only(test.value)];
      case "!=":
        return complement([this.#only(test.value)], last);
      case "<":
        return some(0, this.#only(test.value).from - 1);
      case "<=":
        return some(0, this.#only(test.value).to);
      case ">":
        return some(this.#only(test.value).to + 1, last);
      case ">=":
        return some(this.#only(test.value).from, last);
    }
  }

  #within(
    { from, to, open }: { readonly from: Plain; readonly to: Plain; readonly open: boolean },
    last: number,
  ): readonly PieceRange[] {
    const end = this.#only(to);
    return some(this.#only(from).from, Math.min(last, open ? end.from - 1 : end.to));
  }

  /** Returns the piece that a constant is. */
  #only(point: Plain): PieceRange {
    const place = this.#places.get(point) ?? 0;
    const piece = this.kind === "boolean" ? place : 2 * place + 1;
    return { from: piece, to: piece };
  }
}

/** Returns the piece that a number is in: that of a constant, or the one below it. */
function pieceAt(bounds: Bounds, input: number): number {
  const place = bounds.below(input);
  return bounds.isAt(place, input) ? 2 * place + 1 : 2 * place;
}

const EQUALITIES: ReadonlySet<CellTest["op"]> = new Set<CellTest["op"]>(["==", "!=", "among", "not among"]);

function constantsOf(test: CellTest): readonly Plain[] {
  if ("values" in test) return test.values;
  return "from" in test ? [test.from, test.to] : [test.value];
}

/** Orders constants of one kind; those of different kinds by kind, so that the order is the same every time. */
function ascending(a: Plain, b: Plain): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === typeof b) return Number(a) - Number(b);
  return typeof a < typeof b ? -1 : 1;
}

function some(from: number, to: number): readonly PieceRange[] {
  return from > to ? [] : [{ from, to }];
}

/** Returns ranges in order, those that touch or overlap as one. */
function joined(ranges: readonly PieceRange[]): readonly PieceRange[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const before = result.at(-1);
    if (before !== undefined && from <= before.to + 1) before.to = Math.max(before.to, to);
    else result.push({ from, to });
  }
  return result;
}

function complement(ranges: readonly PieceRange[], last: number): readonly PieceRange[] {
  const result: PieceRange[] = [];
  let next = 0;
  for (const { from, to } of ranges) {
    result.push(...some(next, from - 1));
    next = to + 1;
  }
  return [...result, ...some(next, last)];
}
