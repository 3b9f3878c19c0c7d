/**
 * What a handler sees as `this`: its firing, and the changes that share the fate of the firing.
 *
 * It can be used until the firing ends. Variables and key are computed when they are read.
 */
import type { Signal } from "../base/signal.ts";
import { isThrown } from "../base/host-result.ts";
import { must } from "../base/invariant.ts";
import { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { Production } from "../rete/production.ts";
import type { Bound } from "../rete/rule-matches.ts";
import type { FiringChanges } from "./changes/awaited-changes.ts";
import type { Changes } from "./changes/changes.ts";
import type { OpenStaging } from "./changes/open-staging.ts";
import { type EffectKeys, FiringEffect, keyFactsOf } from "./effect-keys.ts";
import { ActionFailure } from "./action-failure.ts";
import type { Staging } from "./changes/staging.ts";
import { firingEnded } from "./errors.ts";
import type { ChangeBy, FactRef } from "./options.ts";
import type { FactHandle, FactView, Fired } from "./results.ts";
import { bindingsOf, factView, idOf } from "./views.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The value of `this` in an action handler that is written as a `function` or as a method. */
export interface ActionContext {
  /** The rule that fires. */
  readonly rule: string;
  /** The value of each variable. A fact is shown by its id. */
  readonly bindings: Fired["bindings"];
  /** The number of the firing. */
  readonly n: number;
  /**
   * The key of the effect: the same when the firing is repeated, never that of another firing. Store it with what the
   * handler does, and a repeated call can be recognised.
   */
  readonly key: string;
  /** Is aborted when the handler is given up: its time is over, the run was aborted, or the session was closed. */
  readonly signal: Signal;
  /** Does what {@link Session.assert} does, as a change of the firing: it is made when the firing is, or not at all. */
  assert(type: string, fields: Fields, by?: ChangeBy): FactHandle;
  /** Does what {@link Session.update} does, as a change of the firing. */
  update(fact: FactRef, fields: Fields, by?: ChangeBy): boolean;
  /** Does what {@link Session.retract} does, as a change of the firing. */
  retract(fact: FactRef, by?: ChangeBy): boolean;
  /** Does what {@link Session.upsert} does, as a change of the firing. */
  upsert(type: string, fields: Fields, by?: ChangeBy): FactHandle;
  /** Does what {@link Session.focus} does, as a change of the firing. */
  focus(group: string): void;
  /** Returns one fact as it is after the changes of the firing; undefined when there is no such fact. */
  fact(ref: FactRef): FactView | undefined;
  /** Returns the facts of a type, or all facts, as they are after the changes of the firing. */
  facts(type?: string): FactView[];
}

/** What the contexts of a session, or of one action in it, have in common. One object serves many calls. */
export interface HandlerHost {
  readonly changes: Changes;
  readonly open: OpenStaging;
  readonly keys: EffectKeys;
  /** Returns the signal of the handler; undefined when the handler is not awaited. */
  readonly signal: (() => Signal) | undefined;
  /** The action, for firings without a record; undefined for others, whose effects know it. */
  readonly action: QuickAction | undefined;
}

/** An action of a rule that fires without a record: its index in the `then` of the rule is its place. */
export interface QuickAction {
  readonly production: Production;
  readonly place: number;
}

/** The numbers of a firing without a record, and where its changes go. One object serves many firings. */
export interface QuickNumbers {
  n: number;
  /** The number of the change that completed the match. */
  readonly stamp: number;
  readonly staging: Staging;
}

/**
 * The `this` of one call of a handler. A handler may keep it, so each call has its own; it is small, because one is made for every
 * call of a handler that could read `this`.
 */
export class HandlerContext implements ActionContext {
  readonly #host: HandlerHost;
  /** What the firing is read from: the effect, or for a firing without a record the match or the fact. */
  readonly #source: FiringEffect | Match | Fact | undefined;
  readonly #n: number;
  /** The number of the change that completed the match; 0 where the effect knows it. */
  readonly #stamp: number;
  /** Where the changes of the handler go. Undefined when the firing has ended. */
  #changes: FiringChanges | undefined;
  #key: string | undefined;

  private constructor(
    host: HandlerHost,
    source: FiringEffect | Match | Fact | undefined,
    n: number,
    stamp: number,
    changes: FiringChanges,
  ) {
    this.#host = host;
    this.#source = source;
    this.#n = n;
    this.#stamp = stamp;
    this.#changes = changes;
    this.#key = undefined;
  }

  /** Returns the context of an effect of a firing that has a record. */
  static recorded(host: HandlerHost, effect: FiringEffect, changes: FiringChanges): HandlerContext {
    return new HandlerContext(host, effect, effect.n, 0, changes);
  }

  /** Returns the context of a firing without a record. */
  static quick(
    host: HandlerHost,
    source: Match | Fact | undefined,
    { n, stamp, staging }: QuickNumbers,
  ): HandlerContext {
    return new HandlerContext(host, source, n, stamp, staging);
  }

  get rule(): string {
    const source = this.#source;
    return source instanceof FiringEffect ? source.rule : this.#bound().production.name;
  }

  get n(): number {
    return this.#n;
  }

  get bindings(): Fired["bindings"] {
    const source = this.#source;
    if (source instanceof FiringEffect) return source.bindings;
    if (this.#changes === undefined) throw firingEnded(this.rule); // its facts may have changed
    return bindingsOf(this.#bound());
  }

  get key(): string {
    return (this.#key ??= this.#newKey());
  }

  get signal(): Signal {
    return this.#host.signal?.() ?? NEVER.signal;
  }

  assert(type: string, fields: Fields, by?: ChangeBy): FactHandle {
    return this.#within(() => this.#host.changes.assert(type, fields, by));
  }

  update(fact: FactRef, fields: Fields, by?: ChangeBy): boolean {
    return this.#within(() => this.#host.changes.update(fact, fields, by));
  }

  retract(fact: FactRef, by?: ChangeBy): boolean {
    return this.#within(() => this.#host.changes.retract(fact, by));
  }

  upsert(type: string, fields: Fields, by?: ChangeBy): FactHandle {
    return this.#within(() => this.#host.changes.upsert(type, fields, by));
  }

  focus(group: string): void {
    this.#within(() => this.#host.changes.focus(group));
  }

  fact(ref: FactRef): FactView | undefined {
    return this.#within(() => {
      const known = this.#host.open.staging?.get(idOf(ref));
      return known === undefined ? undefined : factView(known);
    });
  }

  facts(type?: string): FactView[] {
    return this.#within(() => Array.from(this.#host.open.staging?.known(type) ?? [], factView));
  }

  /** Ends the use of the context: the firing is over. */
  end(): void {
    this.#changes = undefined;
  }

  #newKey(): string {
    const source = this.#source;
    if (source instanceof FiringEffect) return source.key;
    if (this.#changes === undefined) throw firingEnded(this.rule);
    const bound = this.#bound();
    const { scope } = this.#host.keys;
    return scope.keyOf(this.rule, bindingsOf(bound), keyFactsOf(bound), this.#stamp, this.#action().place);
  }

  /** Returns the match of a firing without a record. */
  #bound(): Bound {
    const { production } = this.#action();
    const source = this.#source;
    if (source instanceof Fact) return { production, match: undefined, fact: source };
    return { production, match: source as Match | undefined, fact: undefined };
  }

  #action(): QuickAction {
    return must(this.#host.action, "a firing without a record knows its action");
  }

  /** Does the work with its changes going to the firing, or to the batch of the handler that is under way. */
  #within<Result>(work: () => Result): Result {
    if (this.#changes === undefined) throw firingEnded(this.rule);
    const { open } = this.#host;
    const staging = stagingOf(this.#changes);
    return open.staging?.isOn(staging) === true ? work() : open.collect(staging, work);
  }
}

/** Returns where the changes of a firing go; throws what makes them impossible now. */
function stagingOf(changes: FiringChanges): Staging {
  try {
    return changes.current();
  } catch (error) {
    throw isThrown(error, ActionFailure) ? error.cause : error;
  }
}

/** The signal of handlers that are not awaited: nothing can abort them. */
const NEVER = new AbortController();
