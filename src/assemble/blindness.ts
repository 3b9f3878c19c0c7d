/**
 * Which conditions and lines can no longer be relied on, and why: those that look through a node that was switched off, and
 * those that read facts which a rule in doubt may have failed to write.
 *
 * As long as no rule is in doubt, `refresh` costs a test of a flag.
 */
import { isJudge, ruleWords } from "../base/rule-words.ts";
import type { ConditionNode } from "../gates/condition.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { Network } from "../rete/network.ts";
import type { BetaNode } from "../rete/node.ts";
import { Dependencies, type Touched } from "../plan/read/dependencies.ts";
import type { Plan } from "../plan/plan.ts";
import { type RuleInDoubt, UncertainFacts } from "./uncertain-facts.ts";

export type BlindingJudge = ConditionNode | WatchNode;

/** A node that was switched off, with the rules that stand on it. */
export interface SwitchedOff {
  readonly node: BetaNode;
  readonly rules: readonly string[];
  readonly pattern: string;
}

export interface BlindnessSpec {
  readonly handledActions: ReadonlySet<string>;
  otherDoubts(): Iterable<RuleInDoubt>;
}

/** Each round settles gates that look at the results of others; more are made at the next question. */
const MOST_ROUNDS = 8;

export class Blindness {
  readonly #network: Network;
  readonly #parts: BlindnessSpec;
  /** The nodes that the evidence of each judge comes through. */
  readonly #ways = new Map<BlindingJudge, readonly BetaNode[]>();
  /** The ids of the judges in the plan. */
  #ids: ReadonlyMap<BlindingJudge, number> = new Map();
  #plan: Plan | undefined = undefined;
  /** Worked out when the first rule is in doubt. */
  #dependencies: Dependencies | undefined = undefined;
  #off: SwitchedOff[] = [];
  /** What was in doubt when the judges were last told. */
  #known: readonly RuleInDoubt[] = [];
  #knownOff = 0;
  #uncertain: UncertainFacts | undefined = undefined;

  constructor(network: Network, parts: BlindnessSpec) {
    this.#network = network;
    this.#parts = parts;
  }

  watch(judge: BlindingJudge, way: readonly BetaNode[]): void {
    this.#ways.set(judge, way);
  }

  unwatch(judge: BlindingJudge): void {
    this.#ways.delete(judge);
  }

  /** A new plan makes again what was switched off. */
  begin(): void {
    this.#off = [];
  }

  /** The plan that the network is of from here on. */
  planned(plan: Plan, nodes: ReadonlyMap<number, unknown>): void {
    const judges = plan.nodes.filter(({ kind }) => kind === "condition" || kind === "watch");
    this.#ids = new Map(judges.map(({ id }) => [nodes.get(id) as BlindingJudge, id]));
    this.#plan = plan;
    this.#dependencies = undefined;
    this.#tell(this.#doubts());
  }

  switchedOff(node: SwitchedOff): void {
    this.#off.push(node);
  }

  refresh(): void {
    // What a gate that becomes blind says can be a doubt in turn, and the other way round.
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const doubts = this.#doubts();
      if (this.#off.length === this.#knownOff && isSame(doubts, this.#known)) return;
      this.#tell(doubts);
    }
  }

  /** Why a rule was switched off; undefined when it was not. */
  whySwitchedOff(rule: string): string | undefined {
    return this.#doubts().find((doubt) => doubt.rule === rule && doubt.switchedOff)?.reason;
  }

  /** Why what a rule or judge reads cannot be relied on; undefined when it can. */
  uncertainReads(rule: string): string | undefined {
    this.refresh();
    const reads = this.#dependencies?.actors.get(rule)?.reads;
    return reads === undefined ? undefined : this.#uncertain?.reasonFor(reads);
  }

  /** Why facts of a type, or what a rule or judge reads, cannot be relied on; undefined when they can. */
  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined {
    this.refresh();
    if (this.#uncertain === undefined) return undefined;
    if ("type" in of) return this.#uncertain.reasonFor({ names: new Set([of.type]), any: false });
    // A function that failed where something is judged is part of the answer: other facts can still decide it.
    const own = this.#doubts().find(({ rule, switchedOff }) => rule === of.rule && (switchedOff || !isJudge(rule)));
    return own?.reason ?? this.uncertainReads(of.rule);
  }

  #doubts(): readonly RuleInDoubt[] {
    const others = this.#parts.otherDoubts();
    if (this.#off.length === 0) return Array.isArray(others) ? others : [...others];
    const off = this.#off.flatMap(({ rules, pattern }) =>
      rules.map((rule) => ({
        rule,
        reason: switchedOffWords(rule, pattern, this.#network.tally.limit),
        switchedOff: true,
      })),
    );
    return [...off, ...others];
  }

  #tell(doubts: readonly RuleInDoubt[]): void {
    this.#known = [...doubts];
    this.#knownOff = this.#off.length;
    this.#uncertain = undefined;
    if (doubts.length > 0 && this.#plan !== undefined) {
      this.#dependencies ??= new Dependencies(this.#plan, this.#parts.handledActions);
      this.#uncertain = new UncertainFacts(this.#dependencies, doubts);
    }
    for (const [judge, way] of this.#ways) judge.setBlind(this.#ownReason(way) ?? this.#readReason(judge));
    this.#network.flushQueue.run();
  }

  #ownReason(way: readonly BetaNode[]): string | undefined {
    if (!way.some((node) => node.overflowed)) return undefined;
    const { pattern = "" } = this.#off.find(({ node }) => way.includes(node)) ?? this.#off[0] ?? {};
    return `there were too many matches (${limitWords(pattern, this.#network.tally.limit)}), so the evidence is no longer evaluated`;
  }

  #readReason(judge: BlindingJudge): string | undefined {
    const id = this.#ids.get(judge);
    if (this.#uncertain === undefined || id === undefined) return undefined;
    const reads: Touched | undefined = this.#dependencies?.reads(id);
    return reads === undefined ? undefined : this.#uncertain.reasonFor(reads);
  }
}

/** `rule "flag" was switched off (E511: more than 5000000 partial matches at b: B)` */
export function switchedOffWords(rule: string, pattern: string, limit: number): string {
  return `${ruleWords(rule)} was switched off (${limitWords(pattern, limit)})`;
}

function limitWords(pattern: string, limit: number): string {
  return `E511: more than ${limit} partial matches at ${pattern}`;
}

function isSame(a: readonly RuleInDoubt[], b: readonly RuleInDoubt[]): boolean {
  return a.length === b.length && a.every(({ rule, reason }, at) => rule === b[at]?.rule && reason === b[at].reason);
}
