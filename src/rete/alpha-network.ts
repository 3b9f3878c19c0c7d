/**
 * The part of a network that tests single facts: types, alpha nodes and direct terminals. It is made once for a program, and
 * shared by its sessions.
 */
import { LayeredMap } from "../base/layered-map.ts";
import type { Steps } from "../base/slices.ts";
import { AlphaNode } from "./alpha.ts";
import type { MemorySpec } from "./alpha-memory.ts";
import type { DirectTerminal } from "./direct-terminal.ts";
import { DirectTerminals } from "./direct-terminals.ts";

/** All facts of one type: where every alpha chain begins. */
export class TypeNode extends AlphaNode {
  /** The slots that alpha tests of this type read. */
  readonly tested: Set<number> = new Set();

  constructor(type: string) {
    super(type, () => true, new Set());
  }

  override copy(): TypeNode {
    const copy = this.copyInto(new TypeNode(this.text));
    for (const slot of this.tested) copy.tested.add(slot);
    return copy;
  }
}

/** A rule with a single pattern: its terminal and its alpha node. */
export interface DirectRule {
  readonly end: DirectTerminal;
  readonly node: AlphaNode;
  readonly type: string;
}

export class AlphaNetwork {
  readonly types: Map<string, TypeNode>;
  ends: DirectTerminals = new DirectTerminals();
  readonly direct: LayeredMap<string, DirectRule>;
  /** The memories that sessions have, by number; none for the numbers of those that the program no longer has. */
  readonly memories: (MemorySpec | undefined)[];

  /** Takes the network that it continues. What is in it must be copied before it changes. */
  constructor(before?: AlphaNetwork) {
    this.types = new Map(before?.types);
    this.direct = before === undefined ? LayeredMap.empty() : before.direct.continued();
    this.memories = before === undefined ? [] : before.memories.slice();
  }

  type(name: string): TypeNode {
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const made = new TypeNode(name);
    this.types.set(name, made);
    return made;
  }

  /** Lets sessions remember the facts that pass a node. */
  remember(node: AlphaNode, type: string): MemorySpec {
    const spec = node.remember(this.memories.length, type);
    if (spec.number === this.memories.length) this.memories.push(spec);
    return spec;
  }

  /** Adds the direct terminal of a rule. */
  addEnd(rule: string, direct: DirectRule): void {
    this.ends.add(direct.node, direct.end);
    this.direct.set(rule, direct);
  }

  /** Computes what can be computed before facts arrive: dispatch tables and ranks. */
  *preparing(): Steps<void> {
    for (const type of this.types.values()) yield* type.preparing();
    this.ends.prepare();
  }
}
