/** Facts by type and by tests on their own values. */
import { AlphaMemory } from "./alpha-memory.ts";
import { type Access, Dispatch } from "./dispatch.ts";
import type { Fact } from "./fact.ts";
import { NodeTerminals, NO_TERMINAL } from "./direct-terminals.ts";

export type FactTest = (fact: Fact) => boolean;

/** More children than this are found by the values of the fact; fewer are asked one by one, which touches less memory. */
const FEW = 8;

/** Nodes that a fact passes. */
export class Passed {
  readonly nodes: AlphaNode[] = [];
  /** So many of them; what stands behind is left from before. */
  count: number = 0;
}

/**
 * One test on facts; its children see the facts that pass.
 *
 * Tens of thousands of these are asked in turn, so what is needed to pass a fact on stands in the node itself.
 */
export class AlphaNode {
  readonly text: string;
  /** A comparison of one slot with a constant is decided without the closure. */
  readonly #kind: "equals" | "above" | "below" | "other";
  readonly #slot: number;
  readonly #value: unknown;
  readonly #inclusive: boolean;
  readonly #test: FactTest;
  readonly above: AlphaNode | undefined;
  /** The slots that this test and those above it read. */
  readonly reads: ReadonlySet<number>;
  readonly children: AlphaNode[] = [];
  /** Whether somebody wants to hear of facts that pass up to here. */
  #heard: boolean = false;
  /** Finds the first `#found` of the children, when there are many; those that came since are asked. */
  #dispatch: Dispatch<AlphaNode, Passed> | undefined = undefined;
  #found: number = 0;
  /** The question that asked this node last, so that one of many ways to it counts. */
  asked: number = 0;
  /** The last update of a fact that passed here, as withdrawal.ts counts them. */
  updated: number = 0;
  // Read for every fact; set here alone.
  memory: AlphaMemory | undefined = undefined;
  /** The rules that need nothing but a fact that passes up to here, and the rank of the only one (direct-terminals.ts). */
  ends: NodeTerminals | undefined = undefined;
  endRank: number = NO_TERMINAL;
  readonly access: Access | undefined;

  /** `access` says how it can be found, or decided, without asking the test. */
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

  /** Whether a fact passes this test. */
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

  /** Whether a fact of the type passes everything up to here. */
  admits(fact: Fact): boolean {
    return this.test(fact) && (this.above === undefined || this.above.admits(fact));
  }

  /** The memory of this node, made when a join first needs it. */
  remember(existing: () => Iterable<Fact>): AlphaMemory {
    this.memory ??= new AlphaMemory(this.reads, existing);
    this.#hear();
    return this.memory;
  }

  /** Forgets the memory when no join needs it any more. */
  forgetUnused(): void {
    if (this.memory?.unused !== true) return;
    this.memory = undefined;
    this.#hear();
  }

  /** What ends here, made when the first rule does. */
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

  /** Mostly the newest one. */
  detach(child: AlphaNode): void {
    const at = this.children.lastIndexOf(child);
    this.children.splice(at, 1);
    if (at >= this.#found) return;
    this.#dispatch = undefined;
    this.#found = 0;
  }

  /** Lays the tables that the first fact would have to wait for, here and below. */
  prepare(): void {
    if (this.children.length - this.#found > FEW) this.#findAll();
    for (const child of this.children) child.prepare();
  }

  /** Adds the nodes that somebody listens to and that a fact passes which has passed up to here: this one, and those below. */
  collect(fact: Fact, into: Passed): void {
    if (this.#heard) into.nodes[into.count++] = this;
    const { children } = this;
    if (children.length - this.#found > FEW) this.#findAll();
    if (this.#dispatch !== undefined) this.#dispatch.collect(fact, into);
    for (let at = this.#found; at < children.length; at++) {
      const child = children[at] as AlphaNode;
      if (child.test(fact)) child.collect(fact, into);
    }
  }

  /** Not for every child that comes: then laying the tables would take longer than asking. */
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
