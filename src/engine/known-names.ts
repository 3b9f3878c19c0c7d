/** Refuses names that a host misspells: options, action handlers and events. A misspelt one would do nothing, silently. */
import { checkOptionValues } from "./option-values.ts";
import { refuseUnknown, refuseUnknownOptions, type OptionNames } from "../base/known-options.ts";
import type { Limits } from "../base/limits.ts";
import { DEFAULT_LIMITS } from "../base/limits.ts";
import { SessionError } from "../base/session-error.ts";
import { STRATEGIES } from "../base/strategy.ts";
import type { TraceLevel } from "../explain/tell/trace.ts";
import type { Role } from "../session/admission/admission.ts";
import type { ChangeBy, SessionEvents } from "../session/options.ts";
import type { RunAsyncOptions, RunOptions } from "../session/run.ts";
import type { SubmitOptions } from "../session/submissions.ts";
import type { CompileOptions, OpenOptions } from "./program.ts";
import { refuseMissing } from "./missing-functions.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { ReloadOptions, SnapshotOptions } from "./session/life.ts";
import type { SubscribeOptions } from "./subscription.ts";

const OPEN: OptionNames<OpenOptions> = {
  strategy: true,
  limit: true,
  facts: true,
  actions: true,
  now: true,
  clock: true,
  random: true,
  from: true,
  history: true,
  id: true,
  migrate: true,
  functions: true,
  missingFunctions: true,
  sharing: true,
  indexing: true,
  shortcuts: true,
  checkDeadline: true,
  realTime: true,
  explainSteps: true,
  audit: true,
  auditClock: true,
};

const FACTS: Readonly<Record<NonNullable<OpenOptions["facts"]>, true>> = { program: true, none: true };

const COMPILE: OptionNames<CompileOptions> = {
  file: true,
  read: true,
  functions: true,
  params: true,
  paramTexts: true,
  limits: true,
  hash: true,
  joinOrder: true,
};

const EVENTS: OptionNames<SessionEvents> = {
  fire: true,
  effect: true,
  fact: true,
  gate: true,
  flow: true,
  verdict: true,
  decision: true,
  problem: true,
  error: true,
  conflict: true,
};

/** Actions that every program has. */
const BUILT_IN_ACTIONS = ["log", "print"];

/** Throws E213 for an option of `session` that does not exist, E206 for a handler of no action, E525 when functions are missing. */
export function checkOpenOptions(options: OpenOptions, program: RunnableProgram): void {
  refuseUnknownOptions(options, OPEN);
  checkOptionValues(options);
  const { strategy, facts } = options;
  if (strategy !== undefined) refuseUnknown("strategy", [strategy], STRATEGIES, "E213");
  if (facts !== undefined) refuseUnknown("facts option", [facts], Object.keys(FACTS), "E213");
  refuseMissing(program, options);
  const actions = program.actionNames();
  if (actions === undefined || options.actions === undefined) return;
  refuseUnknown("action", Object.keys(options.actions), [...actions, ...BUILT_IN_ACTIONS], "E206");
}

/** Throws E213 for an option of `compile` or `check`, or a limit, that does not exist. */
export function checkCompileOptions(options: CompileOptions): void {
  refuseUnknownOptions(options, COMPILE);
  checkLimits(options.limits);
}

/** Throws E213 for a limit that does not exist. */
export function checkLimits(limits: Partial<Limits> = {}): void {
  refuseUnknown("limit", Object.keys(limits), Object.keys(DEFAULT_LIMITS), "E213");
}

/** Throws E213 for an event that does not exist, E407 for a listener that is no function. */
export function checkListener(name: string, listener: unknown): void {
  if (typeof name !== "string") throw new SessionError("E407", "the name of an event must be a string");
  refuseUnknown("event", [name], Object.keys(EVENTS), "E213");
  if (typeof listener !== "function") throw new SessionError("E407", "a listener must be a function");
}

/** Throws E213 for a target of a subscription that does not exist, E407 when target or parameters are no objects. */
export function checkTarget(target: unknown, parameters: unknown): void {
  if (!isObject(target)) throw new SessionError("E407", "the target of a subscription must be an object", TARGET_HINT);
  refuseUnknown("target", Object.keys(target), TARGETS, "E213");
  const [given, another] = TARGETS.filter((name) => Object.hasOwn(target, name));
  if (given === undefined || another !== undefined || typeof (target as Record<string, unknown>)[given] !== "string") {
    throw new SessionError("E407", "a subscription needs the name of one query, gate or type", TARGET_HINT);
  }
  if (!isObject(parameters)) throw new SessionError("E407", "the parameters of a subscription must be an object");
}

