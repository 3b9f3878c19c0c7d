/**
 * Firing without a record, for rules that only call handlers, when nobody asks what fired.
 *
 * What such a firing needs is worked out once for each rule and stands close together: with thousands of rules, reaching for it
 * takes longer than calling the handler.
 */
import type { Maybe } from "../base/value.ts";
import type { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { ActionPlan, Production, SimpleArg } from "../rete/production.ts";
import { type ActionContext, ActionFailure, type ActionHandler, refusePromise } from "./actions.ts";
import type { Fired } from "./results.ts";
import { bindingsOf } from "./views.ts";

/** Of a rule whose arguments are all constants, which need no fact. */
const NO_VALUES: readonly Maybe[] = [];

type Arrow = (...args: Maybe[]) => unknown;
type EffectPlan = Extract<ActionPlan, { kind: "effect" }>;

export interface ShortWay {
  /** Calls the handlers; all arguments are worked out first. */
  fire(match: Match | undefined, fact: Fact | undefined, n: number): void;
}

/** Undefined for a rule that does more than call handlers. */
export function shortWayOf(production: Production, handlers: ReadonlyMap<string, ActionHandler>): ShortWay | undefined {
  const effects: EffectPlan[] = [];
  for (const action of production.actions) {
    if (action.kind !== "effect") return undefined;
    effects.push(action);
  }
  const [only] = effects;
  const simple = only?.simple;
  if (only === undefined || simple === undefined || effects.length > 1 || simple.length > 3) {
    return new Calls(production, effects, handlers);
  }
  return new SimpleCall(production, only.name, handlers.get(only.name), simple);
}

/** A function whose text begins like that is an arrow function: it has the `this` of the place where it was written. */
const ARROW = /^(?:\(|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u;

/** Whether a handler could look at the `this` that it is called with. */
function seesThis(handler: ActionHandler): boolean {
  return !ARROW.test(Function.prototype.toString.call(handler));
}

/** What `this` is for a handler: the variables are worked out when it asks for them. */
class ShortContext implements ActionContext {
  readonly n: number;
  readonly #production: Production;
  readonly #match: Match | undefined;
  readonly #fact: Fact | undefined;

  constructor(production: Production, match: Match | undefined, fact: Fact | undefined, n: number) {
    this.n = n;
    this.#production = production;
    this.#match = match;
    this.#fact = fact;
  }

  get rule(): string {
    return this.#production.name;
  }

  get bindings(): Fired["bindings"] {
    return bindingsOf({ production: this.#production, match: this.#match, fact: this.#fact });
  }
}

/** One handler, and up to three arguments that are constants or fields of the fact (a slot of -1 is a constant). */
class SimpleCall implements ShortWay {
  readonly #production: Production;
  readonly #name: string;
  readonly #handler: ActionHandler | undefined;
  /** For nothing but an arrow function no context is made. */
  readonly #seesThis: boolean;
  readonly #count: number;
  readonly #slot1: number;
  readonly #value1: Maybe;
  readonly #slot2: number;
  readonly #value2: Maybe;
  readonly #slot3: number;
  readonly #value3: Maybe;

  constructor(production: Production, name: string, handler: ActionHandler | undefined, args: readonly SimpleArg[]) {
    const [first, second, third] = args;
    this.#production = production;
    this.#name = name;
    this.#handler = handler;
    this.#seesThis = handler !== undefined && seesThis(handler);
    this.#count = args.length;
    this.#slot1 = slotOf(first);
    this.#value1 = valueOf(first);
    this.#slot2 = slotOf(second);
    this.#value2 = valueOf(second);
    this.#slot3 = slotOf(third);
    this.#value3 = valueOf(third);
  }

  fire(match: Match | undefined, fact: Fact | undefined, n: number): void {
    const handler = this.#handler;
    if (handler === undefined) return;
    const values = fact?.values ?? NO_VALUES;
    try {
      const returned = this.#seesThis
        ? this.#call(handler, new ShortContext(this.#production, match, fact, n), values)
        : this.#callArrow(handler as Arrow, values);
      if (returned !== undefined) refusePromise(returned, this.#name);
    } catch (error) {
      throw asFailure(this.#name, error);
    }
  }

  #callArrow(handler: Arrow, values: readonly Maybe[]): unknown {
    if (this.#count === 0) return handler();
    const first = this.#slot1 < 0 ? this.#value1 : values[this.#slot1];
    if (this.#count === 1) return handler(first);
    const second = this.#slot2 < 0 ? this.#value2 : values[this.#slot2];
    if (this.#count === 2) return handler(first, second);
    return handler(first, second, this.#slot3 < 0 ? this.#value3 : values[this.#slot3]);
  }

  #call(handler: ActionHandler, context: ActionContext, values: readonly Maybe[]): unknown {
    if (this.#count === 0) return handler.call(context);
    const first = this.#slot1 < 0 ? this.#value1 : values[this.#slot1];
    if (this.#count === 1) return handler.call(context, first);
    const second = this.#slot2 < 0 ? this.#value2 : values[this.#slot2];
    if (this.#count === 2) return handler.call(context, first, second);
    return handler.call(context, first, second, this.#slot3 < 0 ? this.#value3 : values[this.#slot3]);
  }
}

function slotOf(arg: SimpleArg | undefined): number {
  return arg !== undefined && "slot" in arg ? arg.slot : -1;
}

function valueOf(arg: SimpleArg | undefined): Maybe {
  return arg !== undefined && "value" in arg ? arg.value : undefined;
}

/** Any number of handlers. */
class Calls implements ShortWay {
  readonly #production: Production;
  readonly #effects: readonly EffectPlan[];
  readonly #handlers: readonly (ActionHandler | undefined)[];

  constructor(production: Production, effects: readonly EffectPlan[], handlers: ReadonlyMap<string, ActionHandler>) {
    this.#production = production;
    this.#effects = effects;
    this.#handlers = effects.map(({ name }) => handlers.get(name));
  }

  fire(match: Match | undefined, fact: Fact | undefined, n: number): void {
    const args = this.#effects.map((effect) => effect.args(match, fact));
    for (let index = 0; index < args.length; index++) {
      const handler = this.#handlers[index];
      const name = this.#effects[index]?.name ?? "";
      if (handler === undefined) continue;
      try {
        refusePromise(handler.apply(new ShortContext(this.#production, match, fact, n), args[index] as Maybe[]), name);
      } catch (error) {
        throw asFailure(name, error);
      }
    }
  }
}

function asFailure(action: string, error: unknown): ActionFailure {
  return error instanceof ActionFailure ? error : new ActionFailure(action, error);
}
