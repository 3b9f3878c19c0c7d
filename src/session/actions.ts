/**
 * One firing, before anything is changed: arguments and new values are computed on the match as it fired, and the changes are
 * staged; then the host's handlers can be called.
 */
import { isThrown } from "../base/host-result.ts";
import { unreachable } from "../base/invariant.ts";
import type { Maybe } from "../base/value.ts";
import type { Fact } from "../rete/fact.ts";
import type { ActionPlan, FieldValues } from "../rete/production.ts";
import type { Bound } from "../rete/rule-matches.ts";
import { Activation } from "./agenda/activation.ts";
import type { FactActivations } from "./agenda/wave.ts";
import { FactError } from "./errors.ts";
import { asyncHandler, isPromise } from "./promise.ts";
import type { Decision, Effect, Fired } from "./results.ts";
import { type Author, PROGRAM, type Staging } from "./changes/staging.ts";
import { bindingsOf } from "./views.ts";

/** The value of `this` in an action handler that is written as a `function`. */
export interface ActionContext {
  /** The rule that fires. */
  readonly rule: string;
  /** The value of each variable. A fact is shown by its id. */
  readonly bindings: Fired["bindings"];
  /** The number of the firing. */
  readonly n: number;
}

/**
 * A handler for an action: it receives the arguments of the action. {@link Session.runAsync} awaits what it returns;
 * otherwise the return value is ignored.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the rules say which types the arguments have
export type ActionHandler = (this: ActionContext, ...args: any[]) => unknown;

export interface Firing {
  readonly fired: Fired;
  readonly effects: Effect[];
  /** The answers of gates and guardians that the firing asked. */
  readonly decisions: Decision[];
  /** The changes of the actions, and after them those that handlers make. */
  readonly staging: Staging;
  halts: boolean;
}

/** An action that failed; the run turns it into an ActionError. */
export class ActionFailure {
  readonly action: string;
  readonly cause: unknown;

  constructor(action: string, cause: unknown) {
    this.action = action;
    this.cause = cause;
  }
}

/** Returns the match that fires next. */
export function boundOf(next: Activation | FactActivations): Bound {
  if (next instanceof Activation) return next;
  return { production: next.first().production, match: undefined, fact: next.fact };
}

/**
 * Computes the effects and stages the changes of a firing; throws an ActionFailure when an argument or a change is at fault.
 * Nothing is committed yet: every action sees the facts as they were when the rule fired.
 */
export function prepareFiring(bound: Bound, n: number, staging: Staging): Firing {
  const { name, actions } = bound.production;
  const fired: Fired = { n, rule: name, bindings: bindingsOf(bound) };
  const firing: Firing = { fired, effects: [], decisions: [], staging, halts: false };
  let at = 0;
  try {
    for (; at < actions.length; at++) prepare(actions[at] as ActionPlan, bound, firing);
  } catch (error) {
    throw failureOf(actions[at] as ActionPlan, error);
  }
  return firing;
}

/** Calls one handler; its error becomes an ActionFailure. */
export function callHandler(handler: ActionHandler, effect: Effect, { fired }: Firing): unknown {
  const context: ActionContext = { rule: fired.rule, bindings: fired.bindings, n: fired.n };
  try {
    return handler.apply(context, effect.args as Maybe[]);
  } catch (error) {
    throw failureOf({ kind: "effect", name: effect.action }, error);
  }
}

/** Throws an ActionFailure when a handler of a synchronous run returned a promise. */
export function refusePromise(returned: unknown, action: string): void {
  if (isPromise(returned)) throw new ActionFailure(action, asyncHandler(returned));
}

function prepare(plan: ActionPlan, bound: Bound, firing: Firing): void {
  const { match, fact } = bound;
  const { staging, fired } = firing;
  const { n, rule } = fired;
  switch (plan.kind) {
    case "effect":
      firing.effects.push({ n, action: plan.name, args: plan.args(match, fact), rule });
      return;
    case "insert":
      staging.insertNamed(plan.type, plan.fields(match, fact), plan.logical ? supportOf(bound) : PROGRAM);
      return;
    case "xuple":
      return staging.xuple(plan.space, plan.type, plan.fields(match, fact));
    case "xuple-fact":
      return prepareXuple(plan.space, plan.target(match, fact), staging);
    case "update":
      return prepareUpdate(plan.target(match, fact), plan.changes(match, fact), staging);
    case "retract":
      return prepareRetract(plan.target(match, fact), staging);
    case "focus":
      return staging.focus(groupName(plan.group(match, fact)));
    case "decide":
    case "verify":
      firing.decisions.push({ n, rule, ...plan.answer(match, fact) });
      return;
    case "halt":
      firing.halts = true;
      return;
    default:
      return unreachable(plan);
  }
}

/** Returns the author of a logical fact. A rule with a direct terminal never inserts logically. */
function supportOf(bound: Bound): Author {
  return bound instanceof Activation ? { ...PROGRAM, support: bound } : PROGRAM;
}

function prepareUpdate(target: Fact | undefined, changes: FieldValues, staging: Staging): void {
  if (target !== undefined) staging.updateNamed(target.id, changes);
}

function prepareRetract(target: Fact | undefined, staging: Staging): void {
  if (target !== undefined) staging.retract(target.id, PROGRAM);
}

/** Puts a fact into a space, with its fields as they were when the rule fired; nothing when there is no such fact. */
function prepareXuple(space: string, target: Fact | undefined, staging: Staging): void {
  if (target !== undefined) staging.xupleOf(space, target);
}

function groupName(group: Maybe): string {
  if (typeof group === "string") return group;
  throw new FactError("E407", "focus needs the name of a group as a string");
}

/** An action as messages name it. */
type Named =
  | { readonly kind: "effect"; readonly name: string }
  | { readonly kind: "insert"; readonly type: string }
  | { readonly kind: Exclude<ActionPlan["kind"], "effect" | "insert"> };

function failureOf(action: Named, error: unknown): ActionFailure {
  return isThrown(error, ActionFailure) ? error : new ActionFailure(labelOf(action), error);
}

function labelOf(action: Named): string {
  if (action.kind === "effect") return action.name;
  return action.kind === "insert" ? `insert ${action.type}` : action.kind;
}
