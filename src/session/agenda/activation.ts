/**
 * A match that a rule may fire on, and which of two fires first.
 *
 * The order is a function of the match alone: salience, the change that completed it (or, for `lex`, how recent its facts
 * were then), rule, facts. It never depends on the order in which the network found the matches of one change.
 */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Match } from "../../rete/match.ts";
import type { Production } from "../../rete/production.ts";
import type { Ending, TerminalNode } from "../../rete/terminal.ts";
import type { Wave } from "./wave.ts";

/** The sort key of an activation that is in no list. */
export const NO_SORT_KEY = -1;

/** The heap position of an activation that is in no heap, and of one that is held back (held-back.ts). */
export const NO_PLACE = -1;
export const HELD_BACK = -2;

export class Activation implements Ending {
  /** Replaced when the program is replaced and the rule stays. */
  production: Production;
  /** Replaced when the match comes back after a trial, or is found in another way. Undefined for a rule with a direct terminal. */
  match: Match | undefined;
  /** For a rule with a direct terminal: the fact it matches. */
  readonly fact: Fact | undefined;
  /** The number of the change that completed the match. Replaced only when a session is restored. */
  changeNumber: number;
  /** For `lex`: when the facts were last changed, as seen at that time, newest first. */
  recency: readonly number[] | undefined;
  /** False once the match is removed. */
  alive = true;
  /** Its position in a heap of the agenda; below 0 when it is in none, and HELD_BACK while it is held back. */
  heapPosition: number = NO_PLACE;
  /** The wave in which it waits, under `breadth` and `depth`. */
  wave: Wave | undefined = undefined;
  /** While many of one change are put in order: the first two facts of its match as one number (wave.ts). */
  sortKey: number = NO_SORT_KEY;
  /** Whether it waits until its group is active. */
  parked = false;
  /** The terminal of its match, and the next activation of the same match. */
  terminal: TerminalNode | undefined = undefined;
  nextOfMatch: Ending | undefined = undefined;
  #facts: readonly Fact[] | undefined;

  constructor(
    production: Production,
    match: Match | undefined,
    fact: Fact | undefined,
    changeNumber: number,
    recency: readonly number[] | undefined,
  ) {
    this.production = production;
    this.match = match;
    this.fact = fact;
    this.changeNumber = changeNumber;
    this.recency = recency;
    this.#facts = undefined;
  }

  /** Whether it has not fired, and is not held back by `no-loop`. */
  get waiting(): boolean {
    return this.wave !== undefined || this.heapPosition !== NO_PLACE || this.parked;
  }

  /** The facts of the match. Computed when first read: most activations are ordered without them. */
  get facts(): readonly Fact[] {
    this.#facts ??= this.production.facts(this.match, this.fact);
    return this.#facts;
  }

  /** Equal for two matches of a rule exactly when they are the same match. */
  get identity(): string {
    return this.production.identity(this.match, this.fact);
  }

  /** Frees the computed facts. */
  forgetFacts(): void {
    this.#facts = undefined;
  }
}

/** What is known of a fact that matches a rule with a direct terminal. It is made when somebody asks, and never waits itself. */
export class DirectActivation extends Activation {
  /** Replaced when the program is replaced and the rule stays. */
  direct: DirectTerminal;
  readonly #waits: boolean;

  constructor(direct: DirectTerminal, fact: Fact, changeNumber: number, waits: boolean) {
    super(direct.production, undefined, fact, changeNumber, undefined);
    this.direct = direct;
    this.#waits = waits;
  }

  override get waiting(): boolean {
    return this.#waits;
  }
}

/** Compares two activations: below 0 when the first of them fires first. */
export type Compare = (a: Activation, b: Activation) => number;
