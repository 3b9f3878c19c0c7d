/**
 * Makes a plan into a live network, or changes a live network to what a new plan says.
 *
 * A node of the plan is the live node that does the same to the same inputs, if there is one: it keeps its memory. A new
 * node is filled from the nodes it stands on, so that it does not matter whether facts or rules came first. Nodes that
 * the plan no longer has are taken down.
 */
import { must } from "../base/invariant.ts";
import { FlowNode } from "../gates/flow.ts";
import { GateNode } from "../gates/gate.ts";
import { type Deadline, GuardianNode } from "../guardian/guardian.ts";
import { PipelineNode } from "../guardian/pipeline.ts";
import { AbsenceNode } from "../rete/absence.ts";
import { AlphaNode } from "../rete/alpha.ts";
import type { Fact } from "../rete/fact.ts";
import { type FailedCall, Failures, failureSite } from "../rete/failures.ts";
import { FilterNode } from "../rete/filter.ts";
import { AggregateInput, AggregateNode, FollowedInput } from "../rete/aggregate.ts";
import { JoinNode, type PairSpec } from "../rete/join.ts";
import { DirectTerminal } from "../rete/direct-terminal.ts";
import { dropEntryOf } from "../rete/alpha-memory.ts";
import { LookupNode } from "../rete/lookup.ts";
import { Network } from "../rete/network.ts";
import { removeMatch } from "../rete/match-tree.ts";
import { BetaNode, type MatchInput, type Reads } from "../rete/node.ts";
import type { FactLookup, MatchListener } from "../rete/port.ts";
import { ControlJoin } from "../rete/deferred-pairs.ts";
import type { Production } from "../rete/production.ts";
import { TerminalNode } from "../rete/terminal.ts";
import { accumulatorOf } from "./accumulators.ts";
import { Blindness } from "./blindness.ts";
import { CallSites } from "./call-sites.ts";
import { canonicalText } from "../plan/read/canonical.ts";
import type { Shapes } from "./expression.ts";
import { ExpressionCompiler } from "./expression-compiler.ts";
import type { PureFunction } from "../functions/built-in.ts";
import { gateQueries } from "./gate-queries.ts";
import { JudgeMaker } from "./judge-maker.ts";
import { mapLevels, valuesOf } from "../plan/read/levels.ts";
import type { Live, LiveNode, MakingContext } from "./live-node.ts";
import { innerExpressions, outerLookups } from "../plan/read/outer-reads.ts";
import { inputsOf } from "../plan/read/inputs.ts";
import type {
  AlphaPlan,
  FilterPlan,
  AggregatePlan,
  JoinPlan,
  LookupPlan,
  Plan,
  PlanExpr,
  PlanNode,
  PlanRule,
  TerminalPlan,
} from "../plan/plan.ts";
import { directProduction, productionsOf } from "./productions.ts";
import { RuleEnds } from "./rule-ends.ts";
import { type Shortcuts, shortcutsOf, type ShortcutOptions as WantedShortcuts } from "../plan/read/shortcuts.ts";
import { supportPlans } from "../plan/read/support-plans.ts";
import type { RuleInDoubt } from "./uncertain-facts.ts";
import { matchTruth } from "./unknown-reasons.ts";
import type { SupportPlan } from "../base/support.ts";

export interface AssemblyOptions {
  readonly shapes: Shapes;
  readonly facts: FactLookup;
  readonly listener: MatchListener;
  readonly functions: ReadonlyMap<string, PureFunction>;
  readonly matchLimit: number;
  /** Told the rules that are switched off because there were too many matches. */
  readonly overflow: (rules: readonly string[], pattern: string) => void;
  /** Told the rules in which something was divided by zero, and a fact of the match. */
  readonly dividedByZero: (rules: readonly string[], fact: Fact | undefined) => void;
  /** Hears of functions that failed, and of the rules in which they are called. */
  readonly functionFailed: (rules: readonly string[], call: FailedCall) => void;
  /** Off: an equality is a test like any other, and no index finds facts by it. */
  readonly indexing: boolean;
  readonly sharing: boolean;
  /** What is off goes the long way, through general nodes. */
  readonly shortcuts: WantedShortcuts;
  /** How long the checks of guardians may take; undefined: as long as they take. */
  readonly deadline: Deadline | undefined;
  /** The actions for which the host has a handler: it may change any fact. */
  readonly handledActions?: ReadonlySet<string>;
  /** Rules that cannot be relied on for another reason than a limit; asked whenever it matters. */
  readonly otherDoubts?: () => Iterable<RuleInDoubt>;
}

