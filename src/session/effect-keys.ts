/**
 * Keys of effects: equal for two calls of an action exactly when they belong to the same firing, also when the firing is
 * repeated after a failure, in a restored session or on another machine.
 *
 * A key is the digest of the session, the rule and its hash, the facts and values of the match, the number of the change that
 * completed the match, and the place of the action in the rule. The facts alone are not enough: a `not` that is blocked and
 * unblocked completes the same match again, and that is another firing.
 */
import { base32, digestOf } from "../base/digest.ts";
import type { Maybe } from "../base/value.ts";
import type { ItemIdentity } from "../rete/production.ts";
import type { Bound } from "../rete/rule-matches.ts";
import type { Effect, Fired } from "./results.ts";

/** The number of random bytes of an id that the host did not choose. */
const ID_BYTES = 16;

/** Computes the keys of one session, from its opening or its last reset on, and of one program. */
export class KeyScope {
  readonly session: SessionId;
  readonly #ruleHash: (rule: string) => string;

  constructor(session: SessionId, ruleHash: (rule: string) => string) {
    this.session = session;
    this.#ruleHash = ruleHash;
  }

  /**
   * Returns the key of an action of a firing. `stamp` is the number of the change that completed the match, and `place` the index
   * of the action in the `then` of the rule.
   */
  keyOf(rule: string, bindings: Fired["bindings"], facts: KeyFacts, stamp: number, place: number): string {
    const ids = "ids" in facts ? facts.ids : facts.map((name) => bindings[name]);
    const items = "ids" in facts && facts.items !== undefined ? [facts.items] : [];
    const identity = [ids, Object.entries(bindings).sort(byName), ...items];
    const parts = ["sluice-effect", 1, this.session.id, rule, this.#ruleHash(rule), identity, stamp, place];
    return digestOf(JSON.stringify(parts));
  }
}

/** The id of a session: given by the host, or random and made when it is first needed. */
export class SessionId {
  #id: string | undefined;

  constructor(id: string | undefined) {
    this.#id = id;
  }

  get id(): string {
    return (this.#id ??= base32(crypto.getRandomValues(new Uint8Array(ID_BYTES))));
  }

  /** The id, if the host gave one or somebody has read it. */
  get known(): string | undefined {
    return this.#id;
  }
}

export class EffectKeys {
  readonly #given: string | undefined;
  readonly #ruleHashes: () => (rule: string) => string;
  /** How often the session was emptied: its changes are then counted from 0 again. */
  #resets = 0;
  #scope: KeyScope;

  /** Takes the id that the host gave the session, if any, and what returns the hashes of the rules of now. */
  constructor(id: string | undefined, ruleHashes: () => (rule: string) => string) {
    this.#given = id;
    this.#ruleHashes = ruleHashes;
    this.#scope = new KeyScope(new SessionId(id), ruleHashes());
  }

  get scope(): KeyScope {
    return this.#scope;
  }

  /** Continues with the id of a snapshot, unless the host gave the session its own. */
  restore(id: string | undefined): void {
    const given = this.#given;
    if (given !== undefined && id?.startsWith(`${given} reset `) !== true) return;
    if (given !== undefined) this.#resets = Number(id?.slice(`${given} reset `.length));
    this.#begin(new SessionId(id));
  }

  /** Continues with the rules of another program. Keys of before that are computed later still have the hashes of before. */
  programReplaced(): void {
    this.#begin(this.#scope.session);
  }

  /** Begins again: no key of what follows is equal to one of before. */
  reset(): void {
    this.#resets += 1;
    this.#begin(new SessionId(this.#given === undefined ? undefined : `${this.#given} reset ${this.#resets}`));
  }

  /** Begins again after a session that this one replaces. */
  follow(before: EffectKeys): void {
    this.#resets = before.#resets;
    this.reset();
  }

  #begin(session: SessionId): void {
    this.#scope = new KeyScope(session, this.#ruleHashes());
  }
}

/** What the effects of a firing are made of. */
export interface KeyedFiring {
  readonly fired: Fired;
  /** The number of the change that completed the match. */
  readonly stamp: number;
  readonly scope: KeyScope;
  readonly facts: KeyFacts | undefined;
}

/**
 * A call of an action, with a key that is computed when it is read.
 *
 * The key is computed from the variables that the firing shows, and nothing here leads to a match or a fact: these may change or
 * go while the host keeps the effect. There is no object for the firing that its effects share. V8 allocates what a literal makes
 * among the old objects once it knows that it stays, and copies what a class makes, so each kept object of a class costs time.
 */
export class FiringEffect implements Effect {
  readonly n: number;
  readonly action: string;
  readonly args: readonly Maybe[];
  readonly rule: string;
  readonly #bindings: Fired["bindings"];
  readonly #facts: KeyFacts | undefined;
  readonly #scope: KeyScope;
  readonly #stamp: number;
  readonly #place: number;

  /** Takes the index of the action in the `then` of the rule (`place`). */
  constructor({ fired, facts, scope, stamp }: KeyedFiring, action: string, args: readonly Maybe[], place: number) {
    this.n = fired.n;
    this.action = action;
    this.args = args;
    this.rule = fired.rule;
    this.#bindings = fired.bindings;
    this.#facts = facts;
    this.#scope = scope;
    this.#stamp = stamp;
    this.#place = place;
  }

  get key(): string {
    return this.#scope.keyOf(this.rule, this.#bindings, this.#facts ?? [], this.#stamp, this.#place);
  }

  /** The variables of the match that fired. */
  get bindings(): Fired["bindings"] {
    return this.#bindings;
  }
}

/**
 * The facts of a match in written order: the variables that name them, or their ids where one of them has no variable, or where there
 * are items of lists as well.
 */
export type KeyFacts =
  readonly string[] | { readonly ids: readonly string[]; readonly items?: readonly ItemIdentity[] | undefined };

/** Returns the facts of a match, as keys need them. */
export function keyFactsOf({ production, match, fact }: Bound): KeyFacts {
  if (production.items === undefined && production.factNames !== undefined) return production.factNames;
  const ids = production.facts(match, fact).map(({ id }) => id);
  return match === undefined ? { ids } : { ids, items: production.items?.(match) };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
