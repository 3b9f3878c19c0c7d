/**
 * What a step of a pipeline does with a request, and the reason that its trace gives.
 *
 * A reason that begins with `unknown:` or `rule_error:` is the engine's own, with the name of the step after it: a test
 * that is unknown never repeats the author's text, which says what is wrong with the request.
 */
import { printableLine } from "../base/printable.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { ExecutedStep, StepAction } from "../base/answers.ts";
import type { Match } from "../rete/match.ts";
import type { WatchNode } from "./watch.ts";
import type { Sources } from "./withheld.ts";

type Tested = { readonly truth: Truth; readonly threw: string | undefined };

export interface AlternativeSpec {
  readonly watch: WatchNode;
  readonly test: (match: Match) => Tested;
  /** Says why the test is unknown. */
  readonly unclear: (match: Match) => string;
  /** Computes the value of the decision; undefined when the step has none. */
  readonly value: ((match: Match) => { readonly value: Maybe; readonly threw: string | undefined }) | undefined;
  /** Says why the value is missing. */
  readonly lacking: (match: Match) => string;
}

export interface StepSpec {
  readonly name: string;
  readonly action: StepAction;
  /** True when the step looks for facts; then finding none is false, not unknown. */
  readonly looks: boolean;
  /** Its condition as written. */
  readonly words: { readonly when: string | undefined; readonly unless: string | undefined };
  readonly alternatives: readonly AlternativeSpec[];
  /** What its value is made of, and what its value and condition read. */
  readonly sources: Sources;
  readonly reads: Sources;
}

export type StepResult = Pick<ExecutedStep, "action" | "reason" | "unknown" | "failed">;

/**
 * Returns the result of a step. A step whose facts cannot be relied on blocks, whatever its action: it may have been
 * the one that decides.
 */
export function stepResult(step: StepSpec, subject: Match): StepResult {
  const { name, action } = step;
  const found = look(step, subject);
  if (found.failed !== undefined) return failure(name, found.failed);
  if (found.blind !== undefined) return unknown(name, "BLOCK", found.blind);
  if (found.truth === undefined) return unknown(name, action === "BLOCK" ? action : "ALLOW", found.why);
  if (!found.truth) return { action: "ALLOW", reason: notApplied(step) };
  if (found.value !== undefined) return { action, reason: found.value };
  return action === "ALLOW" ? { action, reason: applied(step) } : failure(name, found.why);
}

/** Returns the result of a `before` or `after`: undefined when its test is true. */
export function borderResult(border: StepSpec, subject: Match): StepResult | undefined {
  const { name } = border;
  const found = look(border, subject);
  if (found.failed !== undefined) return failure(name, found.failed);
  if (found.truth === true) return undefined;
  const why = found.blind ?? (found.truth === undefined ? found.why : undefined);
  if (why !== undefined) return unknown(name, "BLOCK", why);
  return found.value === undefined ? failure(name, found.why) : { action: "BLOCK", reason: found.value };
}

/** Returns the result of the `otherwise`, which has no condition; ERROR when its value is missing. */
export function otherwiseResult(otherwise: StepSpec, subject: Match): StepResult {
  const { name, action } = otherwise;
  const found = look(otherwise, subject);
  if (action === "ERROR") return { action, reason: found.value ?? "no step decided" };
  const why = found.failed ?? found.blind;
  if (why === undefined && found.value !== undefined) return { action, reason: found.value };
  return { ...failure(name, why ?? found.why), action: "ERROR" };
}

function failure(name: string, what: string): StepResult {
  return { action: "BLOCK", reason: `rule_error:${name}: ${bounded(what)}`, failed: true };
}

function unknown(name: string, action: StepAction, why: string): StepResult {
  return { action, reason: `unknown:${name}: ${bounded(why)}`, unknown: true };
}

/** The most characters of a message or a test in a reason. */
const MAX_LENGTH = 300;

function bounded(text: string): string {
  return printableLine(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
}

// ---------------------------------------------------------------- the reasons of ALLOW

function notApplied({ looks, words: { when, unless } }: StepSpec): string {
  const except = unless === undefined ? "" : ` unless ${unless}`;
  if (when !== undefined) return bounded(`${looks ? "no match" : "does not hold"}: ${when}${except}`);
  return bounded(`holds: ${unless ?? ""}`);
}

function applied({ words: { when, unless } }: StepSpec): string {
  if (when === undefined && unless === undefined) return "always";
  const condition = when ?? `not (${unless ?? ""})`;
  return bounded(`holds: ${condition}${when === undefined || unless === undefined ? "" : ` unless ${unless}`}`);
}

// ---------------------------------------------------------------- what a step finds

interface StepFinding {
  readonly truth: Truth;
  /** What failed, in the test or in the value. */
  readonly failed?: string | undefined;
  /** Why the facts cannot be relied on. */
  readonly blind?: string | undefined;
  /** Why the test is unknown, or the value missing. */
  readonly why: string;
  /** The value, when it could be computed: of a step whose test is true, and of a border whose test is false. */
  readonly value?: string | undefined;
}

const UNDECIDED = "it cannot be decided";

/** Returns the result for the first match whose test is true. A test that fails ends the search, so that it blocks. */
function look({ alternatives, looks }: StepSpec, subject: Match): StepFinding {
  for (const { watch } of alternatives) {
    if (watch.blind !== undefined) return { truth: undefined, blind: watch.blind, why: watch.blind };
  }
  let undecided: string | undefined = looks ? undefined : UNDECIDED;
  let rejected: StepFinding | undefined;
  for (const alternative of alternatives) {
    const { watch } = alternative;
    const gap = watch.gaps.has(subject) ? (watch.gaps.words(subject) ?? UNDECIDED) : undefined;
    if (looks) undecided ??= gap ?? watch.windows.words(subject);
    for (const match of watch.matches(subject)) {
      const { truth, threw } = alternative.test(match);
      if (threw !== undefined) return { truth: undefined, failed: threw, why: threw };
      if (truth === true) return valued(alternative, match, true);
      if (truth === undefined) {
        const why = alternative.unclear(match);
        undecided = looks ? (undecided ?? why) : why;
      } else if (!looks) rejected = valued(alternative, match, false);
    }
  }
  return rejected ?? { truth: undecided === undefined ? false : undefined, why: undecided ?? "" };
}

function valued(alternative: AlternativeSpec, match: Match, truth: boolean): StepFinding {
  const computed = alternative.value?.(match);
  if (computed === undefined) return { truth, why: UNDECIDED };
  if (computed.threw !== undefined) return { truth, failed: truth ? computed.threw : undefined, why: computed.threw };
  const value = textOf(computed.value);
  return {
    truth,
    value,
    why: value === undefined ? `its value is missing: ${alternative.lacking(match)}` : "",
  };
}

function textOf(value: Maybe): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}
