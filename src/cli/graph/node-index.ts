/**
 * The nodes of a plan as a picture sees them: which have boxes of their own, and which are part of another box.
 *
 * A join with nothing, which tests nothing, is not drawn: the facts themselves are. The only join that a `not`, `exists`,
 * aggregate or condition looks at is drawn as part of it. What finds the subject of a gate's reaction is drawn as the gate.
 */
import { type Plan, planInputs, type PlanNode } from "../../index.ts";

export type Alpha = Extract<PlanNode, { kind: "alpha" }>;
export type Aggregate = Extract<PlanNode, { kind: "aggregate" }>;
export type Join = Extract<PlanNode, { kind: "join" }>;
export type Items = Extract<PlanNode, { kind: "items" }>;
export type Condition = Extract<PlanNode, { kind: "condition" }>;
/** A node of a chain: everything but the tests of single facts. */
export type ChainNode = Exclude<PlanNode, Alpha>;

export class NodeIndex {
  /** The nodes to draw. */
  readonly nodes: readonly PlanNode[];
  readonly #byId: ReadonlyMap<number, PlanNode>;
  /** How many nodes read from a node. */
  readonly #uses = new Map<number, number>();
  /** Nodes that are part of another box. */
  readonly #merged = new Set<number>();

  /** With `only`, the nodes that these rules depend on. */
  constructor(plan: Plan, only: ReadonlySet<string> | undefined) {
    this.nodes = plan.nodes.filter(({ rules }) => only === undefined || rules.some((rule) => only.has(rule)));
    this.#byId = new Map(plan.nodes.map((node) => [node.id, node]));
    for (const id of plan.nodes.flatMap(planInputs)) {
      if (id !== undefined) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
    }
    for (const node of plan.nodes) {
      const inner = node.kind === "aggregate" || node.kind === "condition" ? this.onlyInner(node) : undefined;
      if (inner !== undefined) this.#merged.add(inner.id);
    }
    for (const { layouts, name, reaction } of plan.rules) {
      if (reaction === true && layouts.length > 0) this.#mergeReaction(name);
    }
  }

  #mergeReaction(rule: string): void {
    for (const node of this.nodes) {
      if (node.kind !== "terminal" || node.rule !== rule) continue;
      for (const one of this.chain(node.left)) {
        if (one.kind === "lookup" || one.kind === "filter") this.#merged.add(one.id);
      }
    }
  }

  get(id: number | undefined): PlanNode | undefined {
    return id === undefined ? undefined : this.#byId.get(id);
  }

  isMerged(node: PlanNode): boolean {
    return this.#merged.has(node.id);
  }

  /** Yields a node and those above it in its chain, up to the root. */
  *chain(id: number | undefined): Iterable<ChainNode> {
    for (let node = this.get(id); node !== undefined && node.kind !== "alpha";) {
      yield node;
      node = this.get(node.left);
    }
  }

  /** Returns the joins of a chain between its end and `outer`, which is not part of it, the first pattern first. */
  joinsBetween(outer: number | undefined, end: number): Join[] {
    return this.partsBetween(outer, end).filter((part) => part.kind === "join");
  }

  /** Returns the joins and lists of items of a chain between its end and `outer`, which is not part of it, the first first. */
  partsBetween(outer: number | undefined, end: number): (Join | Items)[] {
    const parts: (Join | Items)[] = [];
    for (const node of this.chain(end)) {
      if (node.id === outer) break;
      if (node.kind === "join" || node.kind === "items") parts.unshift(node);
    }
    return parts;
  }

  /** Returns the one join that an aggregate or condition looks at, when nothing else does and it is more than the facts themselves. */
  onlyInner(aggregate: Aggregate | Condition): Join | undefined {
    const [first, ...more] = aggregate.kind === "aggregate" ? aggregate.inner : [aggregate.inner];
    const inner = more.length > 0 ? undefined : this.get(first);
    if (inner?.kind !== "join" || inner.left !== aggregate.left || isPlain(inner)) return undefined;
    return this.#uses.get(inner.id) === 1 ? inner : undefined;
  }
}

/** Returns whether a join pairs facts with nothing and tests nothing. */
export function isPlain(node: Join): boolean {
  return node.left === undefined && node.keys.length === 0 && node.tests.length === 0;
}
