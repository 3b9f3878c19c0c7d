/**
 * Makes a plan into a live network, or changes a live network to what a new plan says.
 *
 * A node of the plan is the live node that does the same to the same inputs, if there is one: it keeps its memory. A new
 * node is filled from the nodes it depends on, so that it does not matter whether facts or rules came first. Nodes that
 * the plan no longer has are taken down.
 *
 * The nodes are made by alpha-maker, pair-maker, beta-maker, rule-maker and judge-maker.
 */
import { FlowNode } from "../gates/flow.ts";
import { GateNode } from "../gates/gate.ts";
import { type Deadline, GuardianNode } from "../guardian/guardian.ts";
import { PipelineNode } from "../guardian/pipeline.ts";
import type { Regex } from "../base/regex.ts";
import type { Fact } from "../rete/fact.ts";
import { type FailedCall, Failures, failureSite } from "../rete/failures.ts";
import { Network } from "../rete/network.ts";
import { removeMatch } from "../rete/match-tree.ts";
import { BetaNode } from "../rete/node.ts";
import type { FactLookup, MatchListener } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import type { PureFunction } from "../functions/built-in.ts";
import type { Plan, PlanNode } from "../plan/plan.ts";
import { supportPlans } from "../plan/read/support-plans.ts";
import { makeAlpha } from "./alpha-maker.ts";
import { makeAggregate, makeFilter, makeLookup } from "./beta-maker.ts";
import { Blindness } from "./blindness.ts";
import { CallSites } from "./call-sites.ts";
import type { Shapes } from "./expression.ts";
import { ExpressionCompiler, type ExpressionContext, FailedCalls } from "./expression-compiler.ts";
import { gateQueries } from "./gate-queries.ts";
import { JudgeMaker } from "./judge-maker.ts";
import type { Live, LiveNode, MadeNode } from "./live-node.ts";
import { MakingContext, type MakingOptions } from "./making-context.ts";
import { NodeKeys } from "./node-keys.ts";
import { makeAbsence, makeJoin } from "./pair-maker.ts";
import { RuleMaker } from "./rule-maker.ts";
import { type RowListener, StandingNodes } from "./standing-nodes.ts";
import type { RuleInDoubt } from "./uncertain-facts.ts";

/** What a network is made for. */
export interface AssemblyOptions extends MakingOptions {
  readonly shapes: Shapes;
  readonly facts: FactLookup;
  readonly listener: MatchListener;
  readonly functions: ReadonlyMap<string, PureFunction>;
  /** Compiles the patterns of `matches`; undefined when no test of the plan needs it. */
  readonly regex: Regex | undefined;
  readonly matchLimit: number;
  /** Hears of the rules that are switched off because there were too many matches. */
  readonly overflow: (rules: readonly string[], pattern: string) => void;
  /** Hears of the rules in which something was divided by zero, and of a fact of the match. */
  readonly dividedByZero: (rules: readonly string[], fact: Fact | undefined) => void;
  /** Hears of functions that failed, and of the rules in which they are called. */
  readonly functionFailed: (rules: readonly string[], call: FailedCall) => void;
  /** How long the checks of guardians may take; undefined: as long as they take. */
  readonly deadline: Deadline | undefined;
  /** The actions for which the host has a handler: it may change any fact. */
  readonly handledActions?: ReadonlySet<string>;
  /** Returns rules that cannot be relied on for another reason than a limit; called whenever it matters. */
  readonly otherDoubts?: () => Iterable<RuleInDoubt>;
}

/** Hears of matches that concern nobody: those of a question. */
const SILENT: MatchListener = {
  matchAdded: () => undefined,
  matchRemoved: () => undefined,
  factPassed: () => undefined,
  factLeft: () => undefined,
  pairsDeferred: () => false,
  pairsDropped: () => undefined,
  late: undefined,
};

