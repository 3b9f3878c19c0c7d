/**
 * Running aggregates: one value about the facts of a memory that have one key, kept up to date as facts come and go, and shared
 * by all matches that ask for it, whatever their rules.
 *
 *     fact ── key ──▶ group ── changed? ──▶ the matches that wait on the key        (after the change, once for each match)
 *
 * There is a group only for a key that a match waits on: a fact with another key costs one look and leaves nothing. The first
 * match of a key fills the group with the facts that are there, and the last one takes it away.
 *
 * Invariant: after a flush, the members of a group are exactly the facts of the memory with its key, and a match waits on it.
 */
import type { Answer, ToldAccumulator } from "../base/accumulator.ts";
import type { Member } from "../base/ordered-list.ts";
import type { Maybe } from "../base/value.ts";
import type { AlphaNode } from "./alpha.ts";
import { type AlphaMemory, FactEntry, FactIndex, type IndexSpec } from "./alpha-memory.ts";
import type { Fact } from "./fact.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import { KeptIndex } from "./kept-index.ts";
import type { RunningEntry } from "./running.ts";
import { type KeyPart, makeTable, Table } from "./table.ts";

/** What groups say about which facts. */
export interface RunningSpec {
  /** Equal for groups that all nodes with this memory share. */
  readonly text: string;
  /** The slots that keys and values read. */
  readonly reads: ReadonlySet<number>;
  /** The index of all facts of the type by the key: groups of all memories of the type begin with what is found there. */
  readonly ofType: IndexSpec;
  /** Computes the value that a fact contributes. */
  readonly value: (match: undefined, fact: Fact) => Maybe;
  readonly accumulator: () => ToldAccumulator;
}

/** What all members come from: members are ordered by their facts. */
const ORIGIN: Member = { parent: undefined, fact: undefined };

/** A fact in a group. */
class MemberEntry extends FactEntry implements Member {
  readonly group: RunningGroup;
  /** The value that it was added with. */
  readonly value: Maybe;

  constructor(fact: Fact, index: RunningIndex, group: RunningGroup, value: Maybe) {
    super(fact, index);
    this.group = group;
    this.value = value;
  }

  get parent(): Member {
    return ORIGIN;
  }
}

/** The facts with one key, and the matches that wait for what is said about them. */
export class RunningGroup {
  key: unknown = undefined;
  previous: RunningGroup | undefined = undefined;
  next: RunningGroup | undefined = undefined;
  /** The matches that wait, linked through their entries; undefined when there is none. */
  waiting: RunningEntry | undefined = undefined;
  /** The facts, linked through their entries. */
  members: FactEntry | undefined = undefined;
  /** False until the facts that were there before the group are members. */
  filled: boolean = false;
  /** True while the group is scheduled for the next flush. */
  changed: boolean = false;
  readonly #accumulator: ToldAccumulator;
  #answer: Answer | undefined = undefined;

  constructor(accumulator: ToldAccumulator) {
    this.#accumulator = accumulator;
  }

  /** Returns the answer for the facts that are in the group now; computed once for all matches that wait. */
  answer(): Answer {
    return (this.#answer ??= this.#accumulator.answer());
  }

  add(entry: MemberEntry): void {
    const first = this.members;
    entry.next = first;
    if (first !== undefined) first.previous = entry;
    this.members = entry;
    this.#accumulator.add(entry, entry.value);
    this.#answer = undefined;
  }

  remove(entry: MemberEntry): void {
    const { previous, next } = entry;
    if (previous === undefined) this.members = next;
    else previous.next = next;
    if (next !== undefined) next.previous = previous;
    this.#accumulator.remove(entry, entry.value);
    this.#answer = undefined;
  }

  /** Adds a match that waits. */
  join(entry: RunningEntry): void {
    const first = this.waiting;
    entry.nextWaiting = first;
    entry.previousWaiting = undefined;
    if (first !== undefined) first.previousWaiting = entry;
    this.waiting = entry;
    entry.group = this;
  }

  /** Removes a match that waits. */
  leave(entry: RunningEntry): void {
    const { previousWaiting, nextWaiting } = entry;
    if (previousWaiting === undefined) this.waiting = nextWaiting;
    else previousWaiting.nextWaiting = nextWaiting;
    if (nextWaiting !== undefined) nextWaiting.previousWaiting = previousWaiting;
    entry.group = undefined;
    entry.nextWaiting = undefined;
    entry.previousWaiting = undefined;
  }
}

/** The members of all groups of an index, as an index of facts has them. They are found through their facts alone. */
class Members extends Table<FactEntry> {
  find(): undefined {
    return undefined;
  }

  enter(): boolean {
    return false;
  }

  /** Removes a member from its group. */
  override leave(entry: FactEntry): void {
    if (!(entry instanceof MemberEntry) || !(entry.index instanceof RunningIndex)) return;
    this.entries -= 1;
    entry.group.remove(entry);
    entry.index.touch(entry.group);
  }

