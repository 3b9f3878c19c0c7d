/**
 * The answer of a gate about a subject. The outcome is computed at once; the missing leaves and the tree when they are
 * first read.
 */
import type { GateAnswer, GateTree, MissingLeaf } from "../base/answers.ts";
import { frozen } from "../base/frozen.ts";
import type { Match } from "../rete/match.ts";
import type { GateNode } from "./gate.ts";
import { reasonFor, seenFacts } from "./leaf-words.ts";
import { missingParts } from "./missing-parts.ts";
import { memberTrees, populationOf } from "./population.ts";
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
      const match = gate.match(subject);
      return (missing ??= frozen(match === undefined ? [] : missingParts(gate, match)));
    },
    get tree() {
      return (tree ??= frozen(treeOf(gate, gate.match(subject)) ?? absent(gate, subject)));
    },
  };
}

/** Returns a copy with all values computed, which later changes of facts do not affect. */
export function snapshot(answer: GateAnswer): GateAnswer {
  return { ...answer };
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
  const population = leaf === undefined ? undefined : populationOf(leaf.condition, match);
  if (population !== undefined) {
    const { min } = population;
    const items = memberTrees(population);
    return { tree: { kind: "at least", text: part.text, value: statusOf(code), min, items }, code };
  }
  const condition = leaf?.definition === undefined ? {} : { condition: leaf.definition };
  const reason = leaf === undefined ? "" : reasonFor(leaf.condition, match);
  const evidence = leaf === undefined ? [] : seenFacts(leaf.condition, match);
  return { tree: { kind: "leaf", text: part.text, ...condition, value: statusOf(code), reason, evidence }, code };
}

function absent(gate: GateNode, subject: string): GateTree {
  const reason = `${subject === "" ? "nothing" : subject} is not a subject of gate "${gate.spec.name}"`;
  return { kind: "leaf", text: gate.spec.requirement.text, value: "unknown", reason, evidence: [] };
}
