/**
 * An explanation: a tree of steps, each with its question, its observations and its conclusion.
 *
 * Steps are drafted from the leaves up, because conclusions quote real values; `numbered` then gives every step its id
 * and depth. Everything that decides (a rule, a gate, a verdict) becomes an explanation by making drafts.
 */
import type { Truth } from "../../base/truth.ts";
import type { Draft } from "../read/draft.ts";
import { fitted } from "./headline.ts";

/** The truth value of a step of an explanation. */
export type Outcome = "true" | "false" | "unknown";

/** How a step of an explanation was handled. */
export type StepDecision = "decompose" | "direct_method" | "single_need" | "depth_bound";

/** A step of an explanation. The root is the whole explanation. */
export interface Explanation {
  /** The id of the step, unique in the tree: the id of its parent and its number among the children, counted from 1. */
  readonly unit_id: string;
  /** The depth in the tree. The root has 0. */
  readonly depth: number;
  /** The observed values, in words. */
  readonly observation: string;
  /** How the step was handled: an operator is decomposed; a leaf was tested, lacks what it needs, or lies too deep. */
  readonly decision: StepDecision;
  /** The question of the step, and why it was split or tested. */
  readonly downward_rationale: string;
  /** The outcome and how it follows, as a sentence. */
  readonly upward_rationale: string;
  /** How a leaf was tested. Absent for other steps. */
  readonly method?: string;
  /** The truth value of the step. */
  readonly outcome: Outcome;
  /** The parts of the step, in the order of the program. */
  readonly children: readonly Explanation[];
}

const NOTHING_SEEN = "nothing to look up";

export function numbered(draft: Draft, id: string, depth = 0): Explanation {
  const { children, method } = draft;
  return {
    unit_id: id,
    depth,
    observation: draft.seen.length === 0 ? NOTHING_SEEN : seenWords(draft.seen),
    decision: decisionOf(draft),
    downward_rationale: draft.down,
    upward_rationale: depth === 0 ? fitted(draft.up) : draft.up,
    ...(method === undefined || children.length > 0 ? {} : { method }),
    outcome: outcomeOf(draft.outcome),
    children: children.map((child, index) => numbered(child, `${id}.${index + 1}`, depth + 1)),
  };
}

function decisionOf({ children, method, bound }: Draft): StepDecision {
  if (children.length > 0) return "decompose";
  if (bound === true) return "depth_bound";
  return method === undefined ? "single_need" : "direct_method";
}

export function outcomeOf(truth: Truth): Outcome {
  return truth === undefined ? "unknown" : truth ? "true" : "false";
}

/** The most observations in one sentence; the steps below list the others. */
const MAX_OBSERVATIONS = 6;

/** Returns the distinct observations as one phrase: `p.status is "Regular", p.age is 16`. */
export function seenWords(seen: readonly string[]): string {
  const once = [...new Set(seen)];
  const more = once.length > MAX_OBSERVATIONS ? `, and ${once.length - MAX_OBSERVATIONS} more` : "";
  return once.slice(0, MAX_OBSERVATIONS).join(", ") + more;
}

/** Returns the headline of an explanation: one sentence under 200 characters with the outcome and its reason. */
export function headline(explanation: Explanation): string {
  return explanation.upward_rationale;
}

/** Iterates over all steps of an explanation, parents before children. */
export function* steps(explanation: Explanation): Iterable<Explanation> {
  yield explanation;
  for (const child of explanation.children) yield* steps(child);
}

/** Combines several explanations into one, under a sentence that sums them up. */
export function together(sentence: string, id: string, parts: readonly Explanation[]): Explanation {
  return {
    unit_id: id,
    depth: 0,
    observation: seenWords(parts.map((part) => part.observation)),
    decision: parts.length === 0 ? "single_need" : "decompose",
    downward_rationale: `There are ${parts.length} answers, one after the other.`,
    upward_rationale: fitted(sentence),
    outcome: "true",
    children: parts.map((part, index) => moved(part, `${id}.${index + 1}`, 1)),
  };
}

function moved(step: Explanation, id: string, depth: number): Explanation {
  const children = step.children.map((child, index) => moved(child, `${id}.${index + 1}`, depth + 1));
  return { ...step, unit_id: id, depth, children };
}
