/**
 * The evidence of `from every latest … by … per …`: the newest pieces of each group, and the groups counted by their value,
 * so that a change costs what it costs in its group. A piece without a group makes the value unknown: it might be the newest
 * of any.
 */
import type { Maybe } from "../base/value.ts";
import type { Piece } from "./evidence.ts";
import { Newest } from "./newest.ts";
import { type Code, FALSE, TRUE, UNKNOWN } from "./requirement.ts";

export class NewestOfEach {
  readonly #over: "agree" | "any" | "every";
  readonly #groups = new Map<string, { readonly newest: Newest; size: number }>();
  readonly #ungrouped = new Set<Piece>();
  /** How many groups have each value. */
  readonly #counts: Record<Code, number> = { [FALSE]: 0, [TRUE]: 0, [UNKNOWN]: 0 };

  constructor(over: "agree" | "any" | "every") {
    this.#over = over;
  }

  add(piece: Piece): void {
    const key = keyOf(piece.per);
    if (key === undefined) {
      this.#ungrouped.add(piece);
      return;
    }
    const group = this.#groups.get(key) ?? { newest: new Newest(), size: 0 };
    if (group.size > 0) this.#counts[group.newest.value()] -= 1;
    group.newest.add(piece);
    group.size += 1;
    this.#counts[group.newest.value()] += 1;
    this.#groups.set(key, group);
  }

  remove(piece: Piece): void {
    const key = keyOf(piece.per);
    const group = key === undefined ? undefined : this.#groups.get(key);
    if (key === undefined || group === undefined) {
      this.#ungrouped.delete(piece);
      return;
    }
    this.#counts[group.newest.value()] -= 1;
    group.newest.remove(piece);
    group.size -= 1;
    if (group.size === 0) this.#groups.delete(key);
    else this.#counts[group.newest.value()] += 1;
  }

  /** Returns the pieces that decide: the newest of each group, or those without a group. */
  top(): readonly Piece[] {
    if (this.#ungrouped.size > 0) return [...this.#ungrouped];
    return [...this.#groups.values()].flatMap(({ newest }) => newest.top());
  }

  value(): Code {
    const { [TRUE]: trues, [FALSE]: falses, [UNKNOWN]: unknowns } = this.#counts;
    if (this.#ungrouped.size > 0 || this.#groups.size === 0) return UNKNOWN;
    if (this.#over === "any") return trues > 0 ? TRUE : unknowns > 0 ? UNKNOWN : FALSE;
    if (this.#over === "every") return falses > 0 ? FALSE : unknowns > 0 ? UNKNOWN : TRUE;
    return unknowns > 0 || (trues > 0 && falses > 0) ? UNKNOWN : trues > 0 ? TRUE : FALSE;
  }

  get hasUngrouped(): boolean {
    return this.#ungrouped.size > 0;
  }

  /** Returns the newest pieces of the groups that have a value. */
  groups(code: Code): Newest[] {
    return [...this.#groups.values()].map(({ newest }) => newest).filter((newest) => newest.value() === code);
  }
}

function keyOf(per: Maybe): string | undefined {
  return per === undefined ? undefined : JSON.stringify(per);
}
