/** Says in which order the patterns of a rule are joined, where that is not the written one. */
import type { PlanRule, Program } from "../index.ts";
import { oneLine } from "./visible.ts";

/** Returns `joined in the order f, e, d because f is compared with a constant`. */
export function joinedText({ patterns, because }: NonNullable<PlanRule["joined"]>): string {
  return oneLine(`joined in the order ${patterns.join(", ")} because ${because}`);
}

/** Returns the order of each rule of a program that is not joined as it is written. */
export function joinedRules(program: Program): ReadonlyMap<string, NonNullable<PlanRule["joined"]>> {
  const { rules } = program.network();
  return new Map(rules.flatMap(({ name, joined }) => (joined === undefined ? [] : [[name, joined] as const])));
}
