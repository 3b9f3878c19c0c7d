/**
 * What a trace shows after an answer was withheld: because an `after` blocked it, or because it could not be audited.
 *
 * It is decided by the fields that a step reads, not by searching its words for the answer, which can be in them in another form.
 */
import { type ExecutedStep, WITHHELD } from "../base/answers.ts";
import type { StepSpec } from "./step-result.ts";

/** The names of the fields that an expression reads; `ANY_FIELD` among them when it reads whole facts or computed values. */
export type Sources = ReadonlySet<string>;

export const ANY_FIELD = "*";

/** Returns whether two expressions may read the same field. */
function mayShare(one: Sources, other: Sources): boolean {
  if (one.size === 0 || other.size === 0) return false;
  return one.has(ANY_FIELD) || other.has(ANY_FIELD) || [...one].some((name) => other.has(name));
}

/**
 * Returns what a trace shows of an executed step after an `after` blocked an answer: nothing of the answer, nor a reason
 * that has values of the fields that the answer is made of.
 */
export function withholding(step: StepSpec, executed: ExecutedStep, answer: Sources): ExecutedStep {
  const { action, unknown, rule } = executed;
  if (action === "ANSWER") return { ...executed, reason: WITHHELD };
  const showsValue = action === "NOTE" || step.sources.size > 0;
  const looks = step.looks && answer.size > 0; // it names the facts that may match
  if (unknown === true && (looks || mayShare(step.reads, answer)))
    return { ...executed, reason: `unknown:${rule}: ${WITHHELD}` };
  return showsValue && mayShare(step.sources, answer) ? { ...executed, reason: WITHHELD } : executed;
}

/** Returns the steps without the value of an ANSWER: a trace must not reveal a value that is withheld. */
export function withheld(steps: readonly ExecutedStep[]): ExecutedStep[] {
  return steps.map((step) => (step.action === "ANSWER" ? { ...step, reason: WITHHELD } : step));
}
