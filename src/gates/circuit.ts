/**
 * A requirement laid out flat, so that one changed leaf costs only the steps from it to the root.
 *
 * Places (the occurrences of leaves) come first, then the operators, each after its items. The cells of one subject
 * hold the value of every place and operator, and for each operator how many of its items are true and how many
 * unknown.
 */
import { type Code, opposite, quorum, TRUE, UNKNOWN } from "./requirement.ts";
import type { Logic, Requirement } from "../base/judging.ts";

export class Circuit {
  /** The leaf at each place. */
  readonly places: readonly number[];
  readonly #logic: Logic;
  /** The operator above each place and operator; -1 above the root. */
  readonly #above: number[] = [];
  /** The minimum of each operator; -1 for `not`. */
  readonly #min: number[] = [];
  readonly #fresh: number[];
  readonly #size: number;

  constructor(tree: Requirement, logic: Logic) {
    const places: number[] = [];
    collectPlaces(tree, places);
    this.places = places;
    this.#logic = logic;
    this.#layOut(tree, { place: 0 });
    this.#size = this.#above.length;
    this.#fresh = this.#unknown();
  }

  /** Returns the cells of a new subject: every leaf is unknown. */
  fresh(): number[] {
    return this.#fresh.slice();
  }

  root(cells: readonly number[]): Code {
    return cells[this.#size - 1] as Code;
  }

  /** Sets the value of a place and recomputes the operators above it. Returns whether the value of the root changed. */
  set(cells: number[], place: number, code: Code): boolean {
    let at = place;
    let value = code;
    for (;;) {
      const before = cells[at] as Code;
      if (before === value) return false;
      cells[at] = value;
      const above = this.#above[at] ?? -1;
      if (above < 0) return true;
      this.#count(cells, above, before, -1);
      this.#count(cells, above, value, 1);
      at = above;
      value = this.#judge(cells, above);
    }
  }

  #count(cells: number[], operator: number, code: Code, by: 1 | -1): void {
    const counters = this.#counters(operator);
    if (code === TRUE) cells[counters] = (cells[counters] ?? 0) + by;
    else if (code === UNKNOWN) cells[counters + 1] = (cells[counters + 1] ?? 0) + by;
  }

  #judge(cells: readonly number[], operator: number): Code {
    const counters = this.#counters(operator);
    const trues = cells[counters] ?? 0;
    const unknowns = cells[counters + 1] ?? 0;
    const min = this.#min[operator - this.places.length] ?? 0;
    if (min < 0) return opposite(quorum(this.#logic, 1, trues, unknowns));
    return quorum(this.#logic, min, trues, unknowns);
  }

  #counters(operator: number): number {
    return this.#size + 2 * (operator - this.places.length);
  }

  /** Numbers the places and operators of a tree; returns the number of its root. */
  #layOut(tree: Requirement, next: { place: number }): number {
    if (tree.kind === "leaf") {
      const { place } = next;
      next.place += 1;
      this.#above[place] = -1;
      return place;
    }
    const items = tree.items.map((item) => this.#layOut(item, next));
    this.#min.push(tree.kind === "not" ? -1 : tree.min);
    const operator = this.places.length + this.#min.length - 1;
    for (const item of items) this.#above[item] = operator;
    this.#above[operator] = -1;
    return operator;
  }

  #unknown(): number[] {
    const operators = this.#min.length;
    const cells = Array.from({ length: this.#size + 2 * operators }, () => 0);
    for (let at = 0; at < this.#size; at++) {
      const code = at < this.places.length ? UNKNOWN : this.#judge(cells, at);
      cells[at] = code;
      const above = this.#above[at] ?? -1;
      if (above >= 0) this.#count(cells, above, code, 1);
    }
    return cells;
  }
}

function collectPlaces(tree: Requirement, places: number[]): void {
  if (tree.kind === "leaf") places.push(tree.leaf);
  else for (const item of tree.items) collectPlaces(item, places);
}
