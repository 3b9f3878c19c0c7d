/**
 * One firing, before anything is changed: arguments and wanted values are worked out on the match as it fired, then the
 * wanted changes are staged, then the host's handlers can be called.
 */
import { unreachable } from "../base/invariant.ts";
import type { Maybe } from "../base/value.ts";
import type { GateAnswer, VerdictAnswer } from "../rete/keeper.ts";
import type { ActionPlan, FieldValues } from "../rete/production.ts";
import type { Bound } from "../rete/rule-matches.ts";
import { Activation } from "./activation.ts";
import type { Cohort } from "./batch.ts";
import { FactError } from "./errors.ts";
import { asyncHandler, isPromise } from "./promise.ts";
import type { Decision, Effect, Fired } from "./results.ts";
import type { Staging } from "./staging.ts";
import { bindingsOf } from "./views.ts";

/** What `this` is in a handler that is written as a `function`. */
export interface ActionContext {
  readonly rule: string;
  readonly bindings: Fired["bindings"];
  /** The number of the firing. */
  readonly n: number;
}

/** Takes the arguments of the action. What it returns is awaited by `runAsync` and otherwise ignored. */
// oxlint-disable-next-line typescript/no-explicit-any -- the rules say which types the arguments have
export type ActionHandler = (this: ActionContext, ...args: any[]) => unknown;

/** One action with everything worked out. */
type Step =
  | { readonly kind: "effect"; readonly name: string; readonly args: readonly Maybe[] }
  | { readonly kind: "insert"; readonly type: string; readonly logical: boolean; readonly fields: FieldValues }
  | { readonly kind: "xuple"; readonly space: string; readonly type: string; readonly fields: FieldValues }
  | { readonly kind: "update"; readonly id: string | undefined; readonly changes: FieldValues }
  | { readonly kind: "retract"; readonly id: string | undefined }
  | { readonly kind: "focus"; readonly group: Maybe }
  | { readonly kind: "decide"; readonly answer: GateAnswer }
  | { readonly kind: "verify"; readonly answer: VerdictAnswer }
  | { readonly kind: "halt" };

export interface Firing {
  readonly fired: Fired;
  readonly effects: readonly Effect[];
  /** What gates and guardians said that the firing asked. */
  readonly decisions: readonly Decision[];
  /** The firing's own changes; those that handlers ask for are staged behind them. */
  readonly staging: Staging;
  readonly halts: boolean;
}

/** An action that could not be done, on its way to become an ActionError. */
export class ActionFailure {
  readonly action: string;
  readonly cause: unknown;

  constructor(action: string, cause: unknown) {
    this.action = action;
    this.cause = cause;
  }
}

/** The match that fires next. */
export function boundOf(next: Activation | Cohort): Bound {
  if (next instanceof Activation) return next;
  return { production: next.first().production, match: undefined, fact: next.fact };
}

/** Throws an ActionFailure when an argument or a wanted change is at fault. */
export function prepareFiring(bound: Bound, n: number, staging: Staging): Firing {
  const { production } = bound;
  const { actions } = production;
  const steps: Step[] = [];
  for (const plan of actions) steps.push(workOutOrFail(plan, bound));
  const fired: Fired = { n, rule: production.name, bindings: bindingsOf(bound) };
  const effects: Effect[] = [];
  const decisions: Decision[] = [];
  let halts = false;
  for (const step of steps) {
    if (step.kind === "effect") effects.push({ n, action: step.name, args: step.args, rule: production.name });
    else if (step.kind === "decide" || step.kind === "verify")
      decisions.push({ n, rule: production.name, ...step.answer });
    else if (step.kind === "halt") halts = true;
    else stageOrFail(staging, step, bound);
  }
  return { fired, effects, decisions, staging, halts };
}

function workOutOrFail(plan: ActionPlan, bound: Bound): Step {
  try {
    return workOut(plan, bound);
  } catch (error) {
    throw failureOf(plan, error);
  }
}

function stageOrFail(staging: Staging, step: Step, bound: Bound): void {
  try {
    stage(staging, step, bound);
  } catch (error) {
    throw failureOf(step, error);
  }
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

export function refusePromise(returned: unknown, action: string): void {
  if (isPromise(returned)) throw new ActionFailure(action, asyncHandler(returned));
}

function workOut(plan: ActionPlan, { match, fact }: Bound): Step {
  switch (plan.kind) {
    case "effect":
      return { kind: "effect", name: plan.name, args: plan.args(match, fact) };
    case "insert":
      return { kind: "insert", type: plan.type, logical: plan.logical, fields: plan.fields(match, fact) };
    case "xuple":
      return { kind: "xuple", space: plan.space, type: plan.type, fields: plan.fields(match, fact) };
    case "update":
      return { kind: "update", id: plan.target(match, fact)?.id, changes: plan.changes(match, fact) };
    case "retract":
      return { kind: "retract", id: plan.target(match, fact)?.id };
    case "focus":
      return { kind: "focus", group: plan.group(match, fact) };
    case "decide":
      return { kind: "decide", answer: plan.answer(match, fact) };
    case "verify":
      return { kind: "verify", answer: plan.answer(match, fact) };
    case "halt":
      return { kind: "halt" };
    default:
      return unreachable(plan);
  }
}

/** A fact that an earlier action of the firing took away is neither updated nor retracted again. */
function stage(staging: Staging, step: Step, bound: Bound): void {
  switch (step.kind) {
    case "insert":
      staging.insert(step.type, step.fields, step.logical && bound instanceof Activation ? { support: bound } : {});
      return;
    case "xuple":
      return staging.xuple(step.space, step.type, step.fields);
    case "update":
      if (step.id !== undefined && staging.get(step.id) !== undefined) staging.update(step.id, step.changes);
      return;
    case "retract":
      if (step.id !== undefined) staging.retract(step.id);
      return;
    case "focus":
      return staging.focus(groupName(step.group));
    default:
      return;
  }
}

function groupName(group: Maybe): string {
  if (typeof group === "string") return group;
  throw new FactError("E407", "focus needs the name of a group");
}

/** What an action is called in messages. */
type Named =
  | { readonly kind: "effect"; readonly name: string }
  | { readonly kind: "insert"; readonly type: string }
  | { readonly kind: Exclude<ActionPlan["kind"], "effect" | "insert"> };

function failureOf(action: Named, error: unknown): ActionFailure {
  return error instanceof ActionFailure ? error : new ActionFailure(labelOf(action), error);
}

function labelOf(action: Named): string {
  if (action.kind === "effect") return action.name;
  return action.kind === "insert" ? `insert ${action.type}` : action.kind;
}
