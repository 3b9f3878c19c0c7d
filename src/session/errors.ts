/** The errors of a session. Each has a stable code, a message and a hint. */
import { isThrown } from "../base/host-result.ts";
import { didYouMean, nearest } from "../base/nearest.ts";
import { SessionError } from "../base/session-error.ts";
import { FunctionFailure } from "../rete/failures.ts";
import { LIMIT_HINT, matchLimitMessage } from "./problems.ts";
import type { Effect, Fired, RunResult } from "./results.ts";

/** Every error of a session is one; it is declared in `base` so that every room can throw it. */
export { SessionError };

/** A fact, or a change of a fact, was refused. Nothing was changed. */
export class FactError extends SessionError {}

/** A run reached its limit of firings (E510). What fired until then stays. */
export class RunLimitError extends SessionError {
  /** The limit, in firings. */
  readonly limit: number;
  /** What the run had done until then. */
  readonly result: RunResult;
  /** The last firings, oldest first. */
  readonly last: readonly Fired[];
  /** The rules that repeat, in order; empty when no cycle was found. */
  readonly cycle: readonly string[];

  /**
   * Creates the error; `instant` is where the run had moved the clock to, if it did.
   *
   * @internal
   */
  constructor(limit: number, result: RunResult, last: readonly Fired[], cycle: readonly string[], instant?: string) {
    super(
      "E510",
      limitMessage(limit, last, cycle, instant),
      "make the rules change the facts that let them match, or raise the limit",
    );
    this.limit = limit;
    this.result = result;
    this.last = last;
    this.cycle = cycle;
  }
}

const SHOWN = 10;

/** Says at which instant it happened, where the run had moved the clock there. */
function at(instant: string | undefined): string {
  return instant === undefined ? "" : ` at ${instant}`;
}

function limitMessage(limit: number, last: readonly Fired[], cycle: readonly string[], instant?: string): string {
  const head = `the run stopped${at(instant)} at the limit of ${limit} firings, and more rules can fire`;
  const firings = last.slice(-SHOWN).map((fired) => `${fired.n} ${fired.rule}`);
  const tail = `last firings: ${firings.join(", ")}`;
  if (cycle.length === 0) return `${head}; ${tail}`;
  const names = cycle.slice(0, SHOWN).map((rule) => `"${rule}"`);
  if (cycle.length > SHOWN) names.push("…");
  const words = cycle.length === 1 ? `rule ${names[0]} fires` : `rules ${names.join(" → ")} fire`;
  return `${head}; ${words} in a loop; ${tail}`;
}

/**
 * A run did not become stable (E512): gates depend on each other's results in a circle, or the stages of a flow do.
 * What was written last stays.
 */
export class RestlessError extends SessionError {
  /** One of those that change again and again: `gate "a"` or `flow "b"`. */
  readonly who: string;
  /** What the run had done until then. */
  readonly result: RunResult;

  /**
   * Creates the error; `instant` is where the run had moved the clock to, if it did.
   *
   * @internal
   */
  constructor(who: string, result: RunResult, instant?: string) {
    const hint = "it depends on its own result, or its stages form a loop: break the loop";
    super("E512", `the run does not settle${at(instant)}: ${who} keeps changing`, hint);
    this.who = who;
    this.result = result;
  }
}

/** A run was aborted by its signal (E524). What fired until then stays; the rules that still wait fire in the next run. */
export class RunAbortedError extends SessionError {
  /** What the run had done until then. */
  readonly result: RunResult;

  /**
   * Creates the error; `cause` is the reason of the signal.
   *
   * @internal
   */
  constructor(result: RunResult, cause: unknown) {
    super("E524", "the run was aborted by its signal", "start another run to fire the rules that still wait", cause);
    this.result = result;
  }
}

/** The cause of an ActionError whose handler took too long. */
export class HandlerTimeout extends SessionError {
  constructor(ms: number) {
    const hint = "let the handler end when this.signal is aborted, or raise handlerTimeout";
    super("E523", `the handler did not settle within ${ms} ms`, hint);
  }
}

/** Returns the error of every call of a session that was closed. */
export function sessionClosed(): SessionError {
  return new SessionError("E535", "the session is closed", "open another one with program.session()");
}

