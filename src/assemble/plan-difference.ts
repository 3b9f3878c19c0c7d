/** How two plans differ, when one was made from the other: nodes that both have are the same objects, and have the same ids. */
import type { Plan, PlanNode, PlanRule } from "../plan/plan.ts";
import { inputsOf } from "../plan/read/inputs.ts";

/** Up to this share of the nodes may be different; with more, all of it is made. */
const MOST_DIFFERENT = 1 / 4;

/** Up to this many rules may come and go. */
const MOST_RULES = 64;

/** How the nodes and rules of two plans differ. */
export interface PlanDifference {
  readonly added: PlanNode[];
  readonly removed: PlanNode[];
  /** Nodes that do the same for other rules, or in other words. */
  readonly reworded: PlanNode[];
  readonly addedRules: PlanRule[];
  readonly removedRules: PlanRule[];
}

/** Returns the difference of two plans; undefined when it is large, or changes more than the rules that come and go. */
export function planDifference(was: Plan, now: Plan): PlanDifference | undefined {
  const nodes = split(was.nodes, now.nodes, ({ id }) => id);
  const rules = split(was.rules, now.rules, ({ order }) => order);
  if (nodes.removed.length === was.nodes.length) return undefined; // they were not planned together
  const isMoved = rules.added.some((rule) => rules.removed.includes(rule));
  if (isMoved || rules.added.length + rules.removed.length > MOST_RULES) return undefined;
  const added: PlanNode[] = [];
  const removed: PlanNode[] = [];
  const reworded: PlanNode[] = [];
  const before = new Map(nodes.removed.map((node) => [node.id, node]));
  for (const node of nodes.added) {
    const old = before.get(node.id);
    if (old === undefined) added.push(node);
    else if (doSame(old, node)) reworded.push(node);
    else return undefined; // an id that two programs gave to different nodes
    before.delete(node.id);
  }
  removed.push(...before.values());
  const count = added.length + removed.length + reworded.length;
  const isSmall = count <= Math.max(64, now.nodes.length * MOST_DIFFERENT);
  const isSimple = [...added, ...removed, ...reworded].every(({ kind }) => SIMPLE.has(kind));
  if (!isSmall || !isSimple || [...rules.added, ...rules.removed].some(changesOthers)) return undefined;
  return { added, removed, reworded, addedRules: rules.added, removedRules: rules.removed };
}

/** The kinds of nodes of rules. Whatever judges is the same in both programs. */
const SIMPLE: ReadonlySet<PlanNode["kind"]> = new Set([
  "alpha",
  "join",
  "lookup",
  "filter",
  "let",
  "items",
  "aggregate",
  "terminal",
]);

/** Returns whether other rules depend on what a rule does: on the facts that it supports, and on its outcomes. */
function changesOthers({ layouts, reaction }: PlanRule): boolean {
  return (
    reaction === true || layouts.some(({ actions }) => actions.some((one) => one.kind === "insert" && one.logical))
  );
}

/**
 * Returns what only one of two lists has. Both are in the order of a number. Items that both have are only compared: this is the one
 * loop over all nodes and rules of a program that is changed.
 */
function split<Item>(was: readonly Item[], now: readonly Item[], numberOf: (item: Item) => number): Pair<Item> {
  const added: Item[] = [];
  const removed: Item[] = [];
  let begin = 0;
  while (begin < was.length && was[begin] === now[begin]) begin += 1;
  for (let old = begin, at = begin; old < was.length || at < now.length;) {
    const before = was[old];
    const after = now[at];
    if (before === after) {
      old += 1;
      at += 1;
    } else if (after === undefined || (before !== undefined && numberOf(before) <= numberOf(after))) {
      removed.push(before as Item);
      old += 1;
    } else {
      added.push(after);
      at += 1;
    }
  }
  return { added, removed };
}

interface Pair<Item> {
  readonly added: Item[];
  readonly removed: Item[];
}

function doSame(a: PlanNode, b: PlanNode): boolean {
  const inputs = inputsOf(b);
  const isSame = a.kind === b.kind && a.text === b.text && a.name === b.name;
  return isSame && inputsOf(a).every((input, at) => input === inputs[at]);
}
