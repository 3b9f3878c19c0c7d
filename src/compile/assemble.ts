/**
 * Makes a plan into a live network, or changes a live network to what a new plan says.
 *
 * A node of the plan is the live node that does the same to the same inputs, if there is one: it keeps its memory. A new
 * node is filled from the nodes it stands on, so that it does not matter whether facts or rules came first. Nodes that
 * the plan no longer has are taken down.
 */
import { must, unreachable } from "../base/invariant.ts";
import { ConditionInput, ConditionNode } from "../gates/condition.ts";
import { FlowNode } from "../gates/flow.ts";
import { GateNode } from "../gates/gate.ts";
import { GuardianNode } from "../guardian/guardian.ts";
import { PipelineNode } from "../guardian/pipeline.ts";
import { WatchInput, WatchNode } from "../guardian/watch.ts";
import { AlphaNode } from "../rete/alpha.ts";
import type { Fact } from "../rete/fact.ts";
import { FilterNode } from "../rete/filter.ts";
import { FoldInput, FoldNode } from "../rete/fold.ts";
import { JoinNode } from "../rete/join.ts";
import { LookupNode } from "../rete/lookup.ts";
import type { Match } from "../rete/match.ts";
import { Network } from "../rete/network.ts";
import { BetaNode, type MatchInput, removeMatch } from "../rete/node.ts";
import type { FactLookup, MatchListener } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import { OneWay, type RuleMatches, SeveralWays } from "../rete/rule-matches.ts";
import { TerminalNode } from "../rete/terminal.ts";
import { canonicalText } from "./canonical.ts";
import { conditionParts } from "./condition-parts.ts";
import type { Shapes } from "./expression.ts";
import { Frames } from "./frames.ts";
import { flowStages, gateDesk } from "./gate-desk.ts";
import { type Deadline, guardianParts } from "./guardian-parts.ts";
import type { PureFunction } from "./functions.ts";
import { mapLevels, valuesOf } from "./levels.ts";
import type {
  AlphaPlan,
  ConditionPlan,
  FilterPlan,
  FlowPlan,
  FoldPlan,
  GatePlan,
  GuardianPlan,
  JoinPlan,
  LookupPlan,
  PipelinePlan,
  Plan,
  PlanExpr,
  PlanNode,
  TerminalPlan,
  WatchPlan,
} from "./plan.ts";
import { pipelineParts } from "./pipeline-parts.ts";
import { watchesOf } from "./plan-guardians.ts";
import { stepWatches } from "./plan-pipelines.ts";
import { production } from "./productions.ts";

export interface AssemblyParts {
  readonly shapes: Shapes;
  readonly facts: FactLookup;
  readonly listener: MatchListener;
  readonly functions: ReadonlyMap<string, PureFunction>;
  readonly matchLimit: number;
  /** Told the rules that are switched off because there were too many matches. */
  readonly overflow: (rules: readonly string[], pattern: string) => void;
  /** Told the rules in which something was divided by zero, and a fact of the match. */
  readonly dividedByZero: (rules: readonly string[], fact: Fact | undefined) => void;
  /** Off: equalities are tests like any other. The second oracle. */
  readonly indexing: boolean;
  readonly sharing: boolean;
  /** How long the checks of guardians may take; undefined: as long as they take. */
  readonly deadline: Deadline | undefined;
}

const DEAF: MatchListener = { matchAdded: () => undefined, matchRemoved: () => undefined };

type Judge = ConditionNode | GateNode | FlowNode | WatchNode | GuardianNode | PipelineNode;
type LiveNode = AlphaNode | BetaNode | Judge;

/** A live node, with how to take it down again. */
interface Live {
  readonly key: string;
  readonly node: LiveNode;
  readonly takeDown: () => void;
  /** What the node does, in words. */
  readonly pattern: string;
  /** The rules that stand on it, by the plan applied last. */
  rules: readonly string[];
}

