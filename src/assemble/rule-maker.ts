/**
 * Makes rules: compiles their actions, and makes the terminals at which their matches arrive. The matches of a rule are kept
 * together, whichever of its terminals finds them.
 */
import type { SupportPlan } from "../base/support.ts";
import { DirectTerminal } from "../rete/direct-terminal.ts";
import type { Match } from "../rete/match.ts";
import type { Network } from "../rete/network.ts";
import { type RuleMatches, SeveralAlternatives, SingleAlternative } from "../rete/rule-matches.ts";
import { type Ending, TerminalNode } from "../rete/terminal.ts";
import type { PlanRule, TerminalPlan } from "../plan/plan.ts";
import type { CallSites } from "./call-sites.ts";
import { ExpressionCompiler, type ExpressionContext } from "./expression-compiler.ts";
import type { LiveNode, MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import { directProduction, productionsOf } from "./productions.ts";

/** Makes rules for a network. */
export class RuleMaker {
  readonly #expressions: ExpressionContext;
  readonly #callSites: CallSites;
  /** How many terminals still hand their matches to a rule. */
  readonly #terminalCounts = new Map<RuleMatches, number>();

  constructor(expressions: ExpressionContext, callSites: CallSites) {
    this.#expressions = expressions;
    this.#callSites = callSites;
  }

  /** Compiles the actions of a rule, and adds its productions to the context. */
  compileActions(rule: PlanRule, support: SupportPlan | undefined, context: MakingContext): void {
    const terminals = context.terminals(rule.name);
    const isDirect = terminals.some(({ id }) => context.shortcuts.direct.has(id));
    const levels = terminals.map(({ level }) => level);
    const site = this.#callSites.siteForActions(rule.name, isDirect);
    const expressions = new ExpressionCompiler(this.#expressions, site);
    const productions = isDirect
      ? [directProduction(rule, expressions)]
      : productionsOf(rule, levels, support, expressions);
    context.productions.set(rule.name, productions);
    if (!context.isQuestion) this.#callSites.setActions(rule.name, site, isDirect);
  }

  /** Makes a terminal: a direct one for a rule with a single pattern, or one that takes matches. */
  make(plan: TerminalPlan, context: MakingContext): MadeNode {
    return context.shortcuts.direct.has(plan.id) ? makeDirect(plan, context) : this.#makeTerminal(plan, context);
  }

  /** Connects a terminal, made or found, with the actions of the plan that is being applied. */
  connect(plan: TerminalPlan, node: LiveNode, isNew: boolean, context: MakingContext): void {
    if (!(node instanceof DirectTerminal) && !(node instanceof TerminalNode)) return;
    if (!isNew) {
      node.production = context.production(plan); // the rule may have another place in the program now
      context.network.directChanged(plan.rule);
    }
    // A failure in the actions of a rule with a single pattern ends when the fact no longer passes.
    const actions = node instanceof DirectTerminal ? this.#callSites.ofActions(plan.rule) : undefined;
    if (actions !== undefined) actions.alpha = context.alphaOf(context.rootJoin(plan));
  }

  #makeTerminal(plan: TerminalPlan, context: MakingContext): MadeNode {
    const left = context.left(plan);
    const rule = matchesOf(plan.rule, context, () => node);
    const node: TerminalNode = new TerminalNode(left, rule, context.production(plan));
    this.#terminalCounts.set(rule, (this.#terminalCounts.get(rule) ?? 0) + 1);
    return this.#made(node, plan.rule, context.network);
  }

  #made(node: TerminalNode, rule: string, network: Network): MadeNode {
    const attachments = [{ above: node.left, input: node }];
    return { node, attachments, forget: () => this.#forget(node, rule, network) };
  }

  #forget(node: TerminalNode, name: string, network: Network): void {
    const { left, rule } = node;
    left.matches.each((match) => dropEnding(match, node));
    network.flushQueue.run();
    const remaining = (this.#terminalCounts.get(rule) ?? 1) - 1;
    this.#terminalCounts.set(rule, remaining);
    if (remaining > 0) return;
    this.#terminalCounts.delete(rule);
    if (network.rules.get(name) === rule) network.rules.delete(name);
  }
}

/** Makes the terminal of a rule with a single pattern, at the alpha node that its facts pass. */
function makeDirect(plan: TerminalPlan, context: MakingContext): MadeNode {
  const { network } = context;
  const join = context.rootJoin(plan);
  const end = new DirectTerminal(context.production(plan), context.listener);
  const direct = { end, node: context.alphaOf(join), type: join.type };
  const { rule } = plan;
  network.attachEnd(rule, direct);
  return { node: end, attachments: [], forget: () => network.detachEnd(rule, direct) };
}

/** Returns where the terminals of a rule put their matches; made for the first of them. */
function matchesOf(name: string, context: MakingContext, terminal: () => TerminalNode): RuleMatches {
  const known = context.ruleMatches.get(name);
  if (known !== undefined) return known;
  const terminals = context.terminals(name);
  const rank = 2 + Math.max(...terminals.map((one) => context.left(one).rank));
  const made =
    terminals.length > 1 ? severalAlternatives(rank, context) : new SingleAlternative(context.listener, terminal);
  context.ruleMatches.set(name, made);
  context.network.rules.set(name, made);
  return made;
}

function severalAlternatives(rank: number, { network, listener }: MakingContext): SeveralAlternatives {
  return new SeveralAlternatives(rank, listener, network.flushQueue, () => network.updated);
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
