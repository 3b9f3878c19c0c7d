/**
 * The network as a picture shows it: boxes and arrows, plain data for all formats.
 *
 * Three things are drawn as people think of them, not as they are built. The facts of a rule's first pattern come from an
 * alpha node or a type, without a join with nothing between. A `not`, `exists` or aggregate over one pattern is one box. The
 * alternatives of a rule end in one box.
 */
import type { Plan, PlanNode, PlanRule } from "../../index.ts";
import { exprWords, type Naming } from "./words.ts";

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
  | "gate"
  | "flow"
  | "guardian"
  | "pipeline"
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
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** `facts` into a type's or alpha node's successors, `matches` along a rule's chain, `inner` into a fold. */
  readonly carries: "facts" | "matches" | "inner";
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
type Fold = Extract<PlanNode, { kind: "fold" }>;
type Join = Extract<PlanNode, { kind: "join" }>;

class Builder {
  readonly #plan: Plan;
  readonly #live: Live | undefined;
  readonly #nodes: readonly PlanNode[];
  readonly #byId: ReadonlyMap<number, PlanNode>;
  readonly #rules: ReadonlyMap<string, PlanRule>;
  /** How many nodes stand on a node. */
  readonly #uses = new Map<number, number>();
  /** Joins that are part of another box. */
  readonly #merged = new Map<number, Fold>();
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
      const inner = node.kind === "fold" ? this.#onlyInner(node) : undefined;
      if (node.kind === "fold" && inner !== undefined) this.#merged.set(inner.id, node);
    }
  }

  build(): GraphModel {
    for (const node of this.#nodes) this.#add(node);
    return { boxes: [...this.#boxes.values()], arrows: [...this.#arrows.values()] };
  }

  /** The one join that a fold looks at, when nothing else does and it is more than the facts themselves. */
  #onlyInner(fold: Fold): Join | undefined {
    const [first, ...more] = fold.inner;
    const inner = first === undefined || more.length > 0 ? undefined : this.#byId.get(first);
    if (inner?.kind !== "join" || inner.left !== fold.left || this.#isPlain(inner)) return undefined;
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
        this.#box(node, "lookup", `follow ${exprWords(node.of, this.#naming(node))}`);
        if (node.type !== undefined) this.#arrow(this.#facts(node.type, undefined), node, "facts");
        return this.#arrow(this.#source(node.left), node, "matches");
      case "filter":
        this.#box(node, "filter", `where ${exprWords(node.test, this.#naming(node))}`);
        return this.#arrow(this.#source(node.left), node, "matches");
      case "fold":
        return this.#addFold(node);
      case "condition":
        return this.#addCondition(node);
      case "gate":
        this.#box(node, "gate", `gate "${node.gate}"`);
        for (const { condition } of node.leaves) this.#connect(`node ${condition}`, idOf(node), "matches");
        return;
      case "flow":
        this.#box(node, "flow", `flow "${node.flow}": ${node.stages.map(({ name }) => name).join(", ")}`);
        return this.#arrow(this.#source(node.left), node, "matches");
      case "watch":
        return; // drawn as part of the guardian or pipeline that reads it
      case "guardian":
        return this.#addJudge(node, "guardian", node.guardian);
      case "pipeline":
        return this.#addJudge(node, "pipeline", node.pipeline);
      default:
        return this.#addRule(node);
    }
  }

  /** What a guardian or a pipeline looks at: its subjects, and the ends of the chains that it watches. */
  #addJudge(node: PlanNode, kind: "guardian" | "pipeline", name: string): void {
    this.#box(node, kind, `${kind} "${name}"`);
    for (const id of inputsOf(node)) {
      const input = this.#byId.get(id);
      const from = input?.kind === "watch" ? input.inner : id;
      this.#arrow(this.#source(from), node, input?.kind === "watch" ? "inner" : "matches");
    }
  }

  /** A leaf of gates: what is looked at for each subject. */
  #addCondition(node: Extract<PlanNode, { kind: "condition" }>): void {
    const inner = node.inner === undefined ? undefined : this.#byId.get(node.inner);
    const naming = this.#naming(inner === undefined || inner.kind === "alpha" ? node : inner);
    const test = node.test === undefined ? "" : exprWords(node.test, naming);
    const evidence = node.inner === undefined ? [] : this.#patternsBetween(node.left, node.inner);
    const from = evidence.length === 0 ? "" : `${node.reading.kind} ${evidence.join(", ")}`;
    this.#box(node, "condition", [test, from].filter((part) => part !== "").join(" from "));
    this.#arrow(this.#source(node.left), node, "matches");
    if (node.inner !== undefined && node.inner !== node.left) this.#arrow(this.#source(node.inner), node, "inner");
  }

  #alphaWords(node: Alpha): string {
    return exprWords(node.test, this.#naming(node, 0));
  }

  #passedWords(node: Alpha): string {
    const tests: string[] = [];
    for (let at: PlanNode | undefined = node; at?.kind === "alpha";) {
      tests.unshift(this.#alphaWords(at));
      at = at.input === undefined ? undefined : this.#byId.get(at.input);
    }
    return `${node.type}(${tests.join(", ")})`;
  }

  #addJoin(node: Join): void {
    if (this.#isPlain(node) || this.#merged.has(node.id)) return;
    this.#box(node, "join", this.#joinWords(node));
    this.#arrow(this.#source(node.left), node, "matches");
    this.#arrow(this.#facts(node.type, node.right), node, "facts");
  }

  #addFold(node: Fold): void {
    const kind = node.fold === "not" ? "not" : node.fold.startsWith("exists") ? "exists" : "aggregate";
    const inner = this.#onlyInner(node);
    const verb = kind === "aggregate" ? this.#aggregateWords(node) : kind;
    const what = inner === undefined ? this.#innerWords(node) : this.#joinWords(inner);
    this.#box(node, kind, `${verb} ${what}`);
    this.#arrow(this.#source(node.left), node, "matches");
    if (inner === undefined) for (const id of node.inner) this.#arrow(this.#source(id), node, "inner");
    else this.#arrow(this.#facts(inner.type, inner.right), node, "inner");
  }

  #aggregateWords(node: Fold): string {
    const inner = node.inner.map((id) => this.#byId.get(id)).find((found) => found !== undefined);
    const value = node.value === undefined || inner === undefined ? "" : exprWords(node.value, this.#naming(inner));
    const rule = this.#rules.get(node.rules[0] ?? "");
    const named = rule?.layouts
      .flatMap((layout) => layout.bindings)
      .find((one) => one.kind === "value" && one.level === node.level);
    return `${named === undefined ? "" : `${named.name}: `}${node.fold}(${value}) from`;
  }

  /** The patterns that a fold looks at when these have boxes of their own. */
  #innerWords(fold: Fold): string {
    const patterns = fold.inner.flatMap((id) => this.#patternsBetween(fold.left, id));
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

  #joinWords(node: Join): string {
    const naming = this.#naming(node, node.level);
    const keys = node.keys.map(({ field, equals }) => `${exprWords(field, naming)} == ${exprWords(equals, naming)}`);
    const tests = node.tests.map((test) => exprWords(test, naming));
    const all = [...keys, ...tests];
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

  #connect(from: string, to: string, carries: Arrow["carries"]): void {
    this.#arrows.set(JSON.stringify([from, to, carries]), { from, to, carries });
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
    return idOf(node);
  }

  /** What the levels of a chain are called: variables of the first rule that stands on it, and what they stand for. */
  #naming(node: PlanNode, own?: number): Naming {
    const rule = node.rules.map((name) => this.#rules.get(name)).find((found) => found !== undefined);
    const bindings = rule?.layouts.flatMap((layout) => layout.bindings) ?? [];
    const name = (level: number): string | undefined => {
      const at = [...this.#upwards(node.id)].find((one) => one.level === level);
      if (at?.kind === "join") return at.words.split(":")[0];
      if (at?.kind !== "fold") return undefined;
      return bindings.find((one) => one.kind === "value" && one.level === level)?.name ?? this.#unnamedFold(at);
    };
    return { own, name };
  }

  /** An `exists` or aggregate inside a test has no name: it is called what it says. */
  #unnamedFold(fold: Fold): string {
    const what = this.#innerWords(fold);
    return fold.fold === "exists-value" ? `exists ${what}` : `${fold.fold}(${what})`;
  }
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
  if (node.kind === "condition" || node.kind === "watch")
    return node.inner === undefined ? left : [...left, node.inner];
  if (node.kind === "gate") return [...left, ...node.leaves.map(({ condition }) => condition)];
  return node.kind === "fold" ? [...left, ...node.inner] : left;
}

function watchesOf({ settings, checks }: Extract<PlanNode, { kind: "guardian" }>): number[] {
  const lines = checks.flatMap((check) => check.lines);
  return [settings.watch, ...lines.flatMap(({ watch, off }) => (off === undefined ? [watch] : [watch, off.watch]))];
}

function stepWatches({ before, steps, after, otherwise }: Extract<PlanNode, { kind: "pipeline" }>): number[] {
  return [...before, ...steps, ...after, otherwise].flatMap((step) => step.ways.map((way) => way.watch));
}
