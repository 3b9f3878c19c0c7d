/**
 * The answer of a gate about a subject. The outcome is computed at once; the missing leaves and the tree when they are
 * first read.
 */
import type { GateAnswer, GateTree, MissingLeaf } from "../base/answers.ts";
import type { Match } from "../rete/match.ts";
import type { GateNode } from "./gate.ts";
import { reasonFor, seenFacts } from "./leaf-words.ts";
import { missingLeaves } from "./missing.ts";
import { type Code, opposite, outcomeOf, quorum, statusOf, TRUE, UNKNOWN } from "./requirement.ts";
import type { Logic, Requirement } from "../base/judging.ts";

/**
 * Returns the answer about a subject. For an id that is not a subject of the gate the value is unknown, so it never
 * passes.
 */
export function answerOf(gate: GateNode, subject: string, code: Code | undefined = gate.value(subject)): GateAnswer {
  const { name, subjectLevel } = gate.spec;
  let missing: readonly MissingLeaf[] | undefined;
  let tree: GateTree | undefined;
  return {
    gate: name,
    subject: subjectLevel === undefined ? null : subject,
    outcome: outcomeOf(code ?? UNKNOWN),
    status: statusOf(code ?? UNKNOWN),
    get missing() {
      return (missing ??= missingOf(gate, gate.match(subject)));
    },
    get tree() {
      return (tree ??= treeOf(gate, gate.match(subject)) ?? absent(gate, subject));
    },
  };
}

/** Returns a copy with all values computed, which later changes of facts do not affect. */
export function snapshot(answer: GateAnswer): GateAnswer {
  return { ...answer };
}

function missingOf(gate: GateNode, match: Match | undefined): MissingLeaf[] {
  if (match === undefined) return [];
  const { requirement, logic, leaves } = gate.spec;
  const texts = leafTexts(requirement);
  return missingLeaves(requirement, logic, (leaf) => gate.leaf(match, leaf)).map((leaf) => {
    const condition = leaves[leaf]?.condition;
    return { text: texts.get(leaf) ?? "", needs: condition === undefined ? "" : reasonFor(condition, match) };
  });
}

/** Returns the text of each leaf; for a condition that occurs several times, the text of its first occurrence. */
function leafTexts(tree: Requirement, texts: Map<number, string> = new Map()): Map<number, string> {
  if (tree.kind !== "leaf") for (const item of tree.items) leafTexts(item, texts);
  else if (!texts.has(tree.leaf)) texts.set(tree.leaf, tree.text);
  return texts;
}

function treeOf(gate: GateNode, match: Match | undefined): GateTree | undefined {
  return match === undefined ? undefined : partOf(gate, match, gate.spec.requirement).tree;
}

interface Part {
  readonly tree: GateTree;
  readonly code: Code;
}

function partOf(gate: GateNode, match: Match, part: Requirement): Part {
  if (part.kind === "leaf") return leafOf(gate, match, part);
  const items = part.items.map((item) => partOf(gate, match, item));
  const code = combined(part, gate.spec.logic, items);
  const { kind, text, min } = part;
  const trees = items.map((item) => item.tree);
  const tree: GateTree = { kind, text, value: statusOf(code), ...(kind === "at least" ? { min } : {}), items: trees };
  return { tree, code };
}

function combined(part: Exclude<Requirement, { kind: "leaf" }>, logic: Logic, items: readonly Part[]): Code {
  const trues = items.filter((item) => item.code === TRUE).length;
  const unknowns = items.filter((item) => item.code === UNKNOWN).length;
  if (part.kind === "not") return opposite(quorum(logic, 1, trues, unknowns));
  return quorum(logic, part.min, trues, unknowns);
}

function leafOf(gate: GateNode, match: Match, part: Extract<Requirement, { kind: "leaf" }>): Part {
  const leaf = gate.spec.leaves[part.leaf];
  const code = gate.leaf(match, part.leaf);
  const condition = leaf?.definition === undefined ? {} : { condition: leaf.definition };
  const reason = leaf === undefined ? "" : reasonFor(leaf.condition, match);
  const evidence = leaf === undefined ? [] : seenFacts(leaf.condition, match);
  return { tree: { kind: "leaf", text: part.text, ...condition, value: statusOf(code), reason, evidence }, code };
}

function absent(gate: GateNode, subject: string): GateTree {
  const reason = `${subject === "" ? "nothing" : subject} is not a subject of gate "${gate.spec.name}"`;
  return { kind: "leaf", text: gate.spec.requirement.text, value: "unknown", reason, evidence: [] };
}
