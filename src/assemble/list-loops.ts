/**
 * Loops over the items of lists: `any(l in lines : …)`, `[x.qty for x in lines if …]`.
 *
 * The functions of a loop read its item from a cell, one for each depth of loops. A loop puts back what was in its cell, because a
 * function of the host may evaluate the same expression again before it returns.
 */
import type { Truth } from "../base/truth.ts";
import type { Maybe, Value } from "../base/value.ts";
import type { FailedCall } from "../rete/failures.ts";
import type { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { Evaluate } from "./scope.ts";

/** The most items that the loops of one expression visit together, when there is a loop inside a loop. */
const MAX_VISITS = 1_000_000;

/** The items that the loops of one expression are at, by depth. */
export class ItemCells {
  readonly #items: Maybe[] = [];
  /** How many loops are running, one inside the other, and how many items they have visited. */
  #running = 0;
  #visits = 0;

  /** Returns the item of the loop at a depth. */
  at(depth: number): Maybe {
    return this.#items[depth];
  }

  /** Calls `visit` for each item until it returns false; returns whether the loops of the expression stayed within the limit. */
  over(depth: number, list: readonly Value[], visit: () => boolean): boolean {
    const item = this.#items[depth];
    if (this.#running === 0) this.#visits = 0;
    this.#running += 1;
    try {
      for (const one of list) {
        this.#visits += 1;
        if (this.#running > 1 && this.#visits > MAX_VISITS) return false;
        this.#items[depth] = one;
        if (!visit()) break;
      }
      return true;
    } finally {
      this.#running -= 1;
      this.#items[depth] = item;
    }
  }
}

/** What a loop is made of. */
export interface Loop {
  readonly depth: number;
  readonly cells: ItemCells;
  readonly list: Evaluate;
  /** Hears that the loops of an expression visit too many items; the result is unknown. */
  readonly failed: (call: FailedCall, match: Match | undefined, fact: Fact | undefined) => undefined;
}

/** Returns the Kleene OR (`any`) or AND (`all`) of a test on each item. */
export function quantified(quantifier: "any" | "all", test: Evaluate, { depth, cells, list, failed }: Loop): Evaluate {
  const decisive = quantifier === "any";
  return (match, fact) => {
    const items = list(match, fact);
    if (!Array.isArray(items)) return undefined;
    let result: Truth = !decisive;
    const done = cells.over(depth, items as readonly Value[], () => {
      const one = test(match, fact);
      if (one === decisive) result = decisive;
      else if (one !== !decisive) result = undefined;
      return one !== decisive;
    });
    return done ? result : failed(tooMany(quantifier), match, fact);
  };
}

/** Returns the values for the items of which the test is true; unknown when a test or a value is. */
export function collected(value: Evaluate, test: Evaluate | undefined, { depth, cells, list, failed }: Loop): Evaluate {
  return (match, fact) => {
    const items = list(match, fact);
    if (!Array.isArray(items)) return undefined;
    const values: Value[] = [];
    let known = true;
    const done = cells.over(depth, items as readonly Value[], () => {
      const wanted = test === undefined ? true : test(match, fact);
      if (wanted === false) return true;
      const one = wanted === true ? value(match, fact) : undefined;
      if (one === undefined) known = false;
      else values.push(one);
      return known;
    });
    if (!done) return failed(tooMany("for"), match, fact);
    return known ? values : undefined;
  };
}

function tooMany(name: string): FailedCall {
  return {
    function: name,
    args: ["…"],
    how: `visits more than ${MAX_VISITS.toLocaleString("en")} items`,
    hint: "use shorter lists, or match the items one by one",
  };
}

/** Returns the item at a place, counted from 0; unknown outside the list. */
export function itemAt(list: Maybe, index: Maybe): Maybe {
  if (!Array.isArray(list) || typeof index !== "number" || !Number.isInteger(index)) return undefined;
  return (list as readonly Value[])[index];
}