const TARGETS = ["query", "gate", "type"];
const TARGET_HINT = 'such as { query: "open_orders" }, { gate: "deploy" } or { type: "Order" }';

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const ROLE: OptionNames<ChangeBy> = { role: true };
const ROLES: readonly Role[] = ["policy"];
const TRACE_LEVELS: Readonly<Record<TraceLevel, true>> = { off: true, decisions: true, all: true };
const RUN: OptionNames<RunOptions> = { limit: true, collect: true };
const RUN_ASYNC: OptionNames<RunAsyncOptions> = { ...RUN, signal: true, handlerTimeout: true };
const SUBMIT: OptionNames<SubmitOptions> = { ...ROLE, ...RUN_ASYNC };
const RELOAD: OptionNames<ReloadOptions> = { migrate: true };
const SNAPSHOT: OptionNames<SnapshotOptions> = { stream: true };
const SUBSCRIBE: OptionNames<SubscribeOptions> = { buffer: true };

// Each throws E213 for an option that does not exist.

export function checkChangeBy(by: ChangeBy | undefined): void {
  refuseUnknownOptions(by, ROLE);
  if (by?.role !== undefined) refuseUnknown("role", [by.role], ROLES, "E213");
}

/** Throws E213 for a level that does not exist, E407 for a listener that is no function. */
export function checkTrace(level: string, listener: unknown): void {
  if (typeof level !== "string") throw new SessionError("E407", "the level of a trace must be a string");
  refuseUnknown("trace level", [level], Object.keys(TRACE_LEVELS), "E213");
  if (typeof listener !== "function")
    throw new SessionError("E407", "trace needs a function", 'such as trace("all", (line) => lines.push(line))');
}

/** Throws E407 for values of variables or parameters that are no object. */
export function checkGiven(given: unknown): void {
  if (!isObject(given))
    throw new SessionError("E407", "the values to ask with must be an object", 'such as { p: "Person~p1" }');
}

/** Throws E407 for what cannot be packed. */
export function checkPacked(result: unknown): void {
  if (isObject(result)) return;
  throw new SessionError("E407", "pack needs a result or an answer", "such as pack(session.run())");
}

export function checkRunOptions(options: RunOptions | undefined): void {
  refuseUnknownOptions(options, RUN);
  checkOptionValues(options);
}

export function checkRunAsyncOptions(options: RunAsyncOptions | undefined): void {
  refuseUnknownOptions(options, RUN_ASYNC);
  checkOptionValues(options);
}

/** Throws E213 for an option of a call that has none. */
export function checkNoOptions(options: object | undefined): void {
  const [first] = options === undefined ? [] : Object.keys(options);
  if (first === undefined) return;
  throw new SessionError("E213", `unknown option "${first}"`, "a function that waits in the queue takes no options");
}

export function checkSubmitOptions(options: SubmitOptions | undefined): void {
  refuseUnknownOptions(options, SUBMIT);
  if (options?.role !== undefined) checkChangeBy({ role: options.role });
  checkOptionValues(options);
}

/** Throws E407 for what is no answer, firing or fact that can be explained or packed. */
export function checkAsked(asked: unknown): void {
  if (typeof asked === "string" || isObject(asked)) return;
  const hint = "such as why(fact), why(result.fired[0]) or pack(result)";
  throw new SessionError("E407", "what is asked about must be a fact, a firing, an answer or a result", hint);
}

/** Throws E407 for what is no source text. */
export function checkSource(source: unknown): void {
  if (typeof source === "string" || source instanceof Uint8Array) return;
  throw new SessionError("E407", "the rules must be a string, or bytes", 'such as compile(readFileSync("rules.tsd"))');
}

/** Throws E407 for what is no list of names. */
export function checkRuleNames(names: unknown): void {
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return;
  throw new SessionError("E407", "the rules to leave out must be given by name", 'such as without("large order")');
}

/** Throws E407 for what is no program. */
export function checkProgram(program: unknown): void {
  if (isObject(program) && "plan" in program && typeof program.plan === "function") return;
  throw new SessionError("E407", "a session continues with a program", "such as session.reload(compile(source))");
}

export function checkReloadOptions(options: ReloadOptions): void {
  refuseUnknownOptions(options, RELOAD);
  checkOptionValues(options);
}

export function checkSnapshotOptions(options: SnapshotOptions | undefined): void {
  refuseUnknownOptions(options, SNAPSHOT);
}

export function checkSubscribeOptions(options: SubscribeOptions): void {
  refuseUnknownOptions(options, SUBSCRIBE);
  checkOptionValues(options);
}
