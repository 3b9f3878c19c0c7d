/**
 * Prepares rules: compiles their actions, and makes the terminals at which their matches arrive. The matches of a rule are kept
 * together, whichever of its terminals finds them.
 */
import type { SupportPlan } from "../base/support.ts";
import { DirectTerminal } from "../rete/direct-terminal.ts";
import { type FailureSite, failureSite } from "../rete/failures.ts";
import type { Match } from "../rete/match.ts";
import { type RuleMatches, SeveralAlternatives, SingleAlternative } from "../rete/rule-matches.ts";
import { type Ending, TerminalNode } from "../rete/terminal.ts";
import type { PlanRule, TerminalPlan } from "../plan/plan.ts";
import { ExpressionCompiler, type ExpressionContext } from "./expression-compiler.ts";
import type { LiveNetwork, MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import type { Making } from "./node-spec.ts";
import { directProduction, productionsOf } from "./productions.ts";

/** Where the actions of a rule call functions. */
export interface ActionSite {
  readonly site: FailureSite;
  /** Whether the rule has a single pattern and a direct terminal. */
  readonly direct: boolean;
}

/** Compiles the actions of a rule, and adds its productions to the context. */
export function compileActions(
  rule: PlanRule,
  support: SupportPlan | undefined,
  context: MakingContext,
  compiled: ExpressionContext,
): ActionSite {
  const terminals = context.terminals(rule.name);
  const direct = terminals.some(({ id }) => context.shortcuts.direct.has(id));
  const levels = terminals.map(({ level }) => level);
  const site = failureSite([rule.name], true);
  const expressions = new ExpressionCompiler(compiled, site);
  const productions = direct
    ? [directProduction(rule, expressions)]
    : productionsOf(rule, levels, support, expressions);
  context.productions.set(rule.name, productions);
  return { site, direct };
}

/** Returns the rank of the terminals of a rule. A function of its own: what makes a terminal must not keep the context. */
function rankBelow(terminals: readonly TerminalPlan[], context: MakingContext): number {
  return 2 + Math.max(...terminals.map((one) => context.left(one)?.rank ?? 0));
}

/** Prepares a terminal: a direct one for a rule with a single pattern, or one that takes matches. */
export function makeTerminal(plan: TerminalPlan, context: MakingContext, actions: ActionSite | undefined): Making {
  const production = context.production(plan);
  if (context.shortcuts.direct.has(plan.id)) {
    const join = context.rootJoin(plan);
    const end = new DirectTerminal(production);
    const direct = context.isQuestion
      ? { end, node: context.alphaOf(join), type: join.type }
      : context.addEnd(plan, join, end);
    // A failure in the actions of a rule with a single pattern ends when the fact no longer passes.
    if (actions !== undefined) actions.site.alpha = direct.node.testAlone;
    if (!context.isQuestion) return { shared: end };
    const make = ({ network: { ownDirect } }: LiveNetwork): MadeNode => {
      ownDirect.set(plan.rule, direct);
      return { node: direct.end, attachments: [], forget: () => void ownDirect.delete(plan.rule) };
    };
    return { make };
  }
  const above = context.left(plan);
  const terminals = context.terminals(plan.rule);
  const rank = rankBelow(terminals, context);
  const make = (live: LiveNetwork): MadeNode => {
    const left = live.beta(above);
    const rule = matchesOf(plan.rule, terminals.length, rank, live, () => node);
    const node: TerminalNode = new TerminalNode(left, rule, production);
    rule.terminals += 1;
    return {
      node,
      attachments: [{ above: left, input: node }],
      forget: () => forgetTerminal(node, plan.rule, live),
    };
  };
  return { make, production };
}

function forgetTerminal(node: TerminalNode, name: string, { network }: LiveNetwork): void {
  const { left, rule } = node;
  left.matches.each((match) => dropEnding(match, node));
  network.flushQueue.run();
  rule.terminals -= 1;
  if (rule.terminals === 0 && network.rules.get(name) === rule) network.rules.delete(name);
}

/** Returns where the terminals of a rule put their matches; made for the first of them. */
function matchesOf(
  name: string,
  terminals: number,
  rank: number,
  live: LiveNetwork,
  terminal: () => TerminalNode,
): RuleMatches {
  const known = live.ruleMatches.get(name);
  if (known !== undefined) return known;
  const { network, listener } = live;
  const made =
    terminals > 1
      ? new SeveralAlternatives(rank, listener, network.flushQueue, () => network.updated)
      : new SingleAlternative(listener, terminal);
  live.ruleMatches.set(name, made);
  network.rules.set(name, made);
  return made;
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
