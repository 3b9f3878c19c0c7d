/** Facts by type and by tests on their own values. */
import { AlphaMemory } from "./alpha-memory.ts";
import { type Access, Dispatch } from "./dispatch.ts";
import type { Fact } from "./fact.ts";
import { NodeTerminals, NO_TERMINAL } from "./direct-terminals.ts";

export type FactTest = (fact: Fact) => boolean;

/** More children than this are found by the values of the fact; fewer are asked one by one, which touches less memory. */
const DISPATCH_FROM = 8;

/** A reusable list of the nodes that a fact passes. */
export class Passed {
  readonly nodes: AlphaNode[] = [];
  /** The number of nodes in use; later elements of the list are left over from earlier facts. */
  count: number = 0;
}

/**
 * One test on facts; its children see the facts that pass.
 *
 * Tens of thousands of these are asked in turn, so what is needed to pass a fact on stands in the node itself.
 */
export class AlphaNode {
  readonly text: string;
  /** How the test is decided: comparisons of one slot with a constant do not call the closure. */
  readonly #kind: "equals" | "above" | "below" | "other";
  readonly #slot: number;
  readonly #value: unknown;
  readonly #inclusive: boolean;
  readonly #test: FactTest;
  readonly above: AlphaNode | undefined;
  /** The slots that this test and those above it read. */
  readonly reads: ReadonlySet<number>;
  readonly children: AlphaNode[] = [];
  /** True when a memory or a terminal needs the facts that pass up to here. */
  #heard: boolean = false;
  /** Finds the first `#found` children by value; children that were added later are tested one by one. */
  #dispatch: Dispatch<AlphaNode, Passed> | undefined = undefined;
  #found: number = 0;
  /** The number of the last dispatch that reached this node, so that it is collected once. */
  asked: number = 0;
  /** The number of the last update of a fact that passed here (rematch.ts). */
  updated: number = 0;
  // Read for every fact; set here alone.
  memory: AlphaMemory | undefined = undefined;
  /** The direct terminals at this node, and the rank of the only one (direct-terminals.ts). */
  ends: NodeTerminals | undefined = undefined;
  endRank: number = NO_TERMINAL;
  readonly access: Access | undefined;

  /** Takes in `access` how the node can be found, or decided, without calling the test. */
  constructor(text: string, test: FactTest, reads: ReadonlySet<number>, above?: AlphaNode, access?: Access) {
    this.text = text;
    this.#kind = access === undefined || access.kind === "any" || access.kind === "first" ? "other" : access.kind;
    this.#slot = access !== undefined && "slot" in access ? access.slot : 0;
    this.#value = access !== undefined && "bound" in access ? access.bound : valueOf(access);
    this.#inclusive = access !== undefined && "inclusive" in access && access.inclusive;
    this.#test = test;
    this.above = above;
    this.reads = new Set([...reads, ...(above?.reads ?? [])]);
    this.access = access;
  }

  /** Returns whether a fact passes this test. */
  test(fact: Fact): boolean {
    const value = fact.values[this.#slot];
    switch (this.#kind) {
      case "equals":
        return value === this.#value;
      case "above":
        return (
          typeof value === "number" && (value > (this.#value as number) || (this.#inclusive && value === this.#value))
        );
      case "below":
        return (
          typeof value === "number" && (value < (this.#value as number) || (this.#inclusive && value === this.#value))
        );
      default:
        return this.#test(fact);
    }
  }

  /** Returns whether a fact of the type passes this test and all tests above. */
  admits(fact: Fact): boolean {
    return this.test(fact) && (this.above === undefined || this.above.admits(fact));
  }

  /** Returns the memory of this node, made when a join first needs it. */
  remember(existing: () => Iterable<Fact>): AlphaMemory {
    this.memory ??= new AlphaMemory(this.reads, existing);
    this.#hear();
    return this.memory;
  }

  /** Drops the memory when no join needs it any more. */
  forgetUnused(): void {
    if (this.memory?.unused !== true) return;
    this.memory = undefined;
    this.#hear();
  }

  /** Returns the direct terminals of this node, made when the first rule needs them. */
  endsHere(): NodeTerminals {
    this.ends ??= new NodeTerminals();
    this.#hear();
    return this.ends;
  }

  forgetEnds(): void {
    this.ends = undefined;
    this.endRank = NO_TERMINAL;
    this.#hear();
  }

  attach(child: AlphaNode): void {
    this.children.push(child);
  }

  /** Removes a child. O(1) for the child that was added last, which is the usual case. */
  detach(child: AlphaNode): void {
    const at = this.children.lastIndexOf(child);
    this.children.splice(at, 1);
    if (at >= this.#found) return;
    this.#dispatch = undefined;
    this.#found = 0;
  }

  /** Builds the dispatch tables here and below, so that the first fact does not have to. */
  prepare(): void {
    if (this.children.length - this.#found > DISPATCH_FROM) this.#findAll();
    for (const child of this.children) child.prepare();
  }

  /** Collects this node and the nodes below that a fact passes and that have listeners. */
  collect(fact: Fact, into: Passed): void {
    if (this.#heard) into.nodes[into.count++] = this;
    const { children } = this;
    if (children.length - this.#found > DISPATCH_FROM) this.#findAll();
    if (this.#dispatch !== undefined) this.#dispatch.collect(fact, into);
    for (let at = this.#found; at < children.length; at++) {
      const child = children[at] as AlphaNode;
      if (child.test(fact)) child.collect(fact, into);
    }
  }

  /** Builds the dispatch tables for all children. Not done for each new child: building would take longer than testing. */
  #findAll(): void {
    const { length } = this.children;
    if (length - this.#found <= this.#found >> 6) return;
    this.#dispatch = new Dispatch(this.children);
    this.#found = length;
  }

  #hear(): void {
    this.#heard = this.memory !== undefined || this.ends !== undefined;
  }
}

function valueOf(access: Access | undefined): unknown {
  return access?.kind === "equals" ? access.value : undefined;
}
