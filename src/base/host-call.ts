/** Calls host functions. */
import { lacksArgument, wrongArgument } from "./host-arguments.ts";
import { type Failed, isThrown, resultOf, thrownWords } from "./host-result.ts";
import { type HostSignature, valueInShort } from "./host-types.ts";
import type { Maybe } from "./value.ts";

/**
 * Returns the value that the function returns. Undefined when it is not called because an argument is missing, when it
 * returns nothing and its result is optional, and when it fails: then `failed` is called with a predicate for the
 * function and a hint.
 */
export function callHost(
  host: (...args: Maybe[]) => unknown,
  signature: HostSignature,
  args: readonly Maybe[],
  failed: Failed,
): Maybe {
  if (lacksArgument(signature, args)) return undefined;
  const wrong = wrongArgument(signature, args);
  if (wrong !== undefined) return failed(wrong, "correct the facts, or change the type of the parameter");
  try {
    return resultOf(host(...args), signature.result, failed);
  } catch (error) {
    if (isThrown(error, NoValue)) return failed(error.message, error.hint);
    return failed(
      `failed: ${thrownWords(error)}`,
      "fix the function: while it fails, the test that calls it is unknown",
    );
  }
}

/** Thrown by a function of the host that has no value for its arguments. The message is a predicate for the function. */
export class NoValue extends Error {
  readonly hint: string;

  constructor(how: string, hint: string) {
    super(how);
    this.hint = hint;
  }
}

/** Returns a predicate for a function that is missing, or is not a function. */
export function missingFunctionWords(host: unknown): string {
  return host === undefined ? "was not passed to the session" : `is not a function, found ${valueInShort(host)}`;
}
