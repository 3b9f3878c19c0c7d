/** Facts by type and by tests on their own values. */
import { type Access, Dispatch } from "./dispatch.ts";
import type { Fact } from "./fact.ts";
import { type Index, type Key, makeIndex } from "./index-of.ts";
import type { JoinNode } from "./join.ts";
import { planted } from "./planted.ts";

export type FactTest = (fact: Fact) => boolean;
export type FactKey = (fact: Fact) => Key;

/**
 * The facts that passed everything up to here, remembered only where joins need them.
 *
 * Joins are told of a fact in order of their rank, the deepest first: a fact that reaches a join from both sides at once
 * is then paired exactly once, on the way down.
 */
export class AlphaMemory {
  /** The slots that decide who is here. */
  readonly reads: ReadonlySet<number>;
  readonly facts: Set<Fact> = new Set();
  readonly joins: JoinNode[] = [];
  readonly indexes: FactIndex[] = [];

  constructor(reads: ReadonlySet<number>) {
    this.reads = reads;
  }

  insert(fact: Fact): void {
    this.facts.add(fact);
    for (const index of this.indexes) index.add(fact);
  }

  delete(fact: Fact): void {
    this.facts.delete(fact);
    for (const index of this.indexes) index.remove(fact);
  }

  attach(join: JoinNode): void {
    this.joins.push(join);
    this.joins.sort((a, b) => (planted("duplicate-ancestor") ? a.rank - b.rank : b.rank - a.rank));
  }

  detach(join: JoinNode): void {
    this.joins.splice(this.joins.indexOf(join), 1);
    const unused = this.indexes.filter((index) => !this.joins.some((other) => other.right === index));
    for (const index of unused) this.indexes.splice(this.indexes.indexOf(index), 1);
  }

  /** The index on these key fields, shared by all joins that use the same ones. */
  indexOn(text: string, depth: number, key: FactKey, reads: ReadonlySet<number>): FactIndex {
    const known = this.indexes.find((index) => index.text === text);
    if (known !== undefined) return known;
    const made = new FactIndex(text, depth, key, reads, this.facts);
    for (const fact of this.facts) made.add(fact);
    this.indexes.push(made);
    return made;
  }
}

/** The facts of a memory by the values of some of their fields. */
export class FactIndex {
  readonly text: string;
  readonly key: FactKey;
  /** The slots that the key reads. */
  readonly reads: ReadonlySet<number>;
  /** Undefined where there is no key: then every fact of the memory is found. */
  readonly #index: Index<Fact> | undefined;
  readonly #all: ReadonlySet<Fact>;

  constructor(text: string, depth: number, key: FactKey, reads: ReadonlySet<number>, all: ReadonlySet<Fact>) {
    this.text = text;
    this.key = key;
    this.reads = reads;
    this.#index = depth === 0 ? undefined : makeIndex(depth);
    this.#all = all;
  }

  add(fact: Fact): void {
    this.#index?.add(this.key(fact), fact);
  }

  remove(fact: Fact): void {
    this.#index?.remove(this.key(fact), fact);
  }

  each(key: Key, visit: (fact: Fact) => void): void {
    if (this.#index !== undefined) this.#index.each(key, visit);
    else for (const fact of this.#all) visit(fact);
  }

  get entries(): number {
    return this.#index?.entries ?? 0;
  }
}

/** One test on facts; its children see the facts that pass. */
export class AlphaNode {
  readonly text: string;
  readonly test: FactTest;
  readonly above: AlphaNode | undefined;
  /** The slots that this test and those above it read. */
  readonly reads: ReadonlySet<number>;
  readonly children: Set<AlphaNode> = new Set();
  readonly #dispatch = new Dispatch<AlphaNode>();
  memory: AlphaMemory | undefined = undefined;

  constructor(text: string, test: FactTest, reads: ReadonlySet<number>, above?: AlphaNode) {
    this.text = text;
    this.test = test;
    this.above = above;
    this.reads = new Set([...reads, ...(above?.reads ?? [])]);
  }

  /** Whether a fact of the type passes everything up to here. */
  admits(fact: Fact): boolean {
    return this.test(fact) && (this.above === undefined || this.above.admits(fact));
  }

  /** The memory of this node, made when a join first needs it. */
  remember(existing: () => Iterable<Fact>): AlphaMemory {
    if (this.memory === undefined) {
      this.memory = new AlphaMemory(this.reads);
      for (const fact of existing()) this.memory.insert(fact);
    }
    return this.memory;
  }

  /** Forgets the memory when no join needs it any more. */
  forgetUnused(): void {
    if (this.memory?.joins.length === 0) this.memory = undefined;
  }

  /** Puts a node below this one; `access` says how it can be found without asking it. */
  attach(child: AlphaNode, access: Access | undefined): void {
    this.children.add(child);
    this.#dispatch.add(child, access);
  }

  detach(child: AlphaNode, access: Access | undefined): void {
    this.children.delete(child);
    this.#dispatch.delete(child, access);
  }

  /** Adds the memories that a fact belongs to which has passed up to here: this one, and those below. */
  collect(fact: Fact, into: AlphaMemory[]): void {
    if (this.memory !== undefined) into.push(this.memory);
    if (this.children.size > 0) this.#dispatch.find(fact, (child) => child.collect(fact, into));
  }
}
