/**
 * The ends of rules with a single pattern.
 *
 * Such a rule matches exactly the facts that pass its alpha nodes, so nothing needs to be remembered for it: no match is
 * made, only the listener hears when a fact passes and when it no longer does.
 */
import type { Fact } from "./fact.ts";
import type { LightListener } from "./port.ts";
import type { Production } from "./production.ts";

export class LightEnd {
  #production: Production;
  /** Where its rule stands among the others. */
  order: number;
  salience: number;
  /** Where the session keeps what it needs for every firing. */
  note: unknown = undefined;
  /** False when the rule is gone. */
  attached: boolean = true;
  readonly listener: LightListener;

  constructor(production: Production, listener: LightListener) {
    this.#production = production;
    this.order = production.order;
    this.salience = production.salience;
    this.listener = listener;
  }

  get production(): Production {
    return this.#production;
  }

  /** The program was replaced, and the rule stays. */
  set production(production: Production) {
    this.#production = production;
    this.order = production.order;
    this.salience = production.salience;
    this.note = undefined;
  }
}

/**
 * The ends below one alpha node, in groups of one salience and one listener, in the order of the rules. A group is handed
 * out for every fact that passes, so it is never changed: what comes or goes makes new groups.
 */
export class LightEnds {
  readonly #ends = new Set<LightEnd>();
  #groups: (readonly LightEnd[])[] | undefined = undefined;
  /** The only group, as a rule. */
  #only: readonly LightEnd[] | undefined = undefined;
  readonly #sizeChanged: () => void;

  constructor(sizeChanged: () => void) {
    this.#sizeChanged = sizeChanged;
  }

  get size(): number {
    return this.#ends.size;
  }

  add(end: LightEnd): void {
    this.#ends.add(end);
    this.changed();
    this.#sizeChanged();
  }

  delete(end: LightEnd): void {
    this.#ends.delete(end);
    this.changed();
    this.#sizeChanged();
  }

  /** An end has another production. */
  changed(): void {
    this.#groups = undefined;
    this.#only = undefined;
  }

  /** A fact passed. */
  tell(fact: Fact): void {
    if (this.#only !== undefined) return this.#only[0]?.listener.factPassed(this.#only, fact);
    const { groups } = this;
    if (groups.length === 1) this.#only = groups[0];
    for (let at = 0; at < groups.length; at++) {
      const group = groups[at] as readonly LightEnd[];
      group[0]?.listener.factPassed(group, fact);
    }
  }

  get groups(): readonly (readonly LightEnd[])[] {
    this.#groups ??= this.#group();
    return this.#groups;
  }

  #group(): LightEnd[][] {
    const groups = new Map<LightListener, Map<number, LightEnd[]>>();
    for (const end of [...this.#ends].sort((a, b) => a.order - b.order)) {
      const { listener, salience } = end;
      let bySalience = groups.get(listener);
      if (bySalience === undefined) groups.set(listener, (bySalience = new Map()));
      const group = bySalience.get(salience);
      if (group === undefined) bySalience.set(salience, [end]);
      else group.push(end);
    }
    return [...groups.values()].flatMap((bySalience) => [...bySalience.values()]);
  }
}
