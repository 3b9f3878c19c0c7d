/**
 * Makes staged changes: working memory, network, supports and agenda move together, one change after the other.
 *
 * When the list is done, logical facts that are no longer well-founded are retracted, until all that are left are.
 */
import { keylessId } from "../../base/identity.ts";
import type { Steps } from "../../base/slices.ts";
import type { Maybe } from "../../base/value.ts";
import type { Fact, Shape } from "../../rete/fact.ts";
import type { NetworkPort } from "../../rete/port.ts";
import type { Activation } from "../agenda/activation.ts";
import type { FactEvent, Fired } from "../results.ts";
import type { SessionState } from "../state.ts";
import type { Change } from "./staging.ts";
import { retractOnTrial } from "./retraction-trial.ts";
import { factView, fieldsOf } from "../views.ts";

/** From this number of changes on, joins that would exceed the match limit are looked for before the changes are made. */
const FORESEE_FROM = 1000;

export class Committer {
  readonly #state: SessionState;
  readonly #network: NetworkPort;

  constructor(state: SessionState, network: NetworkPort) {
    this.#state = state;
    this.#network = network;
  }

  /** Makes the changes in order. `by` is the author that events name, `fired` the firing that they belong to. */
  commit(changes: readonly Change[], by: string, fired?: Fired): void {
    if (changes.length >= FORESEE_FROM) this.#network.foresee?.(insertsByType(changes));
    for (const change of changes) this.#make(change, by, fired);
    this.#retractUnfounded(fired);
    this.expire();
  }

  /** Makes the changes with which a session begins in the same way, one in a step: nobody has the session yet. */
  *beginning(changes: readonly Change[], by: string): Steps<void> {
    if (changes.length >= FORESEE_FROM) this.#network.foresee?.(insertsByType(changes));
    for (const change of changes) {
      this.#make(change, by, undefined);
      yield;
    }
    this.#retractUnfounded();
    this.expire();
  }

  /** Asserts a new fact of the host and returns its id. */
  assert(shape: Shape, values: Maybe[], keyed: string | undefined): string {
    const { memory, support } = this.#state;
    const keyless = keyed === undefined ? memory.lastKeyless(shape.type) + 1 : 0;
    const id = keyed ?? keylessId(shape.type, keyless);
    if (keyed === undefined) memory.setLastKeyless(shape.type, keyless);
    memory.beginChange();
    const fact = memory.insert(id, shape, values);
    this.#state.expiry.added(fact);
    support.factAdded(fact);
    this.#network.add(fact);
    this.#report("assert", fact, "host");
    this.#retractUnfounded();
    return id;
  }

  /** Retracts a plain fact for the host. */
  retract(fact: Fact): void {
    this.#retract(fact, "host");
    this.#retractUnfounded();
  }

  /** Moves the clock. All that turns at the instant is one change, and so are the facts that expire. */
  moveClock(to: number): void {
    this.#state.memory.beginChange();
    let expired: readonly Fact[] = [];
    this.#network.advance(to, () => (expired = this.#takeExpired()));
    this.#reportExpired(expired);
    this.#retractUnfounded();
  }

  /** Retracts the facts whose ends came without the clock: with another time, or with another program. */
  expire(): void {
    const expired = this.#takeExpired();
    if (expired.length === 0) return;
    this.#state.memory.beginChange();
    this.#network.removeAll(expired);
    this.#reportExpired(expired);
    this.#retractUnfounded();
  }

