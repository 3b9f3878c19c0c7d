/**
 * A match that a rule may fire on, and which of two fires first.
 *
 * The order is a function of the match alone: salience, the change that completed it (or, for `lex`, how recent its facts
 * were then), rule, facts. It never depends on the order in which the network found the matches of one change.
 */
import { compareText } from "../../base/value.ts";
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Match } from "../../rete/match.ts";
import type { Production } from "../../rete/production.ts";
import type { Ending, TerminalNode } from "../../rete/terminal.ts";
import type { Wave } from "./wave.ts";

/**
 * The order in which activations of equal salience fire: `breadth` oldest change first, `depth` newest change first,
 * `lex` by the recency of all facts of the match.
 */
export type Strategy = "breadth" | "depth" | "lex";

/** The lead of an activation that is in no list. */
export const UNLISTED = -1;

export class Activation implements Ending {
  /** Replaced when the program is replaced and the rule stays. */
  production: Production;
  /** Set again only when the match comes back after a trial. Undefined for a rule with a direct terminal. */
  match: Match | undefined;
  /** For a rule with a direct terminal: the fact it matches. */
  readonly fact: Fact | undefined;
  /** The change that completed the match. Set again only when a session is restored. */
  stamp: number;
  /** For `lex`: when the facts were last changed, as seen at that time, newest first. */
  recency: readonly number[] | undefined;
  /** False from the moment the match is withdrawn. */
  alive = true;
  /** Where it stands on the agenda of `lex`; below 0 when it does not wait there. */
  position = -1;
  /** Where it waits on the agenda of the other strategies. */
  batch: Wave | undefined = undefined;
  /** While many of one change are put in order: the first two facts of its match as one number (batch.ts). */
  lead: number = UNLISTED;
  /** It waits until its group is active. */
  parked = false;
  /** Where its match ended, and the next rule that ends at the same match. */
  terminal: TerminalNode | undefined = undefined;
  nextOfMatch: Ending | undefined = undefined;
  #facts: readonly Fact[] | undefined;

  constructor(
    production: Production,
    match: Match | undefined,
    fact: Fact | undefined,
    stamp: number,
    recency: readonly number[] | undefined,
  ) {
    this.production = production;
    this.match = match;
    this.fact = fact;
    this.stamp = stamp;
    this.recency = recency;
    this.#facts = undefined;
  }

  /** Not yet fired, and not held back by `no-loop`. */
  get waiting(): boolean {
    return this.batch !== undefined || this.position >= 0 || this.parked;
  }

  /** Worked out when first asked for: most activations differ before their facts are looked at. */
  get facts(): readonly Fact[] {
    this.#facts ??= this.production.facts(this.match, this.fact);
    return this.#facts;
  }

  get identity(): string {
    return this.production.identity(this.match, this.fact);
  }

  forgetFacts(): void {
    this.#facts = undefined;
  }
}

/** Says, for somebody who asks, what is known of a fact that matches a rule with a direct terminal. */
export class DirectActivation extends Activation {
  readonly end: DirectTerminal;
  readonly #waits: boolean;

  constructor(end: DirectTerminal, fact: Fact, stamp: number, waits: boolean) {
    super(end.production, undefined, fact, stamp, undefined);
    this.end = end;
    this.#waits = waits;
  }

  override get waiting(): boolean {
    return this.#waits;
  }
}

export type Compare = (a: Activation, b: Activation) => number;

/** Below 0 when the first of two fires first. */
export function orderOf(strategy: Strategy): Compare {
  const byTime = BY_TIME[strategy];
  const inChange = orderInChange(strategy);
  return (a, b) => b.production.salience - a.production.salience || byTime(a, b) || inChange(a, b);
}

/** Of two whose leads are known: mostly these decide. */
export function orderByLead(strategy: Strategy): Compare {
  const direction = strategy === "depth" ? -1 : 1;
  const inChange = orderInChange(strategy);
  return (a, b) => (a.production === b.production ? direction * (a.lead - b.lead) : 0) || inChange(a, b);
}

/** Of two that one change completed. */
function orderInChange(strategy: Strategy): Compare {
  const facts = strategy === "depth" ? newestFacts : oldestFacts;
  return (a, b) => a.production.order - b.production.order || facts(a, b) || byIdentity(a, b);
}

const BY_TIME: Readonly<Record<Strategy, Compare>> = {
  breadth: (a, b) => a.stamp - b.stamp,
  depth: (a, b) => b.stamp - a.stamp,
  lex: (a, b) => byRecency(a.recency ?? [], b.recency ?? []),
};

/** The tags of a match's facts, newest first. */
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

/** `depth` goes on with what came last, also among the matches that one change completed. */
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
