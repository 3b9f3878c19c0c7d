/**
 * The network as a picture shows it: boxes and arrows, plain data for all formats.
 *
 * Some things are drawn as people think of them, not as they are built. The facts of a rule's first pattern come from an
 * alpha node or a type, without a join with nothing between. A `not`, `exists` or aggregate over one pattern is one box, and
 * so is a condition. The alternatives of a rule end in one box. The operators of a gate's requirement have boxes. A flow is
 * a machine of its own, and so is the way of a request through a pipeline.
 */
import type { Plan, PlanExpr, PlanNode, PlanRule } from "../../index.ts";
import { machineOf, type Machine, pipelineMachine } from "./machine.ts";
import { expressionText, type Naming } from "./expression-text.ts";

export type BoxKind =
  | "type"
  | "alpha"
  | "join"
  | "not"
  | "exists"
  | "aggregate"
  | "lookup"
  | "filter"
  | "condition"
  | "operator"
  | "gate"
  | "flow"
  | "guardian"
  | "pipeline"
  | "stage"
  | "state"
  | "rule";

export interface Box {
  readonly id: string;
  readonly kind: BoxKind;
  /** The name of the node, `alpha_…`; of a type or rule its own. */
  readonly name: string;
  /** What it stands for, in words. */
  readonly text: string;
  /** Of a node that is named by a hash: the text that decides sharing. */
  readonly canonical?: string;
  /** The rules that stand on it. */
  readonly rules: readonly string[];
  /** True when more than one rule does; types are always common to all. */
  readonly shared: boolean;
  /** How many facts (of a type or alpha node) or matches it holds after a run. */
  readonly count?: number;
  /** How often a rule fired. */
  readonly fires?: number;
  /** Of an alpha node: all tests of its chain, which the facts that leave it have passed. */
  readonly passed?: string;
  /** Of a state: the pipeline it belongs to. */
  readonly of?: string;
  /** Of a box that is drawn for several with the same words: how many. */
  readonly alike?: number;
  /** Of a box that others are drawn inside of: how many. */
  readonly inside?: number;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  /**
   * `facts` into a type's or alpha node's successors, `matches` along a rule's chain, `inner` into a fold or condition,
   * `values` up a requirement, `results` from a gate or guardian to the facts it writes or to who asks it, `moves` from stage
   * to stage.
   */
  readonly carries: "facts" | "matches" | "inner" | "values" | "results" | "moves";
  /** Of a move: when it is made. */
  readonly label?: string;
  /** Of a move: `error` when only a failure makes it, `never` when the program as it is written does not. */
  readonly how?: "error" | "never";
}

export interface GraphModel {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** What a run left behind. */
export interface Live {
  readonly nodes: ReadonlyMap<number, number>;
  readonly types: ReadonlyMap<string, number>;
  readonly matches: ReadonlyMap<string, number>;
  readonly fires: ReadonlyMap<string, number>;
}

/** With `only`, the parts that these rules stand on. */
export function graphModel(plan: Plan, only: ReadonlySet<string> | undefined, live: Live | undefined): GraphModel {
  return new Builder(plan, only, live).build();
}

type Alpha = Extract<PlanNode, { kind: "alpha" }>;
type Aggregate = Extract<PlanNode, { kind: "aggregate" }>;
type Join = Extract<PlanNode, { kind: "join" }>;
type Condition = Extract<PlanNode, { kind: "condition" }>;
type Gate = Extract<PlanNode, { kind: "gate" }>;
type Requirement = Gate["requirement"];
type Guardian = Extract<PlanNode, { kind: "guardian" }>;
type Pipeline = Extract<PlanNode, { kind: "pipeline" }>;

const RESULT = "GateResult";
const VERDICT = "Verdict";

const OPERATORS: Readonly<Record<Exclude<Requirement["kind"], "leaf">, (part: { min?: number }) => string>> = {
  all: () => "all of",
  any: () => "any of",
  not: () => "not",
  "at least": ({ min }) => `at least ${min ?? 0} of`,
};

class Builder {
  readonly #plan: Plan;
  readonly #live: Live | undefined;
  readonly #nodes: readonly PlanNode[];
  readonly #byId: ReadonlyMap<number, PlanNode>;
  readonly #rules: ReadonlyMap<string, PlanRule>;
  /** How many nodes stand on a node. */
  readonly #uses = new Map<number, number>();
  /** Joins that are part of another box. */
  readonly #merged = new Set<number>();
  /** What the leaves of gates are called, by their conditions. */
  readonly #leafTexts = new Map<number, { readonly text: string; readonly named: boolean }>();
  /** The results that are not drawn: somebody who writes results looks at them too, it would go round in a circle. */
  readonly #circular: ReadonlySet<string>;
  readonly #valueNames = new Map<PlanRule, ReadonlyMap<number, string>>();
  readonly #boxes = new Map<string, Box>();
  readonly #arrows = new Map<string, Arrow>();

