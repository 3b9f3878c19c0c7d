/** What a standing plan is: a plan that stands in the network while questions come and go. */
import { parameterType } from "../base/parameter-type.ts";
import { queryWords } from "../base/rule-words.ts";
import type { Plan } from "./plan.ts";

/** The plan of a question with parameters. */
export interface StandingPlan {
  readonly plan: Plan;
  /** The type of the facts that hold parameters. No program can name it. */
  readonly parameters: string;
  /** The names of the parameters: the fields of that type, in order. */
  readonly names: readonly string[];
  /** Whether a test calls a function. */
  readonly calls: boolean;
}

/** The level of the fact with the parameters, which is the first of the facts of every match. */
export const PARAMETER_LEVEL = 1;

/** Returns the rule and the type of the parameters of a question. Plans with different `purpose` share no matches. */
export function standingNames(
  question: string,
  purpose: string,
): { readonly rule: string; readonly parameters: string } {
  return { rule: queryWords(question), parameters: parameterType(`${purpose} ${question}`) };
}
