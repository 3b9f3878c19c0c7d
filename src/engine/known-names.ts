/** Refuses names that a host misspells: options, action handlers and events. A misspelt one would do nothing, silently. */
import { nearest } from "../base/nearest.ts";
import type { Limits } from "../base/limits.ts";
import { DEFAULT_LIMITS } from "../base/limits.ts";
import { didYouMean, SessionError } from "../session/errors.ts";
import type { SessionEvents } from "../session/options.ts";
import type { CompileOptions, OpenOptions } from "./program.ts";
import type { RunnableProgram } from "./runnable.ts";

/** Every name once; a missing or unknown one does not compile. */
type Names<Of> = Readonly<Record<keyof Of, true>>;

const OPEN: Names<OpenOptions> = {
  strategy: true,
  limit: true,
  facts: true,
  actions: true,
  now: true,
  random: true,
  from: true,
  history: true,
  id: true,
  migrate: true,
  functions: true,
  sharing: true,
  indexing: true,
  shortcuts: true,
  checkDeadline: true,
  realTime: true,
  explainSteps: true,
  audit: true,
  auditClock: true,
};

const COMPILE: Names<CompileOptions> = { file: true, read: true, functions: true, limits: true, hash: true };

const EVENTS: Names<SessionEvents> = {
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

/** Throws E213 for an option of `session` that does not exist, E206 for a handler of an action that does not exist. */
export function checkOpenOptions(options: OpenOptions, program: RunnableProgram): void {
  refuseUnknown("option", Object.keys(options), Object.keys(OPEN), "E213");
  const actions = program.actionNames();
  if (actions === undefined || options.actions === undefined) return;
  refuseUnknown("action", Object.keys(options.actions), [...actions, ...BUILT_IN_ACTIONS], "E206");
}

/** Throws E213 for an option of `compile` or `check`, or a limit, that does not exist. */
export function checkCompileOptions(options: CompileOptions): void {
  refuseUnknown("option", Object.keys(options), Object.keys(COMPILE), "E213");
  const limits: Partial<Limits> = options.limits ?? {};
  refuseUnknown("limit", Object.keys(limits), Object.keys(DEFAULT_LIMITS), "E213");
}

/** Throws E213 for an event that does not exist. */
export function checkEvent(name: string): void {
  refuseUnknown("event", [name], Object.keys(EVENTS), "E213");
}

function refuseUnknown(kind: string, given: readonly string[], known: readonly string[], code: "E206" | "E213"): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(nearest(unknown, known)) ?? `known ${kind}s: ${known.join(", ")}`;
  throw new SessionError(code, `unknown ${kind} "${unknown}"`, hint);
}
