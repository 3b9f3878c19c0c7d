/**
 * The ends of rules with a single pattern.
 *
 * Such a rule matches exactly the facts that pass its alpha nodes, so nothing needs to be remembered for it: no match is
 * made, only the listener hears when a fact passes and when it no longer does.
 */
import type { Fact } from "./fact.ts";
import type { FactListener } from "./port.ts";
import type { Production } from "./production.ts";

export class DirectTerminal {
  #production: Production;
  /** Where its rule stands among the others. */
  order: number;
  salience: number;
  /** Where the session keeps what it needs for every firing. */
  note: unknown;
  /** False when the rule is gone. */
  attached: boolean;
  readonly listener: FactListener;

  constructor(production: Production, listener: FactListener) {
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
export type TerminalGroup = readonly DirectTerminal[];

/** By salience, then by rule: the order in which a fact's ends fire. */
export function compareTerminals(a: DirectTerminal, b: DirectTerminal): number {
  return b.salience - a.salience || a.order - b.order;
}

/** The groups of ends that come in the order of `compareTerminals`. */
export function groupsOf(sorted: readonly DirectTerminal[]): TerminalGroup[] {
  const groups: DirectTerminal[][] = [];
  const last = new Map<FactListener, DirectTerminal[]>();
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

export function tell(group: TerminalGroup, fact: Fact): void {
  group[0]?.listener.factPassed(group, fact);
}
