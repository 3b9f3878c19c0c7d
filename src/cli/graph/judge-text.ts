/** Gates, their conditions, guardians and the steps of pipelines as source text. */
import { planConditionWords, type Plan, type PlanExpr, type PlanNode } from "../../index.ts";
import { expressionText, type Naming } from "./expression-text.ts";
import type { Condition, NodeIndex } from "./node-index.ts";
import type { PatternText } from "./pattern-text.ts";

export type Gate = Extract<PlanNode, { kind: "gate" }>;
export type Requirement = Gate["requirement"];
export type Guardian = Extract<PlanNode, { kind: "guardian" }>;
export type Pipeline = Extract<PlanNode, { kind: "pipeline" }>;

/** Returns the name that nodes have for a gate, flow, guardian or pipeline: `gate "deploy"`. */
export function judgeName(node: PlanNode): string | undefined {
  switch (node.kind) {
    case "gate":
      return `gate "${node.gate}"`;
    case "flow":
      return `flow "${node.flow}"`;
    case "guardian":
      return `guardian "${node.guardian}"`;
    case "pipeline":
      return `pipeline "${node.pipeline}"`;
    default:
      return undefined;
  }
}

const OPERATORS: Readonly<Record<Exclude<Requirement["kind"], "leaf">, (part: { min?: number }) => string>> = {
  all: () => "all of",
  any: () => "any of",
  not: () => "not",
  "at least": ({ min }) => `at least ${min ?? 0} of`,
};

export function operatorText(part: Exclude<Requirement, { kind: "leaf" }>): string {
  return OPERATORS[part.kind](part);
}

export function gateText({ gate, requirement }: Gate): string {
  return `gate "${gate}"${requirement.kind === "leaf" ? "" : `: ${operatorText(requirement)}`}`;
}

export function guardianText({ guardian, checks }: Guardian): string {
  return `guardian "${guardian}": ${checks.map(({ name }) => name).join(", ")}`;
}

export class JudgeText {
  readonly #index: NodeIndex;
  readonly #patterns: PatternText;
  /** Names of the leaves of gates, by their conditions. */
  readonly #leaves = new Map<number, { readonly text: string; readonly named: boolean }>();

  constructor(index: NodeIndex, patterns: PatternText, { nodes }: Plan) {
    this.#index = index;
    this.#patterns = patterns;
    for (const node of nodes) {
      if (node.kind === "gate") this.#nameLeaves(node, node.requirement);
      else if (node.kind === "condition" && node.asked !== undefined)
        this.#leaves.set(node.asked.condition, { text: node.asked.text, named: true });
    }
  }

  #nameLeaves(gate: Gate, part: Requirement): void {
    if (part.kind !== "leaf") for (const item of part.items) this.#nameLeaves(gate, item);
    else {
      const { condition, definition } = gate.leaves[part.leaf] ?? {};
      if (condition === undefined || this.#leaves.has(condition)) return;
      this.#leaves.set(condition, { text: part.text, named: definition !== undefined });
    }
  }

  /** Returns a leaf of gates: `approved(r, "bob"): a.ok == true from a: Approval(release == r.id)`. */
  condition(node: Condition): string {
    const { text: name = "", named = false } = this.#leaves.get(node.id) ?? {};
    if (!named) return name;
    const end = this.#index.get(node.inner);
    const naming = this.#patterns.naming(end === undefined || end.kind === "alpha" ? node : end);
    const words = planConditionWords(node, this.#conditionPatterns(node), (expr) => expressionText(expr, naming));
    return `${name}: ${words}`;
  }

  #conditionPatterns(node: Condition): string {
    const inner = this.#index.onlyInner(node);
    if (inner !== undefined) return this.#patterns.join(inner);
    const joins = node.inner === undefined ? [] : this.#index.joinsBetween(node.left, node.inner);
    return joins.map(({ words }) => words).join(", ");
  }

  /** Returns a step: `BLOCK "over budget" unless gate budget passes`; for a border `q.content is present else BLOCK "empty"`. */
  step(node: Pipeline, { action, looks, ways }: Pipeline["steps"][number], isBorder: boolean): string {
    const [way] = ways;
    if (way === undefined) return action;
    const watch = this.#index.get(way.watch);
    const end = watch?.kind === "watch" ? this.#index.get(watch.inner) : undefined;
    const naming = this.#patterns.naming(end ?? node);
    const value = way.value === undefined ? "" : ` ${expressionText(way.value, naming)}`;
    if (isBorder) return `${expressionText(onlyItem(way.test), naming)} else ${action}${value}`;
    const patterns = looks && end !== undefined ? this.#patterns.patternsBetween(node.left, end.id) : [];
    const when = patterns.length === 0 ? "" : ` when ${patterns.join(", ")}`;
    return `${action}${value}${when}${limitText(way.test, naming)}`;
  }
}

/** Returns the item of an `and` with one item, and every other test as it is. */
function onlyItem(test: PlanExpr | undefined): PlanExpr {
  if (test === undefined) return { op: "const", value: true };
  const [item, ...more] = test.op === "and" ? test.items : [];
  return item === undefined || more.length > 0 ? test : item;
}

/** Returns ` when …` and ` unless …`; nothing for a step that is always taken. */
function limitText(test: PlanExpr | undefined, naming: Naming): string {
  if (test === undefined || test.op === "const") return "";
  const items = test.op === "and" ? test.items : [test];
  return items
    .map((item) =>
      item.op === "not" ? ` unless ${expressionText(item.of, naming)}` : ` when ${expressionText(item, naming)}`,
    )
    .join("");
}
