/**
 * What the conflict strategies do: one entry each, read by the agenda, the activation listener and the engine.
 *
 * A strategy that fires by the change that completed a match keeps activations in waves, and rules with a single pattern need no
 * activations. Any other order puts all activations into a heap.
 */
import type { Strategy } from "../../base/strategy.ts";
import { compareText } from "../../base/value.ts";
import type { Fact } from "../../rete/fact.ts";
import { compareAlternatives, type Match } from "../../rete/match.ts";
import type { Production } from "../../rete/production.ts";
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
  return (a, b) => a.production.order - b.production.order || byPlaces(a, b, newestFirst) || byIdentity(a, b);
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

/** By facts and items, in written order of the conditions. With `newestFirst` the newest facts come first; items never turn around. */
function byPlaces(a: Activation, b: Activation, newestFirst: boolean): number {
  const { production, match } = a;
  if (match !== undefined && b.match !== undefined) {
    const difference =
      production === b.production
        ? production.compare?.(match, b.match, newestFirst)
        : byAlternatives(production, match, b.production, b.match, newestFirst);
    if (difference !== undefined) return difference;
  }
  return newestFirst ? byFacts(b.facts, a.facts) : byFacts(a.facts, b.facts);
}

/** Compares matches of two alternatives of a rule; undefined where neither has items: then their facts decide. */
function byAlternatives(
  a: Production,
  match: Match,
  b: Production,
  other: Match,
  newestFirst: boolean,
): number | undefined {
  if (a.orderLevels === undefined && b.orderLevels === undefined) return undefined;
  const levels = ({ factLevels = [], orderLevels = factLevels }: Production): readonly number[] => orderLevels;
  return compareAlternatives(levels(a), match, levels(b), other, newestFirst);
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
