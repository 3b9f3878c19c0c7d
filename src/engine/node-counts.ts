/** Counts what each node of a network holds now: facts that pass an alpha node, matches of every other one. */
import { inputsOf } from "../plan/read/inputs.ts";
import type { AlphaPlan, Plan, PlanNode, PlanRule } from "../plan/plan.ts";

/** No rule can have this name. */
const COUNTED = "\u0000count";

/**
 * Returns the count of each node by its id. `count` counts the matches of a plan with one rule, which shares the nodes of the
 * session. A node of rules that are all switched off holds nothing.
 */
export function nodeCounts(
  { nodes }: Plan,
  count: (plan: Plan) => number,
  isOff: (rule: string) => boolean,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const node of nodes) {
    if (holdsSomething(node)) counts.set(node.id, node.rules.every(isOff) ? 0 : count(planTo(nodes, node)));
  }
  return counts;
}

/** Conditions, gates, guardians and the like judge; they hold no matches. */
type Judging = "terminal" | "condition" | "gate" | "flow" | "watch" | "guardian" | "pipeline";
type Holding = Exclude<PlanNode, { kind: Judging }>;

const JUDGING: ReadonlySet<string> = new Set<Judging>([
  "terminal",
  "condition",
  "gate",
  "flow",
  "watch",
  "guardian",
  "pipeline",
]);

function holdsSomething(node: PlanNode): node is Holding {
  return !JUDGING.has(node.kind);
}

/** Returns the part of a plan that leads to a node, with a terminal after it. */
function planTo(nodes: readonly PlanNode[], node: Holding): Plan {
  const free = (nodes.at(-1)?.id ?? -1) + 1;
  const end = node.kind === "alpha" ? joinOn(node, free) : node;
  const wanted = ancestors(nodes, [node.id]);
  const level = end.level + 1;
  const terminal = { kind: "terminal", left: end.id, ends: [end.id], level, rule: COUNTED, layout: 0 } as const;
  const last = { ...terminal, id: free + 1, name: COUNTED, text: COUNTED, rules: [COUNTED] };
  const path = nodes.filter(({ id }) => wanted.has(id));
  return { nodes: [...path, ...(end === node ? [] : [end]), last], rules: [ruleOf(level)] };
}

/** Returns a join that makes the facts of an alpha node matches of one fact. */
function joinOn({ id: right, type, name, text }: AlphaPlan, id: number): Extract<PlanNode, { kind: "join" }> {
  const same = { name: `${COUNTED} ${name}`, text: `${COUNTED} ${text}`, rules: [COUNTED], words: type };
  return { kind: "join", id, ...same, left: undefined, type, right, level: 1, keys: [], tests: [], range: undefined };
}

function ruleOf(level: number): PlanRule {
  const facts = Array.from({ length: level - 1 }, (_, index) => index + 1);
  const layouts = [{ bindings: [], facts, actions: [] }];
  return { name: COUNTED, order: 0, salience: 0, group: undefined, noLoop: false, layouts };
}

function ancestors(nodes: readonly PlanNode[], of: readonly number[]): Set<number> {
  const found = new Set(of);
  for (const node of nodes.toReversed()) {
    if (!found.has(node.id)) continue;
    for (const input of inputsOf(node)) if (input !== undefined) found.add(input);
  }
  return found;
}