/** Returns the error of a submission whose signal was aborted before its turn. */
export function submissionAborted(cause: unknown): SessionError {
  const message = "the submission was aborted by its signal before its turn: nothing was changed";
  return new SessionError("E524", message, "submit the changes again", cause);
}

/** Returns the error of a handler that uses its context when its firing is over. */
export function firingEnded(rule: string): SessionError {
  const hint = "await everything in the handler before it returns; outside of it, use the session";
  return new SessionError("E535", `this firing of rule "${rule}" has ended`, hint);
}

/**
 * A rule would make more partial matches than the limit allows.
 *
 * @deprecated Never thrown: the limit is a {@link LimitProblem} in `session.problems` and `result.problems`.
 */
export class MatchLimitError extends SessionError {
  /** The rules that were switched off. */
  readonly rules: readonly string[];

  /**
   * Creates the error.
   *
   * @internal
   */
  constructor(overflow: Overflow) {
    super("E511", matchLimitMessage(overflow), LIMIT_HINT);
    this.rules = overflow.rules;
  }
}

/** A node that the network switched off because it exceeded the limit of partial matches. */
export interface Overflow {
  /** The rules that use the node. */
  readonly rules: readonly string[];
  /** The pattern in the author's words. */
  readonly pattern: string;
  readonly limit: number;
}

/** A firing whose action failed. */
export interface FailedFiring {
  /** The rule that was firing. */
  readonly rule: string;
  /** Its variables: facts as ids. */
  readonly bindings: Fired["bindings"];
  /** What had been handed to the host before it failed. */
  readonly effects: readonly Effect[];
}

/**
 * An action failed (E520), or its handler did not settle in time (E523). None of the changes of its firing was made, its match still waits, and later rules did not
 * fire.
 */
export class ActionError extends SessionError {
  /** The rule that was firing. */
  readonly rule: string;
  /** The action that failed: the name of the host's action, or `insert Alert`, `update` and so on. */
  readonly action: string;
  /** The firing: its rule, its variables, and the effects that were handed to the host before the failure. */
  readonly firing: FailedFiring;
  /** What the run had done before this firing. */
  readonly result: RunResult;

  /**
   * Creates the error; `cause` is what was thrown, and `instant` where the run had moved the clock to, if it did.
   *
   * @internal
   */
  constructor(action: string, firing: FailedFiring, result: RunResult, cause: unknown, instant?: string) {
    const hint = isThrown(cause, SessionError) || isThrown(cause, FunctionFailure) ? cause.hint : undefined;
    super(
      codeOfFailure(cause),
      `rule "${firing.rule}": ${action} failed${at(instant)}: ${reasonOf(cause)}`,
      hint,
      cause,
    );
    this.rule = firing.rule;
    this.action = action;
    this.firing = firing;
    this.result = result;
  }
}

/** Returns the code of an action that failed. */
export function codeOfFailure(cause: unknown): "E520" | "E523" {
  return isThrown(cause, HandlerTimeout) ? "E523" : "E520";
}

/** Error texts stay under 2 KB, whatever was thrown. */
const LONGEST_REASON = 1500;

/** The message of an error can be anything, too, or throw when it is read. */
function wordsOf(cause: unknown): string {
  if (typeof cause === "string") return cause;
  if (!isThrown(cause, Error)) return "the thrown value is not an Error";
  try {
    const message: unknown = cause.message;
    return String(message);
  } catch {
    return "the thrown error has no message";
  }
}

function reasonOf(cause: unknown): string {
  const text = wordsOf(cause);
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
}

/** Reports a name that the program does not define; the hint is the nearest name, or all of them. */
export function unknownName(kind: string, plural: string, name: unknown, known: Iterable<string>): SessionError {
  if (typeof name !== "string") return new SessionError("E407", `the name of a ${kind} must be a string`);
  const names = [...known];
  if (names.length === 0) return new SessionError("E213", `no ${kind} "${name}": this program defines no ${plural}`);
  const defined = names.slice(0, NAMES_SHOWN).map((one) => `"${one}"`);
  const more = names.length > NAMES_SHOWN ? ", …" : "";
  const hint = didYouMean(nearest(name, names)) ?? `this program defines ${defined.join(", ")}${more}`;
  return new SessionError("E213", `unknown ${kind} "${name}"`, hint);
}

const NAMES_SHOWN = 12;
