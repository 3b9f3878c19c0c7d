/** Receives matches from the network as they come and go, and updates the agenda and the supports. */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Match } from "../../rete/match.ts";
import type { MatchListener } from "../../rete/port.ts";
import type { Deferred } from "../../rete/deferred-pairs.ts";
import type { Production } from "../../rete/production.ts";
import type { Ending, TerminalNode } from "../../rete/terminal.ts";
import type { Strategy } from "../../base/strategy.ts";
import { Activation } from "./activation.ts";
import { recencyOf, rulesOf } from "./strategies.ts";
import type { Agenda } from "./agenda.ts";
import type { Memory } from "../memory.ts";
import { Paused } from "./paused.ts";
import type { Support } from "../changes/support.ts";

export interface Trial {
  /** Returns the activations that were paused since the last call. */
  paused(): Iterable<Activation>;
  /** Returns the activations that came back since the last call. */
  revived(): Iterable<Activation>;
  /** Ends the activations that did not come back. */
  end(): void;
}

export class ActivationListener implements MatchListener {
  /** The rule whose changes are being made; if it is `no-loop`, they do not activate it again. */
  firing: string | undefined;
  /** Whether a session is being restored: then its marks say which matches wait. */
  rebuilding = false;
  late: number | undefined = undefined;
  readonly #agenda: Agenda;
  readonly #support: Support;
  readonly #memory: Memory;
  readonly #needsRecency: boolean;
  #trial: Paused | undefined;

  constructor(agenda: Agenda, support: Support, memory: Memory, strategy: Strategy) {
    this.firing = undefined;
    this.#agenda = agenda;
    this.#support = support;
    this.#memory = memory;
    this.#needsRecency = rulesOf(strategy).needsRecency;
    this.#trial = undefined;
  }

  matchAdded(production: Production, match: Match, terminal?: TerminalNode): Activation {
    const revived = this.#trial?.revive(production, match);
    if (revived !== undefined) {
      revived.terminal = terminal;
      return revived;
    }
    const recency = this.#needsRecency ? recencyOf(production.facts(match)) : undefined;
    const activation = new Activation(production, match, undefined, this.late ?? this.#memory.change, recency);
    activation.terminal = terminal;
    const ownEffect = production.noLoop && production.name === this.firing;
    if (!this.rebuilding && !ownEffect) this.#agenda.add(activation);
    return activation;
  }

  matchRemoved(activation: Ending): void {
    if (!(activation instanceof Activation)) return;
    activation.alive = false;
    if (this.#trial !== undefined) return this.#trial.pause(activation);
    this.#agenda.remove(activation);
    this.#support.activationEnded(activation);
  }

  wayChanged(activation: Ending, terminal: TerminalNode, match: Match): void {
    if (!(activation instanceof Activation)) return;
    activation.production = terminal.production;
    activation.match = match;
    activation.terminal = terminal;
    this.#agenda.itemsMoved();
  }

  itemsMoved(): void {
    this.#agenda.itemsMoved();
  }

  pairsDeferred(deferred: Deferred): boolean {
    if (this.rebuilding || this.#trial !== undefined) return false;
    deferred.changeNumber = this.#memory.change;
    this.#agenda.addDeferred(deferred);
    return true;
  }

  pairsDropped(deferred: Deferred): void {
    this.#agenda.removeDeferred(deferred);
  }

  factPassed(terminals: readonly DirectTerminal[], fact: Fact): void {
    if (this.rebuilding) return;
    if (this.#trial === undefined) this.#agenda.addDirect(terminals, fact, this.#memory.change);
    else for (const end of terminals) this.#trial.reviveDirect(end, fact);
  }

  factLeft(end: DirectTerminal, fact: Fact): void {
    this.#agenda.removeDirect(end, fact);
  }

  /** Removes all that waits on a fact that is gone. */
  factGone(fact: Fact): void {
    if (fact.waiting === undefined && !this.#agenda.holdsBack && this.#trial === undefined) return;
    const waited = this.#agenda.takeDirect(fact);
    this.#trial?.pauseDirect(fact, waited);
  }

  /** Begins a trial: until it ends, activations whose matches are removed are only paused. */
  beginTrial(): Trial {
    const trial = new Paused(this.#agenda);
    this.#trial = trial;
    return {
      paused: () => trial.takePaused(),
      revived: () => trial.takeRevived(),
      end: () => {
        this.#trial = undefined;
        for (const activation of trial.left()) this.#support.activationEnded(activation);
      },
    };
  }
}
