/** Calls that fail while an explanation evaluates. */
import { valueInShort } from "../../base/host-types.ts";
import type { Maybe } from "../../base/value.ts";
import type { EvaluationScope } from "./evaluate.ts";

/** Records a failed call. */
export function recordFailure(words: string, { world }: Pick<EvaluationScope, "world">): undefined {
  world.calls.failed += 1;
  world.calls.lastFailure = words;
  if (world.context.failures !== undefined) world.context.failures.count += 1;
}

/** Notes that a value is in doubt: whether it is missing is unknown, as for one that failed. */
export function noteDoubt(words: string, { calls }: EvaluationScope["world"]): void {
  calls.failed += 1;
  calls.lastFailure = words;
}

/** `score("x") failed: down`. */
export function failureWords(name: string, args: readonly Maybe[], how: string): string {
  return `${name}(${args.map(valueInShort).join(", ")}) ${how}`;
}
