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
import type { Effect } from "./results.ts";

/** The number of random bytes of an id that the host did not choose. */
const ID_BYTES = 16;

/** What distinguishes a firing from all others of its session. */
export interface FiringIdentity {
  readonly rule: string;
  /** The facts of the match, in written order. */
  readonly facts: readonly { readonly id: string }[];
  readonly bindings: Readonly<Record<string, Maybe>>;
  /** The number of the change that completed the match. */
  readonly stamp: number;
}

/** A firing with what computes its keys. */
export interface RecordedFiring extends FiringIdentity {
  readonly scope: KeyScope;
}

/** Computes the keys of one session, from its opening or its last reset on, and of one program. */
export class KeyScope {
  readonly session: SessionId;
  readonly #ruleHash: (rule: string) => string;

  constructor(session: SessionId, ruleHash: (rule: string) => string) {
    this.session = session;
    this.#ruleHash = ruleHash;
  }

  /** Returns the key of an action of a firing; `place` is its index in the `then` of the rule. */
  keyOf({ rule, facts, bindings, stamp }: FiringIdentity, place: number): string {
    const identity = [facts.map(({ id }) => id), Object.entries(bindings).sort(byName)];
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

/** A call of an action, with a key that is computed when it is first read. */
export class FiringEffect implements Effect {
  readonly n: number;
  readonly action: string;
  readonly args: readonly Maybe[];
  readonly rule: string;
  readonly #firing: RecordedFiring;
  readonly #place: number;

  constructor(n: number, action: string, args: readonly Maybe[], firing: RecordedFiring, place: number) {
    this.n = n;
    this.action = action;
    this.args = args;
    this.rule = firing.rule;
    this.#firing = firing;
    this.#place = place;
  }

  get key(): string {
    return this.#firing.scope.keyOf(this.#firing, this.#place);
  }

  /** The index of the action in the `then` of the rule. */
  get place(): number {
    return this.#place;
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
