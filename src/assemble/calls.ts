/** Calls of functions: built-in ones, and those of the host, which may fail. */
import { callHost, missingFunctionWords } from "../base/host-call.ts";
import { nearest } from "../base/nearest.ts";
import type { FailedCall } from "../rete/failures.ts";
import type { Match } from "../rete/match.ts";
import type { CallWords } from "./call-words.ts";
import type { Evaluate, Scope } from "./expression.ts";
import type { BuiltInFunction, PureFunction } from "../functions/built-in.ts";
import type { PlanExpr } from "../plan/plan.ts";

/** Returns a call of a built-in function, which fails only where it refuses a value. */
export function builtInCall(
  builtIn: BuiltInFunction,
  args: readonly Evaluate[],
  words: CallWords,
  scope: Scope,
): Evaluate {
  const { compute, refuses } = builtIn;
  return (match, fact) => {
    const values = args.map((arg) => arg(match, fact));
    const result = compute(...values);
    if (result !== undefined) return result;
    const refusal = refuses?.(values);
    if (refusal === undefined) return undefined;
    return scope.failed(words(values, refusal.how, refusal.hint), match, fact);
  };
}

/**
 * Returns a call of a function of the host. One that fails, or is not passed to the session, gives unknown: an error never counts
 * in favour of a request. It is not called with arguments that are missing, of another type than declared, or unknown.
 */
export function hostCall(
  { name, signature }: Extract<PlanExpr, { op: "call" }>,
  args: readonly Evaluate[],
  words: CallWords,
  inDoubt: (match: Match | undefined) => boolean,
  scope: Scope,
): Evaluate {
  const host: unknown = scope.functions.get(name);
  const lacking = typeof host === "function" ? undefined : lackingCall(name, host, scope);
  if (lacking !== undefined) scope.lacks?.({ ...lacking, function: name, args: [] });
  return (match, fact) => {
    const before = scope.failures();
    const values = args.map((arg) => arg(match, fact));
    if (scope.failures() !== before || inDoubt(match)) return undefined;
    const failed = (how: string, hint: string): undefined => scope.failed(words(values, how, hint), match, fact);
    if (lacking !== undefined) return failed(lacking.how, lacking.hint);
    return callHost(host as PureFunction, signature, values, failed);
  };
}

/** Returns how a call fails when the program declares the function and the session does not have it. */
function lackingCall(name: string, passed: unknown, { functions }: Scope): Pick<FailedCall, "how" | "hint"> {
  const hint = `pass it in: session({ functions: { ${name} } })`;
  const how = missingFunctionWords(passed);
  const meant = passed === undefined ? nearest(name, functions.keys()) : undefined;
  const misspelt = meant === undefined ? "" : `; "${meant}" was passed: is that a misspelling?`;
  return { how, hint: `${hint}${misspelt}` };
}
