/**
 * The ends of rules with a single pattern.
 *
 * Such a rule matches exactly the facts that pass its alpha nodes, so nothing needs to be remembered for it: no match is
 * made, only the listener of the session hears when a fact passes and when it no longer does.
 */
import type { Production } from "./production.ts";

export class DirectTerminal {
  readonly production: Production;
  /** The position of its rule in the program. */
  readonly order: number;
  readonly salience: number;
  /** Its number among the terminals of the program, and of the programs that continue it. */
  number: number = -1;

  constructor(production: Production) {
    this.production = production;
    this.order = production.order;
    this.salience = production.salience;
  }
}

/** Terminals of one salience, in the order of their rules. Shared, so it is never changed. */
export type TerminalGroup = readonly DirectTerminal[];

/** Compares two terminals by the order in which they fire for a fact: by salience, then by rule. */
export function compareTerminals(a: DirectTerminal, b: DirectTerminal): number {
  return b.salience - a.salience || a.order - b.order;
}

/** Returns the groups of terminals that are sorted by `compareTerminals`. */
export function groupsOf(sorted: readonly DirectTerminal[]): TerminalGroup[] {
  const groups: DirectTerminal[][] = [];
  for (const end of sorted) {
    const group = groups.at(-1);
    if (group?.[0]?.salience === end.salience) group.push(end);
    else groups.push([end]);
  }
  return groups;
}
