/**
 * The evidence of `from latest … by`, in order. Pieces that are equally new must agree. A piece that cannot be ordered
 * (its field is missing, or is a string among numbers) makes the value unknown: it might be the newest.
 */
import { type Maybe, order } from "../base/value.ts";
import type { Piece } from "./evidence.ts";
import { type Code, UNKNOWN } from "./requirement.ts";

export class Newest {
  /** The pieces ordered by a number, and those ordered by a string; each list oldest first. */
  readonly #numbers: Piece[] = [];
  readonly #strings: Piece[] = [];
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

  /** Returns the pieces that decide: the newest, or those that cannot be ordered. */
  top(): readonly Piece[] {
    if (!this.#isOrdered()) return [...this.#unordered];
    const list = this.#numbers.length > 0 ? this.#numbers : this.#strings;
    const last = list.at(-1);
    return last === undefined ? [] : list.slice(firstAt(list, last.by));
  }

  value(): Code {
    if (!this.#isOrdered()) return UNKNOWN;
    const [first, ...rest] = this.top();
    return first !== undefined && rest.every((piece) => piece.code === first.code) ? first.code : UNKNOWN;
  }

  /** Returns why there is no newest piece; undefined when there is one. */
  disorder(): "unordered" | "mixed" | undefined {
    if (this.#unordered.size > 0) return "unordered";
    return this.#isOrdered() ? undefined : "mixed";
  }

  #isOrdered(): boolean {
    return this.#unordered.size === 0 && (this.#numbers.length === 0 || this.#strings.length === 0);
  }

  #listFor(by: Maybe): Piece[] | undefined {
    return typeof by === "number" ? this.#numbers : typeof by === "string" ? this.#strings : undefined;
  }
}

/** Returns the position after all pieces that are not newer. O(log n). */
function firstAfter(list: readonly Piece[], by: Maybe): number {
  return count(list, (piece) => (order(piece.by, by) ?? 0) <= 0);
}

/** Returns the position of the first piece that is not older. O(log n). */
function firstAt(list: readonly Piece[], by: Maybe): number {
  return count(list, (piece) => (order(piece.by, by) ?? 0) < 0);
}

/** Returns how many pieces, from the first on, have a property that all later ones lack, by binary search. */
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
