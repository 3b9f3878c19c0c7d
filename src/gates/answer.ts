/**
 * The answer of a gate about a subject. The outcome is computed at once; the missing leaves and the tree when they are
 * first read, because most are never read and a tree costs what the requirement has leaves.
 *
 * Invariant: all parts of an answer are of one moment. What was not read before something changed can no longer be read (E545).
 */
import type { GateAnswer, GateTree, MissingLeaf } from "../base/answers.ts";
import { factLabel } from "../base/fact-label.ts";
import { frozen } from "../base/frozen.ts";
import { isThrown } from "../base/host-result.ts";
import { SessionError } from "../base/session-error.ts";
import type { Match } from "../rete/match.ts";
import type { GateNode } from "./gate.ts";
import { reasonFor, seenFacts } from "./leaf-words.ts";
import { missingParts } from "./missing-parts.ts";
import { memberTrees, populationOf } from "./population.ts";
import { type Code, opposite, outcomeOf, quorum, statusOf, TRUE, UNKNOWN } from "./requirement.ts";
import type { Logic, Requirement } from "../base/judging.ts";

/** A value that a gate had for a subject. */
export interface Valued {
  readonly gate: GateNode;
  readonly subject: string;
  /** Undefined for what is not a subject of the gate. */
  readonly code: Code | undefined;
}

/**
 * Returns the answer about a subject. For an id that is not a subject of the gate the value is unknown, so it never
 * passes.
 */
export function answerOf(gate: GateNode, subject: string): GateAnswer {
  return answerAt({ gate, subject, code: gate.value(subject) }, gate.moment.number);
}

/** Returns the answer with the value that the gate had at a moment. */
export function answerAt({ gate, subject, code }: Valued, moment: number): GateAnswer {
  const { name, subjectLevel } = gate.spec;
  let missing: readonly MissingLeaf[] | undefined;
  let tree: GateTree | undefined;
  const answer: GateAnswer & { readonly __proto__: object } = {
    __proto__: LIVE,
    gate: name,
    subject: subjectLevel === undefined ? null : subject,
    outcome: outcomeOf(code ?? UNKNOWN),
    status: statusOf(code ?? UNKNOWN),
    get missing() {
      return (missing ??= frozen(missingOf(gate, matchAt(gate, subject, code, moment))));
    },
    get tree() {
      return (tree ??= frozen(treeOf(gate, matchAt(gate, subject, code, moment)) ?? absent(gate, subject)));
    },
  };
  return answer;
}

/** What answers have that compute parts late: in JSON, parts that are no longer known are left out. */
const LIVE = {
  toJSON(this: GateAnswer): Partial<GateAnswer> {
    try {
      return { ...this };
    } catch (error) {
      if (!isThrown(error, SessionError) || error.code !== "E545") throw error;
      const { gate, subject, outcome, status } = this;
      return { gate, subject, outcome, status };
    }
  },
};

/** Returns a copy with all values computed, which can be read at any time. */
export function snapshot(answer: GateAnswer): GateAnswer {
  return { ...answer };
}

/** Returns the match of the subject; throws E545 when the gate may see something else by now than it did at the moment. */
function matchAt(gate: GateNode, subject: string, code: Code | undefined, moment: number): Match | undefined {
  // A run that was halted lists outcomes that were recorded before its last changes.
  if (gate.moment.number === moment && gate.value(subject) === code) return gate.match(subject);
  const { name, subjectLevel } = gate.spec;
  const about = subjectLevel === undefined ? "" : ` about ${factLabel(subject)}`;
  const message = `the session has changed since gate "${name}" gave this answer${about}: its tree and what is missing are no longer known`;
  throw new SessionError("E545", message, ASK_SOONER);
}

const ASK_SOONER = "read them before anything changes, keep a copy with { ...answer }, or ask again: session.gate(…)";

function missingOf(gate: GateNode, match: Match | undefined): readonly MissingLeaf[] {
  return match === undefined ? [] : missingParts(gate, match);
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