/** The network of a session, kept through changes of its program. */
export class Assembly {
  readonly network: Network;
  /** What judges in the plan applied last, in program order. */
  readonly gates: Map<string, GateNode> = new Map();
  readonly flows: Map<string, FlowNode> = new Map();
  readonly guardians: Map<string, GuardianNode> = new Map();
  readonly pipelines: Map<string, PipelineNode> = new Map();
  /** The functions that failed. */
  readonly failures: Failures;
  readonly #options: AssemblyOptions;
  readonly #expressions: ExpressionContext;
  /** Conditions and lines that can no longer be relied on. */
  readonly #blindness: Blindness;
  readonly #callSites: CallSites;
  readonly #judgeMaker: JudgeMaker;
  readonly #ruleMaker: RuleMaker;
  readonly #keys = new NodeKeys();
  /** Every live node of a plan by its key, in the order they were made. */
  readonly #live = new Map<string, Live>();
  /** The keys of the nodes of the plan applied last. */
  #planned: ReadonlySet<string> = new Set();
  /** The nodes of questions that stand. */
  readonly #standing = new Set<StandingNodes>();
  /** The question that is being answered, and where its matches became too many. */
  #question: { tooManyAt: string | undefined } | undefined = undefined;

  constructor(options: AssemblyOptions) {
    const { shapes, functions, regex, facts, dividedByZero, deadline } = options;
    this.#options = options;
    this.failures = new Failures(facts, options.functionFailed);
    this.#callSites = new CallSites(this.failures);
    this.#expressions = {
      shapes,
      functions,
      regex,
      facts,
      gates: gateQueries(this.gates, this.guardians, () => this.refresh()),
      dividedByZero,
      failures: this.failures,
      failedCalls: new FailedCalls(),
      stopwatch: deadline?.stopwatch,
    };
    this.network = new Network(
      facts,
      options.matchLimit,
      (node) => this.#switchedOff(node),
      () => (this.#question === undefined ? options.listener : SILENT),
    );
    this.#blindness = new Blindness(this.network, {
      handledActions: options.handledActions ?? new Set(),
      otherDoubts: options.otherDoubts ?? (() => []),
    });
    this.#judgeMaker = new JudgeMaker(this.#blindness, deadline);
    this.#ruleMaker = new RuleMaker(this.#expressions, this.#callSites);
  }

  /** Makes unknown what depends on a rule in doubt. Called before anything that judges is asked. */
  refresh(): void {
    this.#blindness.refresh();
  }

  /** Returns why a rule was switched off; undefined when it was not. */
  whySwitchedOff(rule: string): string | undefined {
    return this.#blindness.whySwitchedOff(rule);
  }

  /** Returns why what a rule or judge reads cannot be relied on; undefined when it can. */
  uncertainReads(rule: string): string | undefined {
    return this.#blindness.uncertainReads(rule);
  }

  /** Returns why facts of a type, or what a rule or judge reads, cannot be relied on; undefined when they can. */
  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined {
    return this.#blindness.uncertainty(of);
  }

  /** Returns whether anything in the plan judges. */
  get judges(): boolean {
    return this.gates.size + this.flows.size + this.guardians.size + this.pipelines.size > 0;
  }

  /** Makes the network that of the plan, and returns the productions of its rules. */
  apply(plan: Plan): ReadonlyMap<string, readonly Production[]> {
    this.network.makeDeferred();
    for (const standing of [...this.#standing]) this.drop(standing);
    this.#blindness.begin();
    const unreliable = this.#unreliable();
    if (unreliable.size > 0) this.#takeDown((key) => unreliable.has(key));
    const context = new MakingContext(plan, this.network, this.#options, this.#options.listener, false);
    const used = this.#add(plan, context);
    this.#takeDown((key) => !used.has(key));
    this.#planned = used;
    this.#callSites.keepActions((rule) => context.productions.has(rule));
    this.network.prepare();
    this.#nameJudges(context.live.values());
    this.#blindness.planned(plan, context.live);
    return context.productions;
  }

  /**
   * Adds the plan of a question for as long as the work takes, and returns what the work does; nobody hears of its matches.
   * Throws `tooMany` instead when there are more of them than the limit: the answer would be that of a part of them.
   */
  during<Result>(
    plan: Plan,
    work: (rules: Iterable<string>) => Result,
    tooMany: (pattern: string, limit: number) => Error,
  ): Result {
    const before = new Set(this.#live.keys());
    this.network.makeDeferred();
    const question: { tooManyAt: string | undefined } = { tooManyAt: undefined };
    this.#question = question;
    try {
      const context = new MakingContext(plan, this.network, this.#options, SILENT, true);
      this.#add(plan, context);
      if (question.tooManyAt !== undefined) throw tooMany(question.tooManyAt, this.network.tally.limit);
      return work(context.productions.keys());
    } finally {
      this.#takeDown((key) => !before.has(key));
      this.network.guests.clear();
      this.#question = undefined;
    }
  }

  // ---------------------------------------------------------------- questions that stand

  /**
   * Adds a plan that stands until it is dropped, at the latest when another program is applied. `heard` receives its matches,
   * and nobody else. Its nodes are empty until a fact of the type `parameters` is added.
   */
  stand(plan: Plan, parameters: string, heard: RowListener): StandingNodes {
    const shortcuts = { ...this.#options.shortcuts, direct: false, control: false };
    const context = new MakingContext(plan, this.network, { ...this.#options, shortcuts }, heard, true);
    const standing = new StandingNodes(parameters, this.#add(plan, context), context.live.values(), heard);
    this.network.guests.clear();
    this.#standing.add(standing);
    return standing;
  }

  /** Takes down what stands for a plan, except nodes that others use. */
  drop(standing: StandingNodes): void {
    if (!this.#standing.delete(standing)) return;
    standing.end();
    this.network.forgetPlans();
    const others = [...this.#standing];
    const isUsed = (key: string): boolean => this.#planned.has(key) || others.some(({ keys }) => keys.has(key));
    for (const key of [...standing.keys].toReversed()) {
      const live = isUsed(key) ? undefined : this.#live.get(key);
      if (live !== undefined) this.#takeDownNode(live);
    }
    this.network.types.delete(standing.parameters);
  }

  /**
   * Does work that adds matches to nodes that stand. Throws `tooMany` when there are more of them than the limit; the nodes are
   * then switched off, and the caller drops them.
   */
  fill<Result>(
    standing: StandingNodes,
    work: () => Result,
    tooMany: (pattern: string, limit: number) => Error,
  ): Result {
    const question: { tooManyAt: string | undefined } = { tooManyAt: undefined };
    const { guests } = this.network;
    this.#question = question;
    for (const node of standing.nodes) guests.add(node);
    try {
      const result = work();
      if (question.tooManyAt !== undefined) throw tooMany(question.tooManyAt, this.network.tally.limit);
      return result;
    } finally {
      guests.clear();
      this.#question = undefined;
    }
  }

  // ---------------------------------------------------------------- adding a plan

  /** Adds the nodes of a plan that are not live, inputs first, and returns the keys of all of them. */
  #add(plan: Plan, context: MakingContext): Set<string> {
    this.network.forgetPlans();
    const supports = supportPlans(plan);
    for (const rule of plan.rules) this.#ruleMaker.compileActions(rule, supports.get(rule.name), context);
    const used = new Set<string>();
    for (const node of plan.nodes) if (!context.shortcuts.skipped.has(node.id)) used.add(this.#addNode(node, context));
    return used;
  }

  #addNode(node: PlanNode, context: MakingContext): string {
    const inputs = context.inputsOf(node);
    const wanted = this.#keys.of(node, inputs, context);
    // A node that was switched off answers no question: another one is made, which may keep within the limit.
    const key = context.isQuestion && isOff(this.#live.get(wanted)?.made.node) ? `${wanted}|again` : wanted;
    const known = this.#live.get(key);
    const live = known ?? this.#makeNode(node, key, inputs, context);
    if (!context.isQuestion) this.#setRules(live, node.rules);
    context.live.set(node.id, live.made.node);
    if (known === undefined) this.#attach(live.made, context);
    if (node.kind === "terminal") this.#ruleMaker.connect(node, live.made.node, known === undefined, context);
    this.network.flushQueue.run();
    return key;
  }

  /** Makes a node and enters it as live. It has no matches yet. */
  #makeNode(plan: PlanNode, key: string, inputs: Live["inputs"], context: MakingContext): Live {
    const site = failureSite(plan.rules, false);
    const made = this.#make(plan, context, new ExpressionCompiler(this.#expressions, site));
    const live: Live = { made, key, pattern: patternOf(plan), inputs, rules: [] };
    if (site.calls) this.#callSites.setNode(key, site);
    this.#live.set(key, live);
    return live;
  }

  #make(plan: PlanNode, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
    switch (plan.kind) {
      case "alpha":
        return makeAlpha(plan, context, expressions);
      case "join":
        return makeJoin(plan, context, expressions);
      case "lookup":
        return makeLookup(plan, context, expressions);
      case "filter":
        return makeFilter(plan, context, expressions);
      case "aggregate": {
        const onePattern = context.shortcuts.absences.get(plan.id);
        if (onePattern === undefined) return makeAggregate(plan, context, expressions);
        return makeAbsence(plan, onePattern, context, expressions);
      }
      case "terminal":
        return this.#ruleMaker.make(plan, context);
      default:
        return this.#judgeMaker.make(plan, context, expressions);
    }
  }

  /** Puts a node below those that it listens to, and gives it the matches that are already there. */
  #attach({ attachments, listen }: MadeNode, { isQuestion }: MakingContext): void {
    for (const { above, input } of attachments) {
      if (input instanceof BetaNode) {
        this.network.beta.add(input);
        input.overflowed ||= above.overflowed;
        if (isQuestion) this.network.guests.add(input);
      }
      above.attach(input);
      for (const match of above.matches.toArray()) input.leftAdded(match);
    }
    listen?.();
  }

  /** Enters the rules that use a node by the plan that is being applied. */
  #setRules(live: Live, rules: readonly string[]): void {
    live.rules = rules;
    const site = this.#callSites.ofNode(live.key);
    if (site !== undefined) site.rules = rules;
  }

  #nameJudges(nodes: Iterable<LiveNode>): void {
    this.gates.clear();
    this.flows.clear();
    this.guardians.clear();
    this.pipelines.clear();
    for (const node of nodes) {
      if (node instanceof GateNode) this.gates.set(node.spec.name, node);
      else if (node instanceof FlowNode) this.flows.set(node.spec.name, node);
      else if (node instanceof GuardianNode) this.guardians.set(node.spec.name, node);
      else if (node instanceof PipelineNode) this.pipelines.set(node.spec.name, node);
    }
  }

  // ---------------------------------------------------------------- taking nodes down

  /** Takes down the live nodes with these keys, those made last first. */
  #takeDown(unused: (key: string) => boolean): void {
    this.network.forgetPlans();
    for (const live of [...this.#live.values()].toReversed()) {
      if (unused(live.key)) this.#takeDownNode(live);
    }
  }

  #takeDownNode(live: Live): void {
    this.#detach(live.made);
    this.#callSites.forgetNode(live.key);
    this.#live.delete(live.key);
    this.#keys.forget(live.made.node);
    this.network.flushQueue.run();
  }

  #detach({ node, attachments, forget }: MadeNode): void {
    for (const { above, input } of attachments) above.detach(input);
    forget?.();
    if (!(node instanceof BetaNode)) return;
    for (const match of node.matches.toArray()) removeMatch(match);
    this.network.beta.delete(node);
  }

  /**
   * Returns the keys of the nodes that were switched off, of those in which more functions failed than is kept, and of all
   * that depend on them: a new plan makes them again, as it would without the old one.
   */
  #unreliable(): Set<string> {
    const keys = new Set<string>();
    const nodes = new Set<LiveNode>();
    for (const { key, made, inputs } of this.#live.values()) {
      const isFull = this.failures.any && this.failures.isFull(this.#callSites.ofNode(key));
      const depends = inputs.some((input) => input !== undefined && nodes.has(input));
      if (!isOff(made.node) && !isFull && !depends) continue;
      keys.add(key);
      nodes.add(made.node);
    }
    return keys;
  }

  #switchedOff(node: BetaNode): void {
    const { rules = [], pattern = "" } = [...this.#live.values()].find((live) => live.made.node === node) ?? {};
    if (this.#question !== undefined) {
      this.#question.tooManyAt ??= pattern;
      return;
    }
    for (const standing of this.#standing) {
      if (!standing.nodes.includes(node)) continue;
      standing.heard.switchedOff(pattern);
      return;
    }
    this.#blindness.switchedOff({ node, rules, pattern });
    this.#options.overflow(rules, pattern);
  }
}

function isOff(node: LiveNode | undefined): boolean {
  return node instanceof BetaNode && node.overflowed;
}

/** Returns what a node does, in words. */
function patternOf(plan: PlanNode): string {
  return plan.kind === "join" ? plan.words : plan.text;
}
