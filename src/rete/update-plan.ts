/**
 * What an update of certain slots can touch, worked out once: facts of a type are mostly updated in the same fields.
 *
 * The plans of a network are forgotten when nodes come or go.
 */
import type { AlphaMemory, FactIndex, RightInput } from "./alpha-memory.ts";
import type { LookupNode } from "./lookup.ts";
import { BetaNode, type MatchInput, type Slots, touches } from "./node.ts";

/** The indexes and nodes that read the slots of a fact that stays in a memory. */
export interface Reached {
  readonly indexes: readonly FactIndex[];
  /** The nodes that must retract what they made of the fact and pair it again, the deepest first. */
  readonly inputs: readonly RightInput[];
}

export class UpdatePlan {
  readonly slots: Slots;
  readonly #staying = new Map<AlphaMemory, Reached>();
  /** Nodes whose matches stay, but with a node below that reads the slots. */
  readonly readBelow: Set<BetaNode> = new Set();
  /** The cache of `readsBelow`, by the level of the fact. */
  readonly #reading: Map<BetaNode, boolean>[] = [];

  constructor(slots: readonly number[], lookups: readonly LookupNode[]) {
    this.slots = new Set(slots);
    for (const lookup of lookups) if (this.readsBelow(lookup, lookup.level)) this.readBelow.add(lookup);
  }

  /** Returns whether a node below reads these slots of the fact at a level. */
  readsBelow(node: BetaNode, level: number): boolean {
    const known = (this.#reading[level] ??= new Map());
    let reads = known.get(node);
    if (reads === undefined) known.set(node, (reads = node.children.some((child) => this.#reads(child, level))));
    return reads;
  }

  #reads(child: MatchInput, level: number): boolean {
    return (
      (readsFacts(child) && child.reads(level, this.slots)) ||
      (child instanceof BetaNode && this.readsBelow(child, level))
    );
  }

  staying(memory: AlphaMemory): Reached {
    let reached = this.#staying.get(memory);
    if (reached === undefined) this.#staying.set(memory, (reached = this.#look(memory)));
    return reached;
  }

  #look(memory: AlphaMemory): Reached {
    const { slots } = this;
    const tested = touches(slots, memory.reads);
    const inputs: RightInput[] = [];
    for (const input of memory.inputs) {
      if (tested || input.readsRight(slots)) inputs.push(input);
      else if (input instanceof BetaNode && this.readsBelow(input, input.level)) this.readBelow.add(input);
    }
    const indexes = memory.indexes.filter(({ reads }) => touches(slots, reads));
    return { indexes, inputs: inputs.sort(deepestFirst) };
  }
}

export function deepestFirst(a: RightInput, b: RightInput): number {
  return b.rank - a.rank;
}

function readsFacts(child: MatchInput): child is MatchInput & Pick<RightInput, "reads"> {
  return "reads" in child;
}

/** The most plans for updates of several slots at once; beyond this the cache starts again, because hosts may update any fields together. */
const MAX_PLANS = 256;

/** The plans for the facts of one type. */
export class UpdatePlans {
  readonly #bySlot: (UpdatePlan | undefined)[] = [];
  readonly #bySlots = new Map<string, UpdatePlan>();

  find(slots: readonly number[]): UpdatePlan | undefined {
    return slots.length === 1 ? this.#bySlot[slots[0] as number] : this.#bySlots.get(slots.join());
  }

  /** Forgets all plans. */
  clear(): void {
    // Called for every node that is made; V8 makes a new table when it clears a Map, also an empty one.
    if (this.#bySlot.length > 0) this.#bySlot.length = 0;
    if (this.#bySlots.size > 0) this.#bySlots.clear();
  }

  add(slots: readonly number[], plan: UpdatePlan): void {
    const [slot] = slots;
    if (slots.length === 1 && slot !== undefined) {
      this.#bySlot[slot] = plan;
      return;
    }
    if (this.#bySlots.size >= MAX_PLANS) this.#bySlots.clear();
    this.#bySlots.set(slots.join(), plan);
  }
}
