/** Collects the boxes and arrows of a picture: each box once, and one arrow of a kind between two boxes. */
import type { Plan, PlanNode } from "../../index.ts";
import type { Arrow, Box, BoxKind, GraphModel, Live } from "./model.ts";
import { isPlain, type NodeIndex } from "./node-index.ts";

export class Drawing {
  readonly live: Live | undefined;
  readonly #plan: Plan;
  readonly #index: NodeIndex;
  readonly #boxes = new Map<string, Box>();
  readonly #arrows = new Map<string, Arrow>();

  constructor(plan: Plan, index: NodeIndex, live: Live | undefined) {
    this.#plan = plan;
    this.#index = index;
    this.live = live;
  }

  model(): GraphModel {
    return { boxes: [...this.#boxes.values()], arrows: [...this.#arrows.values()] };
  }

  /** Adds the box of a node. */
  node(node: PlanNode, kind: BoxKind, text: string, more: Pick<Box, "passed"> = {}): void {
    const rules = [...new Set(node.rules)];
    const count = this.live?.nodes.get(node.id);
    this.box({
      id: idOf(node),
      kind,
      name: node.name,
      text,
      canonical: node.text,
      ...more,
      rules,
      shared: rules.length > 1,
      ...(count === undefined ? {} : { count }),
    });
  }

  /** Adds a box, or replaces the one with the same id. */
  box(box: Box): void {
    this.#boxes.set(box.id, box);
  }

  /** Adds an arrow into the box of a node; nothing when there is no box that it could come from. */
  arrow(from: string | undefined, to: PlanNode, carries: Arrow["carries"]): void {
    if (from !== undefined) this.connect(from, idOf(to), carries);
  }

  connect(from: string, to: string, carries: Arrow["carries"], about: Pick<Arrow, "label" | "how"> = {}): void {
    this.#arrows.set(JSON.stringify([from, to, carries]), { from, to, carries, ...about });
  }

  /** Returns the box that the facts of a pattern come from; adds that of a type when it is new. */
  facts(type: string, alpha: number | undefined): string {
    if (alpha !== undefined) return `node ${alpha}`;
    const id = `type ${type}`;
    if (!this.#boxes.has(id)) this.#addType(id, type);
    return id;
  }

  #addType(id: string, type: string): void {
    const nodes = this.#plan.nodes.filter((node) => "type" in node && node.type === type);
    const rules = [...new Set(nodes.flatMap((node) => node.rules))];
    const counted = this.live === undefined ? {} : { count: this.live.types.get(type) ?? 0 };
    this.box({ id, kind: "type", name: type, text: "", rules, shared: false, ...counted });
  }

  /** Returns the box that matches come from; undefined for the beginning of a rule. */
  source(id: number | undefined): string | undefined {
    const node = this.#index.get(id);
    if (node === undefined) return undefined;
    if (node.kind === "join" && isPlain(node)) return this.facts(node.type, node.right);
    if (this.#index.isMerged(node) && node.kind !== "alpha") return this.source(node.left);
    return idOf(node);
  }
}

/** Returns the id of a node's box. */
export function idOf(node: PlanNode): string {
  return `node ${node.id}`;
}
