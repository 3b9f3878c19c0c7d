/** Where an activation waits while its handlers are awaited: others may end it, or move what waits beside it. */
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Fact } from "../../rete/fact.ts";
import { Activation } from "./activation.ts";
import type { Agenda } from "./agenda.ts";
import type { FactActivations } from "./wave.ts";

/** A rule with a single pattern that waits on a fact. */
interface DirectPlace {
  readonly terminal: DirectTerminal;
  readonly fact: Fact;
  /** The number of the change since which it waits. */
  readonly stamp: number;
}

export class AgendaPlace {
  readonly #agenda: Agenda;
  readonly #place: Activation | DirectPlace;

  constructor({ agenda }: { readonly agenda: Agenda }, next: Activation | FactActivations) {
    this.#agenda = agenda;
    this.#place =
      next instanceof Activation ? next : { terminal: next.first(), fact: next.fact, stamp: next.wave.changeNumber };
  }

  /** Returns whether the same match still waits. */
  waits(): boolean {
    const place = this.#place;
    if (place instanceof Activation) return place.alive && place.waiting;
    return this.#agenda.waitingSince(place.terminal, place.fact) === place.stamp;
  }

  /** Holds it back until the run ends, if it still waits: it failed. */
  hold(): void {
    if (!this.waits()) return;
    const place = this.#place;
    if (place instanceof Activation) this.#agenda.hold(place);
    else this.#agenda.holdDirect(place.terminal, place.fact, place.stamp);
  }

  /** Removes it from the agenda: it has fired. */
  leave(): void {
    const place = this.#place;
    if (place instanceof Activation) {
      this.#agenda.remove(place);
      place.forgetFacts();
    } else this.#agenda.removeDirect(place.terminal, place.fact);
  }
}
