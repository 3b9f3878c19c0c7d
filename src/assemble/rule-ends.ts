/** Makes the ends of rules. The matches of a rule are kept together, whichever of its terminals finds them. */
import type { Match } from "../rete/match.ts";
import type { MatchListener } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import { SingleAlternative, type RuleMatches, SeveralAlternatives } from "../rete/rule-matches.ts";
import { type Ending, TerminalNode } from "../rete/terminal.ts";
import type { Live, MakingContext } from "./live-node.ts";
import type { Plan, TerminalPlan } from "../plan/plan.ts";

export class RuleEnds {
  readonly #site: MakingContext;
  /** The terminals of the plan that is being applied, by rule, and the rules that were made for it. */
  #ends: ReadonlyMap<string, readonly TerminalPlan[]> = new Map();
  #making = new Map<string, RuleMatches>();
  /** How many terminals still hand their matches to a rule. */
  readonly #counts = new Map<RuleMatches, number>();

  constructor(site: MakingContext) {
    this.#site = site;
  }

  /** Begins with another plan. */
  begin(plan: Plan): void {
    this.#making = new Map();
    this.#ends = terminalsByRule(plan);
  }

  /** Returns the terminals of a rule in the plan. */
  of(rule: string): readonly TerminalPlan[] {
    return this.#ends.get(rule) ?? [];
  }

  make(plan: TerminalPlan, key: string, production: Production, listener: MatchListener): Live {
    const left = this.#site.left(plan);
    const rule = this.#rule(plan, listener, () => node);
    const node: TerminalNode = new TerminalNode(left, rule, production);
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
    this.#site.attach(left, node);
    return { key, node, pattern: plan.text, rules: [], takeDown: () => this.#takeDown(node, plan.rule) };
  }

  #rule({ rule: name }: TerminalPlan, listener: MatchListener, terminal: () => TerminalNode): RuleMatches {
    const known = this.#making.get(name);
    if (known !== undefined) return known;
    const { network } = this.#site;
    const several = this.of(name);
    const rank = 2 + Math.max(...several.map((one) => this.#site.left(one).rank));
    const made =
      several.length > 1
        ? new SeveralAlternatives(rank, listener, network.flushQueue, () => network.updated)
        : new SingleAlternative(listener, terminal);
    this.#making.set(name, made);
    network.rules.set(name, made);
    return made;
  }

  #takeDown(node: TerminalNode, name: string): void {
    const { network } = this.#site;
    const { left, rule } = node;
    left.detach(node);
    left.matches.each((match) => dropEnding(match, node));
    network.flushQueue.run();
    const remaining = (this.#counts.get(rule) ?? 1) - 1;
    this.#counts.set(rule, remaining);
    if (remaining > 0) return;
    this.#counts.delete(rule);
    if (network.rules.get(name) === rule) network.rules.delete(name);
  }
}

/** Removes the one ending that a terminal has at a match. */
function dropEnding(match: Match, node: TerminalNode): void {
  let before: Ending | undefined;
  let ending = match.endings;
  while (ending !== undefined && ending.terminal !== node) {
    before = ending;
    ending = ending.nextOfMatch;
  }
  if (ending === undefined) return;
  if (before === undefined) match.endings = ending.nextOfMatch;
  else before.nextOfMatch = ending.nextOfMatch;
  node.rule.removed(ending, match);
}

function terminalsByRule(plan: Plan): Map<string, TerminalPlan[]> {
  const terminals = new Map<string, TerminalPlan[]>();
  for (const node of plan.nodes) {
    if (node.kind !== "terminal") continue;
    const same = terminals.get(node.rule);
    if (same === undefined) terminals.set(node.rule, [node]);
    else same.push(node);
  }
  return terminals;
}
