/**
 * The evidence of `from latest … by`, in order. Pieces that are equally new must agree. A piece that has no place in the
 * order (its field is missing, or is a text among numbers) makes the value unknown: it might be the newest.
 */
import { type Maybe, order } from "../base/value.ts";
import type { Piece } from "./evidence.ts";
import { type Code, UNKNOWN } from "./requirement.ts";

export class Newest {
  /** Oldest first; all numbers, or all texts. */
  readonly #numbers: Piece[] = [];
  readonly #texts: Piece[] = [];
  readonly #unordered = new Set<Piece>();

  add(piece: Piece): void {
    const list = this.#listFor(piece.by);
    if (list === undefined) this.#unordered.add(piece);
    else list.splice(firstAfter(list, piece.by), 0, piece);
  }

  remove(piece: Piece): void {
    const list = this.#listFor(piece.by);
    if (list === undefined) this.#unordered.delete(piece);
    else list.splice(list.lastIndexOf(piece, firstAfter(list, piece.by) - 1), 1);
  }

  /** Those that count: the newest, or those that keep the order from being known. */
  top(): readonly Piece[] {
    if (!this.#isOrdered()) return [...this.#unordered];
    const list = this.#numbers.length > 0 ? this.#numbers : this.#texts;
    const last = list.at(-1);
    return last === undefined ? [] : list.slice(firstAt(list, last.by));
  }

  value(): Code {
    if (!this.#isOrdered()) return UNKNOWN;
    const [first, ...rest] = this.top();
    return first !== undefined && rest.every((piece) => piece.code === first.code) ? first.code : UNKNOWN;
  }

  /** Why there is no newest, if so. */
  disorder(): "unordered" | "mixed" | undefined {
    if (this.#unordered.size > 0) return "unordered";
    return this.#isOrdered() ? undefined : "mixed";
  }

  #isOrdered(): boolean {
    return this.#unordered.size === 0 && (this.#numbers.length === 0 || this.#texts.length === 0);
  }

  #listFor(by: Maybe): Piece[] | undefined {
    return typeof by === "number" ? this.#numbers : typeof by === "string" ? this.#texts : undefined;
  }
}

/** Behind every piece that is not newer. */
function firstAfter(list: readonly Piece[], by: Maybe): number {
  return count(list, (piece) => (order(piece.by, by) ?? 0) <= 0);
}

/** The first that is not older. */
function firstAt(list: readonly Piece[], by: Maybe): number {
  return count(list, (piece) => (order(piece.by, by) ?? 0) < 0);
}

/** How many, from the first, have the property. */
function count(list: readonly Piece[], has: (piece: Piece) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const piece = list[middle];
    if (piece !== undefined && has(piece)) low = middle + 1;
    else high = middle;
  }
  return low;
}
