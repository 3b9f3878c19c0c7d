/**
 * What is taken back when the values of a fact have changed, and done again.
 *
 * Only what reads a changed slot is touched: the memories that the fact enters or leaves, the nodes that read the slot of the
 * fact itself, and below every match of the fact the nodes that read the slot at its level.
 *
 * One network makes one update at a time and has one rematch object, which it reuses. What it has to know of a node in the
 * middle of an update stands in the node, as the number of the update: no sets are made.
 */
import type { BlockEntry } from "./absence.ts";
import type { AlphaNode, Passed } from "./alpha.ts";
import type { AlphaMemory, LeftEntry, MemorySpec, RightInput } from "./alpha-memory.ts";
import type { Fact } from "./fact.ts";
import type { DirectTerminals } from "./direct-terminals.ts";
import type { Match } from "./match.ts";
import { removeMatch } from "./match-tree.ts";
import { isMatchReader, type MatchReader, touches } from "./node.ts";
import type { FactListener } from "./port.ts";
import { deepestFirst, type UpdatePlan } from "./update-plan.ts";

const NOTHING: readonly RightInput[] = [];

export class Rematch {
  /** Numbers updates: what retracts something of the fact gets the number. */
  #number = 1;
  readonly #memoryOf: (spec: MemorySpec) => AlphaMemory;
  /** The nodes that must pair the fact again, the deepest first. */
  #meet: readonly RightInput[] = NOTHING;
  /** Entries that the fact blocked; they look for a blocker again, which may be the same fact. */
  #released: BlockEntry[] = [];
  // Made when first needed: few updates are read below.
  #inputs: Map<MatchReader, Set<Match>> | undefined;
  #entries: Set<LeftEntry> | undefined;

  constructor(memoryOf: (spec: MemorySpec) => AlphaMemory) {
    this.#memoryOf = memoryOf;
  }

  /** Retracts what depends on changed slots. `before` and `after` are the alpha nodes that the fact passed and passes now. */
  take(fact: Fact, plan: UpdatePlan, before: Passed, after: Passed): void {
    this.#number += 1;
    markStaying(before, after);
    let touched = false;
    for (let at = 0; at < before.count; at++) {
      const spec = (before.nodes[at] as AlphaNode).memory;
      if (spec === undefined) continue;
      const memory = this.#memoryOf(spec);
      if (before.stays[at] === true) touched = this.#stay(fact, plan, memory) || touched;
      else touched = this.#leave(fact, memory) || touched;
    }
    if (touched) this.#takeBack(fact);
    if (plan.readBelow.size > 0) this.#visitAll(fact, plan);
  }

  /**
   * Facts before matches: a fact meets only matches that are not being changed, and a match then meets all facts. First where
   * the fact has stayed, then where it is new: so what it makes in one place and what it makes in another are paired once.
   */
  reassert(fact: Fact, plan: UpdatePlan, after: Passed): void {
    for (let at = 0; at < after.count; at++) {
      const { memory } = after.nodes[at] as AlphaNode;
      if (memory !== undefined && after.stays[at] === true) insertAgain(fact, plan, this.#memoryOf(memory));
    }
    for (let at = 0; at < this.#meet.length; at++) this.#meet[at]?.rightAdded(fact);
    this.#meet = NOTHING;
    for (let at = 0; at < after.count; at++) {
      const { memory } = after.nodes[at] as AlphaNode;
      if (memory !== undefined && after.stays[at] !== true) this.#memoryOf(memory).enter(fact);
    }
    if (this.#released.length > 0) this.#lookAgain();
    if (this.#inputs !== undefined) {
      for (const [input, matches] of this.#inputs) for (const match of matches) if (match.alive) input.reassert(match);
      this.#inputs = undefined;
    }
    if (this.#entries !== undefined) {
      for (const entry of this.#entries) if (entry.match.alive) entry.input.redoEntry(entry);
      this.#entries = undefined;
    }
  }

  /** Announces the fact again to direct terminals whose rules read a changed slot. */
  tellEnds(
    table: DirectTerminals,
    listener: FactListener,
    fact: Fact,
    { slots }: UpdatePlan,
    before: Passed,
    after: Passed,
  ): void {
    for (let at = 0; at < before.count; at++) {
      const { ends, reads } = before.nodes[at] as AlphaNode;
      if (ends === undefined || (before.stays[at] === true && !touches(slots, reads))) continue;
      for (const end of ends.all) listener.factLeft(end, fact);
    }
    for (let at = 0; at < after.count; at++) {
      const node = after.nodes[at] as AlphaNode;
      if (node.ends === undefined || (after.stays[at] === true && !touches(slots, node.reads))) continue;
      table.tellOne(node, fact, listener);
    }
  }

  #leave(fact: Fact, memory: AlphaMemory): boolean {
    for (const index of memory.indexes) index.delete(fact);
    for (const input of memory.inputs) this.#retractFrom(input, fact);
    return memory.inputs.size > 0;
  }

  #stay(fact: Fact, plan: UpdatePlan, memory: AlphaMemory): boolean {
    const { indexes, inputs } = plan.staying(memory);
    for (let at = 0; at < indexes.length; at++) indexes[at]?.delete(fact);
    if (inputs.length === 0) return false;
    for (let at = 0; at < inputs.length; at++) this.#retractFrom(inputs[at] as RightInput, fact);
    this.#meet = this.#meet.length === 0 ? inputs : [...this.#meet, ...inputs].sort(deepestFirst);
    return true;
  }

  #retractFrom(input: RightInput, fact: Fact): void {
    input.updated = this.#number;
    input.leaving?.(fact);
  }

  /** Removes what the marked nodes made of the fact. What goes with a match is newer, and comes before it in the list. */
  #takeBack(fact: Fact): void {
    const number = this.#number;
    for (let match = fact.matches; match !== undefined;) {
      const next: Match | undefined = match.nextOfFact;
      if (match.owner.updated === number) removeMatch(match);
      match = next;
    }
    for (let entry = fact.blocked; entry !== undefined; entry = entry.nextBlocked) {
      if (entry.absence.updated === number) this.#released.push(entry);
    }
  }

  #lookAgain(): void {
    const released = this.#released;
    this.#released = [];
    for (const entry of released) {
      if (entry.match.alive && this.#entries?.has(entry) !== true) entry.absence.lost(entry);
    }
  }

  /** Visits the matches that stay, where a node below reads the slots. Retracting can remove some of the others. */
  #visitAll(fact: Fact, plan: UpdatePlan): void {
    const matches: Match[] = [];
    for (let match = fact.matches; match !== undefined; match = match.nextOfFact) {
      if (plan.readBelow.has(match.owner)) matches.push(match);
    }
    for (const match of matches) this.#visit(match, match.owner.level, plan);
  }

