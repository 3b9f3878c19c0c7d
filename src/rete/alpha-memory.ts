/**
 * The facts that passed some tests, as joins need them: by key, so that a match finds the facts it pairs with, and beside
 * them the matches by key, so that a fact finds the matches it pairs with. Where joins compare a field with bounds, those with
 * one key are also in its order (ordered-table.ts).
 *
 * All joins on this memory that use the same key have one table of matches: a fact costs one look for all of them, however
 * many rules there are.
 *
 *     fact ── key ──▶ chain of matches ── test ──▶ pair        (LeftTable, one look per key and rank)
 *     match ── key ──▶ chain of facts ── test ──▶ pair         (FactIndex)
 */
import type { AlphaNode } from "./alpha.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import { type Ordering, OrderedTable, sortedOf } from "./ordered-table.ts";
import { type Interval, intervalOf, isOrdinal, type Range } from "./range.ts";
import { type KeyPart, makeTable, type Table } from "./table.ts";

/** A node that pairs matches with the facts of a memory. */
export interface RightInput {
  readonly rank: number;
  /** The number of the update that last retracted what it made of a fact (rematch.ts). */
  updated: number;
  /** The index in which it finds facts; undefined when it needs none. */
  readonly index: FactIndex | undefined;
  /** The bounds of the field by which its index is ordered; undefined where facts are in no order. */
  readonly range: Range | undefined;
  /** Pairs a new fact with an entry that has the same key. */
  met(entry: LeftEntry, fact: Fact): void;
  /** Pairs an updated fact with the matches that wait here. */
  rightAdded(fact: Fact): void;
  /** Called before a fact leaves or changes; its matches are removed elsewhere. */
  leaving?(fact: Fact): void;
  /** Returns whether its key or tests read one of these slots of the fact. */
  readsRight(slots: ReadonlySet<number>): boolean;
  /** Returns whether its key or tests read one of these slots of the match at a level. */
  reads(level: number, slots: ReadonlySet<number>): boolean;
  /** Removes what was made of the entry's match before its values changed. */
  retractEntry(entry: LeftEntry): void;
  /** Matches again with the new values, after `retract`. */
  redoEntry(entry: LeftEntry): void;
  /** Removes the entry of a match that is gone. */
  dropEntry(entry: LeftEntry): void;
}

/** Receives the facts that enter a memory. */
interface Meeting {
  readonly rank: number;
  arrived(fact: Fact): void;
}

/** A match that waits for facts at a node. */
export class LeftEntry {
  readonly match: Match;
  readonly input: RightInput;
  /** The next entry of the same match. */
  nextOfMatch: LeftEntry | undefined;
  key: unknown = undefined;
  previous: LeftEntry | undefined = undefined;
  next: LeftEntry | undefined = undefined;

  constructor(match: Match, input: RightInput) {
    this.match = match;
    this.input = input;
    this.nextOfMatch = match.entries;
    match.entries = this;
  }
}

/** A fact in an index. */
export class FactEntry {
  readonly fact: Fact;
  readonly index: FactIndex;
  nextOfFact: FactEntry | undefined;
  key: unknown = undefined;
  previous: FactEntry | undefined = undefined;
  next: FactEntry | undefined = undefined;

  constructor(fact: Fact, index: FactIndex) {
    this.fact = fact;
    this.index = index;
    this.nextOfFact = undefined;
  }

  /** Links the entry into the list of its fact. */
  hang(): void {
    this.nextOfFact = this.fact.entries;
    this.fact.entries = this;
  }
}

/** An index that sessions keep in a memory. */
export interface IndexSpec {
  readonly text: string;
  readonly parts: readonly KeyPart[];
  /** The field by which the facts with one key are ordered; undefined where they are in no order. */
  readonly order: KeyPart | undefined;
  /** The slots that the key and the order read. */
  readonly reads: ReadonlySet<number>;
}

/** What the memory of an alpha node is in every session of a program. */
export class MemorySpec {
  readonly number: number;
  readonly alpha: AlphaNode;
  readonly type: string;
  /** The indexes that joins of the program use. */
  readonly indexes: IndexSpec[] = [];
  /** How many nodes use each index. */
  readonly #uses: number[] = [];
  /** The numbers of the joins with the root: they are made together with the memory. */
  readonly roots: number[] = [];
  /** How many nodes pair with its facts. */
  users: number = 0;

  constructor(number: number, alpha: AlphaNode, type: string) {
    this.number = number;
    this.alpha = alpha;
    this.type = type;
  }

