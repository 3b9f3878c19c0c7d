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
  note: unknown;
  /** False when the rule is gone. */
  attached: boolean;
  readonly listener: LightListener;

  constructor(production: Production, listener: LightListener) {
    this.#production = production;
    this.order = production.order;
    this.salience = production.salience;
    this.note = undefined;
    this.attached = true;
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

/** Ends of one listener and one salience, in the order of their rules. Handed out for facts, so it is never changed. */
export type LightGroup = readonly LightEnd[];

/** By salience, then by rule: the order in which a fact's ends fire. */
export function compareEnds(a: LightEnd, b: LightEnd): number {
  return b.salience - a.salience || a.order - b.order;
}

/** The groups of ends that come in the order of `compareEnds`. */
export function groupsOf(sorted: readonly LightEnd[]): LightGroup[] {
  const groups: LightEnd[][] = [];
  const last = new Map<LightListener, LightEnd[]>();
  for (const end of sorted) {
    const group = last.get(end.listener);
    if (group?.[0]?.salience === end.salience) {
      group.push(end);
      continue;
    }
    const made = [end];
    groups.push(made);
    last.set(end.listener, made);
  }
  return groups;
}

export function tell(group: LightGroup, fact: Fact): void {
  group[0]?.listener.factPassed(group, fact);
}
