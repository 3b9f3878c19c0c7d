/**
 * What an update of certain slots can touch, worked out once: facts of a type are mostly updated in the same fields.
 *
 * The plans of a network are forgotten when nodes come or go.
 */
import type { AlphaMemory, FactIndex, RightInput } from "./alpha-memory.ts";
import type { LookupNode } from "./lookup.ts";
import { BetaNode, type MatchInput, type Slots, touches } from "./node.ts";

/** What reads the slots of a fact that stays in a memory. */
export interface Stay {
  readonly indexes: readonly FactIndex[];
  /** Must take back what they made of the fact, and meet it again. */
  readonly inputs: readonly RightInput[];
}

export class UpdatePlan {
  readonly slots: Slots;
  readonly #stays = new Map<AlphaMemory, Stay>();
  /** Nodes whose matches go on, but have something below them that reads the slots. */
  readonly readBelow: Set<BetaNode> = new Set();

  constructor(slots: Slots, lookups: Iterable<LookupNode>) {
    this.slots = slots;
    for (const lookup of lookups) if (readsBelow(lookup, lookup.level, slots)) this.readBelow.add(lookup);
  }

  stay(memory: AlphaMemory): Stay {
    let stay = this.#stays.get(memory);
    if (stay === undefined) this.#stays.set(memory, (stay = this.#look(memory)));
    return stay;
  }

  #look(memory: AlphaMemory): Stay {
    const { slots } = this;
    const tested = touches(slots, memory.reads);
    const inputs: RightInput[] = [];
    for (const input of memory.inputs) {
      if (tested || input.readsRight(slots)) inputs.push(input);
      else if (input instanceof BetaNode && readsBelow(input, input.level, slots)) this.readBelow.add(input);
    }
    return { indexes: memory.indexes.filter(({ reads }) => touches(slots, reads)), inputs };
  }
}

/** Whether a node below reads these slots of the fact at a level. */
function readsBelow({ children }: BetaNode, level: number, slots: Slots): boolean {
  return children.some(
    (child) =>
      (readsFacts(child) && child.reads(level, slots)) ||
      (child instanceof BetaNode && readsBelow(child, level, slots)),
  );
}

function readsFacts(child: MatchInput): child is MatchInput & Pick<RightInput, "reads"> {
  return "reads" in child;
}

/** The plans for the facts of one type. */
export class UpdatePlans {
  readonly #bySlot: (UpdatePlan | undefined)[] = [];
  readonly #bySlots = new Map<string, UpdatePlan>();

  get(slots: readonly number[], lookups: () => Iterable<LookupNode>): UpdatePlan {
    const known = this.#find(slots);
    if (known !== undefined) return known;
    const made = new UpdatePlan(new Set(slots), lookups());
    const [slot] = slots;
    if (slots.length === 1 && slot !== undefined) this.#bySlot[slot] = made;
    else this.#bySlots.set(slots.join(), made);
    return made;
  }

  #find(slots: readonly number[]): UpdatePlan | undefined {
    return slots.length === 1 ? this.#bySlot[slots[0] as number] : this.#bySlots.get(slots.join());
  }
}
