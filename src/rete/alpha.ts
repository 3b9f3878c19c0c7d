/**
 * Facts by type and by tests on their own values.
 *
 * Alpha nodes belong to a program and are shared by its sessions: nothing of a session is kept in them. Marks are written only where
 * no test can be called before they are read.
 */
import { MemorySpec } from "./alpha-memory.ts";
import type { Steps } from "../base/slices.ts";
import { type Access, Dispatch, DispatchMarks } from "./dispatch.ts";
import type { Fact } from "./fact.ts";
import { endNumberOf, NodeTerminals, NO_TERMINAL } from "./direct-terminals.ts";

export type FactTest = (fact: Fact) => boolean;

/** More children than this are found by the values of the fact; fewer are asked one by one, which touches less memory. */
const DISPATCH_FROM = 8;

/** A reusable list of the nodes that a fact passes. */
export class Passed {
  readonly nodes: AlphaNode[] = [];
  /** The number of nodes in use; later elements of the list are left over from earlier facts. */
  count: number = 0;
  /** For each node, whether the fact passes it before and after an update (rematch.ts). */
  readonly stays: boolean[] = [];
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
  /** The test above: of a copy, as it is without the nodes below it. */
  readonly above: AlphaNode | undefined;
  /** Of a copy: its test alone, made when it is first needed. */
  #alone: AlphaNode | undefined = undefined;
  #isCopy: boolean = false;
  /** The slots that this test and those above it read. */
  readonly reads: ReadonlySet<number>;
  children: AlphaNode[] = [];
  /** True when a memory or a terminal needs the facts that pass up to here. */
  #heard: boolean = false;
  /** Finds the first `#found` children by value; children that were added later are tested one by one. */
  #dispatch: Dispatch<AlphaNode, Passed> | undefined = undefined;
  #found: number = 0;
  /** The marks of its children; copies of the node share them, because they share children. */
  #marks: DispatchMarks | undefined = undefined;
  /** The number of the last dispatch that reached this node, so that it is collected once. */
  asked: number = 0;
  /** The number of the last update of a fact that passed here (rematch.ts). */
  updated: number = 0;
  /** Whether the test calls functions: then it is not evaluated again to check whether a failure remains. */
  callsFunctions: boolean = false;
  // Read for every fact; set here alone.
  /** What a session remembers of the facts that pass; undefined when no join needs them. */
  memory: MemorySpec | undefined = undefined;
  /** The direct terminals at this node, and the number of the only one (direct-terminals.ts). */
  ends: NodeTerminals | undefined = undefined;
  endNumber: number = NO_TERMINAL;
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

  /** Returns a node that takes the place of this one in another program, below `above`. It has the same children to begin with. */
  copy(above: AlphaNode | undefined): AlphaNode {
    return this.copyInto(new AlphaNode(this.text, this.#test, this.reads, above?.testAlone, this.access));
  }

  /**
   * Returns the test of this node and those above it, for what outlives the program: a copy has many nodes below it that another
   * program has not, and whoever keeps it keeps them all.
   */
  get testAlone(): AlphaNode {
    if (!this.#isCopy) return this;
    if (this.#alone === undefined) {
      this.#alone = new AlphaNode(this.text, this.#test, this.reads, this.above, this.access);
      this.#alone.callsFunctions = this.callsFunctions;
    }
    return this.#alone;
  }

  /** Makes a new node continue this one. */
  protected copyInto<Node extends AlphaNode>(node: Node): Node {
    node.#isCopy = true;
    node.children = this.children.slice();
    node.#dispatch = this.#dispatch;
    node.#found = this.#found;
    node.#marks = this.#marks ??= new DispatchMarks();
    node.callsFunctions = this.callsFunctions;
    node.memory = this.memory;
    node.ends = this.ends;
    node.endNumber = this.endNumber;
    node.#hear();
    return node;
  }

  /** Puts another child with the same test in the place of one, or removes it. Only for a copy that no session uses yet. */
  replace(child: AlphaNode, by: AlphaNode | undefined): void {
    const at = this.children.indexOf(child);
    if (at < 0) throw new Error("a child is replaced where it is");
    if (by === undefined) this.children.splice(at, 1);
    else this.children[at] = by;
    if (at >= this.#found) return;
    this.#dispatch = this.#dispatch?.replaced(child, by);
    if (by === undefined) this.#found -= 1;
  }

  /** Sets what sessions remember, and the direct terminals here. Only for a copy that no session uses yet. */
  listenAs(memory: MemorySpec | undefined, ends: NodeTerminals | undefined): void {
    this.memory = memory;
    this.ends = ends;
    this.endNumber = endNumberOf(ends);
    this.#hear();
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

  /** Returns whether a fact of the type passes all tests above and this one. In the order of propagation: a call that propagation never makes cannot fail here. */
  admits(fact: Fact): boolean {
    return (this.above === undefined || this.above.admits(fact)) && this.test(fact);
  }

  /** Whether a memory or a terminal of the program needs the facts that pass: then they are collected. */
  get isHeard(): boolean {
    return this.#heard;
  }

  /** Returns what sessions remember of the facts that pass, from now on; `number` is the number of the next memory. */
  remember(number: number, type: string): MemorySpec {
    this.memory ??= new MemorySpec(number, this, type);
    this.#hear();
    return this.memory;
  }

  /** Returns the direct terminals of this node, made when the first rule needs them. */
  endsHere(): NodeTerminals {
    this.ends ??= new NodeTerminals();
    this.#hear();
    return this.ends;
  }

  attach(child: AlphaNode): void {
    this.children.push(child);
  }

  /** Builds the dispatch tables here and below, so that the first fact does not have to. One step for each node with nodes below it. */
  *preparing(): Steps<void> {
    if (this.children.length - this.#found > DISPATCH_FROM) this.#findAll();
    yield;
    for (const child of this.children) if (child.children.length > 0) yield* child.preparing();
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
    this.#dispatch = Dispatch.to(this.children, (this.#marks ??= new DispatchMarks()));
    this.#found = length;
  }

  #hear(): void {
    this.#heard = this.memory !== undefined || this.ends !== undefined;
  }
}

function valueOf(access: Access | undefined): unknown {
  return access?.kind === "equals" ? access.value : undefined;
}