  /** Adds an index, unless there is one on the same key. */
  addIndex(index: IndexSpec): void {
    const known = this.indexes.findIndex(({ text }) => text === index.text);
    if (known < 0) {
      this.indexes.push(index);
      this.#uses.push(1);
    } else this.#uses[known] = (this.#uses[known] ?? 0) + 1;
  }

  /** Removes a use of an index, and the index with the last one. */
  dropIndex(text: string): void {
    const at = this.indexes.findIndex((index) => index.text === text);
    const left = (this.#uses[at] ?? 1) - 1;
    this.#uses[at] = left;
    if (at < 0 || left > 0) return;
    this.indexes.splice(at, 1);
    this.#uses.splice(at, 1);
  }

  /** Returns a copy for a program that continues this one. */
  copy(): MemorySpec {
    const copy = new MemorySpec(this.number, this.alpha, this.type);
    copy.indexes.push(...this.indexes);
    copy.#uses.push(...this.#uses);
    copy.roots.push(...this.roots);
    copy.users = this.users;
    return copy;
  }
}

/** Finds the facts of a memory in working memory. */
export interface FactSource {
  /** Returns the facts that pass the alpha node. */
  passing(): Iterable<Fact>;
  /** Returns all facts of the type, for which no test is called. */
  ofType(): Iterable<Fact>;
}

/** The memory of an alpha node in one session. It is made when the first fact passes the node. */
export class AlphaMemory {
  /** The slots that decide which facts are in the memory. */
  readonly reads: ReadonlySet<number>;
  readonly indexes: FactIndex[] = [];
  /**
   * What a fact meets. The deepest first: a fact that reaches a join from both sides at once is then paired exactly once, on
   * the way down. A new list for each change: a node that is made while a fact walks along is deeper than where the fact is, and
   * finds the fact itself.
   */
  #met: readonly Meeting[] = [];
  readonly #tables: LeftTable[] = [];
  readonly inputs: Set<RightInput> = new Set();
  /** Where the facts are found that belong here. Replaced when the program is replaced and the memory stays. */
  source: FactSource;
  /** Whether no fact has passed yet, whatever working memory holds already. */
  isNew: boolean = false;

  constructor(reads: ReadonlySet<number>, source: FactSource) {
    this.reads = reads;
    this.source = source;
  }

  /** Yields the facts that belong here, found among all facts of the type. */
  facts(): Iterable<Fact> {
    return this.isNew ? [] : this.source.passing();
  }

  /** Adds a fact and pairs it with the matches that wait for it. */
  enter(fact: Fact): void {
    const { indexes } = this;
    for (let at = 0; at < indexes.length; at++) indexes[at]?.add(fact);
    const met = this.#met;
    for (let at = 0; at < met.length; at++) met[at]?.arrived(fact);
  }

  /** Returns the index on these parts of a key, shared by all nodes that use the same ones; made when there is none yet. */
  useIndex(spec: IndexSpec): FactIndex {
    const known = this.indexes.find((one) => one.text === spec.text);
    if (known !== undefined) return known;
    const index = new FactIndex(this, spec);
    for (const fact of this.facts()) index.add(fact);
    this.indexes.push(index);
    return index;
  }

  /** Removes the indexes that are not among these, and that no node uses. */
  keepIndexes(kept: readonly { readonly text: string }[]): void {
    const used = new Set(Array.from(this.inputs, ({ index }) => index));
    for (const index of [...this.indexes]) {
      if (used.has(index) || kept.some(({ text }) => text === index.text)) continue;
      this.indexes.splice(this.indexes.indexOf(index), 1);
      for (const fact of this.source.ofType()) index.delete(fact);
    }
  }

  /** Returns the table of matches that corresponds to an index, for nodes of a rank. */
  useTable(index: IndexSpec, rank: number): LeftTable {
    let table = this.#tables.find((one) => one.text === index.text && one.rank === rank);
    if (table === undefined) {
      table = new LeftTable(index, rank);
      this.#tables.push(table);
      this.meet(table);
    }
    table.users += 1;
    return table;
  }

  dropTable(table: LeftTable): void {
    table.users -= 1;
    if (table.users > 0) return;
    this.#tables.splice(this.#tables.indexOf(table), 1);
    this.meetNoMore(table);
  }

  /** Subscribes to facts that enter, in the order of ranks. */
  meet(one: Meeting): void {
    const behind = this.#met.findIndex(({ rank }) => rank < one.rank);
    this.#met = this.#met.toSpliced(behind < 0 ? this.#met.length : behind, 0, one);
  }