  constructor(plan: Plan, only: ReadonlySet<string> | undefined, live: Live | undefined) {
    this.#plan = plan;
    this.#live = live;
    this.#nodes = plan.nodes.filter(({ rules }) => only === undefined || rules.some((rule) => only.has(rule)));
    this.#byId = new Map(plan.nodes.map((node) => [node.id, node]));
    this.#rules = new Map(plan.rules.map((rule) => [rule.name, rule]));
    for (const node of plan.nodes) for (const id of inputsOf(node)) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
    for (const node of plan.nodes) {
      const inner = node.kind === "aggregate" || node.kind === "condition" ? this.#onlyInner(node) : undefined;
      if (inner !== undefined) this.#merged.add(inner.id);
      if (node.kind === "gate") this.#nameLeaves(node, node.requirement);
    }
    for (const { layouts, name, reaction } of plan.rules)
      if (reaction === true && layouts.length > 0) this.#mergeReaction(name);
    const writers = plan.nodes.filter(({ kind }) => kind === "gate" || kind === "guardian");
    const judges = new Set(writers.flatMap((node) => judgeName(node) ?? []));
    const looked = plan.nodes.filter((node) => node.rules.some((rule) => judges.has(rule)));
    this.#circular = new Set(looked.flatMap((node) => ("type" in node && node.type !== undefined ? [node.type] : [])));
  }

  #nameLeaves(gate: Gate, part: Requirement): void {
    if (part.kind !== "leaf") for (const item of part.items) this.#nameLeaves(gate, item);
    else {
      const { condition, definition } = gate.leaves[part.leaf] ?? {};
      if (condition === undefined || this.#leafTexts.has(condition)) return;
      this.#leafTexts.set(condition, { text: part.text, named: definition !== undefined });
    }
  }

  /** What finds the subject of a reaction is not shown: it is the subject of the gate. */
  #mergeReaction(rule: string): void {
    for (const node of this.#nodes) {
      if (node.kind !== "terminal" || node.rule !== rule) continue;
      for (const one of this.#upwards(node.left)) {
        if (one.kind === "lookup" || one.kind === "filter") this.#merged.add(one.id);
      }
    }
  }

