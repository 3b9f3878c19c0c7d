/** Calls of functions: built-in ones, and those of the host, which may fail. */
import { callHost, missingFunctionWords } from "../base/host-call.ts";
import type { HostSignature, HostType } from "../base/host-types.ts";
import { nearest } from "../base/nearest.ts";
import { isTimeKind, type TimeKind, timeNumbers, timeTexts } from "../base/time.ts";
import type { Maybe } from "../base/value.ts";
import type { FailedCall } from "../rete/failures.ts";
import type { Match } from "../rete/match.ts";
import type { CallWords } from "./call-words.ts";
import type { Evaluate, Scope } from "./scope.ts";
import type { PureFunction } from "../functions/built-in.ts";
import type { CalledFunction } from "../functions/window-length.ts";
import type { PlanExpr } from "../plan/plan.ts";

type CallPlan = Extract<PlanExpr, { op: "call" }>;

/** Returns a call of a built-in function, which fails only where it refuses a value. */
export function builtInCall(
  builtIn: CalledFunction,
  { signature }: Pick<CallPlan, "signature">,
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
    const shown = values.map((value, index) => hostText(signature, index, value));
    return scope.failed(words(shown, refusal.how, refusal.hint), match, fact);
  };
}

/**
 * Returns a call of a function of the host. One that fails, or is not passed to the session, gives unknown: an error never counts
 * in favour of a request. It is not called with arguments that are missing, of another type than declared, or unknown.
 */
export function hostCall(
  { name, signature }: CallPlan,
  args: readonly Evaluate[],
  words: CallWords,
  inDoubt: (match: Match | undefined) => boolean,
  scope: Scope,
): Evaluate {
  scope.calls?.(name);
  return (match, fact) => {
    const before = scope.failures(match, fact);
    const values = args.map((arg, index) => hostText(signature, index, arg(match, fact)));
    if (scope.failures(match, fact) !== before || inDoubt(match)) return undefined;
    const failed = (how: string, hint: string): undefined => scope.failed(words(values, how, hint), match, fact);
    const { functions } = scope.site(match, fact);
    const host: unknown = functions.get(name);
    if (typeof host === "function") {
      return insideNumber(signature, callHost(host as PureFunction, signature, values, failed));
    }
    const { how, hint } = lackingCall(name, functions);
    return failed(how, hint);
  };
}

/** Returns an argument as the host receives it: a time is ISO 8601 text. */
function hostText({ params }: HostSignature, index: number, value: Maybe): Maybe {
  const kind = kindOf((params[index] ?? params.at(-1))?.type);
  return kind === undefined ? value : timeTexts(kind, value);
}

/** Returns what the host returned as the engine computes with it. */
function insideNumber({ result }: HostSignature, value: Maybe): Maybe {
  const kind = result === "argument" ? undefined : kindOf(result);
  return kind === undefined || value === undefined ? value : timeNumbers(kind, value);
}

function kindOf(type: HostType | undefined): TimeKind | undefined {
  if (type?.kind === "list") return kindOf(type.item);
  return type !== undefined && isTimeKind(type.kind) ? type.kind : undefined;
}

/** Returns how a call fails when the program declares the function and the session does not have it. */
export function lackingCall(name: string, functions: ReadonlyMap<string, unknown>): Pick<FailedCall, "how" | "hint"> {
  const passed = functions.get(name);
  const hint = `pass it in: session({ functions: { ${name} } }), on the command line with --functions FILE`;
  const how = missingFunctionWords(passed);
  const meant = passed === undefined ? nearest(name, functions.keys()) : undefined;
  const misspelt = meant === undefined ? "" : `; "${meant}" was passed: is that a misspelling?`;
  return { how, hint: `${hint}${misspelt}` };
}
