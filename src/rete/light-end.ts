/**
 * The end of a rule with a single pattern.
 *
 * Such a rule matches exactly the facts that pass its alpha nodes, so nothing needs to be remembered for it: no match is
 * made, only the listener hears when a fact passes and when it no longer does.
 */
import type { Fact } from "./fact.ts";
import type { LightListener } from "./port.ts";
import type { Production } from "./production.ts";

export class LightEnd {
  /** Replaced when the program is replaced and the rule stays. */
  production: Production;
  /** False when the rule is gone. */
  attached: boolean = true;
  /** Where the listener keeps what it needs to find for every fact. */
  note: unknown = undefined;
  readonly #listener: LightListener;

  constructor(production: Production, listener: LightListener) {
    this.production = production;
    this.#listener = listener;
  }

  passed(fact: Fact): void {
    this.#listener.factPassed(this, fact);
  }

  left(fact: Fact): void {
    this.#listener.factLeft(this, fact);
  }
}