  meetNoMore(one: Meeting): void {
    this.#met = this.#met.filter((other) => other !== one);
  }
}

/** The facts of a memory by the values of some of their fields. */
export class FactIndex implements Ordering<FactEntry> {
  readonly text: string;
  readonly memory: AlphaMemory;
  readonly parts: readonly KeyPart[];
  readonly #order: KeyPart | undefined;
  /** The slots that the key and the order read. */
  readonly reads: ReadonlySet<number>;
  readonly table: Table<FactEntry>;

  constructor(memory: AlphaMemory, { text, parts, order, reads }: IndexSpec, table?: Table<FactEntry>) {
    this.text = text;
    this.memory = memory;
    this.parts = parts;
    this.#order = order;
    this.reads = reads;
    this.table = table ?? (order === undefined ? makeTable(parts.length) : new OrderedTable(parts.length, this));
  }

  intervalOf({ fact }: FactEntry): Interval | undefined {
    const value = this.#order?.(undefined, fact);
    return isOrdinal(value) ? { low: value, high: undefined } : undefined;
  }

  /**
   * Returns the facts with the key of a match that are in its range; undefined where they are few, and all facts with the key are tried.
   * What is in no order has no range.
   */
  within(first: FactEntry, range: Range | undefined, match: Match): readonly FactEntry[] | undefined {
    const sorted = range === undefined ? undefined : sortedOf(first);
    if (range === undefined || sorted === undefined) return undefined;
    const interval = intervalOf(range, match);
    return interval === undefined ? [] : sorted.within(interval);
  }

  add(fact: Fact): void {
    const entry = new FactEntry(fact, this);
    if (this.table.enter(entry, this.parts, undefined, fact)) entry.hang();
  }

  /** Removes a fact; does nothing when it is not in the index. */
  delete(fact: Fact): void {
    let before: FactEntry | undefined;
    let entry = fact.entries;
    while (entry !== undefined && entry.index !== this) {
      before = entry;
      entry = entry.nextOfFact;
    }
    if (entry === undefined) return;
    if (before === undefined) fact.entries = entry.nextOfFact;
    else before.nextOfFact = entry.nextOfFact;
    this.table.leave(entry);
  }
}

/** Matches that wait for facts, by key. */
export class LeftTable implements Ordering<LeftEntry> {
  readonly text: string;
  readonly rank: number;
  /** Computes the key of a fact. */
  readonly parts: readonly KeyPart[];
  /** Computes what the bounds of the matches are compared with; undefined where they have none. */
  readonly #order: KeyPart | undefined;
  readonly table: Table<LeftEntry>;
  users: number = 0;

  constructor({ text, parts, order }: IndexSpec, rank: number) {
    this.text = text;
    this.rank = rank;
    this.parts = parts;
    this.#order = order;
    this.table = order === undefined ? makeTable(parts.length) : new OrderedTable(parts.length, this);
  }

  intervalOf({ input, match }: LeftEntry): Interval | undefined {
    return input.range === undefined ? undefined : intervalOf(input.range, match);
  }

  arrived(fact: Fact): void {
    this.meet(fact, undefined);
  }

  /** Pairs a fact with the matches that have its key and in whose range it is: those that wait at a node, or at all nodes. */
  meet(fact: Fact, node: RightInput | undefined): void {
    if (this.table.entries === 0) return;
    let entry = this.table.find(this.parts, undefined, fact);
    const sorted = this.#order === undefined || entry === undefined ? undefined : sortedOf(entry);
    if (sorted !== undefined) {
      // A list: what is paired can leave the table.
      const found = sorted.around(this.#order?.(undefined, fact));
      for (let at = 0; at < found.length; at++) meetOne(found[at] as LeftEntry, fact, node);
      return;
    }
    while (entry !== undefined) {
      const { next } = entry;
      meetOne(entry, fact, node);
      entry = next;
    }
  }
}

function meetOne(entry: LeftEntry, fact: Fact, node: RightInput | undefined): void {
  if (entry.match.alive && (node === undefined || entry.input === node)) entry.input.met(entry, fact);
}

/** Removes a fact from all indexes. */
export function removeAllEntries(fact: Fact): void {
  for (let entry = fact.entries; entry !== undefined; entry = entry.nextOfFact) entry.index.table.leave(entry);
  fact.entries = undefined;
}

/** Removes the one entry that a match has for a node. For the newest node that is the first of its entries. */
export function dropEntryOf(match: Match, input: RightInput): void {
  let before: LeftEntry | undefined;
  let entry = match.entries;
  while (entry !== undefined && entry.input !== input) {
    before = entry;
    entry = entry.nextOfMatch;
  }
  if (entry === undefined) return;
  if (before === undefined) match.entries = entry.nextOfMatch;
  else before.nextOfMatch = entry.nextOfMatch;
  input.dropEntry(entry);
}
