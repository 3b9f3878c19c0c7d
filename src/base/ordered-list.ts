/**
 * A list of values in the order of their keys, and without keys in the order of the members that they come from. A change costs
 * O(log n), and every earlier version can still be read: a persistent treap, in which a change copies the path to what it changes.
 *
 * The priority of an entry depends on its member alone, so that a list has the same shape whatever its history. That
 * makes two versions quick to compare: shared parts are skipped.
 */
import { order, same, type Value } from "./value.ts";

/**
 * The origin of a value: a match of the network, which extends its parent by a fact. Members are distinguished by
 * identity and ordered by their facts.
 */
export interface Member {
  readonly parent: Member | undefined;
  readonly fact: { readonly order: number } | undefined;
}

export interface Entry {
  readonly member: Member;
  readonly value: Value;
  readonly priority: number;
  /** Orders members with the same facts. */
  readonly serial: number;
  /** Comes before the order of the members; undefined in a list without keys. */
  readonly rank: Rank | undefined;
}

/** The place of an entry among others: by keys that are all numbers or all strings, the smallest first for 1, the largest for -1. */
export interface Rank {
  readonly key: number | string;
  readonly direction: 1 | -1;
}

/** A part of the list; undefined when it is empty. */
export type Tree = Branch | undefined;

interface Branch {
  readonly entry: Entry;
  readonly left: Tree;
  readonly right: Tree;
  readonly size: number;
}

export function entryOf(member: Member, value: Value, serial: number, rank?: Rank): Entry {
  let mixed = 0x9e3779b9;
  for (let at: Member | undefined = member; at !== undefined; at = at.parent) {
    mixed = scramble(mixed ^ (at.fact?.order ?? 0));
  }
  return { member, value, priority: mixed, serial, rank };
}

/** Returns a pseudo-random 32-bit integer for an integer. */
function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

export function insert(tree: Tree, entry: Entry): Branch {
  if (tree === undefined || entry.priority > tree.entry.priority) {
    const [left, right] = split(tree, entry);
    return branch(entry, left, right);
  }
  return comesBefore(entry, tree.entry)
    ? branch(tree.entry, insert(tree.left, entry), tree.right)
    : branch(tree.entry, tree.left, insert(tree.right, entry));
}

/** Returns the tree without an entry that is in it. */
export function remove(tree: Tree, entry: Entry): Tree {
  if (tree === undefined) return undefined;
  if (tree.entry === entry) return joined(tree.left, tree.right);
  return comesBefore(entry, tree.entry)
    ? branch(tree.entry, remove(tree.left, entry), tree.right)
    : branch(tree.entry, tree.left, remove(tree.right, entry));
}

export function first(tree: Tree): Entry | undefined {
  let at = tree;
  while (at?.left !== undefined) at = at.left;
  return at?.entry;
}

export function last(tree: Tree): Entry | undefined {
  let at = tree;
  while (at?.right !== undefined) at = at.right;
  return at?.entry;
}

export function sizeOf(tree: Tree): number {
  return tree?.size ?? 0;
}

/** Returns the entry with so many before it. O(log n). */
export function entryAt(tree: Tree, index: number): Entry | undefined {
  let at = tree;
  let before = index;
  while (at !== undefined) {
    const left = sizeOf(at.left);
    if (before === left) return at.entry;
    if (before < left) at = at.left;
    else {
      before -= left + 1;
      at = at.right;
    }
  }
  return undefined;
}

/** Returns the first entries, so many of them. O(log n): they share all but a path with the tree. */
export function beginning(tree: Tree, count: number): Tree {
  if (tree === undefined || count <= 0) return undefined;
  if (count >= tree.size) return tree;
  const left = sizeOf(tree.left);
  return count <= left
    ? beginning(tree.left, count)
    : branch(tree.entry, tree.left, beginning(tree.right, count - left - 1));
}

function branch(entry: Entry, left: Tree, right: Tree): Branch {
  return { entry, left, right, size: 1 + (left?.size ?? 0) + (right?.size ?? 0) };
}

