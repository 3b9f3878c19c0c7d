/** `collect`: the values in the order of the facts; missing ones are left out. A change costs O(log n), and a reader writes the list out. */
import type { Accumulator, Answer } from "../../base/accumulator.ts";
import { type Entry, entryOf, insert, ListVersion, type Member, remove, type Tree } from "../../base/ordered-list.ts";
import type { Maybe, Value } from "../../base/value.ts";
import { type Aggregate, listOf } from "../built-in.ts";

export const COLLECT: Aggregate = {
  name: "collect",
  takes: "values",
  result: listOf,
  alwaysKnown: true,
  summary: "a list of the values",
  example: { values: [5, 5, 8], gives: [5, 5, 8] },
  compute: present,
  accumulator: () => new Collector(),
};

/** Returns the values that are there. */
export function present(values: readonly Maybe[]): Value[] {
  return values.filter((value) => value !== undefined);
}

export class Collector implements Accumulator {
  readonly #entries = new Map<Member, Entry>();
  #tree: Tree = undefined;
  #serial = 0;

  add(member: Member, value: Maybe): void {
    if (value === undefined) return;
    this.#serial += 1;
    const entry = entryOf(member, value, this.#serial);
    this.#entries.set(member, entry);
    this.entered(entry);
  }

  remove(member: Member): void {
    const entry = this.#entries.get(member);
    if (entry === undefined) return;
    this.#entries.delete(member);
    this.left(entry);
  }

  answer(): Answer {
    return { passes: true, value: new ListVersion(this.#tree) };
  }

  protected entered(entry: Entry): void {
    this.#tree = insert(this.#tree, entry);
  }

  protected left(entry: Entry): void {
    this.#tree = remove(this.#tree, entry);
  }
}
