/** Calls functions of the host. */
import { lacksArgument, wrongArgument } from "./host-arguments.ts";
import { type Failed, resultOf, thrownWords } from "./host-result.ts";
import { type HostSignature, valueInShort } from "./host-types.ts";
import type { Maybe } from "./value.ts";

/**
 * The value that the function returns. Undefined when it is not called because an argument is missing, when it returns
 * nothing and may, and when it fails: then `failed` hears how, in words that follow the name of the function, and what to do.
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
    return failed(
      `failed: ${thrownWords(error)}`,
      "fix the function: while it fails, the test that calls it is unknown",
    );
  }
}

/** How a function fails that was not given, or is none; in words that follow its name. */
export function lackingWords(given: unknown): string {
  return given === undefined ? "was not passed to the session" : `is not a function, found ${valueInShort(given)}`;
}
