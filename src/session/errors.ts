/** What can go wrong while a session works. Each class has a stable code; message and hint stand apart. */
import { isThrown } from "../base/host-result.ts";
import type { Code } from "../base/codes.ts";
import { FunctionFailure } from "../rete/failures.ts";
import { LIMIT_HINT, matchLimitMessage } from "./problems.ts";
import type { Effect, Fired, RunResult } from "./results.ts";

export type SessionCode = Code;

/** The common part: a code, a message in plain words, and what to do about it. */
export class SessionError extends Error {
  readonly code: SessionCode;
  readonly hint: string | undefined;

  constructor(code: SessionCode, message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
  }
}

/** A fact, or a change of one, that cannot be accepted. Nothing was changed. */
export class FactError extends SessionError {}

/** The run was stopped at its limit. What fired until then stands. */
export class RunLimitError extends SessionError {
  readonly limit: number;
  readonly result: RunResult;
  /** The last firings, oldest first. */
  readonly last: readonly Fired[];
  /** The rules that fire again and again, in order; empty when no cycle was found. */
  readonly cycle: readonly string[];

  constructor(limit: number, result: RunResult, last: readonly Fired[], cycle: readonly string[]) {
    super("E510", limitMessage(limit, last, cycle), "let the rules change what makes them match, or raise the limit");
    this.limit = limit;
    this.result = result;
    this.last = last;
    this.cycle = cycle;
  }
}

const SHOWN = 10;

function limitMessage(limit: number, last: readonly Fired[], cycle: readonly string[]): string {
  const head = `the run was stopped after ${limit} firings, and there are more to come`;
  const firings = last.slice(-SHOWN).map((fired) => `${fired.n} ${fired.rule}`);
  const tail = `the last firings: ${firings.join(", ")}`;
  if (cycle.length === 0) return `${head}; ${tail}`;
  const names = cycle.slice(0, SHOWN).map((rule) => `"${rule}"`);
  if (cycle.length > SHOWN) names.push("…");
  const words = cycle.length === 1 ? `rule ${names[0]} fires` : `rules ${names.join(" → ")} fire`;
  return `${head}; ${words} again and again; ${tail}`;
}

/** Gates that look at each other's results, or stages of a flow, go round in a circle. What was written last stands. */
export class RestlessError extends SessionError {
  /** `gate "a"` or `flow "b"`. */
  readonly who: string;
  readonly result: RunResult;

  constructor(who: string, result: RunResult) {
    const hint = "it depends on its own result, or its stages go round in a circle: break the circle";
    super("E512", `the run does not come to rest: ${who} changes again and again`, hint);
    this.who = who;
    this.result = result;
  }
}

/**
 * A rule would make more partial matches than the limit allows.
 * @deprecated A session no longer throws this: the limit is a `LimitProblem` in `session.problems` and `result.problems`.
 */
export class MatchLimitError extends SessionError {
  readonly rules: readonly string[];

  constructor(overflow: Overflow) {
    super("E511", matchLimitMessage(overflow), LIMIT_HINT);
    this.rules = overflow.rules;
  }
}

/** What the network says when it had to switch off a node. */
export interface Overflow {
  /** The rules that stand on the node. */
  readonly rules: readonly string[];
  /** The pattern in the author's words. */
  readonly pattern: string;
  readonly limit: number;
}

export interface FailedFiring {
  readonly rule: string;
  readonly bindings: Fired["bindings"];
  /** What had been handed to the host before it failed. */
  readonly effects: readonly Effect[];
}

/** An action failed: none of the firing's changes was made, and its match waits as before. */
export class ActionError extends SessionError {
  readonly rule: string;
  /** The action that failed: the name of the host's action, or `insert Alert`, `update`, … */
  readonly action: string;
  readonly firing: FailedFiring;
  /** What the run had done before this firing. */
  readonly result: RunResult;

  constructor(action: string, firing: FailedFiring, result: RunResult, cause: unknown) {
    const hint = isThrown(cause, SessionError) || isThrown(cause, FunctionFailure) ? cause.hint : undefined;
    super("E520", `rule "${firing.rule}": ${action} failed: ${reasonOf(cause)}`, hint, cause);
    this.rule = firing.rule;
    this.action = action;
    this.firing = firing;
    this.result = result;
  }
}

/** Error texts stay under 2 KB, whatever was thrown. */
const LONGEST_REASON = 1500;

/** The message of an error can be anything, too, or throw when it is read. */
function wordsOf(cause: unknown): string {
  if (typeof cause === "string") return cause;
  if (!isThrown(cause, Error)) return "it threw no error object";
  try {
    const message: unknown = cause.message;
    return String(message);
  } catch {
    return "its error has no message";
  }
}

function reasonOf(cause: unknown): string {
  const text = wordsOf(cause);
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
}

/** `did you mean "age"?` */
export function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean "${name}"?`;
}
