/**
 * Firing without a record, for rules that only call handlers, when nobody asks what fired.
 *
 * What such a firing needs is computed once for each rule and kept in one object: with thousands of rules, reaching for it in
 * memory takes longer than calling the handler.
 */
import { ActionFailure } from "./action-failure.ts";
import { isThrown } from "../base/host-result.ts";
import type { Maybe } from "../base/value.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
import type { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import { Pages } from "../rete/pages.ts";
import type { ActionPlan, Production } from "../rete/production.ts";
import type { SimpleArg } from "../rete/simple-arg.ts";
import { type ActionHandler, refusePromise } from "./actions.ts";
import {
  type ActionContext,
  HandlerContext,
  type HandlerHost,
  type QuickAction,
  type QuickNumbers,
} from "./handler-context.ts";

type Arrow = (...args: Maybe[]) => unknown;
type EffectPlan = Extract<ActionPlan, { kind: "effect" }>;

export interface QuickFiring {
  readonly production: Production;
  /** Computes all arguments, then calls the handlers; what they change is staged. */
  fire(match: Match | undefined, fact: Fact | undefined, firing: QuickNumbers): void;
}

/** A production whose rule does more than call handlers. */
interface SlowFiring {
  readonly production: Production;
  readonly fire: undefined;
}

/** How the rules of a session fire quickly, as long as its program stays. Computed when a rule first fires: productions are shared, handlers are not. */
export class QuickFirings {
  readonly #handlers: ReadonlyMap<string, ActionHandler>;
  readonly #host: HandlerHost;
  readonly #known = new Pages<QuickFiring | SlowFiring>();
  /** Those of rules with a direct terminal, by the order of the rule: thousands of them fire for one fact. */
  readonly #direct: (QuickFiring | SlowFiring | undefined)[] = [];

  constructor(handlers: ReadonlyMap<string, ActionHandler>, host: HandlerHost) {
    this.#handlers = handlers;
    this.#host = host;
  }

  /** Returns how the rule of a direct terminal fires quickly; undefined for a rule that does more than call handlers. */
  ofDirect(terminal: DirectTerminal): QuickFiring | undefined {
    const { order } = terminal;
    const known = (this.#direct[order] ??= this.#make(terminal.production));
    return known.fire === undefined ? undefined : known;
  }

  /** Returns how a rule fires quickly; undefined for a rule that does more than call handlers. */
  of(production: Production): QuickFiring | undefined {
    const number = (production.order << 2) | ((production.alternative ?? 0) & 3);
    let known = this.#known.get(number);
    if (known?.production !== production) {
      known = this.#make(production);
      this.#known.set(number, known);
    }
    return known.fire === undefined ? undefined : known;
  }

  #make(production: Production): QuickFiring | SlowFiring {
    return quickFiringOf(production, this.#handlers, this.#host) ?? { production, fire: undefined };
  }
}

function quickFiringOf(
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

/** The answers of `seesThis`: reading the source of a handler takes longer than calling it, and thousands of rules share one. */
const SEES_THIS = new WeakMap<ActionHandler, boolean>();

/** Whether a handler could read the `this` that it is called with. */
export function seesThis(handler: ActionHandler): boolean {
  const known = SEES_THIS.get(handler);
  if (known !== undefined) return known;
  const sees = !ARROW.test(Function.prototype.toString.call(handler));
  SEES_THIS.set(handler, sees);
  return sees;
}

/** The handler of an action, and what its context uses. */
interface Called {
  readonly name: string;
  readonly handler: ActionHandler | undefined;
  readonly host: HandlerHost;
}

/** One handler, and up to three arguments that are constants or fields. */
class SimpleCall implements QuickFiring {
  readonly production: Production;
  readonly #name: string;
  readonly #handler: ActionHandler | undefined;
  /** What makes contexts; undefined when the handler needs none. */
  readonly #contexts: HandlerHost | undefined;
  readonly #first: SimpleArg | undefined;
  readonly #second: SimpleArg | undefined;
  readonly #third: SimpleArg | undefined;

  constructor(production: Production, { name, handler, host }: Called, args: readonly SimpleArg[]) {
    const [first, second, third] = args;
    this.production = production;
    this.#name = name;
    this.#handler = handler;
    this.#contexts = contextsOf(handler, host, { production, place: 0 });
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
      const contexts = this.#contexts;
      const returned =
        contexts === undefined
          ? this.#callArrow(handler as Arrow, first, second, third)
          : this.#callWithContext(handler, HandlerContext.quick(contexts, match ?? fact, firing), first, second, third);
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

/** Any number of handlers. All actions of the rule are effects, so the index of an effect is its place. */
class AnyCalls implements QuickFiring {
  readonly production: Production;
  readonly #effects: readonly EffectPlan[];
  readonly #handlers: readonly (ActionHandler | undefined)[];
  /** For each handler, what makes its contexts; undefined when it needs none. */
  readonly #contexts: readonly (HandlerHost | undefined)[];

  constructor(
    production: Production,
    effects: readonly EffectPlan[],
    handlers: ReadonlyMap<string, ActionHandler>,
    host: HandlerHost,
  ) {
    this.production = production;
    this.#effects = effects;
    this.#handlers = effects.map(({ name }) => handlers.get(name));
    this.#contexts = this.#handlers.map((handler, place) => contextsOf(handler, host, { production, place }));
  }

  fire(match: Match | undefined, fact: Fact | undefined, firing: QuickNumbers): void {
    const args = this.#effects.map((effect) => argumentsOf(effect, match, fact));
    for (let place = 0; place < args.length; place++) {
      const handler = this.#handlers[place];
      if (handler === undefined) continue;
      const contexts = this.#contexts[place];
      const context = contexts === undefined ? undefined : HandlerContext.quick(contexts, match ?? fact, firing);
      this.#call(handler, context, args[place] ?? [], this.#effects[place]?.name ?? "");
    }
  }

  #call(handler: ActionHandler, context: HandlerContext | undefined, args: Maybe[], name: string): void {
    try {
      // An arrow function has no context.
      refusePromise(handler.apply(context as ActionContext, args), name);
    } catch (error) {
      throw asFailure(name, error);
    } finally {
      context?.end();
    }
  }
}

/** Returns what makes the contexts of a handler; undefined when it needs none: an arrow function, or no handler. */
function contextsOf(
  handler: ActionHandler | undefined,
  host: HandlerHost,
  action: QuickAction,
): HandlerHost | undefined {
  return handler === undefined || !seesThis(handler) ? undefined : { ...host, action };
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
