/**
 * One plan while its nodes are made: what the plan says, and what is made of it so far. There is one for each plan that is
 * applied. Nodes come after their inputs in a plan, so the live inputs of a node are known when it is made.
 */
import { must } from "../base/invariant.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import type { Network } from "../rete/network.ts";
import { BetaNode } from "../rete/node.ts";
import type { MatchListener } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import type { RuleMatches } from "../rete/rule-matches.ts";
import type { JoinPlan, Plan, PlanNode, TerminalPlan } from "../plan/plan.ts";
import { inputsOf } from "../plan/read/inputs.ts";
import { type ShortcutOptions, type Shortcuts, shortcutsOf } from "../plan/read/shortcuts.ts";
import type { LiveNode } from "./live-node.ts";

/** How the nodes of a session are made. */
export interface MakingOptions {
  /** Off: an equality is a test like any other, and no index finds facts by it. */
  readonly indexing: boolean;
  /** Off: every rule has nodes of its own. */
  readonly sharing: boolean;
  /** A shortcut that is off is not taken: general nodes do its work. */
  readonly shortcuts: ShortcutOptions;
}

/** The plan that is being applied. */
export class MakingContext {
  readonly network: Network;
  readonly indexing: boolean;
  readonly shortcuts: Shortcuts;
  /** The nodes of the plan by id. */
  readonly planned: ReadonlyMap<number, PlanNode>;
  /** The live nodes so far, by the ids of the plan. */
  readonly live: Map<number, LiveNode> = new Map();
  /** The productions of each rule, one for each alternative. */
  readonly productions: Map<string, readonly Production[]> = new Map();
  /** Hears of the matches of rules. */
  readonly listener: MatchListener;
  /** Whether the plan is a question: its nodes are taken down when it is answered, and rules do not change. */
  readonly isQuestion: boolean;
  /** The matches of the rules whose terminals are being made, by rule. */
  readonly ruleMatches: Map<string, RuleMatches> = new Map();
  readonly #terminals: ReadonlyMap<string, readonly TerminalPlan[]>;
  /** Only without sharing: which of the nodes of its rule each node is. */
  readonly #places: ReadonlyMap<number, number> | undefined;

  constructor(plan: Plan, network: Network, options: MakingOptions, listener: MatchListener, isQuestion: boolean) {
    this.network = network;
    this.indexing = options.indexing;
    this.shortcuts = shortcutsOf(plan, options.shortcuts);
    this.planned = new Map(plan.nodes.map((node) => [node.id, node]));
    this.listener = listener;
    this.isQuestion = isQuestion;
    this.#terminals = terminalsByRule(plan);
    this.#places = options.sharing ? undefined : placesInRules(plan);
  }

  /** Returns the live node for an id of the plan. */
  alive(id: number): LiveNode {
    return must(this.live.get(id), "inputs come before the nodes that depend on them");
  }

  /** Returns the live node whose matches a node of the plan extends. */
  left(node: { readonly left: number | undefined }): BetaNode {
    const found = node.left === undefined ? this.network.root : this.alive(node.left);
    if (found instanceof BetaNode) return found;
    throw new Error("matches come from nodes that make matches");
  }

  /** Returns the alpha node whose facts a join adds. */
  alphaOf(plan: JoinPlan): AlphaNode {
    return plan.right === undefined ? this.network.type(plan.type) : (this.alive(plan.right) as AlphaNode);
  }

  /** Returns the join with the root that is the only pattern of a rule with a direct terminal. */
  rootJoin(terminal: TerminalPlan): JoinPlan {
    const join = terminal.left === undefined ? undefined : this.planned.get(terminal.left);
    if (join?.kind !== "join") throw new Error("a direct terminal comes after one pattern");
    return join;
  }

  /** Returns the terminals of a rule, one for each alternative. */
  terminals(rule: string): readonly TerminalPlan[] {
    return this.#terminals.get(rule) ?? [];
  }

  /** Returns what the matches that arrive at a terminal are read with. */
  production({ rule, layout }: TerminalPlan): Production {
    return must(this.productions.get(rule)?.[layout], "every terminal has its rule");
  }

  /** Returns the live nodes that a node depends on. A join that a shortcut leaves out is replaced by its own inputs. */
  inputsOf(node: PlanNode): readonly (LiveNode | undefined)[] {
    if (node.kind === "terminal" && this.shortcuts.direct.has(node.id)) return [this.alphaOf(this.rootJoin(node))];
    const inner = this.shortcuts.absences.get(node.id);
    if (inner !== undefined)
      return [inner.left === undefined ? undefined : this.alive(inner.left), this.alphaOf(inner)];
    return inputsOf(node).map((input) => (input === undefined ? undefined : this.alive(input)));
  }

  /** Returns what tells the node from the same one of another rule; empty with sharing. */
  owner(node: PlanNode): string {
    return this.#places === undefined ? "" : `|${node.rules[0]}|${this.#places.get(node.id)}`;
  }
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

/** Other rules may come and go: a node without sharing is known by its rule and its place in it. */
function placesInRules({ nodes }: Plan): Map<number, number> {
  const counts = new Map<string | undefined, number>();
  return new Map(
    nodes.map(({ id, rules: [rule] }) => {
      const place = counts.get(rule) ?? 0;
      counts.set(rule, place + 1);
      return [id, place];
    }),
  );
}
