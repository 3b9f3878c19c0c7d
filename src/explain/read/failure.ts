/** Calls that fail while an explanation evaluates. */
import { valueInShort } from "../../base/host-types.ts";
import type { Truth } from "../../base/truth.ts";
import type { Maybe } from "../../base/value.ts";
import type { EvaluationScope } from "./scope.ts";
import type { World } from "./world.ts";

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

/** A value and, when it is unknown because a function failed, the failure. */
export interface ValueAndFailure {
  readonly value: Maybe;
  readonly failure: string | undefined;
}

/** Returns a value, and the failure that left it unknown. */
export function withFailure(
  { world: { calls } }: Pick<EvaluationScope, "world">,
  compute: () => Maybe,
): ValueAndFailure {
  const before = calls.failed;
  const value = compute();
  return { value, failure: value === undefined && calls.failed !== before ? calls.lastFailure : undefined };
}

/**
 * Returns a test's truth and whether a function failed in it. A failure in a nested question counts only when it leaves
 * the test unknown.
 */
export function truthAndFailed(world: World, test: () => Truth): { readonly truth: Truth; readonly failed: boolean } {
  const { count, inside } = world.context.failures ?? NO_FAILURES;
  const truth = test();
  const now = world.context.failures ?? NO_FAILURES;
  return { truth, failed: now.count > count || (truth === undefined && now.inside > inside) };
}

const NO_FAILURES = { count: 0, inside: 0 } as const;

/** Runs a nested question about facts, and counts the failures in it separately. */
export function inNestedQuestion<Result>({ world }: EvaluationScope, question: () => Result): Result {
  const { failures } = world.context;
  if (failures === undefined) return question();
  const { count, inside } = failures;
  const result = question();
  failures.inside = result === undefined ? failures.inside + failures.count - count : inside;
  failures.count = count;
  return result;
}
