/**
 * Which conditions and lines can no longer be relied on, and why: those whose evidence comes through a node that was switched
 * off, and those that read facts which a rule in doubt may have failed to write.
 *
 * As long as no rule is in doubt, `refresh` compares two empty lists.
 */
import { LateMap } from "../base/late.ts";
import { isJudge, ruleWords } from "../base/rule-words.ts";
import type { ConditionNode } from "../gates/condition.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { Network } from "../rete/network.ts";
import type { BetaNode } from "../rete/node.ts";
import { Dependencies, type Touched } from "../plan/read/dependencies.ts";
import type { Plan } from "../plan/plan.ts";
import { type RuleInDoubt, UncertainFacts } from "./uncertain-facts.ts";

/** A judge that reads evidence, and can be made blind. */
export type BlindingJudge = ConditionNode | WatchNode;

/** A node that was switched off, with the rules that depend on it. */
export interface SwitchedOff {
  readonly node: BetaNode;
  readonly rules: readonly string[];
  readonly pattern: string;
}

/** What makes a rule doubtful besides a limit. */
export interface BlindnessSpec {
  /** The actions for which the host has a handler: it may change any fact. */
  readonly handledActions: ReadonlySet<string>;
  /** Returns rules that cannot be relied on for another reason than a limit. */
  otherDoubts(): Iterable<RuleInDoubt>;
}

/** Where the evidence of a judge comes from. */
interface Evidence {
  /** The id of the judge in the plan. */
  id: number;
  /** The nodes that its evidence comes through. */
  readonly nodes: readonly BetaNode[];
}

/** Each round reaches the judges that read the results of those before; deeper ones are reached when something is next asked. */
const MAX_ROUNDS = 8;

/** Keeps the judges of a network blind that cannot be relied on. */
export class Blindness {
  readonly #network: Network;
  readonly #spec: BlindnessSpec;
  /** The judges that were made. */
  readonly #judges = new LateMap<BlindingJudge, Evidence>();
  #plan: Plan | undefined = undefined;
  /** What the rules read and write; made when the first rule is in doubt. */
  #dependencies: Dependencies | undefined = undefined;
  #off: SwitchedOff[] = [];
  /** What was in doubt when the judges were last set. */
  #lastDoubts: readonly RuleInDoubt[] = [];
  #lastOff = 0;
  #uncertain: UncertainFacts | undefined = undefined;

  constructor(network: Network, spec: BlindnessSpec) {
    this.#network = network;
    this.#spec = spec;
  }

  /** Adds a judge that is made: its id in the plan, and the nodes that its evidence comes through. */
  watch(judge: BlindingJudge, id: number, nodes: readonly BetaNode[]): void {
    const evidence = { id, nodes };
    this.#judges.set(judge, evidence);
    judge.setBlind(this.#reasonFor(evidence));
  }

  /** Notes the id of a judge in another plan. */
  renumber(judge: BlindingJudge, id: number): void {
    const evidence = this.#judges.get(judge);
    if (evidence !== undefined) evidence.id = id;
  }

  /** Removes a judge that is taken down. */
  unwatch(judge: BlindingJudge): void {
    this.#judges.delete(judge);
  }

  /** Begins with a new plan, which makes again what was switched off. */
  begin(): void {
    this.#off = [];
  }

  /** Takes over the plan of the network. */
  planned(plan: Plan): void {
    this.#plan = plan;
    this.#dependencies = undefined;
    this.#setBlind(this.#doubts());
  }

  /** Notes a node that was switched off. */
  switchedOff(node: SwitchedOff): void {
    this.#off.push(node);
  }

  /** Makes the judges blind that can no longer be relied on, and lets those see that can. Does nothing when no doubt changed. */
  refresh(): void {
    // A gate that becomes blind has another outcome, which can put rules in doubt, and the other way round.
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const doubts = this.#doubts();
      if (this.#off.length === this.#lastOff && isSame(doubts, this.#lastDoubts)) return;
      this.#setBlind(doubts);
    }
  }

  /** Returns why a rule was switched off; undefined when it was not. */
  whySwitchedOff(rule: string): string | undefined {
    return this.#doubts().find((doubt) => doubt.rule === rule && doubt.switchedOff)?.reason;
  }

  /** Returns why what a rule or judge reads cannot be relied on; undefined when it can. */
  uncertainReads(rule: string): string | undefined {
    this.refresh();
    const reads = this.#dependencies?.actors.get(rule)?.reads;
    return reads === undefined ? undefined : this.#uncertain?.reasonFor(reads);
  }

  /** Returns why facts of a type, or what a rule or judge reads, cannot be relied on; undefined when they can. */
  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined {
    this.refresh();
    if (this.#uncertain === undefined) return undefined;
    if ("type" in of) return this.#uncertain.reasonFor({ names: new Set([of.type]), any: false });
    // A function that failed where something is judged is part of the answer: other facts can still decide it.
    const doubt = this.#doubts().find(({ rule, switchedOff }) => rule === of.rule && (switchedOff || !isJudge(rule)));
    return doubt?.reason ?? this.uncertainReads(of.rule);
  }

  #doubts(): readonly RuleInDoubt[] {
    const others = this.#spec.otherDoubts();
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

  #setBlind(doubts: readonly RuleInDoubt[]): void {
    this.#network.moment.pass();
    this.#lastDoubts = [...doubts];
    this.#lastOff = this.#off.length;
    this.#uncertain = undefined;
    if (doubts.length > 0 && this.#plan !== undefined) {
      this.#dependencies ??= new Dependencies(this.#plan, this.#spec.handledActions);
      this.#uncertain = new UncertainFacts(this.#dependencies, doubts);
    }
    for (const [judge, evidence] of this.#judges) judge.setBlind(this.#reasonFor(evidence));
    this.#network.flushQueue.run();
  }

  #reasonFor({ id, nodes }: Evidence): string | undefined {
    return this.#overflowReason(nodes) ?? this.#readReason(id);
  }

  #overflowReason(nodes: readonly BetaNode[]): string | undefined {
    if (!nodes.some((node) => node.overflowed)) return undefined;
    const { pattern = "" } = this.#off.find(({ node }) => nodes.includes(node)) ?? this.#off[0] ?? {};
    return `there were too many matches (${limitWords(pattern, this.#network.tally.limit)}), so the evidence is no longer evaluated`;
  }

  #readReason(id: number): string | undefined {
    if (this.#uncertain === undefined) return undefined;
    const reads: Touched | undefined = this.#dependencies?.reads(id);
    return reads === undefined ? undefined : this.#uncertain.reasonFor(reads);
  }
}

/** Returns why a rule is in doubt: `rule "flag" was switched off (E511: more than 5000000 partial matches at b: B)`. */
export function switchedOffWords(rule: string, pattern: string, limit: number): string {
  return `${ruleWords(rule)} was switched off (${limitWords(pattern, limit)})`;
}

function limitWords(pattern: string, limit: number): string {
  return `E511: more than ${limit} partial matches at ${pattern}`;
}

function isSame(a: readonly RuleInDoubt[], b: readonly RuleInDoubt[]): boolean {
  return a.length === b.length && a.every(({ rule, reason }, at) => rule === b[at]?.rule && reason === b[at].reason);
}
