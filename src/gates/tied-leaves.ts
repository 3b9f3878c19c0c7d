/**
 * Leaves that occur several times in a requirement tie its parts together: they must have one value everywhere.
 *
 * Leaves that occur in the same operators, such as the members of two quorums over the same facts, can take each other's place.
 * So of each such class only the numbers of true and false leaves matter. No more of them are tried than an operator can use.
 */
import type { Requirement } from "../base/judging.ts";
import { type Code, FALSE, TRUE, UNKNOWN } from "./requirement.ts";

/** Leaves with the value that each must take. */
export type Assignment = ReadonlyMap<number, Code>;

/** What is known of an unknown leaf: whether it can become false, and how many facts it takes to make it true. */
interface Traits {
  readonly canFail: (leaf: number) => boolean;
  readonly weight: (leaf: number) => number;
}

/** Tied leaves that can take each other's place. */
interface TiedClass {
  readonly leaves: readonly number[];
  /** How many of them are made true and false, fewer first. */
  readonly choices: readonly { readonly trues: number; readonly falses: number }[];
}

export class TiedLeaves {
  readonly #classes: readonly TiedClass[];
  /** How many assignments there are. */
  readonly size: number;

  constructor(tree: Requirement, tied: ReadonlySet<number>, traits: Traits) {
    this.#classes = classesOf(tree, tied, traits);
    this.size = this.#classes.reduce((size, { choices }) => size * choices.length, 1);
  }

  /** Returns every assignment of the tied leaves, UNKNOWN for those that stay as they are. */
  *assignments(): Iterable<Assignment> {
    for (let number = 0; number < this.size; number++) yield new Map(this.#assigned(number));
  }

  *#assigned(number: number): Iterable<[number, Code]> {
    let rest = number;
    for (const { leaves, choices } of this.#classes) {
      const { trues = 0, falses = 0 } = choices[rest % choices.length] ?? {};
      rest = Math.floor(rest / choices.length);
      for (const [index, leaf] of leaves.entries())
        yield [leaf, index < trues ? TRUE : index < trues + falses ? FALSE : UNKNOWN];
    }
  }
}

/** The operators that a leaf occurs in, with what these can use. */
interface Places {
  readonly parents: number[];
  trues: number;
  falses: number;
}

function classesOf(tree: Requirement, tied: ReadonlySet<number>, { canFail, weight }: Traits): TiedClass[] {
  if (tied.size === 0) return [];
  const classes = new Map<string, { readonly leaves: number[]; readonly trues: number; readonly falses: number }>();
  const isMonotone = !hasNot(tree);
  for (const [leaf, { parents, trues, falses }] of placesOf(tree, tied)) {
    const fails = !isMonotone && canFail(leaf);
    const key = JSON.stringify([parents, fails, weight(leaf)]);
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { leaves: [leaf], trues, falses: fails ? falses : 0 });
    else known.leaves.push(leaf);
  }
  return [...classes.values()].map(({ leaves, trues, falses }) => ({
    leaves,
    choices: choicesOf(leaves.length, trues, falses),
  }));
}

function choicesOf(size: number, trues: number, falses: number): TiedClass["choices"] {
  const choices = [];
  for (let set = 0; set <= size; set++) {
    for (let no = Math.max(0, set - trues); no <= Math.min(set, falses); no++)
      choices.push({ trues: set - no, falses: no });
  }
  return choices;
}

/** Without a `not`, making a leaf false never helps. */
function hasNot(tree: Requirement): boolean {
  return tree.kind !== "leaf" && (tree.kind === "not" || tree.items.some(hasNot));
}

function placesOf(tree: Requirement, tied: ReadonlySet<number>): Map<number, Places> {
  const found = new Map<number, Places>();
  let operators = 0;
  const walk = (part: Exclude<Requirement, { kind: "leaf" }>): void => {
    const parent = operators++;
    const { items, kind } = part;
    const min = kind === "not" ? 1 : part.min;
    for (const item of items) {
      if (item.kind !== "leaf") walk(item);
      else if (tied.has(item.leaf)) note(item.leaf, parent, min, items.length - min + 1);
    }
  };
  const note = (leaf: number, parent: number, trues: number, falses: number): void => {
    const places = found.get(leaf) ?? { parents: [], trues: 0, falses: 0 };
    found.set(leaf, places);
    places.parents.push(parent);
    places.trues = Math.max(places.trues, trues);
    places.falses = Math.max(places.falses, falses);
  };
  if (tree.kind !== "leaf") walk(tree);
  return found;
}
