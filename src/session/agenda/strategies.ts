/**
 * What the conflict strategies do: one entry each, read by the agenda, the activation listener and the engine.
 *
 * A strategy that fires by the change that completed a match keeps activations in waves, and rules with a single pattern need no
 * activations. Any other order puts all activations into a heap.
 */
import type { Strategy } from "../../base/strategy.ts";
import { compareText } from "../../base/value.ts";
import type { Fact } from "../../rete/fact.ts";
import type { Activation, Compare } from "./activation.ts";

export interface StrategyRules {
  /** Compares two activations of equal salience, before rules and facts are compared. */
  readonly byTime: Compare;
  /** True to fire the newest change, and the newest facts of one change, first. */
  readonly newestFirst: boolean;
  /** True when `byTime` orders by anything else than the change number: activations wait in a heap, and no match is left out. */
  readonly needsHeap: boolean;
  /** True when `byTime` reads `recency`: the change numbers of the facts, newest first. */
  readonly needsRecency: boolean;
}

const RULES: Readonly<Record<Strategy, StrategyRules>> = {
  breadth: {
    byTime: (a, b) => a.changeNumber - b.changeNumber,
    newestFirst: false,
    needsHeap: false,
    needsRecency: false,
  },
  depth: {
    byTime: (a, b) => b.changeNumber - a.changeNumber,
    newestFirst: true,
    needsHeap: false,
    needsRecency: false,
  },
  lex: {
    byTime: (a, b) => byRecency(a.recency ?? [], b.recency ?? []),
    newestFirst: false,
    needsHeap: true,
    needsRecency: true,
  },
};

/** Returns what a strategy does. */
export function rulesOf(strategy: Strategy): StrategyRules {
  return RULES[strategy];
}

/** Returns the order of firing: below 0 when the first of two fires first. */
export function orderOf(strategy: Strategy): Compare {
  const { byTime } = RULES[strategy];
  const inChange = orderInChange(RULES[strategy].newestFirst);
  return (a, b) => b.production.salience - a.production.salience || byTime(a, b) || inChange(a, b);
}

/** Returns the order of two in one wave that have sort keys. */
export function orderBySortKey(newestFirst: boolean): Compare {
  const direction = newestFirst ? -1 : 1;
  const inChange = orderInChange(newestFirst);
  return (a, b) => (a.production === b.production ? direction * (a.sortKey - b.sortKey) : 0) || inChange(a, b);
}

/** Returns the order of two that one change completed. */
function orderInChange(newestFirst: boolean): Compare {
  const facts = newestFirst ? newestFacts : oldestFacts;
  return (a, b) => a.production.order - b.production.order || facts(a, b) || byIdentity(a, b);
}

/** Returns the change numbers of facts, newest first. */
export function recencyOf(facts: readonly Fact[]): number[] {
  return facts.map((fact) => fact.tag).sort((a, b) => b - a);
}

/** More recent first; where one is the beginning of the other, the longer first. */
function byRecency(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (b[index] ?? 0) - (a[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return b.length - a.length;
}

function oldestFacts(a: Activation, b: Activation): number {
  const { production, match } = a;
  if (production === b.production && match !== undefined && b.match !== undefined) {
    const difference = production.compareFacts?.(match, b.match);
    if (difference !== undefined) return difference;
  }
  return byFacts(a.facts, b.facts);
}

/** The newest facts first, also among the matches that one change completed. */
function newestFacts(a: Activation, b: Activation): number {
  return oldestFacts(b, a);
}

/** Earlier asserted first, in written order of the conditions. */
function byFacts(a: readonly Fact[], b: readonly Fact[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index]?.order ?? 0) - (b[index]?.order ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Alternatives of one rule can agree in their facts and differ in a value. */
function byIdentity(a: Activation, b: Activation): number {
  return a === b ? 0 : compareText(a.identity, b.identity);
}
