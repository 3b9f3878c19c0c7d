/**
 * The words of a failed call. What an `after` of a pipeline passes to a function is the answer that the failure blocks.
 * A message may repeat it in any form, in part or in upper case, so no message of such a call is kept.
 */
import { valueInShort } from "../base/host-types.ts";
import type { Maybe } from "../base/value.ts";
import type { FailedCall } from "../rete/failures.ts";
import { WITHHELD } from "../base/answers.ts";
import type { PlanExpr } from "../plan/plan.ts";
import { uses } from "../plan/read/levels.ts";

/** Returns what is kept of a failed call. */
export type CallWords = (values: readonly Maybe[], how: string, hint: string) => FailedCall;

export function callWords({ name, args }: { readonly name: string; readonly args: readonly PlanExpr[] }): CallWords {
  const secret = args.map((arg) => uses(arg, "decided"));
  if (!secret.includes(true)) {
    return (values, how, hint) => ({ function: name, args: values.map(valueInShort), how, hint });
  }
  return (values, _, hint) => ({
    function: name,
    args: values.map((value, at) => (secret[at] === true ? WITHHELD : valueInShort(value))),
    how: "failed, and its message is withheld",
    hint,
  });
}
