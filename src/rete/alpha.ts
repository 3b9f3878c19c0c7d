/** Facts by type and by tests on their own values. */
import { type Access, Dispatch } from "./dispatch.ts";
import type { Fact } from "./fact.ts";
import type { LightEnd } from "./light-end.ts";
import { AlphaMemory } from "./alpha-memory.ts";

export type FactTest = (fact: Fact) => boolean;

/** One test on facts; its children see the facts that pass. */
export class AlphaNode {
  readonly text: string;
  readonly test: FactTest;
  readonly above: AlphaNode | undefined;
  /** The slots that this test and those above it read. */
  readonly reads: ReadonlySet<number>;
  readonly children: Set<AlphaNode> = new Set();
  /** The rules that need nothing but a fact that passes up to here, in the order they came. */
  readonly ends: LightEnd[] = [];
  readonly #dispatch: Dispatch<AlphaNode>;
  memory: AlphaMemory | undefined = undefined;
  /** The question that asked this node last, so that one of many ways to it counts. */
  asked: number = 0;

  constructor(text: string, test: FactTest, reads: ReadonlySet<number>, above?: AlphaNode) {
    this.text = text;
    this.test = test;
    this.above = above;
    this.reads = new Set([...reads, ...(above?.reads ?? [])]);
    this.#dispatch = new Dispatch();
  }

  /** Whether a fact of the type passes everything up to here. */
  admits(fact: Fact): boolean {
    return this.test(fact) && (this.above === undefined || this.above.admits(fact));
  }

  /** The memory of this node, made when a join first needs it. */
  remember(existing: () => Iterable<Fact>): AlphaMemory {
    this.memory ??= new AlphaMemory(this.reads, existing);
    return this.memory;
  }

  /** Forgets the memory when no join needs it any more. */
  forgetUnused(): void {
    if (this.memory?.unused === true) this.memory = undefined;
  }

  /** Puts a node below this one; `access` says how it can be found without asking it. */
  attach(child: AlphaNode, access: Access | undefined): void {
    this.children.add(child);
    this.#dispatch.add(child, access);
  }

  detach(child: AlphaNode, access: Access | undefined): void {
    this.children.delete(child);
    this.#dispatch.delete(child, access);
  }

  /** Adds the nodes that somebody listens to and that a fact passes which has passed up to here: this one, and those below. */
  collect(fact: Fact, into: AlphaNode[]): void {
    if (this.memory !== undefined || this.ends.length > 0) into.push(this);
    if (this.children.size > 0) this.#dispatch.collect(fact, into);
  }
}
