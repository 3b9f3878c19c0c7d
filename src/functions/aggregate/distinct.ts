/** `distinct`: the values in the order of the facts, each once; missing ones are left out. A change costs O(log n). */
import { type Entry, first, insert, remove, type Tree } from "../../base/ordered-list.ts";
import type { Maybe, Value } from "../../base/value.ts";
import { type Aggregate, listOf } from "../built-in.ts";
import { Collector, present } from "./collect.ts";

export const DISTINCT: Aggregate = {
  name: "distinct",
  takes: "values",
  result: listOf,
  alwaysKnown: true,
  summary: "a list of the values without repetitions",
  example: { values: [5, 5, 8], gives: [5, 8] },
  compute: distinct,
  accumulator: () => new DistinctCollector(),
};

function distinct(values: readonly Maybe[]): Value[] {
  const plain = new Set<Value>();
  const others = new Set<string>();
  return present(values).filter((value) =>
    typeof value === "object" ? isNew(others, textOf(value)) : isNew(plain, value),
  );
}

/** Adds a key; returns whether it was not there. */
function isNew<Key>(seen: Set<Key>, key: Key): boolean {
  const before = seen.size;
  return seen.add(key).size > before;
}

/** Of equal values only the first is in the list. All of them are kept, because the next takes its place when it goes. */
class DistinctCollector extends Collector {
  readonly #equal = new Map<Value, Tree>();
  /** Lists and objects, by a text that is equal for equal ones. */
  readonly #equalParts = new Map<string, Tree>();

  protected override entered(entry: Entry): void {
    const equal = this.#equalTo(entry.value);
    this.#replace(entry.value, equal, insert(equal, entry));
  }

  protected override left(entry: Entry): void {
    const equal = this.#equalTo(entry.value);
    this.#replace(entry.value, equal, remove(equal, entry));
  }

  #replace(value: Value, before: Tree, after: Tree): void {
    this.#remember(value, after);
    const [old, made] = [first(before), first(after)];
    if (old === made) return;
    if (old !== undefined) super.left(old);
    if (made !== undefined) super.entered(made);
  }

  #equalTo(value: Value): Tree {
    return typeof value === "object" ? this.#equalParts.get(textOf(value)) : this.#equal.get(value);
  }

  #remember(value: Value, tree: Tree): void {
    if (typeof value === "object") keep(this.#equalParts, textOf(value), tree);
    else keep(this.#equal, value, tree);
  }
}

function keep<Key>(trees: Map<Key, Tree>, key: Key, tree: Tree): void {
  if (tree === undefined) trees.delete(key);
  else trees.set(key, tree);
}

/** Equal exactly for values that are the same; the order of the names in an object does not matter. */
function textOf(value: Value): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(textOf).join()}]`;
  const names = Object.keys(value).sort();
  const parts = names.map((name) => {
    return `${JSON.stringify(name)}:${textOf((value as { readonly [name: string]: Value })[name] as Value)}`;
  });
  return `{${parts.join()}}`;
}