  /** Takes the facts whose ends have come out of working memory, and returns them. */
  #takeExpired(): readonly Fact[] {
    const { memory, support, expiry } = this.#state;
    const expired = expiry.takeDue();
    for (const fact of expired) {
      memory.remove(fact);
      support.factRemoved(fact);
    }
    return expired;
  }

  #reportExpired(expired: readonly Fact[]): void {
    for (const fact of expired) {
      this.#state.activationListener.factGone(fact);
      this.#report("retract", fact, "clock");
    }
  }

  #make(change: Change, by: string, fired: Fired | undefined): void {
    switch (change.kind) {
      case "insert":
        return this.#insert(change, by, fired);
      case "expired":
        this.#state.expiry.refused += 1;
        return;
      case "focus":
        return this.#state.agenda.focus(change.group);
      case "xuple":
        return this.#state.xuples.put(change.space, change.shape.type, fieldsOf(change.shape, change.values));
      default:
        return this.#changeFact(change, by, fired);
    }
  }

  /** Inserts a fact; a logical one only while the match that supports it exists. */
  #insert(change: Change & { kind: "insert" }, by: string, fired: Fired | undefined): void {
    const { memory, support } = this.#state;
    if (change.keyless !== undefined) memory.reserveKeyless(change.shape.type, change.keyless);
    if (change.support?.alive === false) return;
    memory.beginChange();
    const fact = memory.insert(change.id, change.shape, change.values);
    if (change.support !== undefined) {
      support.addLogical(fact, { plain: false, keyless: change.keyless !== undefined });
      support.support(fact, change.support);
    }
    this.#state.expiry.added(fact);
    support.factAdded(fact);
    this.#state.history.asserted(fact, fired);
    this.#network.add(fact);
    this.#report("assert", fact, by);
  }

  /** Changes a fact. It is missing when it was to be inserted logically and its match was gone. */
  #changeFact(
    change: Exclude<Change, { kind: "insert" | "expired" | "focus" | "xuple" }>,
    by: string,
    fired: Fired | undefined,
  ): void {
    const { memory, support } = this.#state;
    const fact = memory.get(change.id);
    if (fact === undefined) return;
    switch (change.kind) {
      case "plain":
        return support.setPlain(fact, change.plain);
      case "support":
        return this.#support(fact, change.activation, fired);
      case "update":
        return this.#update(fact, change, by, fired);
      case "retract":
        return this.#retract(fact, by, fired);
    }
  }

  /** Adds a support to a logical fact, as long as its match exists. */
  #support(fact: Fact, activation: Activation, fired: Fired | undefined): void {
    if (!activation.alive) return;
    this.#state.support.support(fact, activation);
    this.#state.history.supported(fact, fired);
  }

  #update(fact: Fact, { changes }: Change & { kind: "update" }, by: string, fired: Fired | undefined): void {
    const { memory, support } = this.#state;
    const change = memory.beginChange();
    this.#state.history.updating(fact, change, by, fired);
    fact.tag = change;
    support.factChanged(fact);
    this.#network.update(fact, changes);
    this.#state.expiry.changed(fact);
    this.#report("update", fact, by);
  }

  #retract(fact: Fact, by: string, fired?: Fired): void {
    const { memory, support } = this.#state;
    memory.beginChange();
    memory.remove(fact);
    this.#state.expiry.removed(fact);
    support.factRemoved(fact);
    this.#network.remove(fact);
    this.#state.activationListener.factGone(fact);
    this.#report("retract", fact, by, fired);
  }

  /** Retracts logical facts until all that are left are well-founded. `fired` is the firing whose changes led to it. */
  #retractUnfounded(fired?: Fired): void {
    const { support } = this.#state;
    for (;;) {
      const { unfounded, doubtful } = support.takeSuspects();
      if (unfounded.length > 0) {
        for (const fact of unfounded) this.#retract(fact, "support", fired);
      } else if (doubtful.length > 0) {
        for (const fact of retractOnTrial(doubtful, this.#state, this.#network)) {
          this.#state.expiry.removed(fact);
          this.#report("retract", fact, "support", fired);
        }
      } else {
        return;
      }
    }
  }

  #report(op: FactEvent["op"], fact: Fact, by: string, fired?: Fired): void {
    if (op === "retract") this.#state.history.retracted(fact, this.#state.memory.change, by, fired);
    const { listeners } = this.#state;
    if (listeners.has("fact")) listeners.post("fact", { op, ...factView(fact), by });
  }
}

/** Counts the facts of each type that the changes insert. */
function insertsByType(changes: readonly Change[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const change of changes) {
    if (change.kind !== "insert") continue;
    const { type } = change.shape;
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}
