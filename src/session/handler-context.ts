/**
 * What a handler sees as `this`: its firing, and the changes that share the fate of the firing.
 *
 * It can be used until the firing ends. Variables and key are computed when they are read.
 */
import type { Signal } from "../base/signal.ts";
import { isThrown } from "../base/host-result.ts";
import type { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { Production } from "../rete/production.ts";
import type { FiringChanges } from "./changes/awaited-changes.ts";
import type { Changes } from "./changes/changes.ts";
import type { OpenStaging } from "./changes/open-staging.ts";
import type { EffectKeys, FiringIdentity, RecordedFiring } from "./effect-keys.ts";
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

/** What the handlers of a session use. */
export interface HandlerHost {
  readonly changes: Changes;
  readonly open: OpenStaging;
  readonly keys: EffectKeys;
}

/** The firing that a handler belongs to. */
export interface ContextSpec {
  readonly production: Production;
  readonly match: Match | undefined;
  readonly fact: Fact | undefined;
  readonly n: number;
  /** The number of the change that completed the match. */
  readonly stamp: number;
  /** The firing as it began; undefined for a quick firing, which has no record. */
  readonly firing: RecordedFiring | undefined;
  /** Returns the signal of the handler; undefined when the handler is not awaited. */
  readonly signal: (() => Signal) | undefined;
}

export class HandlerContext implements ActionContext {
  readonly #host: HandlerHost;
  readonly #spec: ContextSpec;
  readonly #place: number;
  /** Undefined when the firing has ended. */
  #changes: FiringChanges | undefined;
  #key: string | undefined;

  /** Takes the index of the action in the `then` of its rule, and where its changes go. */
  constructor(host: HandlerHost, spec: ContextSpec, place: number, changes: FiringChanges) {
    this.#host = host;
    this.#spec = spec;
    this.#place = place;
    this.#changes = changes;
    this.#key = undefined;
  }

  get rule(): string {
    return this.#spec.production.name;
  }

  get n(): number {
    return this.#spec.n;
  }

  get bindings(): Fired["bindings"] {
    return this.#spec.firing?.bindings ?? bindingsOf(this.#spec);
  }

  get key(): string {
    return (this.#key ??= this.#newKey());
  }

  get signal(): Signal {
    return this.#spec.signal?.() ?? NEVER.signal;
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
    const { firing } = this.#spec;
    if (firing !== undefined) return firing.scope.keyOf(firing, this.#place);
    if (this.#changes === undefined) throw firingEnded(this.rule);
    return this.#host.keys.scope.keyOf(identityOf(this.#spec, this.bindings), this.#place);
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

/** Returns what distinguishes a firing. */
function identityOf(
  { production, match, fact, stamp }: Pick<ContextSpec, "production" | "match" | "fact" | "stamp">,
  bindings: Fired["bindings"],
): FiringIdentity {
  return { rule: production.name, facts: production.facts(match, fact), bindings, stamp };
}
