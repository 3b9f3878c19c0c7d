/**
 * The memories that only one session has: at alpha nodes where its program remembers no facts, for nodes that stand in the session
 * and not in the program. A fact that comes is collected for them after the nodes of the program.
 */
import { LateMap, LateSet } from "../base/late.ts";
import { AlphaNode, type Passed } from "./alpha.ts";
import { AlphaMemory } from "./alpha-memory.ts";
import type { Fact } from "./fact.ts";
import type { Pages } from "./pages.ts";
import type { FactLookup } from "./port.ts";

/** A memory at an alpha node. */
interface Place {
  readonly alpha: AlphaNode;
  /** Stands for the alpha node in the lists of nodes that a fact passes, with the memory of the session. */
  readonly relay: AlphaNode;
  readonly number: number;
  readonly memory: AlphaMemory;
}

export class OwnPlaces {
  readonly #facts: FactLookup;
  readonly #byType = new LateMap<string, readonly Place[]>();
  readonly #numbers = new LateSet<number>();

  constructor(facts: FactLookup) {
    this.#facts = facts;
  }

  /** Whether there is none. */
  get isEmpty(): boolean {
    return this.#numbers.size === 0;
  }

  /** Returns the memory at an alpha node, made when there is none yet; `from` is the first number that the program leaves free. */
  memoryAt(alpha: AlphaNode, type: string, memories: Pages<AlphaMemory>, from: number): AlphaMemory {
    const places = this.#byType.get(type) ?? [];
    const known = places.find((place) => place.alpha === alpha);
    if (known !== undefined) return known.memory;
    let number = from;
    while (this.#numbers.has(number)) number += 1;
    this.#numbers.add(number);
    const relay = new AlphaNode(alpha.text, () => true, new Set(), alpha);
    relay.remember(number, type);
    const memory = new AlphaMemory(alpha.reads, {
      passing: () => Array.from(this.#facts.facts(type)).filter((fact) => alpha.admits(fact)),
      ofType: () => this.#facts.facts(type),
    });
    memories.set(number, memory);
    this.#byType.set(type, [...places, { alpha, relay, number, memory }]);
    return memory;
  }

  /** Collects the nodes that a fact passes. What the program said of its own nodes is not asked again. */
  collect(type: string, fact: Fact, into: Passed): void {
    const { count } = into;
    for (const { alpha, relay } of this.#byType.get(type) ?? []) {
      if (passes(alpha, fact, into.nodes, count)) into.nodes[into.count++] = relay;
    }
  }

  /** Returns whether one of these slots decides which facts a memory has. */
  tests(type: string, slots: ReadonlySet<number>): boolean {
    return (this.#byType.get(type) ?? []).some(({ memory }) => [...slots].some((slot) => memory.reads.has(slot)));
  }

  /** Removes the memories that no node uses any more. */
  dropUnused(memories: Pages<AlphaMemory>): void {
    for (const [type, places] of this.#byType) {
      const used = places.filter(({ memory }) => memory.inputs.size > 0);
      for (const { memory, number } of places) {
        memory.keepIndexes([]);
        if (memory.inputs.size > 0) continue;
        memories.delete(number);
        this.#numbers.delete(number);
      }
      if (used.length === 0) this.#byType.delete(type);
      else if (used.length < places.length) this.#byType.set(type, used);
    }
  }
}

/** Returns whether a fact passes an alpha node; the first `count` nodes are those of the program that it passes. */
function passes(alpha: AlphaNode, fact: Fact, nodes: readonly AlphaNode[], count: number): boolean {
  const at = alpha.isHeard ? nodes.indexOf(alpha) : -1;
  if (at >= 0 && at < count) return true;
  return (alpha.above === undefined || passes(alpha.above, fact, nodes, count)) && alpha.test(fact);
}