export class Assembly {
  readonly network: Network;
  /** What judges in the plan applied last, in program order. */
  readonly gates: Map<string, GateNode> = new Map();
  readonly flows: Map<string, FlowNode> = new Map();
  readonly guardians: Map<string, GuardianNode> = new Map();
  readonly pipelines: Map<string, PipelineNode> = new Map();
  /** The nodes that the evidence of a condition or a line comes through. */
  readonly #ways = new Map<ConditionNode | WatchNode, readonly BetaNode[]>();
  readonly #parts: AssemblyParts;
  readonly #frames: Frames;
  /** Every live node of a plan by what it does to which inputs, in the order they were made. */
  readonly #live = new Map<string, Live>();
  readonly #numbers = new Map<LiveNode, number>();
  #count = 0;
  /** Productions of the plan that is being applied, and its live nodes by their ids. */
  #productions = new Map<string, Production>();
  #byId = new Map<number, LiveNode>();
  #plan: Plan = { nodes: [], rules: [] };
  #ends: ReadonlyMap<string, readonly TerminalPlan[]> = new Map();
  #making = new Map<string, RuleMatches>();
  #listener: MatchListener;
  /** How many terminals still hand their matches to a rule. */
  readonly #terminals = new Map<RuleMatches, number>();

  constructor(parts: AssemblyParts) {
    this.#parts = parts;
    this.#listener = parts.listener;
    this.#frames = new Frames(
      parts.shapes,
      parts.functions,
      parts.facts,
      gateDesk(this.gates, this.guardians),
      parts.dividedByZero,
    );
    this.network = new Network(parts.matchLimit, (node) => this.#switchedOff(node));
  }

  /** Makes the network that of the plan, and gives the productions of its rules. */
  apply(plan: Plan): ReadonlyMap<string, Production> {
    const used = this.#add(plan);
    this.#takeDown((key) => !used.has(key));
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
    return this.#productions;
  }