  protected setFirst(): void {
    // members are in no chain by key
  }
}

/** Where groups are. */
export interface GroupPlace {
  readonly memory: AlphaMemory;
  /** The memory of all facts of the type. */
  readonly ofType: AlphaMemory;
  /** Tests which facts of the type are in the memory. */
  readonly alpha: AlphaNode;
  readonly flushQueue: FlushQueue;
}

/** The groups of a memory by one key. It takes in facts as every index of the memory does, but only those somebody waits for. */
export class RunningIndex extends FactIndex implements Flushable {
  /** Flushed before all nodes: what waits on a group is asked when the group is complete. */
  readonly rank: number = 0;
  scheduled: boolean = false;
  readonly spec: RunningSpec;
  /** How many nodes use it. */
  users: number = 0;
  /** The answer for no facts: that of a match whose key equals nothing. */
  readonly nothing: Answer;
  readonly #alpha: AlphaNode;
  readonly #kept: KeptIndex;
  readonly #flushQueue: FlushQueue;
  readonly #groups: Table<RunningGroup>;
  readonly #changed: RunningGroup[] = [];

  constructor({ memory, ofType, alpha, flushQueue }: GroupPlace, spec: RunningSpec) {
    const { parts } = spec.ofType;
    super(memory, { text: spec.text, parts, order: undefined, reads: spec.reads }, new Members());
    this.spec = spec;
    this.nothing = spec.accumulator().answer();
    this.#alpha = alpha.testAlone;
    this.#kept = new KeptIndex(ofType, spec.ofType);
    this.#flushQueue = flushQueue;
    this.#groups = makeTable(parts.length);
  }

  /** Adds a fact, if a match waits on its key. */
  override add(fact: Fact): void {
    if (this.#groups.entries === 0) return;
    const group = this.#groups.find(this.parts, undefined, fact);
    if (group?.filled === true) this.#enter(group, fact);
  }

  /** Lets a match wait on the group of its key. One whose key equals nothing waits on none. */
  wait(entry: RunningEntry, key: readonly KeyPart[]): void {
    const { match } = entry;
    let group = this.#groups.find(key, match, undefined);
    if (group === undefined) {
      group = new RunningGroup(this.spec.accumulator());
      if (!this.#groups.enter(group, key, match, undefined)) return;
      this.touch(group);
    }
    group.join(entry);
  }

  /** Removes a match; its group goes with the next flush, unless another match has come for it by then. */
  leave(entry: RunningEntry): void {
    const { group } = entry;
    if (group === undefined) return;
    group.leave(entry);
    if (group.waiting === undefined) this.touch(group);
  }

  /** Schedules a group: its facts or the matches that wait on it are others. */
  touch(group: RunningGroup): void {
    if (group.changed) return;
    group.changed = true;
    this.#changed.push(group);
    this.#flushQueue.schedule(this);
  }

  flush(): void {
    for (let group = this.#changed.pop(); group !== undefined; group = this.#changed.pop()) {
      const { waiting } = group;
      if (waiting === undefined) this.#drop(group);
      else if (!group.filled) this.#fill(group, waiting);
      group.changed = false;
      for (let entry = group.waiting; entry !== undefined; entry = entry.nextWaiting) entry.node.schedule(entry);
    }
  }

  #enter(group: RunningGroup, fact: Fact): void {
    const entry = new MemberEntry(fact, this, group, this.spec.value(undefined, fact));
    entry.hang();
    this.table.entries += 1;
    group.add(entry);
    this.touch(group);
  }

  /** Adds the facts that were there before the group. All of them have entered all their memories: nothing is flushed before that. */
  #fill(group: RunningGroup, { match, node }: RunningEntry): void {
    group.filled = true;
    let found = this.#kept.index.table.find(node.spec.key, match, undefined);
    for (; found !== undefined; found = found.next) if (this.#alpha.admits(found.fact)) this.#enter(group, found.fact);
  }

  /** Gives up its place: it has no groups any more. */
  end(): void {
    this.flush();
    this.#kept.end();
    this.memory.indexes.splice(this.memory.indexes.indexOf(this), 1);
  }

  #drop(group: RunningGroup): void {
    this.#groups.leave(group);
    for (let member = group.members; member !== undefined; member = group.members) this.delete(member.fact);
  }
}

/** Returns the groups of a memory for one more node. */
export function useRunning(place: GroupPlace, spec: RunningSpec): RunningIndex {
  const { indexes } = place.memory;
  const known = indexes.find(({ text }) => text === spec.text);
  const index = known instanceof RunningIndex ? known : new RunningIndex(place, spec);
  if (index !== known) indexes.push(index);
  index.users += 1;
  return index;
}

/** Gives up the groups for a node, whose matches wait no more. The last node takes them away. */
export function dropRunning(index: RunningIndex): void {
  index.users -= 1;
  if (index.users === 0) index.end();
}
