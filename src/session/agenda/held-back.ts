/**
 * What failed in a run that goes on without it. It waits like the others, but fires in the next run only.
 *
 * An activation that leaves and comes back as the same one, as in a trial, is held back again. One that ended and began again is another
 * one, and fires.
 */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import { type Activation, HELD_BACK, NO_PLACE } from "./activation.ts";

/** A rule with a single pattern that failed on a fact. */
interface HeldDirect {
  /** The number of the change since which it waits. */
  readonly stamp: number;
  /** False while it is not on the agenda. */
  waiting: boolean;
}

export class HeldBack {
  /** All that failed in this run. Those that still wait have the heap position HELD_BACK. */
  readonly #failed = new Set<Activation>();
  readonly #direct = new Map<Fact, Map<DirectTerminal, HeldDirect>>();
  /** The number of those that wait. */
  size = 0;

  /** Adds an activation that failed and is no longer on the agenda. */
  hold(activation: Activation): void {
    this.#failed.add(activation);
    this.#wait(activation);
  }

  holdDirect(terminal: DirectTerminal, fact: Fact, stamp: number): void {
    const onFact = this.#direct.get(fact) ?? new Map<DirectTerminal, HeldDirect>();
    this.#direct.set(fact, onFact.set(terminal, { stamp, waiting: true }));
    this.size += 1;
  }

  /** Adds an activation that is put on the agenda, if it failed in this run. */
  take(activation: Activation): boolean {
    if (!this.#failed.has(activation)) return false;
    this.#wait(activation);
    return true;
  }

  /** Adds what is put on the agenda for a fact and failed in this run; returns the others. */
  takeDirect(terminals: readonly DirectTerminal[], fact: Fact, stamp: number): readonly DirectTerminal[] {
    const onFact = this.#direct.get(fact);
    if (onFact === undefined) return terminals;
    return terminals.filter((terminal) => {
      const held = onFact.get(terminal);
      if (held?.stamp !== stamp || held.waiting) return true;
      held.waiting = true;
      this.size += 1;
      return false;
    });
  }

  remove(activation: Activation): void {
    activation.heapPosition = NO_PLACE;
    this.size -= 1;
  }

  removeDirect(terminal: DirectTerminal, fact: Fact): void {
    const held = this.#direct.get(fact)?.get(terminal);
    if (held?.waiting !== true) return;
    held.waiting = false;
    this.size -= 1;
  }

  /** Removes all that waits on a fact, and adds it with its change number to `taken`. */
  removeFact(fact: Fact, taken: Map<DirectTerminal, number>): void {
    for (const [terminal, held] of this.#direct.get(fact) ?? []) {
      if (!held.waiting) continue;
      taken.set(terminal, held.stamp);
      held.waiting = false;
      this.size -= 1;
    }
  }

  /** Returns the number of the change since which a terminal waits on a fact; undefined when it is not held back. */
  waitingSince(terminal: DirectTerminal, fact: Fact): number | undefined {
    const held = this.#direct.get(fact)?.get(terminal);
    return held?.waiting === true ? held.stamp : undefined;
  }

  /** Returns the activations that wait. */
  *activations(): Iterable<Activation> {
    for (const activation of this.#failed) if (activation.heapPosition === HELD_BACK) yield activation;
  }

  /** Returns the rules with a single pattern that wait on facts. */
  *direct(): Iterable<{ readonly terminal: DirectTerminal; readonly fact: Fact; readonly stamp: number }> {
    for (const [fact, onFact] of this.#direct) {
      for (const [terminal, { stamp, waiting }] of onFact) if (waiting) yield { terminal, fact, stamp };
    }
  }

  #wait(activation: Activation): void {
    activation.heapPosition = HELD_BACK;
    this.size += 1;
  }
}
