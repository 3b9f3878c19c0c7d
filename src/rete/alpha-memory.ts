/**
 * The facts that passed some tests, as joins need them: by key, so that a match finds the facts it pairs with, and beside
 * them the matches by key, so that a fact finds the matches it pairs with.
 *
 * All joins on this memory that use the same key have one table of matches: a fact costs one look for all of them, however
 * many rules there are.
 *
 *     fact ── key ──▶ chain of matches ── test ──▶ pair        (LeftTable, one look per key and rank)
 *     match ── key ──▶ chain of facts ── test ──▶ pair         (FactIndex)
 */
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import { type Key, type KeyPart, makeTable, type Table } from "./table.ts";

/** A node that pairs matches with the facts of a memory. */
export interface RightInput {
  readonly rank: number;
  /** The number of the update that last took back what it made of a fact (withdrawal.ts). */
  updated: number;
  /** A fact came whose key is that of the entry's match. */
  met(entry: LeftEntry, fact: Fact): void;
  /** A fact that was changed meets the matches that wait for it here. */
  rightAdded(fact: Fact): void;
  /** The fact goes or changes; what was made of it is taken back by others. */
  leaving?(fact: Fact): void;
  /** Whether its key or tests read one of these slots of the fact. */
  readsRight(slots: ReadonlySet<number>): boolean;
  /** Whether its key or tests read one of these slots of the match at a level. */
  reads(level: number, slots: ReadonlySet<number>): boolean;
  /** Values changed: takes back what it made of the entry's match, from what is remembered. */
  retractEntry(entry: LeftEntry): void;
  /** Then: takes the match again. */
  redoEntry(entry: LeftEntry): void;
  /** The match is gone. */
  dropEntry(entry: LeftEntry): void;
}

/** What hears of facts that come into a memory. */
interface Meeting {
  readonly rank: number;
  arrived(fact: Fact): void;
}

/** A match that waits for facts on behalf of a node. */
export class LeftEntry {
  readonly match: Match;
  readonly input: RightInput;
  /** The next entry of the same match. */
  nextOfMatch: LeftEntry | undefined;
  key: Key = undefined;
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
  key: Key = undefined;
  previous: FactEntry | undefined = undefined;
  next: FactEntry | undefined = undefined;

  constructor(fact: Fact, index: FactIndex) {
    this.fact = fact;
    this.index = index;
    this.nextOfFact = undefined;
  }

  /** From here on it is among the entries of its fact. */
  hang(): void {
    this.nextOfFact = this.fact.entries;
    this.fact.entries = this;
  }
}

export class AlphaMemory {
  /** The slots that decide who is here. */
  readonly reads: ReadonlySet<number>;
  readonly indexes: FactIndex[] = [];
  /**
   * What a fact meets. The deepest first: a fact that reaches a join from both sides at once is then paired exactly once, on
   * the way down.
   */
  readonly #met: Meeting[] = [];
  readonly #tables: LeftTable[] = [];
  readonly inputs: Set<RightInput> = new Set();
  readonly #existing: () => Iterable<Fact>;

  /** `existing` gives the facts that belong here. */
  constructor(reads: ReadonlySet<number>, existing: () => Iterable<Fact>) {
    this.reads = reads;
    this.#existing = existing;
  }

  get unused(): boolean {
    return this.inputs.size === 0;
  }

  /** The facts that belong here, looked up among all of their type. */
  facts(): Iterable<Fact> {
    return this.#existing();
  }

  /** Takes a fact in, and pairs it with the matches that wait for it. */
  enter(fact: Fact): void {
    const { indexes } = this;
    for (let at = 0; at < indexes.length; at++) indexes[at]?.add(fact);
    const met = this.#met;
    for (let at = 0; at < met.length; at++) met[at]?.arrived(fact);
  }

  /** The index on these parts of a key, shared by all nodes that use the same ones. */
  useIndex(text: string, parts: readonly KeyPart[], reads: ReadonlySet<number>): FactIndex {
    let index = this.indexes.find((one) => one.text === text);
    if (index === undefined) {
      index = new FactIndex(text, this, parts, reads);
      for (const fact of this.#existing()) index.add(fact);
      this.indexes.push(index);
    }
    index.users += 1;
    return index;
  }

  dropIndex(index: FactIndex): void {
    index.users -= 1;
    if (index.users > 0) return;
    this.indexes.splice(this.indexes.indexOf(index), 1);
    for (const fact of this.#existing()) index.delete(fact);
  }

  /** The table of matches by this key for nodes of a rank. */
  useTable(text: string, rank: number, parts: readonly KeyPart[]): LeftTable {
    let table = this.#tables.find((one) => one.text === text && one.rank === rank);
    if (table === undefined) {
      table = new LeftTable(text, rank, parts);
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

  /** From here on it hears of facts that come. */
  meet(one: Meeting): void {
    const behind = this.#met.findIndex(({ rank }) => rank < one.rank);
    this.#met.splice(behind < 0 ? this.#met.length : behind, 0, one);
  }

  meetNoMore(one: Meeting): void {
    this.#met.splice(this.#met.indexOf(one), 1);
  }
}

/** The facts of a memory by the values of some of their fields. */
export class FactIndex {
  readonly text: string;
  readonly memory: AlphaMemory;
  readonly parts: readonly KeyPart[];
  /** The slots that the key reads. */
  readonly reads: ReadonlySet<number>;
  readonly table: Table<FactEntry>;
  users: number = 0;

  constructor(text: string, memory: AlphaMemory, parts: readonly KeyPart[], reads: ReadonlySet<number>) {
    this.text = text;
    this.memory = memory;
    this.parts = parts;
    this.reads = reads;
    this.table = makeTable(parts.length);
  }

  add(fact: Fact): void {
    const entry = new FactEntry(fact, this);
    if (this.table.enter(entry, this.parts, undefined, fact)) entry.hang();
  }

  /** Does nothing when the fact is not here. */
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

/** Matches that wait for facts with a key. */
export class LeftTable {
  readonly text: string;
  readonly rank: number;
  /** The key of a fact. */
  readonly parts: readonly KeyPart[];
  readonly table: Table<LeftEntry>;
  users: number = 0;

  constructor(text: string, rank: number, parts: readonly KeyPart[]) {
    this.text = text;
    this.rank = rank;
    this.parts = parts;
    this.table = makeTable(parts.length);
  }

  arrived(fact: Fact): void {
    if (this.table.entries === 0) return;
    let entry = this.first(fact);
    while (entry !== undefined) {
      const { next } = entry;
      if (entry.match.alive) entry.input.met(entry, fact);
      entry = next;
    }
  }

  /** The first entry whose match has the key of the fact; the others follow it. */
  first(fact: Fact): LeftEntry | undefined {
    return this.table.find(this.parts, undefined, fact);
  }
}

/** Takes a fact out of all indexes. */
export function removeAllEntries(fact: Fact): void {
  for (let entry = fact.entries; entry !== undefined; entry = entry.nextOfFact) entry.index.table.leave(entry);
  fact.entries = undefined;
}

/** A match waits no longer on behalf of a node. It has one entry for it, the first when it is the newest node. */
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