  build(): GraphModel {
    for (const node of this.#nodes) this.#add(node);
    return { boxes: [...this.#boxes.values()], arrows: [...this.#arrows.values()] };
  }

  /** The one join that a fold or condition looks at, when nothing else does and it is more than the facts themselves. */
  #onlyInner(aggregate: Aggregate | Condition): Join | undefined {
    const [first, ...more] =
      aggregate.kind === "aggregate" ? aggregate.inner : aggregate.inner === undefined ? [] : [aggregate.inner];
    const inner = first === undefined || more.length > 0 ? undefined : this.#byId.get(first);
    if (inner?.kind !== "join" || inner.left !== aggregate.left || this.#isPlain(inner)) return undefined;
    return this.#uses.get(inner.id) === 1 ? inner : undefined;
  }

  /** Pairs facts with nothing and tests nothing. */
  #isPlain(node: Join): boolean {
    return node.left === undefined && node.keys.length === 0 && node.tests.length === 0;
  }

  #add(node: PlanNode): void {
    switch (node.kind) {
      case "alpha":
        this.#box(node, "alpha", `${node.type}(${this.#alphaWords(node)})`, { passed: this.#passedWords(node) });
        return this.#arrow(this.#facts(node.type, node.input), node, "facts");
      case "join":
        return this.#addJoin(node);
      case "lookup":
        if (this.#merged.has(node.id)) return;
        this.#box(node, "lookup", `follow ${expressionText(node.of, this.#naming(node))}`);
        if (node.type !== undefined) this.#arrow(this.#facts(node.type, undefined), node, "facts");
        return this.#arrow(this.#source(node.left), node, "matches");
      case "filter":
        if (this.#merged.has(node.id)) return;
        this.#box(node, "filter", `where ${expressionText(node.test, this.#naming(node))}`);
        return this.#arrow(this.#source(node.left), node, "matches");
      case "aggregate":
        return this.#addAggregate(node);
      case "condition":
        return this.#addCondition(node);
      case "gate":
        return this.#addGate(node);
      case "flow":
        this.#box(node, "flow", `flow "${node.flow}"`);
        this.#addMachine(node, "stage", machineOf(node));
        return this.#arrow(this.#source(node.left), node, "matches");
      case "watch":
        return; // drawn as part of the guardian or pipeline that reads it
      case "guardian":
        this.#addJudge(
          node,
          "guardian",
          `guardian "${node.guardian}": ${node.checks.map(({ name }) => name).join(", ")}`,
        );
        return this.#results(node, VERDICT);
      case "pipeline":
        this.#addJudge(node, "pipeline", `pipeline "${node.pipeline}"`);
        for (const asked of this.#asked(node)) this.#arrow(idOf(asked), node, "results");
        return this.#addMachine(
          node,
          "state",
          pipelineMachine(node, (step, isBorder) => this.#stepWords(node, step, isBorder)),
        );
      default:
        return this.#addRule(node);
    }
  }

  /** What a guardian or a pipeline looks at: its subjects, and the ends of the chains that it watches. */
  #addJudge(node: Guardian | Pipeline, kind: "guardian" | "pipeline", text: string): void {
    this.#box(node, kind, text);
    const subjects = this.#source(node.left);
    this.#arrow(subjects, node, "matches");
    for (const id of inputsOf(node)) {
      const input = this.#byId.get(id);
      if (input?.kind !== "watch") continue;
      for (const one of [input.inner, ...input.gaps.map(({ end }) => end)]) {
        const from = this.#source(one);
        if (from !== subjects) this.#arrow(from, node, "inner");
      }
    }
  }

  /** What it writes, so that rules over it stand behind. */
  #results(node: PlanNode, type: string): void {
    if (!this.#circular.has(type)) this.#connect(idOf(node), this.#facts(type, undefined), "results");
  }

  /** The gates and guardians whose outcome the steps of a pipeline ask for. */
  #asked(node: Pipeline): PlanNode[] {
    const names = new Set<string>();
    const visit = (part: unknown): void => {
      if (typeof part !== "object" || part === null) return;
      const { op, of, name } = part as { readonly op?: unknown; readonly of?: unknown; readonly name?: unknown };
      if (op === "outcome") names.add(`${String(of)} "${String(name)}"`);
      Object.values(part).forEach(visit);
    };
    visit(stepsOf(node).map((step) => step.ways.map((way) => way.test)));
    return this.#nodes.filter((one) => names.has(judgeName(one) ?? ""));
  }

  /** `BLOCK "over budget" unless gate budget passes`; of a border `q.content is present else BLOCK "empty"`. */
  #stepWords(node: Pipeline, { action, looks, ways }: Pipeline["steps"][number], isBorder: boolean): string {
    const [way] = ways;
    if (way === undefined) return action;
    const watch = this.#byId.get(way.watch);
    const end = watch?.kind === "watch" && watch.inner !== undefined ? this.#byId.get(watch.inner) : undefined;
    const naming = this.#naming(end ?? node);
    const value = way.value === undefined ? "" : ` ${expressionText(way.value, naming)}`;
    if (isBorder) return `${expressionText(onlyItem(way.test), naming)} else ${action}${value}`;
    const patterns = looks && end !== undefined ? this.#patternWords(node.left, end.id) : [];
    const when = patterns.length === 0 ? "" : ` when ${patterns.join(", ")}`;
    return `${action}${value}${when}${limitWords(way.test, naming)}`;
  }

