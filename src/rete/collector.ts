/** Lists in the order of the facts; missing values are left out. A change costs O(log n); who reads the list writes it out. */
import type { Maybe, Value } from "../base/value.ts";
import type { Accumulator, Answer } from "./answer.ts";
import type { Match } from "./match.ts";
import { type Entry, entryOf, first, insert, ListVersion, remove, type Tree } from "./ordered-list.ts";

export class Collector implements Accumulator {
  readonly #entries = new Map<Match, Entry>();
  #tree: Tree = undefined;
  #serial = 0;

  add(match: Match, value: Maybe): void {
    if (value === undefined) return;
    this.#serial += 1;
    const entry = entryOf(match, value, this.#serial);
    this.#entries.set(match, entry);
    this.entered(entry);
  }

  remove(match: Match): void {
    const entry = this.#entries.get(match);
    if (entry === undefined) return;
    this.#entries.delete(match);
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

/** Of equal values only the first is in the list. All of them are kept, because the next takes its place when it goes. */
export class DistinctCollector extends Collector {
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