const DEAF: MatchListener = {
  matchAdded: () => undefined,
  matchRemoved: () => undefined,
  factPassed: () => undefined,
  factLeft: () => undefined,
  pairsDeferred: () => false,
  pairsDropped: () => undefined,
  late: undefined,
};

export class Assembly {
  readonly network: Network;
  /** What judges in the plan applied last, in program order. */
  readonly gates: Map<string, GateNode> = new Map();
  readonly flows: Map<string, FlowNode> = new Map();
  readonly guardians: Map<string, GuardianNode> = new Map();
  readonly pipelines: Map<string, PipelineNode> = new Map();
  /** Conditions and lines that can no longer be relied on. */
  readonly #blindness: Blindness;
  readonly #parts: AssemblyOptions;
  readonly #expressions: ExpressionCompiler;
  /** Every live node of a plan by what it does to which inputs, in the order they were made. */
  readonly #live = new Map<string, Live>();
  readonly #numbers = new Map<LiveNode, number>();
  /** The functions that failed. */
  readonly failures: Failures;
  readonly #callSites: CallSites;
  readonly #judgeMaker: JudgeMaker;
  readonly #ruleEnds: RuleEnds;
  /** What each of them stands on. */
  readonly #inputs = new Map<LiveNode, readonly (LiveNode | undefined)[]>();
  #count = 0;
  /** Productions of the plan that is being applied, and its live nodes by their ids. */
  #productions = new Map<string, readonly Production[]>();
  #byId = new Map<number, LiveNode>();
  /** The nodes of that plan by their ids. */
  #planned: ReadonlyMap<number, PlanNode> = new Map();
  /** Of each node of the plan: which of the nodes of its rule it is. */
  #places: ReadonlyMap<number, number> = new Map();
  #shortcuts: Shortcuts = {
    direct: new Set(),
    absences: new Map(),
    skipped: new Set(),
    controls: new Set(),
  };
  /** What is said of a node that fails while it is filled. */
  #beingMade: Pick<Live, "rules" | "pattern"> = { rules: [], pattern: "" };
  #listener: MatchListener;
  /** Where the matches of a question became too many. */
  #tooMany: string | undefined = undefined;
  constructor(parts: AssemblyOptions) {
    this.#parts = parts;
    this.#listener = parts.listener;
    this.failures = new Failures(parts.facts, parts.functionFailed);
    this.#callSites = new CallSites(this.failures);
    this.#expressions = new ExpressionCompiler(
      parts.shapes,
      parts.functions,
      parts.facts,
      gateQueries(this.gates, this.guardians, () => this.refresh()),
      parts.dividedByZero,
      this.failures,
    );
    this.#expressions.stopwatch = parts.deadline?.stopwatch;
    this.network = new Network(
      parts.facts,
      parts.matchLimit,
      (node) => this.#switchedOff(node),
      () => this.#listener,
    );
    this.#blindness = new Blindness(this.network, {
      handledActions: parts.handledActions ?? new Set(),
      otherDoubts: parts.otherDoubts ?? (() => []),
    });
    const site = this.#makingSite();
    this.#judgeMaker = new JudgeMaker(site, this.#blindness, parts.deadline);
    this.#ruleEnds = new RuleEnds(site);
  }

  #makingSite(): MakingContext {
    return {
      network: this.network,
      expressions: this.#expressions,
      planned: (id) => this.#planned.get(id),
      alive: (id) => this.#alive(id),
      left: (node) => this.#left(node),
      attach: (left, input) => this.#attach(left, input),
      isAbsence: (id) => this.#shortcuts.absences.has(id),
    };
  }

  /** To be called before anything that judges is asked: what depends on a rule in doubt becomes unknown. */
  refresh(): void {
    this.#blindness.refresh();
  }

  /** Why a rule was switched off; undefined when it was not. */
  whySwitchedOff(rule: string): string | undefined {
    return this.#blindness.whySwitchedOff(rule);
  }

  /** Why what a rule or judge reads cannot be relied on; undefined when it can. */
  uncertainReads(rule: string): string | undefined {
    return this.#blindness.uncertainReads(rule);
  }

  /** Why facts of a type, or what a rule or judge reads, cannot be relied on. */
  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined {
    return this.#blindness.uncertainty(of);
  }

  /** Makes the network that of the plan, and gives the productions of its rules. */
  apply(plan: Plan): ReadonlyMap<string, readonly Production[]> {
    this.network.makeDeferred();
    this.#blindness.begin();
    const silent = this.#silent();
    if (silent.size > 0) this.#takeDown((key) => silent.has(key));
    const used = this.#add(plan);
    this.#takeDown((key) => !used.has(key));
    this.#callSites.keepActions((rule) => this.#productions.has(rule));
    this.network.prepare();
    this.gates.clear();
    this.flows.clear();
    this.guardians.clear();
    this.pipelines.clear();
    for (const node of this.#byId.values()) {
      if (node instanceof GateNode) this.gates.set(node.parts.name, node);
      else if (node instanceof FlowNode) this.flows.set(node.parts.name, node);
      else if (node instanceof GuardianNode) this.guardians.set(node.parts.name, node);
      else if (node instanceof PipelineNode) this.pipelines.set(node.parts.name, node);
    }
    this.#blindness.planned(plan, this.#byId);
    return this.#productions;
  }

  /** Whether anything in the plan judges. */
  get judges(): boolean {
    return this.gates.size + this.flows.size + this.guardians.size + this.pipelines.size > 0;
  }

  /**
   * Adds a plan for as long as the work takes; nobody hears of its matches. When there are too many of them nothing is
   * worked out, for it would be worked out on a part of them.
   */
  during<Result>(
    plan: Plan,
    work: (rules: Iterable<string>) => Result,
    tooMany: (pattern: string, limit: number) => Error,
  ): Result {
    const before = new Set(this.#live.keys());
    this.network.makeDeferred();
    this.#listener = DEAF;
    try {
      this.#add(plan);
      if (this.#tooMany !== undefined) throw tooMany(this.#tooMany, this.network.tally.limit);
      return work(this.#productions.keys());
    } finally {
      this.#takeDown((key) => !before.has(key));
      this.network.guests.clear();
      this.#tooMany = undefined;
      this.#listener = this.#parts.listener;
    }
  }

  #add(plan: Plan): Set<string> {
    this.network.forgetPlans();
    this.#planned = new Map(plan.nodes.map((node) => [node.id, node]));
    this.#byId = new Map();
    this.#productions = new Map();
    this.#ruleEnds.begin(plan);
    this.#shortcuts = shortcutsOf(plan, this.#parts.shortcuts);
    this.#places = placesInRules(plan);
    const supports = supportPlans(plan);
    for (const rule of plan.rules) this.#compileActions(rule, supports.get(rule.name));
    const used = new Set<string>();
    for (const node of plan.nodes) if (!this.#shortcuts.skipped.has(node.id)) used.add(this.#addNode(node));
    return used;
  }

  #addNode(node: PlanNode): string {
    const wanted = this.#keyOf(node);
    const key = this.#listener === DEAF && isOff(this.#live.get(wanted)?.node) ? `${wanted}|again` : wanted;
    const site = this.#callSites.ofNode(key) ?? failureSite(node.rules, false);
    this.#expressions.site = site;
    this.#beingMade = { rules: node.rules, pattern: patternOf(node) };
    const known = this.#live.get(key);
    const live = known ?? this.#make(node, key);
    if (site.calls) this.#callSites.setNode(key, site);
    if (this.#listener !== DEAF) site.rules = node.rules;
    if (known !== undefined && node.kind === "terminal") this.#goOn(node, known.node);
    if (live.node instanceof DirectTerminal && node.kind === "terminal") this.#placeActions(node);
    if (this.#listener !== DEAF) live.rules = node.rules;
    this.#live.set(key, live);
    if (known === undefined) this.#inputs.set(live.node, this.#inputsOf(node));
    this.#byId.set(node.id, live.node);
    this.network.flushQueue.run();
    return key;
  }

  #compileActions(rule: PlanRule, support: SupportPlan | undefined): void {
    const ends = this.#ruleEnds.of(rule.name);
    const direct = ends.find(({ id }) => this.#shortcuts.direct.has(id));
    const levels = ends.map(({ level }) => level);
    const site = this.#callSites.siteForActions(rule.name, direct !== undefined);
    this.#expressions.site = site;
    const productions =
      direct === undefined
        ? productionsOf(rule, levels, support, this.#expressions)
        : [directProduction(rule, this.#expressions)];
    this.#productions.set(rule.name, productions);
    if (this.#listener === DEAF) return;
    this.#callSites.setActions(rule.name, site, direct !== undefined);
  }

  /** Facts that no longer pass wait for no action. */
  #placeActions(plan: TerminalPlan): void {
    const actions = this.#callSites.ofActions(plan.rule);
    if (actions !== undefined) actions.alpha = this.#alphaOf(this.#rootJoin(plan));
  }

  /** A rule that stays is told apart from others by its new production, which may stand elsewhere in the program. */
  #goOn(plan: TerminalPlan, end: LiveNode): void {
    if (!(end instanceof DirectTerminal) && !(end instanceof TerminalNode)) return;
    end.production = this.#production(plan);
    this.network.directChanged(plan.rule);
  }

  #production({ rule, layout }: TerminalPlan): Production {
    return must(this.#productions.get(rule)?.[layout], "every end has its rule");
  }

  /** What the node does to which live inputs; without sharing, no two nodes of a plan have the same. */
  #keyOf(node: PlanNode): string {
    const inputs = this.#inputsOf(node).map((input) => (input === undefined ? "root" : this.#number(input)));
    const own = this.#parts.sharing ? "" : `|${node.rules[0]}|${this.#places.get(node.id)}`;
    const type = node.kind === "alpha" ? `${node.type}|` : "";
    const inner = this.#shortcuts.absences.get(node.id);
    const words = inner === undefined ? node.text : `${node.text} ${inner.text}`;
    return `${node.kind}|${type}${inputs.join(",")}|${words}${own}`;
  }

  /** The live nodes that a node stands on; what is skipped is stepped over. */
  #inputsOf(node: PlanNode): readonly (LiveNode | undefined)[] {
    if (node.kind === "terminal" && this.#shortcuts.direct.has(node.id)) return [this.#alphaOf(this.#rootJoin(node))];
    const inner = this.#shortcuts.absences.get(node.id);
    if (inner !== undefined)
      return [inner.left === undefined ? undefined : this.#alive(inner.left), this.#alphaOf(inner)];
    return inputsOf(node).map((input) => (input === undefined ? undefined : this.#alive(input)));
  }

  /** The join with the root that a rule with a single pattern ends behind. */
  #rootJoin(terminal: TerminalPlan): JoinPlan {
    const join = terminal.left === undefined ? undefined : this.#planned.get(terminal.left);
    if (join?.kind !== "join") throw new Error("a direct terminal stands behind one pattern");
    return join;
  }

  /** Where the facts of a join come from. */
  #alphaOf(plan: JoinPlan): AlphaNode {
    return plan.right === undefined ? this.network.type(plan.type) : (this.#alive(plan.right) as AlphaNode);
  }

  #number(node: LiveNode): number {
    const known = this.#numbers.get(node);
    if (known !== undefined) return known;
    this.#count += 1;
    const number = this.#count;
    this.#numbers.set(node, number);
    return number;
  }

  #make(node: PlanNode, key: string): Live {
    switch (node.kind) {
      case "alpha":
        return this.#makeAlpha(node, key);
      case "join":
        return this.#makeJoin(node, key);
      case "lookup":
        return this.#makeLookup(node, key);
      case "filter":
        return this.#makeFilter(node, key);
      case "aggregate":
        return this.#makeAbsence(node, key) ?? this.#makeAggregate(node, key);
      case "terminal":
        return this.#makeDirect(node, key) ?? this.#ruleEnds.make(node, key, this.#production(node), this.#listener);
      default:
        return this.#judgeMaker.make(node, key);
    }
  }

  #takeDown(unused: (key: string) => boolean): void {
    this.network.forgetPlans();
    for (const live of [...this.#live.values()].toReversed()) {
      if (!unused(live.key)) continue;
      live.takeDown();
      this.#callSites.forgetNode(live.key);
      this.#live.delete(live.key);
      this.#numbers.delete(live.node);
      this.#inputs.delete(live.node);
      this.network.flushQueue.run();
    }
  }

  /**
   * The nodes that were switched off, those in which more functions failed than is kept, and what stands on them: a new plan
   * makes them again, as it would without the old one.
   */
  #silent(): Set<string> {
    const keys = new Set<string>();
    const nodes = new Set<LiveNode>();
    for (const { key, node } of this.#live.values()) {
      const isFull = this.failures.any && this.failures.isFull(this.#callSites.ofNode(key));
      if (
        !isOff(node) &&
        !isFull &&
        this.#inputs.get(node)?.some((input) => input !== undefined && nodes.has(input)) !== true
      )
        continue;
      keys.add(key);
      nodes.add(node);
    }
    return keys;
  }

  #alive(id: number): LiveNode {
    return must(this.#byId.get(id), "inputs come before the nodes that stand on them");
  }

  #left(node: { readonly left: number | undefined }): BetaNode {
    const found = node.left === undefined ? this.network.root : this.#alive(node.left);
    if (found instanceof BetaNode) return found;
    throw new Error("a chain stands on nodes that make matches");
  }

  #switchedOff(node: BetaNode): void {
    const stopped = [...this.#live.values()].find((live) => live.node === node);
    const { rules, pattern } = stopped ?? this.#beingMade;
    if (this.#listener === DEAF) {
      this.#tooMany ??= pattern;
      return;
    }
    this.#blindness.switchedOff({ node, rules, pattern });
    this.#parts.overflow(rules, pattern);
  }

  // ---------------------------------------------------------------- alpha

  #makeAlpha(plan: AlphaPlan, key: string): Live {
    const above = plan.input === undefined ? this.network.type(plan.type) : (this.#alive(plan.input) as AlphaNode);
    const reads = this.#expressions.reads(plan.test).get(0) ?? new Set<number>();
    const access = this.#parts.indexing ? this.#expressions.access(plan.test, plan.type) : undefined;
    const node = new AlphaNode(plan.text, this.#expressions.factTest(plan.test), reads, above, access);
    this.#expressions.site.alpha = above;
    if (this.#expressions.site.calls) this.failures.calls(node);
    above.attach(node);
    for (const slot of reads) this.network.type(plan.type).tested.add(slot);
    return { key, node, pattern: plan.text, rules: [], takeDown: () => above.detach(node) };
  }

  // ---------------------------------------------------------------- beta

  /** Puts a node below another, and gives it the matches that are already there. */
  #attach(left: BetaNode, input: MatchInput): void {
    if (input instanceof BetaNode) {
      this.network.beta.add(input);
      input.overflowed ||= left.overflowed;
      if (this.#listener === DEAF) this.network.guests.add(input);
    }
    left.attach(input);
    for (const match of left.matches.toArray()) input.leftAdded(match);
  }

  #liveBeta(key: string, plan: PlanNode, node: BetaNode, takeDown: () => void): Live {
    return {
      key,
      node,
      pattern: patternOf(plan),
      rules: [],
      takeDown: () => {
        takeDown();
        for (const match of node.matches.toArray()) removeMatch(match);
        this.network.beta.delete(node);
      },
    };
  }

  #makeJoin(plan: JoinPlan, key: string): Live {
    const parts = this.#pairParts(plan, plan.name, plan.left === undefined);
    const { tally, deferred } = this.network;
    const node = this.#shortcuts.controls.has(plan.id)
      ? new ControlJoin(parts, plan.level, tally, deferred)
      : new JoinNode(parts, tally);
    return this.#livePaired(key, plan, node, this.#alphaOf(plan));
  }

  /** A `not` or `exists` over one pattern. */
  #makeAbsence(plan: AggregatePlan, key: string): Live | undefined {
    const inner = this.#shortcuts.absences.get(plan.id);
    if (inner === undefined) return undefined;
    const parts = this.#pairParts(inner, plan.name, false);
    const node = new AbsenceNode(parts, plan.aggregate === "not", this.network.flushQueue, this.network.tally);
    return this.#livePaired(key, plan, node, this.#alphaOf(inner));
  }

  /** How the matches above a join are paired with the facts of its memory. */
  #pairParts(plan: JoinPlan, name: string, atRoot: boolean): PairSpec {
    const { indexing } = this.#parts;
    const left = this.#left(plan);
    const keys = indexing ? plan.keys : [];
    const asTests: PlanExpr[] = indexing
      ? []
      : plan.keys.map(({ field, equals }) => ({ op: "compare", by: "==", left: field, right: equals }));
    const tests = [...asTests, ...plan.tests];
    const above = plan.level - 1;
    const fields = keys.map(({ field }) => field);
    const equals = keys.map((one) => one.equals);
    const input = this.#alphaOf(plan);
    this.#expressions.site.alpha = input;
    const memory = input.remember(() => this.network.factsPassing(input, plan.type));
    const text = fields.map((field) => canonicalText(mapLevels(field, () => 0))).join(", ");
    const factKey = this.#expressions.factKey(fields, plan.level);
    const fieldReads = this.#expressions.reads(...fields).get(plan.level) ?? new Set<number>();
    const reads = this.#expressions.reads(...fields, ...equals, ...tests);
    return {
      name,
      left,
      memory,
      index: atRoot ? undefined : memory.useIndex(text, factKey, fieldReads),
      table: memory.useTable(text, left.rank + 1, factKey),
      key: this.#expressions.matchKey(equals, above),
      test: this.#expressions.pairTest(tests, [...fields, ...equals], above, plan.level),
      leftReads: reads,
      rightReads: reads.get(plan.level) ?? new Set(),
    };
  }

  #livePaired(key: string, plan: JoinPlan | AggregatePlan, node: JoinNode | AbsenceNode, input: AlphaNode): Live {
    const { left, memory, index, table } = node.parts;
    memory.inputs.add(node);
    if (node instanceof ControlJoin) memory.meet(node);
    this.#attach(left, node);
    return this.#liveBeta(key, plan, node, () => {
      if (node instanceof ControlJoin) {
        node.forgetDeferred();
        memory.meetNoMore(node);
      }
      left.detach(node);
      left.matches.each((match) => dropEntryOf(match, node));
      memory.inputs.delete(node);
      memory.dropTable(table);
      if (index !== undefined) memory.dropIndex(index);
      input.forgetUnused();
    });
  }

  #makeLookup(plan: LookupPlan, key: string): Live {
    const left = this.#left(plan);
    const above = plan.level - 1;
    const node = new LookupNode(
      {
        name: plan.name,
        left,
        reference: this.#expressions.matchValue(plan.of, above),
        reads: this.#expressions.reads(plan.of),
        type: plan.type,
      },
      this.#parts.facts,
      this.network.flushQueue,
      this.network.tally,
    );
    const lookups = plan.type === undefined ? this.network.lookups : this.network.type(plan.type).lookups;
    lookups.add(node);
    this.#attach(left, node);
    return this.#liveBeta(key, plan, node, () => {
      left.detach(node);
      lookups.delete(node);
    });
  }

  #makeFilter(plan: FilterPlan, key: string): Live {
    const left = this.#left(plan);
    const test = this.#expressions.matchTest(plan.test, plan.level - 1);
    const reads = this.#expressions.reads(plan.test);
    const node = new FilterNode(
      { name: plan.name, left, test, reads, values: valuesOf(plan.test) },
      this.network.flushQueue,
      this.network.tally,
    );
    this.#attach(left, node);
    return this.#liveBeta(key, plan, node, () => left.detach(node));
  }

  #makeAggregate(plan: AggregatePlan, key: string): Live {
    const left = this.#left(plan);
    const inner = plan.inner.map((id) => this.#alive(id) as BetaNode);
    const [end] = plan.inner.map((id) => this.#planned.get(id));
    const value = this.#expressions.matchValue(plan.value, end === undefined || end.kind === "alpha" ? 0 : end.level);
    const node = new AggregateNode(
      {
        name: plan.name,
        rank: 1 + Math.max(left.rank, ...inner.map((end) => end.rank)),
        leftLevel: plan.level - 1,
        accumulator: accumulatorOf(plan.aggregate),
        value,
        valueReads: plan.value === undefined ? new Map() : this.#expressions.reads(plan.value),
        valueLevels: plan.value === undefined ? new Set() : valuesOf(plan.value),
        outerReads: this.#outerReads(plan),
        passUnknown: plan.passUnknown,
        doubtful: plan.fits !== undefined,
        oneSuffices: plan.aggregate === "exists-value",
      },
      this.network.flushQueue,
      this.network.tally,
    );
    node.overflowed = inner.some((end) => end.overflowed);
    const inputs = inner.map((end, index) => {
      const fits = plan.fits?.[index];
      return {
        end,
        input: new AggregateInput(node, fits === undefined ? undefined : matchTruth(fits, this.#expressions)),
      };
    });
    const followed = this.#followedInputs(plan, node);
    for (const { end, input } of [...inputs, ...followed]) this.#attach(end, input);
    this.#attach(left, node);
    return this.#liveBeta(key, plan, node, () => {
      left.detach(node);
      for (const { end, input } of [...inputs, ...followed]) end.detach(input);
    });
  }

  #outerReads(plan: AggregatePlan): Reads {
    const reads = this.#expressions.reads(...innerExpressions(plan, this.#planned));
    return new Map([...reads].filter(([level]) => level < plan.level));
  }

  #followedInputs(
    plan: AggregatePlan,
    node: AggregateNode,
  ): { readonly end: BetaNode; readonly input: FollowedInput }[] {
    return outerLookups(plan, this.#planned).map(({ lookup, exprs }) => ({
      end: this.#left({ left: lookup.id }),
      input: new FollowedInput(node, plan.level - 1, this.#expressions.reads(...exprs)),
    }));
  }

  // ---------------------------------------------------------------- rules

  /** A rule with a single pattern. */
  #makeDirect(plan: TerminalPlan, key: string): Live | undefined {
    if (!this.#shortcuts.direct.has(plan.id)) return undefined;
    const join = this.#rootJoin(plan);
    const end = new DirectTerminal(this.#production(plan), this.#listener);
    const direct = { end, node: this.#alphaOf(join), type: join.type };
    this.network.attachEnd(plan.rule, direct);
    return {
      key,
      node: end,
      pattern: plan.text,
      rules: [],
      takeDown: () => this.network.detachEnd(plan.rule, direct),
    };
  }
}

function isOff(node: LiveNode | undefined): boolean {
  return node instanceof BetaNode && node.overflowed;
}

/** What a node does, in words. */
function patternOf(plan: PlanNode): string {
  return plan.kind === "join" ? plan.words : plan.text;
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
