/** Values in sentences: a fact is named by its label, any other value is written as in a program. */
import { factLabel } from "../../base/fact-label.ts";
import type { Maybe } from "../../base/value.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { seenValue } from "../read/words.ts";

export function shown(value: Maybe, { world }: Pick<EvaluationScope, "world">): string {
  return typeof value === "string" && value.includes("~") && world.get(value) !== undefined
    ? factLabel(value)
    : seenValue(value);
}