  /** Goes down from a match that stays to the nodes that read the changed slots at its level. */
  #visit(match: Match, level: number, plan: UpdatePlan): void {
    if (!match.alive) return;
    const { slots } = plan;
    for (let entry = match.entries; entry !== undefined; entry = entry.nextOfMatch) {
      if (!entry.input.reads(level, slots) || this.#entries?.has(entry) === true) continue;
      (this.#entries ??= new Set()).add(entry);
      entry.input.retractEntry(entry);
    }
    for (const child of match.owner.children) {
      if (isMatchReader(child) && child.reads(level, slots)) this.#retract(child, match);
    }
    if (match.child !== undefined) this.#visitFrom(match.child, level, plan);
    if (match.kin !== undefined) for (const first of [...match.kin.values()]) this.#visitFrom(first, level, plan);
  }

  /** Visits the matches that one node made of one match, if a node below reads the slots. */
  #visitFrom(first: Match, level: number, plan: UpdatePlan): void {
    if (!plan.readsBelow(first.owner, level)) return;
    for (let child: Match | undefined = first; child !== undefined;) {
      const next: Match | undefined = child.nextSibling;
      this.#visit(child, level, plan);
      child = next;
    }
  }

  #retract(input: MatchReader, match: Match): void {
    this.#inputs ??= new Map();
    const retracted = this.#inputs.get(input);
    if (retracted?.has(match) === true) return;
    if (retracted === undefined) this.#inputs.set(input, new Set([match]));
    else retracted.add(match);
    input.retract(match);
  }
}

function insertAgain(fact: Fact, plan: UpdatePlan, memory: AlphaMemory): void {
  const { indexes } = plan.staying(memory);
  for (let at = 0; at < indexes.length; at++) indexes[at]?.add(fact);
}

/** Counts the comparisons of what facts passed, of all sessions: alpha nodes are shared, and so are the marks in them. */
let comparisons = 0;

/** Marks the nodes that a fact passes before and after an update. No test is called meanwhile, so that the marks are its own. */
function markStaying(before: Passed, after: Passed): void {
  if (before === after) {
    for (let at = 0; at < before.count; at++) before.stays[at] = true;
    return;
  }
  comparisons += 2;
  const passed = comparisons;
  const staying = passed + 1;
  for (let at = 0; at < before.count; at++) (before.nodes[at] as AlphaNode).updated = passed;
  for (let at = 0; at < after.count; at++) {
    const node = after.nodes[at] as AlphaNode;
    const stays = node.updated >= passed;
    after.stays[at] = stays;
    if (stays) node.updated = staying;
  }
  for (let at = 0; at < before.count; at++) before.stays[at] = (before.nodes[at] as AlphaNode).updated === staying;
}
