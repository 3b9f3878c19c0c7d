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
import { ActionFailure } from "./action-failure.ts";
import { FactError } from "./errors.ts";
import { asyncHandler, isPromise } from "./promise.ts";
import type { Decision, Effect } from "./results.ts";
import { type Author, PROGRAM, type Staging } from "./changes/staging.ts";
import { bindingsOf } from "./views.ts";
import { FiringEffect, type KeyedFiring, type KeyFacts, keyFactsOf, type KeyScope } from "./effect-keys.ts";
import type { ActionContext } from "./handler-context.ts";

export type { ActionContext } from "./handler-context.ts";

/**
 * A handler for an action: it receives the arguments of the action. {@link Session.runAsync} awaits what it returns;
 * otherwise the return value is ignored.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the rules say which types the arguments have
export type ActionHandler = (this: ActionContext, ...args: any[]) => unknown;

export interface Firing extends KeyedFiring {
  readonly effects: readonly FiringEffect[];
  /** The answers of gates and guardians that the firing asked. */
  readonly decisions: readonly Decision[];
  /** The changes of the actions, and after them those that handlers make. */
  staging: Staging;
  readonly halts: boolean;
}

/** A firing whose actions are computed. */
interface NewFiring extends Firing {
  facts: KeyFacts | undefined;
  effects: FiringEffect[];
  decisions: Decision[];
  halts: boolean;
}

/** The lists of firings without effects and decisions, so that none is made for them. */
const NO_EFFECTS: FiringEffect[] = [];
const NO_DECISIONS: Decision[] = [];

/** Returns the match that fires next. */
export function boundOf(next: Activation | FactActivations): Bound {
  if (next instanceof Activation) return next;
  return { production: next.first().production, match: undefined, fact: next.fact };
}

/** Returns the number of the change that completed the match that fires next. */
export function stampOf(next: Activation | FactActivations): number {
  return next instanceof Activation ? next.changeNumber : next.wave.changeNumber;
}

/**
 * Computes the effects and stages the changes of a firing; throws an ActionFailure when an argument or a change is at fault.
 * Nothing is committed yet: every action sees the facts as they were when the rule fired.
 */
export function prepareFiring(
  bound: Bound,
  { n, stamp, clock }: FiringNumbers,
  staging: Staging,
  scope: KeyScope,
): Firing {
  const { name, actions } = bound.production;
  const fired = { n, rule: name, bindings: bindingsOf(bound) };
  const firing: NewFiring = {
    fired: clock === undefined ? fired : { ...fired, clock },
    stamp,
    scope,
    facts: undefined,
    effects: NO_EFFECTS,
    decisions: NO_DECISIONS,
    staging,
    halts: false,
  };
  let at = 0;
  try {
    for (; at < actions.length; at++) {
      const plan = actions[at] as ActionPlan;
      if (plan.kind === "effect") addEffect(plan, at, bound, firing);
      else prepare(plan, bound, firing);
    }
  } catch (error) {
    throw failureOf(actions[at] as ActionPlan, error);
  }
  return firing;
}

/** The number of a firing, that of the change that completed its match, and the clock. */
export interface FiringNumbers {
  readonly n: number;
  readonly stamp: number;
  readonly clock: string | undefined;
}

function addEffect(plan: EffectAction, place: number, bound: Bound, firing: NewFiring): void {
  firing.facts ??= keyFactsOf(bound);
  const effect = new FiringEffect(firing, plan.name, plan.args(bound.match, bound.fact), place);
  if (firing.effects === NO_EFFECTS) firing.effects = [effect];
  else firing.effects.push(effect);
}

function addDecision(decision: Decision, firing: NewFiring): void {
  if (firing.decisions === NO_DECISIONS) firing.decisions = [decision];
  else firing.decisions.push(decision);
}

/** Stages the changes of a firing again, over the facts of now; its effects and decisions stay as they are. */
export function stageAgain(bound: Bound, staging: Staging): void {
  for (const plan of bound.production.actions) {
    if (plan.kind === "effect" || plan.kind === "decide" || plan.kind === "verify" || plan.kind === "halt") continue;
    try {
      stage(plan, bound, staging);
    } catch (error) {
      throw failureOf(plan, error);
    }
  }
}

/** Calls one handler; its error becomes an ActionFailure. */
export function callHandler(handler: ActionHandler, effect: Effect, context: ActionContext | undefined): unknown {
  try {
    // An arrow function has no context.
    return handler.apply(context as ActionContext, effect.args as Maybe[]);
  } catch (error) {
    throw failureOf({ kind: "effect", name: effect.action }, error);
  }
}

/** Throws an ActionFailure when a handler of a synchronous run returned a promise, or what fails when it is looked at. */
export function refusePromise(returned: unknown, action: string): void {
  try {
    if (isPromise(returned)) throw asyncHandler(returned);
  } catch (error) {
    throw failureOf({ kind: "effect", name: action }, error);
  }
}

type EffectAction = Extract<ActionPlan, { readonly kind: "effect" }>;
type OtherAction = Exclude<ActionPlan, EffectAction>;
type ChangingAction = Exclude<OtherAction, { readonly kind: "decide" | "verify" | "halt" }>;

function prepare(plan: OtherAction, bound: Bound, firing: NewFiring): void {
  const { n, rule } = firing.fired;
  switch (plan.kind) {
    case "decide":
    case "verify":
      return addDecision({ n, rule, ...plan.answer(bound.match, bound.fact) }, firing);
    case "halt":
      firing.halts = true;
      return;
    default:
      return stage(plan, bound, firing.staging);
  }
}

function stage(plan: ChangingAction, bound: Bound, staging: Staging): void {
  const { match, fact } = bound;
  switch (plan.kind) {
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