/** Returns the parts before and after an entry. */
function split(tree: Tree, entry: Entry): [Tree, Tree] {
  if (tree === undefined) return [undefined, undefined];
  if (comesBefore(entry, tree.entry)) {
    const [left, right] = split(tree.left, entry);
    return [left, branch(tree.entry, right, tree.right)];
  }
  const [left, right] = split(tree.right, entry);
  return [branch(tree.entry, tree.left, left), right];
}

/** Returns both trees as one; everything in `left` comes before everything in `right`. */
function joined(left: Tree, right: Tree): Tree {
  if (left === undefined) return right;
  if (right === undefined) return left;
  return left.entry.priority > right.entry.priority
    ? branch(left.entry, left.left, joined(left.right, right))
    : branch(right.entry, joined(left, right.left), right.right);
}

function comesBefore(a: Entry, b: Entry): boolean {
  return (compareRanks(a.rank, b.rank) || compareMembers(a.member, b.member) || a.serial - b.serial) < 0;
}

function compareRanks(a: Rank | undefined, b: Rank | undefined): number {
  return a === undefined || b === undefined ? 0 : (order(a.key, b.key) ?? 0) * a.direction;
}

/** Compares two members of the same chain by the order of their facts, from the root down. */
function compareMembers(a: Member, b: Member): number {
  if (a === b || a.parent === undefined || b.parent === undefined) return 0;
  const above = compareMembers(a.parent, b.parent);
  return above !== 0 ? above : (a.fact?.order ?? 0) - (b.fact?.order ?? 0);
}

// ---------------------------------------------------------------- reading

/** One version of a list; its values are computed when they are first read. */
export class ListVersion {
  readonly #tree: Tree;
  #values: readonly Value[] | undefined = undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns the values, frozen: handlers and host functions receive the list itself, and other rules read it. */
  get values(): readonly Value[] {
    return (this.#values ??= Object.freeze(written(this.#tree)));
  }

  /** Returns whether both hold the same values in the same order. */
  sameAs(other: ListVersion): boolean {
    return sameValues(this.#tree, other.#tree);
  }
}

function written(tree: Tree): Value[] {
  const values: Value[] = [];
  const above: Branch[] = [];
  let at = tree;
  while (at !== undefined || above.length > 0) {
    for (; at !== undefined; at = at.left) above.push(at);
    const next = above.pop() as Branch;
    values.push(next.entry.value);
    at = next.right;
  }
  return values;
}

/** Compares two trees from the front and skips shared parts in one step. */
function sameValues(a: Tree, b: Tree): boolean {
  if (a === b) return true;
  if (a?.size !== b?.size) return false;
  const [left, right] = [new Front(a), new Front(b)];
  while (left.part !== undefined && right.part !== undefined) {
    if (left.part === right.part) {
      left.skip();
      right.skip();
    } else if (left.size > 1 || right.size > 1) {
      const { size } = left;
      if (size >= right.size) left.open();
      if (right.size > size || (right.size === size && right.size > 1)) right.open();
    } else {
      if (!same(left.value, right.value)) return false;
      left.skip();
      right.skip();
    }
  }
  return true;
}

/** The parts and entries that are still to be compared, the next one last. */
class Front {
  readonly #parts: (Branch | Entry)[] = [];

  constructor(tree: Tree) {
    if (tree !== undefined) this.#parts.push(tree);
  }

  get part(): Branch | Entry | undefined {
    return this.#parts.at(-1);
  }

  get size(): number {
    const { part } = this;
    return part !== undefined && "size" in part ? part.size : 1;
  }

  get value(): Value | undefined {
    const { part } = this;
    return part !== undefined && "size" in part ? part.entry.value : part?.value;
  }

  skip(): void {
    this.#parts.pop();
  }

  /** Replaces the next part by its left part, its entry and its right part. */
  open(): void {
    const part = this.#parts.pop();
    if (part === undefined) return;
    if (!("size" in part)) {
      this.#parts.push(part);
      return;
    }
    if (part.right !== undefined) this.#parts.push(part.right);
    this.#parts.push(part.entry);
    if (part.left !== undefined) this.#parts.push(part.left);
  }
}