  #patternWords(outer: number | undefined, inner: number): string[] {
    const words: string[] = [];
    for (const node of this.#upwards(inner)) {
      if (node.id === outer) break;
      if (node.kind === "join") words.unshift(this.#wholeWords(node));
    }
    return words;
  }

  /** A pattern with all its tests, also those of the alpha nodes before it. */
  #wholeWords(node: Join): string {
    const alpha = node.right === undefined ? undefined : this.#byId.get(node.right);
    const passed = alpha?.kind === "alpha" ? this.#passedTests(alpha) : [];
    const all = [...this.#joinTests(node), ...passed];
    return all.length === 0 ? node.words : `${node.words}(${all.join(", ")})`;
  }

  // ---------------------------------------------------------------- gates and flows

  /** A leaf of gates: what is looked at for each subject. */
  #addCondition(node: Condition): void {
    const inner = this.#onlyInner(node);
    this.#box(node, "condition", this.#conditionWords(node, inner));
    this.#arrow(this.#source(node.left), node, "matches");
    if (inner !== undefined) this.#arrow(this.#facts(inner.type, inner.right), node, "inner");
    else if (node.inner !== undefined && node.inner !== node.left) this.#arrow(this.#source(node.inner), node, "inner");
    for (const { end } of node.gaps) this.#arrow(this.#source(end), node, "inner");
  }

  /** `approved(r, "bob"): a.ok == true from a: Approval(release == r.id)`. */
  #conditionWords(node: Condition, inner: Join | undefined): string {
    const { text: called = "", named = false } = this.#leafTexts.get(node.id) ?? {};
    const { reading } = node;
    if (!named) return called;
    const end = node.inner === undefined ? undefined : this.#byId.get(node.inner);
    const naming = this.#naming(end === undefined || end.kind === "alpha" ? node : end);
    const words = (expr: Condition["test"]): string => (expr === undefined ? "" : expressionText(expr, naming));
    if (reading.kind === "test") return `${called}: ${words(node.test)}`;
    const patterns = node.inner === undefined ? [] : this.#patternsBetween(node.left, node.inner);
    const what = inner === undefined ? patterns.join(", ") : this.#joinWords(inner);
    if (reading.kind === "exists") return `${called}: ${reading.negated ? "no" : "exists"} ${what}`;
    const mode = reading.kind === "agree" ? "" : `${reading.kind} `;
    const by = node.by === undefined ? "" : ` by ${words(node.by)}`;
    return `${called}: ${words(node.test)} from ${mode}${what}${by}`;
  }

  #addGate(node: Gate): void {
    const { requirement, gate } = node;
    this.#box(
      node,
      "gate",
      `gate "${gate}"${requirement.kind === "leaf" ? "" : `: ${OPERATORS[requirement.kind](requirement)}`}`,
    );
    this.#addItems(node, requirement, idOf(node), idOf(node));
    this.#results(node, RESULT);
  }

  /** The parts of a requirement below the box that stands for it. */
  #addItems(gate: Gate, part: Requirement, box: string, path: string): void {
    const items = part.kind === "leaf" ? [part] : part.items;
    for (const [index, item] of items.entries()) {
      if (item.kind === "leaf") {
        const condition = gate.leaves[item.leaf]?.condition;
        if (condition !== undefined) this.#connect(`node ${condition}`, box, "values");
        continue;
      }
      const id = `${path}.${index + 1}`;
      const about = { name: "", text: OPERATORS[item.kind](item), rules: gate.rules, shared: false };
      this.#boxes.set(id, { id, kind: "operator", ...about });
      this.#connect(id, box, "values");
      this.#addItems(gate, item, id, id);
    }
  }

  #addMachine(node: PlanNode, kind: "stage" | "state", { states, moves }: Machine): void {
    const beginning = idOf(node);
    const idOfState = (state: string): string => `${beginning} ${state}`;
    const more = kind === "state" ? { of: beginning } : {};
    for (const { id, name, text } of states) {
      const box = { id: idOfState(id), kind, name, text, rules: node.rules, shared: false, ...more };
      this.#boxes.set(box.id, box);
    }
    const [first] = states;
    if (first !== undefined) this.#connect(beginning, idOfState(first.id), "moves");
    for (const { from, to, ...about } of moves) this.#connect(idOfState(from), idOfState(to), "moves", about);
  }

  #alphaWords(node: Alpha): string {
    return expressionText(node.test, this.#naming(node, 0));
  }

  #passedWords(node: Alpha): string {
    return `${node.type}(${this.#passedTests(node).join(", ")})`;
  }

  #passedTests(node: Alpha): string[] {
    const tests: string[] = [];
    for (let at: PlanNode | undefined = node; at?.kind === "alpha";) {
      tests.unshift(this.#alphaWords(at));
      at = at.input === undefined ? undefined : this.#byId.get(at.input);
    }
    return tests;
  }

  #addJoin(node: Join): void {
    if (this.#isPlain(node) || this.#merged.has(node.id)) return;
    this.#box(node, "join", this.#joinWords(node));
    this.#arrow(this.#source(node.left), node, "matches");
    this.#arrow(this.#facts(node.type, node.right), node, "facts");
  }

  #addAggregate(node: Aggregate): void {
    const kind = node.aggregate === "not" ? "not" : node.aggregate.startsWith("exists") ? "exists" : "aggregate";
    const inner = this.#onlyInner(node);
    const verb = kind === "aggregate" ? this.#aggregateWords(node) : kind;
    const what = inner === undefined ? this.#innerWords(node) : this.#joinWords(inner);
    this.#box(node, kind, `${verb} ${what}`);
    this.#arrow(this.#source(node.left), node, "matches");
    if (inner === undefined) for (const id of node.inner) this.#arrow(this.#source(id), node, "inner");
    else this.#arrow(this.#facts(inner.type, inner.right), node, "inner");
  }

  #aggregateWords(node: Aggregate): string {
    const inner = node.inner.map((id) => this.#byId.get(id)).find((found) => found !== undefined);
    const counted = inner?.kind === "join" && inner.words.includes(":") ? inner.words.split(":")[0] : "";
    const value =
      node.value === undefined || inner === undefined
        ? (counted ?? "")
        : expressionText(node.value, this.#naming(inner));
    const rule = this.#rules.get(node.rules[0] ?? "");
    const named = this.#valueName(rule, node.level);
    return `${named === undefined ? "" : `${named}: `}${node.aggregate}(${value}) from`;
  }

  /** What a rule calls the value at a level. A rule has as many layouts as alternatives, so they are read once. */
  #valueName(rule: PlanRule | undefined, level: number): string | undefined {
    if (rule === undefined) return undefined;
    const known = this.#valueNames.get(rule) ?? valueNames(rule);
    this.#valueNames.set(rule, known);
    return known.get(level);
  }

  /** The patterns that a fold looks at when these have boxes of their own. */
  #innerWords(aggregate: Aggregate): string {
    const patterns = aggregate.inner.flatMap((id) => this.#patternsBetween(aggregate.left, id));
    return [...new Set(patterns)].join(", ");
  }

  #patternsBetween(outer: number | undefined, inner: number): string[] {
    const words: string[] = [];
    for (const node of this.#upwards(inner)) {
      if (node.id === outer) break;
      if (node.kind === "join") words.unshift(node.words);
    }
    return words;
  }

  /** A node and those before it in its chain. */
  *#upwards(id: number | undefined): Iterable<Exclude<PlanNode, { kind: "alpha" }>> {
    for (let node = id === undefined ? undefined : this.#byId.get(id); node !== undefined && node.kind !== "alpha";) {
      yield node;
      node = node.left === undefined ? undefined : this.#byId.get(node.left);
    }
  }

  #joinTests(node: Join): string[] {
    const naming = this.#naming(node, node.level);
    const keys = node.keys.map(
      ({ field, equals }) => `${expressionText(field, naming)} == ${expressionText(equals, naming)}`,
    );
    return [...keys, ...node.tests.map((test) => expressionText(test, naming))];
  }

  #joinWords(node: Join): string {
    const all = this.#joinTests(node);
    return all.length === 0 ? node.words : `${node.words}(${all.join(", ")})`;
  }

  #addRule(node: Extract<PlanNode, { kind: "terminal" }>): void {
    const id = `rule ${node.rule}`;
    const rule = this.#rules.get(node.rule);
    const notes = [
      ...(rule === undefined || rule.salience === 0 ? [] : [`salience ${rule.salience}`]),
      ...(rule?.group === undefined ? [] : [`group ${rule.group}`]),
    ];
    const live = this.#live;
    const counts =
      live === undefined ? {} : { count: live.matches.get(node.rule) ?? 0, fires: live.fires.get(node.rule) ?? 0 };
    this.#boxes.set(id, {
      id,
      kind: "rule",
      name: node.rule,
      text: notes.join(", "),
      rules: [node.rule],
      shared: false,
      ...counts,
    });
    const from = this.#source(node.left);
    if (from !== undefined) this.#connect(from, id, "matches");
  }

  // ---------------------------------------------------------------- boxes and arrows

  #box(node: PlanNode, kind: BoxKind, text: string, more: Pick<Box, "passed"> = {}): void {
    const rules = [...new Set(node.rules)];
    const count = this.#live?.nodes.get(node.id);
    const counted = count === undefined ? {} : { count };
    this.#boxes.set(idOf(node), {
      id: idOf(node),
      kind,
      name: node.name,
      text,
      canonical: node.text,
      ...more,
      rules,
      shared: rules.length > 1,
      ...counted,
    });
  }

  #arrow(from: string | undefined, to: PlanNode, carries: Arrow["carries"]): void {
    if (from !== undefined) this.#connect(from, idOf(to), carries);
  }

  #connect(from: string, to: string, carries: Arrow["carries"], about: Pick<Arrow, "label" | "how"> = {}): void {
    this.#arrows.set(JSON.stringify([from, to, carries]), { from, to, carries, ...about });
  }

  /** The box that facts of a pattern come from. */
  #facts(type: string, alpha: number | undefined): string {
    if (alpha !== undefined) return `node ${alpha}`;
    const id = `type ${type}`;
    if (!this.#boxes.has(id)) {
      const rules = this.#plan.nodes
        .filter((node) => "type" in node && node.type === type)
        .flatMap((node) => node.rules);
      const count = this.#live?.types.get(type) ?? 0;
      const counted = this.#live === undefined ? {} : { count };
      this.#boxes.set(id, {
        id,
        kind: "type",
        name: type,
        text: "",
        rules: [...new Set(rules)],
        shared: false,
        ...counted,
      });
    }
    return id;
  }

  /** The box that matches come from; undefined for the beginning of a rule. */
  #source(id: number | undefined): string | undefined {
    const node = id === undefined ? undefined : this.#byId.get(id);
    if (node === undefined) return undefined;
    if (node.kind === "join" && this.#isPlain(node)) return this.#facts(node.type, node.right);
    if (this.#merged.has(node.id) && node.kind !== "alpha") return this.#source(node.left);
    return idOf(node);
  }

  /** What the levels of a chain are called: variables of the first rule that stands on it, and what they stand for. */
  #naming(node: PlanNode, own?: number): Naming {
    const rule = node.rules.map((name) => this.#rules.get(name)).find((found) => found !== undefined);
    const name = (level: number): string | undefined => {
      const at = [...this.#upwards(node.id)].find((one) => one.level === level);
      if (at?.kind === "join") return at.words.split(":")[0];
      if (at?.kind !== "aggregate") return undefined;
      return this.#valueName(rule, level) ?? this.#unnamedAggregate(at);
    };
    return { own, name };
  }

  /** An `exists` or aggregate inside a test has no name: it is called what it says. */
  #unnamedAggregate(aggregate: Aggregate): string {
    const what = aggregate.inner.flatMap((id) => this.#patternWords(aggregate.left, id)).join(", ");
    return aggregate.aggregate === "exists-value" ? `exists ${what}` : `${aggregate.aggregate}(${what})`;
  }
}

/** The first name for each level. */
function valueNames({ layouts }: PlanRule): Map<number, string> {
  const names = new Map<number, string>();
  for (const { bindings } of layouts) {
    for (const one of bindings) if (one.kind === "value" && !names.has(one.level)) names.set(one.level, one.name);
  }
  return names;
}

function idOf(node: PlanNode): string {
  return `node ${node.id}`;
}

function inputsOf(node: PlanNode): number[] {
  if (node.kind === "alpha") return node.input === undefined ? [] : [node.input];
  const left = node.left === undefined ? [] : [node.left];
  if (node.kind === "join") return node.right === undefined ? left : [...left, node.right];
  if (node.kind === "guardian") return [...left, ...watchesOf(node)];
  if (node.kind === "pipeline") return [...left, ...stepWatches(node)];
  if (node.kind === "condition" || node.kind === "watch") {
    const gaps = node.gaps.map(({ end }) => end);
    return node.inner === undefined ? [...left, ...gaps] : [...left, node.inner, ...gaps];
  }
  if (node.kind === "gate") return [...left, ...node.leaves.map(({ condition }) => condition)];
  return node.kind === "aggregate" ? [...left, ...node.inner] : left;
}

function watchesOf({ settings, checks }: Guardian): number[] {
  const lines = checks.flatMap((check) => check.lines);
  return [settings.watch, ...lines.flatMap(({ watch, off }) => (off === undefined ? [watch] : [watch, off.watch]))];
}

function stepWatches(pipeline: Pipeline): number[] {
  return stepsOf(pipeline).flatMap((step) => step.ways.map((way) => way.watch));
}

function stepsOf({ before, steps, after, otherwise }: Pipeline): Pipeline["steps"] {
  return [...before, ...steps, ...after, otherwise];
}

/** What nodes call who judges: `gate "deploy"`. */
export function judgeName(node: PlanNode): string | undefined {
  switch (node.kind) {
    case "gate":
      return `gate "${node.gate}"`;
    case "flow":
      return `flow "${node.flow}"`;
    case "guardian":
      return `guardian "${node.guardian}"`;
    case "pipeline":
      return `pipeline "${node.pipeline}"`;
    default:
      return undefined;
  }
}

function onlyItem(test: PlanExpr | undefined): PlanExpr {
  if (test === undefined) return { op: "const", value: true };
  const [item, ...more] = test.op === "and" ? test.items : [];
  return item === undefined || more.length > 0 ? test : item;
}

/** ` when …`, ` unless …`; nothing for a step that is always taken. */
function limitWords(test: PlanExpr | undefined, naming: Naming): string {
  if (test === undefined || test.op === "const") return "";
  const items = test.op === "and" ? test.items : [test];
  return items
    .map((item) =>
      item.op === "not" ? ` unless ${expressionText(item.of, naming)}` : ` when ${expressionText(item, naming)}`,
    )
    .join("");
}
