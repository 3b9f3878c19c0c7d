/**
 * The requirement of a gate: a tree of `all`, `any`, `not` and `at least` over leaves, and its value in either logic.
 *
 * Every operator but `not` is a quorum: `all` needs as many as there are, `any` needs one. So `all()` of nothing is
 * true and `any()` of nothing is false without a special case.
 */
import type { Truth } from "../base/truth.ts";
import type { Outcome, Status } from "../base/answers.ts";
import type { Logic, Requirement } from "../base/judging.ts";

/** Truth values as small integers, for counting. */
export const FALSE = 0;
export const TRUE = 1;
export const UNKNOWN = 2;
export type Code = typeof FALSE | typeof TRUE | typeof UNKNOWN;

export function codeOf(truth: Truth): Code {
  return truth === undefined ? UNKNOWN : truth ? TRUE : FALSE;
}

const STATUSES: Readonly<Record<Code, Status>> = { [FALSE]: "false", [TRUE]: "true", [UNKNOWN]: "unknown" };
const OUTCOMES: Readonly<Record<Code, Outcome>> = { [FALSE]: "fail", [TRUE]: "pass", [UNKNOWN]: "hold" };

export function statusOf(code: Code): Status {
  return STATUSES[code];
}

export function outcomeOf(code: Code): Outcome {
  return OUTCOMES[code];
}

export function codeOfOutcome(outcome: Outcome): Code {
  return outcome === "pass" ? TRUE : outcome === "fail" ? FALSE : UNKNOWN;
}

/** Returns the value of "at least `min`" for a number of true and unknown items. */
export function quorum(logic: Logic, min: number, trues: number, unknowns: number): Code {
  if (logic === "bochvar" && unknowns > 0) return UNKNOWN;
  if (trues >= min) return TRUE;
  return trues + unknowns < min ? FALSE : UNKNOWN;
}

export function opposite(code: Code): Code {
  return code === UNKNOWN ? UNKNOWN : code === TRUE ? FALSE : TRUE;
}

/** Returns the value of a whole tree from the values of its leaves. */
export function evaluate(tree: Requirement, logic: Logic, leaf: (leaf: number) => Code): Code {
  if (tree.kind === "leaf") return leaf(tree.leaf);
  let trues = 0;
  let unknowns = 0;
  for (const item of tree.items) {
    const code = evaluate(item, logic, leaf);
    if (code === TRUE) trues += 1;
    else if (code === UNKNOWN) unknowns += 1;
  }
  if (tree.kind === "not") return unknowns > 0 ? UNKNOWN : trues > 0 ? FALSE : TRUE;
  return quorum(logic, tree.min, trues, unknowns);
}

/** Returns the leaves of a tree in the order of the program, each as often as it occurs. */
export function leavesOf(tree: Requirement): number[] {
  return tree.kind === "leaf" ? [tree.leaf] : tree.items.flatMap(leavesOf);
}
