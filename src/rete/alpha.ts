/** Facts by type and by tests on their own values. */
import { AlphaMemory } from "./alpha-memory.ts";
import { type Access, Dispatch } from "./dispatch.ts";
import type { Fact } from "./fact.ts";
import { LightEnds } from "./light-end.ts";

export type FactTest = (fact: Fact) => boolean;

/** More children than this are found by the values of the fact; fewer are asked one by one, which touches less memory. */
const FEW = 8;

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
  /** Finds the children, when there are many. */
  #dispatch: Dispatch<AlphaNode> | undefined = undefined;
  /** The question that asked this node last, so that one of many ways to it counts. */
  asked: number = 0;
  #memory: AlphaMemory | undefined = undefined;
  /** The rules that need nothing but a fact that passes up to here. */
  readonly ends: LightEnds;
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
    this.ends = new LightEnds(() => this.#hear());
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

  get memory(): AlphaMemory | undefined {
    return this.#memory;
  }

  /** The memory of this node, made when a join first needs it. */
  remember(existing: () => Iterable<Fact>): AlphaMemory {
    this.#memory ??= new AlphaMemory(this.reads, existing);
    this.#hear();
    return this.#memory;
  }

  /** Forgets the memory when no join needs it any more. */
  forgetUnused(): void {
    if (this.#memory?.unused !== true) return;
    this.#memory = undefined;
    this.#hear();
  }

  attach(child: AlphaNode): void {
    this.children.push(child);
    if (this.#dispatch !== undefined) this.#dispatch.add(child, child.access);
    else if (this.children.length > FEW) this.#dispatch = dispatchTo(this.children);
  }

  /** Mostly the newest one. */
  detach(child: AlphaNode): void {
    this.children.splice(this.children.lastIndexOf(child), 1);
    this.#dispatch?.delete(child, child.access);
  }

  /** Adds the nodes that somebody listens to and that a fact passes which has passed up to here: this one, and those below. */
  collect(fact: Fact, into: AlphaNode[]): void {
    if (this.#heard) into.push(this);
    if (this.#dispatch !== undefined) return this.#dispatch.collect(fact, into);
    const { children } = this;
    for (let at = 0; at < children.length; at++) {
      const child = children[at] as AlphaNode;
      if (child.test(fact)) child.collect(fact, into);
    }
  }

  #hear(): void {
    this.#heard = this.#memory !== undefined || this.ends.size > 0;
  }
}

function valueOf(access: Access | undefined): unknown {
  return access?.kind === "equals" ? access.value : undefined;
}

function dispatchTo(children: readonly AlphaNode[]): Dispatch<AlphaNode> {
  const dispatch = new Dispatch<AlphaNode>();
  for (const child of children) dispatch.add(child, child.access);
  return dispatch;
}