  /** Adds a plan for as long as the work takes; nobody hears of its matches. */
  during<Result>(plan: Plan, work: (productions: ReadonlyMap<string, Production>) => Result): Result {
    const before = new Set(this.#live.keys());
    this.#listener = DEAF;
    try {
      this.#add(plan);
      return work(this.#productions);
    } finally {
      this.#takeDown((key) => !before.has(key));
      this.#listener = this.#parts.listener;
    }
  }

  #add(plan: Plan): Set<string> {
    this.#plan = plan;
    this.#making = new Map();
    this.#byId = new Map();
    this.#productions = new Map();
    this.#ends = terminalsByRule(plan);
    const unnamed = rulesWithUnnamedFacts(plan);
    for (const rule of plan.rules) {
      this.#frames.rules = [rule.name];
      const levels = (this.#ends.get(rule.name) ?? []).map((terminal) => terminal.level);
      const made = production(rule, levels, (level) => this.#frames.at(level));
      this.#productions.set(rule.name, { ...made, namesAllFacts: !unnamed.has(rule.name) });
    }
    const used = new Set<string>();
    for (const node of plan.nodes) used.add(this.#addNode(node));
    return used;
  }

  #addNode(node: PlanNode): string {
    const key = this.#keyOf(node);
    this.#frames.rules = node.rules;
    const known = this.#live.get(key);
    const live = known ?? this.#make(node, key);
    if (known !== undefined && node.kind === "terminal") this.#goOn(node.rule);
    if (this.#listener !== DEAF) live.rules = node.rules;
    this.#live.set(key, live);
    this.#byId.set(node.id, live.node);
    this.network.settler.run();
    return key;
  }

  /** A rule that stays is told apart from others by its new production, which may stand elsewhere in the program. */
  #goOn(name: string): void {
    const rule = this.network.rules.get(name);
    const production = this.#productions.get(name);
    if (rule !== undefined && production !== undefined) rule.production = production;
  }

  /** What the node does to which live inputs; without sharing, no two nodes of a plan have the same. */
  #keyOf(node: PlanNode): string {
    const inputs = inputsOf(node).map((input) => (input === undefined ? "root" : this.#number(this.#alive(input))));
    const own = this.#parts.sharing ? "" : `|${node.rules[0]}|${node.id}`;
    const type = node.kind === "alpha" ? `${node.type}|` : "";
    return `${node.kind}|${type}${inputs.join(",")}|${node.text}${own}`;
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
      case "fold":
        return this.#makeFold(node, key);
      case "terminal":
        return this.#makeTerminal(node, key);
      case "condition":
        return this.#makeCondition(node, key);
      case "gate":
        return this.#makeGate(node, key);
      case "flow":
        return this.#makeFlow(node, key);
      case "watch":
        return this.#makeWatch(node, key);
      case "guardian":
        return this.#makeGuardian(node, key);
      case "pipeline":
        return this.#makePipeline(node, key);
      default:
        return unreachable(node);
    }
  }

  #takeDown(unused: (key: string) => boolean): void {
    for (const live of [...this.#live.values()].toReversed()) {
      if (!unused(live.key)) continue;
      live.takeDown();
      this.#live.delete(live.key);
      this.#numbers.delete(live.node);
      this.network.settler.run();
    }
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
    for (const [condition, way] of this.#ways) if (way.includes(node)) condition.goBlind();
    this.#parts.overflow(stopped?.rules ?? [], stopped?.pattern ?? "");
  }

  // ---------------------------------------------------------------- alpha

  #makeAlpha(plan: AlphaPlan, key: string): Live {
    const above = plan.input === undefined ? this.network.type(plan.type) : (this.#alive(plan.input) as AlphaNode);
    const reads = this.#frames.reads(plan.test).get(0) ?? new Set<number>();
    const node = new AlphaNode(plan.text, this.#frames.factTest(plan.test), reads, above);
    const access = this.#parts.indexing ? this.#frames.access(plan.test, plan.type) : undefined;
    above.attach(node, access);
    return { key, node, pattern: plan.text, rules: [], takeDown: () => above.detach(node, access) };
  }

  // ---------------------------------------------------------------- beta

  /** Puts a node below another, and gives it the matches that are already there. */
  #attach(left: BetaNode, input: MatchInput): void {
    left.attach(input);
    for (const match of left.matches.toArray()) input.leftAdded(match);
  }

  #liveBeta(key: string, plan: PlanNode, node: BetaNode, takeDown: () => void): Live {
    this.network.beta.add(node);
    return {
      key,
      node,
      pattern: plan.kind === "join" ? plan.words : plan.text,
      rules: [],
      takeDown: () => {
        takeDown();
        for (const match of node.matches.toArray()) removeMatch(match);
        this.network.beta.delete(node);
      },
    };
  }

  #makeJoin(plan: JoinPlan, key: string): Live {
    const left = this.#left(plan);
    const keys = this.#parts.indexing ? plan.keys : [];
    const asTests: PlanExpr[] = this.#parts.indexing
      ? []
      : plan.keys.map(({ field, equals }) => ({ op: "compare", by: "==", left: field, right: equals }));
    const tests = [...asTests, ...plan.tests];
    const above = plan.level - 1;
    const fields = keys.map(({ field }) => field);
    const equals = keys.map((one) => one.equals);
    const input = plan.right === undefined ? this.network.type(plan.type) : (this.#alive(plan.right) as AlphaNode);
    const type = this.network.type(plan.type);
    const memory = input.remember(() => [...type.facts].filter((fact) => input.admits(fact)));
    const reads = this.#frames.reads(...fields, ...equals, ...tests);
    const leftIndex = left.indexOn(
      equals.map(canonicalText).join(", "),
      keys.length,
      this.#frames.matchKey(equals, above),
      this.#frames.reads(...equals),
    );
    leftIndex.users += 1;
    const node = new JoinNode(
      {
        name: plan.name,
        left,
        leftIndex,
        memory,
        right: memory.indexOn(
          fields.map((field) => canonicalText(mapLevels(field, () => 0))).join(", "),
          keys.length,
          this.#frames.factKey(fields, plan.level),
          this.#frames.reads(...fields).get(plan.level) ?? new Set(),
        ),
        test: this.#frames.pairTest(tests, above, plan.level),
        leftReads: reads,
        rightReads: reads.get(plan.level) ?? new Set(),
      },
      this.network.tally,
    );
    memory.attach(node);
    this.#attach(left, node);
    return this.#liveBeta(key, plan, node, () => {
      left.detach(node);
      memory.detach(node);
      input.forgetUnused();
      leftIndex.users -= 1;
      if (leftIndex.users === 0) left.dropIndex(leftIndex);
    });
  }

  #makeLookup(plan: LookupPlan, key: string): Live {
    const left = this.#left(plan);
    const above = plan.level - 1;
    const node = new LookupNode(
      {
        name: plan.name,
        left,
        reference: this.#frames.matchValue(plan.of, above),
        reads: this.#frames.reads(plan.of),
        type: plan.type,
      },
      this.#parts.facts,
      this.network.settler,
      this.network.tally,
    );
    this.network.lookups.add(node);
    this.#attach(left, node);
    return this.#liveBeta(key, plan, node, () => {
      left.detach(node);
      this.network.lookups.delete(node);
    });
  }

  #makeFilter(plan: FilterPlan, key: string): Live {
    const left = this.#left(plan);
    const test = this.#frames.matchTest(plan.test, plan.level - 1);
    const reads = this.#frames.reads(plan.test);
    const node = new FilterNode(plan.name, left, test, reads, valuesOf(plan.test), this.network.tally);
    this.#attach(left, node);
    return this.#liveBeta(key, plan, node, () => left.detach(node));
  }

  #makeFold(plan: FoldPlan, key: string): Live {
    const left = this.#left(plan);
    const inner = plan.inner.map((id) => this.#alive(id) as BetaNode);
    const [end] = plan.inner.map((id) => this.#plan.nodes[id]);
    const value = this.#frames.matchValue(plan.value, end === undefined || end.kind === "alpha" ? 0 : end.level);
    const node = new FoldNode(
      {
        name: plan.name,
        rank: 1 + Math.max(left.rank, ...inner.map((end) => end.rank)),
        leftLevel: plan.level - 1,
        kind: plan.fold,
        value,
        valueReads: plan.value === undefined ? new Map() : this.#frames.reads(plan.value),
        valueLevels: plan.value === undefined ? new Set() : valuesOf(plan.value),
        passUnknown: plan.passUnknown,
      },
      this.network.settler,
      this.network.tally,
    );
    const inputs = inner.map((end) => ({ end, input: new FoldInput(node) }));
    for (const { end, input } of inputs) this.#attach(end, input);
    this.#attach(left, node);
    return this.#liveBeta(key, plan, node, () => {
      left.detach(node);
      for (const { end, input } of inputs) end.detach(input);
    });
  }

  // ---------------------------------------------------------------- gates

  #makeCondition(plan: ConditionPlan, key: string): Live {
    const left = this.#left(plan);
    const end = this.#left({ left: plan.inner });
    const rank = 1 + Math.max(left.rank, end.rank);
    const node = new ConditionNode(conditionParts(plan, rank, this.#frames), this.network.settler);
    const input = new ConditionInput(node);
    const way = this.#wayTo(plan.inner, plan.left).map((id) => this.#left({ left: id }));
    this.#ways.set(node, way);
    if (way.some((one) => one.overflowed)) node.goBlind();
    this.#attach(end, input);
    this.#attach(left, node);
    return this.#liveJudge(key, plan, node, () => {
      left.detach(node);
      end.detach(input);
      this.#ways.delete(node);
    });
  }

  /** The nodes between the subjects and the end of an evidence chain, those inside folds included. */
  #wayTo(end: number | undefined, subjects: number | undefined): number[] {
    if (end === undefined || end === subjects) return [];
    const node = this.#plan.nodes[end];
    if (node === undefined || node.kind === "alpha") return [];
    const inner = node.kind === "fold" ? node.inner.flatMap((one) => this.#wayTo(one, node.left)) : [];
    return [end, ...inner, ...this.#wayTo(node.left, subjects)];
  }

  #makeGate(plan: GatePlan, key: string): Live {
    const left = this.#left(plan);
    const node = new GateNode({
      name: plan.gate,
      logic: plan.logic,
      requirement: plan.requirement,
      leaves: plan.leaves.map(({ condition, definition }) => ({
        condition: this.#alive(condition) as ConditionNode,
        definition,
      })),
      subjectType: plan.subjectType,
      subjectLevel: plan.subjectLevel,
    });
    this.#attach(left, node);
    node.listen();
    return this.#liveJudge(key, plan, node, () => {
      left.detach(node);
      node.leave();
    });
  }

  #makeFlow(plan: FlowPlan, key: string): Live {
    const left = this.#left(plan);
    const stages = flowStages(plan, this.#frames);
    const node = new FlowNode({ name: plan.flow, subjectLevel: plan.subjectLevel, stages });
    this.#attach(left, node);
    return this.#liveJudge(key, plan, node, () => left.detach(node));
  }

  #makeWatch(plan: WatchPlan, key: string): Live {
    const left = this.#left(plan);
    const end = this.#left({ left: plan.inner });
    const reads = this.#frames.reads(...plan.exprs);
    const values = new Set(plan.exprs.flatMap((expr) => [...valuesOf(expr)]));
    const node = new WatchNode({ subjectLevel: plan.level, reads, values });
    const input = new WatchInput(node);
    const way = this.#wayTo(plan.inner, plan.left).map((id) => this.#left({ left: id }));
    this.#ways.set(node, way);
    if (way.some((one) => one.overflowed)) node.goBlind();
    this.#attach(left, node);
    this.#attach(end, input);
    return this.#liveJudge(key, plan, node, () => {
      left.detach(node);
      end.detach(input);
      this.#ways.delete(node);
    });
  }

  #makeGuardian(plan: GuardianPlan, key: string): Live {
    const left = this.#left(plan);
    const watch = (id: number): WatchNode => this.#alive(id) as WatchNode;
    const node = new GuardianNode(guardianParts(plan, this.#frames, watch, this.#parts.deadline));
    this.#attach(left, node);
    node.listen();
    return this.#liveJudge(key, plan, node, () => {
      left.detach(node);
      node.leave();
    });
  }

  #makePipeline(plan: PipelinePlan, key: string): Live {
    const left = this.#left(plan);
    const watch = (id: number): WatchNode => this.#alive(id) as WatchNode;
    const node = new PipelineNode(pipelineParts(plan, this.#frames, watch));
    this.#attach(left, node);
    return this.#liveJudge(key, plan, node, () => left.detach(node));
  }

  #liveJudge(key: string, plan: PlanNode, node: Judge, takeDown: () => void): Live {
    this.network.judges.add(node);
    return {
      key,
      node,
      pattern: plan.text,
      rules: [],
      takeDown: () => {
        takeDown();
        this.network.judges.delete(node);
      },
    };
  }

  #makeTerminal(plan: TerminalPlan, key: string): Live {
    const left = this.#left(plan);
    const rule = this.#rule(plan, () => node.matches.toArray());
    const node = new TerminalNode(plan.name, left, plan.layout, rule, this.network.tally);
    this.#terminals.set(rule, (this.#terminals.get(rule) ?? 0) + 1);
    this.#attach(left, node);
    const live = this.#liveBeta(key, plan, node, () => left.detach(node));
    return { ...live, takeDown: () => this.#takeDownTerminal(live, plan.rule, rule) };
  }

  /** The matches of a rule are kept together, whichever of its terminals finds them. */
  #rule(plan: TerminalPlan, matches: () => Match[]): RuleMatches {
    const known = this.#making.get(plan.rule);
    if (known !== undefined) return known;
    const rule = must(this.#productions.get(plan.rule), "every terminal has its rule");
    const several = this.#ends.get(plan.rule) ?? [];
    const rank = 2 + Math.max(...several.map((terminal) => this.#left(terminal).rank));
    const listener = this.#listener;
    const made =
      several.length > 1
        ? new SeveralWays(rule, rank, listener, this.network.settler, () => this.network.updated)
        : new OneWay(rule, listener, matches);
    this.#making.set(plan.rule, made);
    this.network.rules.set(plan.rule, made);
    return made;
  }

  #takeDownTerminal(live: Live, name: string, rule: RuleMatches): void {
    live.takeDown();
    this.network.settler.run();
    const left = (this.#terminals.get(rule) ?? 1) - 1;
    this.#terminals.set(rule, left);
    if (left > 0) return;
    this.#terminals.delete(rule);
    if (this.network.rules.get(name) === rule) this.network.rules.delete(name);
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

/** The rules that rest on facts which are not in their matches: those behind an `exists`, an aggregate, a reference. */
function rulesWithUnnamedFacts(plan: Plan): Set<string> {
  const resting = plan.nodes.filter((node) => node.kind === "lookup" || (node.kind === "fold" && node.fold !== "not"));
  return new Set(resting.flatMap((node) => node.rules));
}

function inputsOf(node: PlanNode): readonly (number | undefined)[] {
  switch (node.kind) {
    case "alpha":
      return [node.input];
    case "join":
      return [node.left, node.right];
    case "fold":
      return [node.left, ...node.inner];
    case "terminal":
      return [node.left, ...node.ends];
    case "condition":
      return [node.left, node.inner];
    case "gate":
      return [node.left, ...node.leaves.map((leaf) => leaf.condition)];
    case "watch":
      return [node.left, node.inner];
    case "guardian":
      return [node.left, ...watchesOf(node)];
    case "pipeline":
      return [node.left, ...stepWatches(node)];
    default:
      return [node.left];
  }
}
