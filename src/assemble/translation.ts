/**
 * How the nodes of one blueprint are found in another. Blueprints of one family share nodes as the same objects; of those that are
 * not shared, the ones that do the same to the same inputs are found by their keys.
 */
import type { MemorySpec } from "../rete/alpha-memory.ts";
import type { NodeSpec } from "./node-spec.ts";

/** The numbers of the nodes and memories that a blueprint has as other objects than the one that it was made from. */
export interface Touched {
  readonly specs: ReadonlySet<number>;
  readonly memories: ReadonlySet<number>;
}

/** The nodes and memories of a blueprint, by number. */
interface Numbered {
  readonly specs: readonly (NodeSpec | undefined)[];
  readonly alpha: { readonly memories: readonly (MemorySpec | undefined)[] };
}

/** Nodes and memories, inputs before the nodes that depend on them. */
interface Parts {
  readonly specs: readonly NodeSpec[];
  readonly memories: readonly MemorySpec[];
}

/** What two blueprints have as different objects. */
export interface Translation {
  readonly before: Parts;
  readonly next: Parts;
  /** Returns the node of the blueprint before that a node of the next one is; undefined for one that is new. */
  readonly origin: (spec: NodeSpec) => NodeSpec | undefined;
}

/**
 * Compares two blueprints. `touched` are the places where they can differ, when that is known: the steps are those of the places.
 * Otherwise all places are compared. `find` looks for a node of the next blueprint in the one before, by the numbers of its inputs there.
 */
export function translation(
  before: Numbered,
  next: Numbered,
  areRelated: boolean,
  touched: Touched | undefined,
  find: (spec: NodeSpec, inputs: (number | undefined)[]) => NodeSpec | undefined,
): Translation {
  const places = areRelated ? touched : undefined;
  const specs = different(before.specs, next.specs, areRelated, places?.specs);
  const memories = different(before.alpha.memories, next.alpha.memories, areRelated, places?.memories);
  const isShared = (number: number): boolean => areRelated && before.specs[number] === next.specs[number];
  const origins = new Map<number, NodeSpec>();
  for (const spec of specs.next) {
    const inputs = spec.inputs.map((input) => {
      if (input === undefined || isShared(input.number)) return input?.number;
      return origins.get(input.number)?.number ?? -1;
    });
    const found = find(spec, inputs);
    if (found !== undefined) origins.set(spec.number, found);
  }
  return {
    before: { specs: specs.before, memories: memories.before },
    next: { specs: specs.next, memories: memories.next },
    origin: (spec) => (isShared(spec.number) ? spec : origins.get(spec.number)),
  };
}

/** Returns the items of two lists that are not the same object at the same number in the other. */
function different<Item>(
  before: readonly (Item | undefined)[],
  next: readonly (Item | undefined)[],
  areRelated: boolean,
  touched: ReadonlySet<number> | undefined,
): { readonly before: Item[]; readonly next: Item[] } {
  const found = { before: [] as Item[], next: [] as Item[] };
  const places = touched === undefined ? Math.max(before.length, next.length) : inOrder(touched);
  const compare = (at: number): void => {
    const old = before[at];
    const now = next[at];
    if (areRelated && old === now) return;
    if (old !== undefined) found.before.push(old);
    if (now !== undefined) found.next.push(now);
  };
  if (typeof places === "number") for (let at = 0; at < places; at++) compare(at);
  else for (const at of places) compare(at);
  return found;
}

function inOrder(numbers: ReadonlySet<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}
