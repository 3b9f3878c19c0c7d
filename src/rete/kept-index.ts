/**
 * An index of facts, kept for whoever asks which of them have a key: which pass a test `field == constant`, or with which facts a
 * group of a running aggregate begins. It pairs nothing: it holds its place among the nodes of the memory, so that the index stays
 * up to date.
 */
import type { AlphaNode } from "./alpha.ts";
import type { AlphaMemory, FactIndex, IndexSpec, LeftEntry, RightInput } from "./alpha-memory.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";

/** Fewer facts of a type than this are tested one by one, and no index is made for them. */
export const INDEX_FROM = 64;

/** A test of an alpha node for one value of a field. */
export interface EqualsTest {
  readonly slot: number;
  readonly value: unknown;
}

/** Returns a test `field == constant` of a node or of those above it; undefined when there is none. */
export function equalsTestOf(node: AlphaNode | undefined): EqualsTest | undefined {
  for (let at = node; at !== undefined; at = at.above) {
    if (at.access?.kind === "equals" && at.access.value !== undefined) return at.access;
  }
  return undefined;
}

/** Returns what an index by the value in one slot is. */
export function slotIndex(slot: number): IndexSpec {
  const parts = [(_: Match | undefined, fact: Fact | undefined) => fact?.values[slot]];
  return { text: `kept ${slot}`, parts, order: undefined, reads: new Set([slot]) };
}

export class KeptIndex implements RightInput {
  readonly rank: number = 0;
  updated: number = 0;
  readonly index: FactIndex;
  readonly range: undefined = undefined;
  readonly #memory: AlphaMemory;

  constructor(memory: AlphaMemory, spec: IndexSpec) {
    memory.inputs.add(this);
    this.#memory = memory;
    this.index = memory.useIndex(spec);
  }

  /** Gives up its place: the memory may remove the index. */
  end(): void {
    this.#memory.inputs.delete(this);
  }

  /** Returns the facts with a value, in the order of assertion. */
  find(value: unknown): Fact[] {
    const facts: Fact[] = [];
    const key = [() => value as string | number | boolean];
    for (let entry = this.index.table.find(key, undefined, undefined); entry !== undefined; entry = entry.next) {
      facts.push(entry.fact);
    }
    return facts.sort((a, b) => a.order - b.order);
  }

  readsRight(): boolean {
    return false;
  }

  reads(): boolean {
    return false;
  }

  met(_entry: LeftEntry): void {
    // no match waits here
  }

  rightAdded(): void {
    // no match waits here
  }

  retractEntry(): void {
    // no match waits here
  }

  redoEntry(): void {
    // no match waits here
  }

  dropEntry(): void {
    // no match waits here
  }
}
