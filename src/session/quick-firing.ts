/**
 * Firing without a record, for rules that only call handlers, when nobody asks what fired.
 *
 * What such a firing needs is computed once for each rule and kept in one object: with thousands of rules, reaching for it in
 * memory takes longer than calling the handler.
 */
import { ActionFailure } from "./action-failure.ts";
import { isThrown } from "../base/host-result.ts";
import type { Maybe } from "../base/value.ts";
import type { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { ActionPlan, Production, SimpleArg } from "../rete/production.ts";
import type { Bound } from "../rete/rule-matches.ts";
import { type ActionHandler, refusePromise } from "./actions.ts";
import type { Staging } from "./changes/staging.ts";
import { type ActionContext, HandlerContext, type HandlerHost } from "./handler-context.ts";

type Arrow = (...args: Maybe[]) => unknown;
type EffectPlan = Extract<ActionPlan, { kind: "effect" }>;

export interface QuickFiring {
  /** Computes all arguments, then calls the handlers; what they change is staged. */
  fire(match: Match | undefined, fact: Fact | undefined, firing: QuickNumbers): void;
}

/** The numbers of the firing that is under way, and where its changes go. One object serves many firings. */
export interface QuickNumbers {
  n: number;
  /** The number of the change that completed the match. */
  stamp: number;
  staging: Staging;
}

/** Returns how a rule fires quickly; undefined for a rule that does more than call handlers. */
export function quickFiringOf(
  production: Production,
  handlers: ReadonlyMap<string, ActionHandler>,
  host: HandlerHost,
): QuickFiring | undefined {
  const effects: EffectPlan[] = [];
  for (const action of production.actions) {
    if (action.kind !== "effect") return undefined;
    effects.push(action);
  }
  const [only] = effects;
  const simple = only?.simple;
  if (only === undefined || simple === undefined || effects.length > 1 || simple.length > 3) {
    return new AnyCalls(production, effects, handlers, host);
  }
  return new SimpleCall(production, { name: only.name, handler: handlers.get(only.name), host }, simple);
}

/** Matches the source of an arrow function: `this` inside it is not what it is called with. */
const ARROW = /^(?:\(|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u;

/** Whether a handler could read the `this` that it is called with. */
export function seesThis(handler: ActionHandler): boolean {
  return !ARROW.test(Function.prototype.toString.call(handler));
}

/** One argument: a constant, or a slot of a fact. */
class Arg {
  readonly #value: Maybe;
  /** Below 0 for a constant. */
  readonly #slot: number;
  readonly #up: number;

  constructor(arg: SimpleArg) {
    this.#value = "value" in arg ? arg.value : undefined;
    this.#slot = "slot" in arg ? arg.slot : -1;
    this.#up = "slot" in arg ? arg.up : -1;
  }

  read(match: Match | undefined, fact: Fact | undefined): Maybe {
    if (this.#slot < 0) return this.#value;
    if (this.#up < 0) return fact?.values[this.#slot];
    let found = match;
    for (let up = this.#up; up > 0; up--) found = found?.parent;
    return found?.fact?.values[this.#slot];
  }
}

/** The handler of an action, and what its context uses. */
interface Called {
  readonly name: string;
  readonly handler: ActionHandler | undefined;
  readonly host: HandlerHost;
}

/** One handler, and up to three arguments that are constants or fields. */
class SimpleCall implements QuickFiring {
  readonly #production: Production;
  readonly #name: string;
  readonly #handler: ActionHandler | undefined;
  readonly #host: HandlerHost;
  /** Whether a context must be made: not for an arrow function. */
  readonly #seesThis: boolean;
  readonly #first: Arg | undefined;
  readonly #second: Arg | undefined;
  readonly #third: Arg | undefined;

  constructor(production: Production, { name, handler, host }: Called, args: readonly SimpleArg[]) {
    const [first, second, third] = args.map((arg) => new Arg(arg));
    this.#production = production;
    this.#name = name;
    this.#handler = handler;
    this.#host = host;
    this.#seesThis = handler !== undefined && seesThis(handler);
    this.#first = first;
    this.#second = second;
    this.#third = third;
  }

  fire(match: Match | undefined, fact: Fact | undefined, firing: QuickNumbers): void {
    const handler = this.#handler;
    if (handler === undefined) return;
    const first = this.#first?.read(match, fact);
    const second = this.#second?.read(match, fact);
    const third = this.#third?.read(match, fact);
    try {
      const returned = this.#seesThis
        ? this.#callWithContext(handler, this.#context(match, fact, firing), first, second, third)
        : this.#callArrow(handler as Arrow, first, second, third);
      if (returned !== undefined) refusePromise(returned, this.#name);
    } catch (error) {
      throw asFailure(this.#name, error);
    }
  }

  /** Calls with exactly as many arguments as there are: a handler may count them. */
  #callArrow(handler: Arrow, first: Maybe, second: Maybe, third: Maybe): unknown {
    if (this.#third !== undefined) return handler(first, second, third);
    if (this.#second !== undefined) return handler(first, second);
    return this.#first === undefined ? handler() : handler(first);
  }

  #context(match: Match | undefined, fact: Fact | undefined, firing: QuickNumbers): HandlerContext {
    return contextOf(this.#host, { production: this.#production, match, fact }, firing, 0);
  }

  #callWithContext(
    handler: ActionHandler,
    context: HandlerContext,
    first: Maybe,
    second: Maybe,
    third: Maybe,
  ): unknown {
    try {
      return this.#call(handler, context, first, second, third);
    } finally {
      context.end();
    }
  }

  #call(handler: ActionHandler, context: ActionContext, first: Maybe, second: Maybe, third: Maybe): unknown {
    if (this.#third !== undefined) return handler.call(context, first, second, third);
    if (this.#second !== undefined) return handler.call(context, first, second);
    return this.#first === undefined ? handler.call(context) : handler.call(context, first);
  }
}

/** Any number of handlers. */
class AnyCalls implements QuickFiring {
  readonly #production: Production;
  readonly #effects: readonly EffectPlan[];
  readonly #handlers: readonly (ActionHandler | undefined)[];
  readonly #host: HandlerHost;

  constructor(
    production: Production,
    effects: readonly EffectPlan[],
    handlers: ReadonlyMap<string, ActionHandler>,
    host: HandlerHost,
  ) {
    this.#production = production;
    this.#effects = effects;
    this.#handlers = effects.map(({ name }) => handlers.get(name));
    this.#host = host;
  }

  fire(match: Match | undefined, fact: Fact | undefined, firing: QuickNumbers): void {
    const bound = { production: this.#production, match, fact };
    const args = this.#effects.map((effect) => argumentsOf(effect, match, fact));
    for (let index = 0; index < args.length; index++) {
      const handler = this.#handlers[index];
      const name = this.#effects[index]?.name ?? "";
      if (handler === undefined) continue;
      const context = contextOf(this.#host, bound, firing, index);
      try {
        refusePromise(handler.apply(context, args[index] ?? []), name);
      } catch (error) {
        throw asFailure(name, error);
      } finally {
        context.end();
      }
    }
  }
}

/** Returns the `this` of a handler. All actions of the rule are effects, so an effect's index is its place. */
function contextOf(
  host: HandlerHost,
  bound: Bound,
  { n, stamp, staging }: QuickNumbers,
  place: number,
): HandlerContext {
  const { production, match, fact } = bound;
  const spec = { production, match, fact, n, stamp, firing: undefined, signal: undefined };
  return new HandlerContext(host, spec, place, staging);
}

/** Returns the arguments; a function that fails in one fails the action. */
function argumentsOf(effect: EffectPlan, match: Match | undefined, fact: Fact | undefined): Maybe[] {
  try {
    return effect.args(match, fact);
  } catch (error) {
    throw asFailure(effect.name, error);
  }
}

function asFailure(action: string, error: unknown): ActionFailure {
  return isThrown(error, ActionFailure) ? error : new ActionFailure(action, error);
}
