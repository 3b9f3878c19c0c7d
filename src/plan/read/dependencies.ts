/**
 * Which facts the rules, gates, flows, guardians and pipelines of a plan read and write.
 *
 * What is read and written is a type, or one of a few other things through which one rule can depend on another: a group of
 * rules that has to be activated, the answer of a gate or guardian that is asked, the results of one gate.
 */
import { visit } from "./levels.ts";
import type { JoinPlan, Plan, PlanAction, PlanExpr, PlanNode, PlanRule } from "../plan.ts";
import { actionExpressions, nodeExpressions } from "./expressions.ts";
import { chainFrom, inputsOf } from "./inputs.ts";

/** What is read or written, by name; `any` stands for every fact. */
export interface Touched {
  readonly names: ReadonlySet<string>;
  readonly any: boolean;
}

/** A rule, gate, flow, guardian or pipeline. */
export interface Actor {
  readonly reads: Touched;
  readonly writes: Touched;
}

class Gathered implements Touched {
  readonly names: Set<string> = new Set();
  any: boolean = false;

  add(other: Touched): void {
    for (const name of other.names) this.names.add(name);
    this.any ||= other.any;
  }
}

const NOTHING: Touched = { names: new Set(), any: false };

/** The types that judges write, with the field that says which judge it was. */
const KEPT: ReadonlyMap<string, string> = new Map([
  ["GateResult", "gate"],
  ["FlowStage", "flow"],
  ["Verdict", "guardian"],
]);

/** Actions that never change a fact, whoever handles them. */
const HARMLESS: ReadonlySet<string> = new Set(["log", "print"]);

/** What every actor of a plan reads and writes. */
export class Dependencies {
  readonly #nodes: ReadonlyMap<number, PlanNode>;
  readonly #rules: ReadonlyMap<string, PlanRule>;
  readonly #handled: ReadonlySet<string>;
  readonly #reads = new Map<number, Gathered>();
  readonly #actors = new Map<string, { readonly reads: Gathered; readonly writes: Gathered }>();

  /** `handled` are the actions for which the host has a handler: it may change any fact. */
  constructor({ nodes, rules }: Plan, handled: ReadonlySet<string>) {
    this.#handled = handled;
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
    for (const rule of rules) this.#addRule(rule);
    for (const node of nodes) this.#addNode(node);
  }

  /** Returns the actors by name: those of rules, `gate "deploy"` and the like. */
  get actors(): ReadonlyMap<string, Actor> {
    return this.#actors;
  }

  /** Returns what a node reads, itself and through everything that it depends on. */
  reads(id: number | undefined): Touched {
    if (id === undefined) return NOTHING;
    const known = this.#reads.get(id);
    if (known !== undefined) return known;
    const made = new Gathered();
    const node = this.#nodes.get(id);
    if (node !== undefined) this.#gather(node, made);
    this.#reads.set(id, made);
    return made;
  }

  // ---------------------------------------------------------------- nodes

  #gather(node: PlanNode, into: Gathered): void {
    for (const input of inputsOf(node)) into.add(this.reads(input));
    for (const expr of nodeExpressions(node)) readByExpr(expr, into);
    if (node.kind === "join") into.names.add(this.#joined(node));
    else if (node.kind === "lookup") into.add(typeTouched(node.type));
    else if (node.kind === "flow")
      for (const { decide } of node.stages) if (decide !== undefined) into.names.add(answerName("gate", decide.gate));
  }

  /** Returns what a join reads: a pattern such as `GateResult(gate == "deploy")` reads the results of one gate. */
  #joined({ type, right }: JoinPlan): string {
    const field = KEPT.get(type);
    if (field === undefined) return type;
    for (let id = right; id !== undefined;) {
      const alpha = this.#nodes.get(id);
      if (alpha?.kind !== "alpha") break;
      const judge = constantOf(alpha.test, field);
      if (judge !== undefined) return resultsName(type, judge);
      id = alpha.input;
    }
    return type;
  }

  /** Returns the type of the fact at a level of a chain; undefined when it may be of any type. */
  #typeAt(end: number | undefined, level: number): string | undefined {
    for (const node of chainFrom(end, undefined, this.#nodes)) {
      if (node.level === level) return node.kind === "join" || node.kind === "lookup" ? node.type : undefined;
    }
    return undefined;
  }

  // ---------------------------------------------------------------- actors

  #actor(name: string): { readonly reads: Gathered; readonly writes: Gathered } {
    const known = this.#actors.get(name);
    if (known !== undefined) return known;
    const made = { reads: new Gathered(), writes: new Gathered() };
    this.#actors.set(name, made);
    return made;
  }

  #addRule({ name, group, layouts }: PlanRule): void {
    const { reads } = this.#actor(name);
    if (group !== undefined) reads.names.add(groupName(group));
    for (const { actions } of layouts) for (const action of actions) readByAction(action, reads);
  }

  #addNode(node: PlanNode): void {
    if (node.kind === "terminal") {
      const { reads, writes } = this.#actor(node.rule);
      reads.add(this.reads(node.left));
      const actions = this.#rules.get(node.rule)?.layouts[node.layout]?.actions ?? [];
      for (const action of actions) writes.add(this.#written(action, node.left));
    } else if (node.kind === "gate") this.#addJudge(node, "gate", node.gate, "GateResult");
    else if (node.kind === "flow") this.#addJudge(node, "flow", node.flow, "FlowStage");
    else if (node.kind === "guardian") this.#addJudge(node, "guardian", node.guardian, "Verdict");
    else if (node.kind === "pipeline")
      this.#actor(answerName("pipeline", node.pipeline)).reads.add(this.reads(node.id));
  }

  #addJudge(node: PlanNode, kind: Answering, judge: string, type: string): void {
    const name = answerName(kind, judge);
    const { reads, writes } = this.#actor(name);
    reads.add(this.reads(node.id));
    writes.names.add(type).add(resultsName(type, judge)).add(name);
  }

  #written(action: PlanAction, end: number | undefined): Touched {
    switch (action.kind) {
      case "insert":
        return typeTouched(action.type);
      case "update":
      case "retract":
        return typeTouched(this.#targetType(action.target, end));
      case "focus":
        return this.#activated(action.group);
      case "effect":
        return this.#handled.has(action.name) && !HARMLESS.has(action.name) ? typeTouched(undefined) : NOTHING;
      case "halt":
        return typeTouched(undefined); // nothing that would have come later has been done
      default:
        return NOTHING;
    }
  }

  #targetType(target: PlanExpr, end: number | undefined): string | undefined {
    if (target.op === "fact") return this.#typeAt(end, target.level);
    if (target.op === "const" && typeof target.value === "string") return /^[^~]+(?=~)/u.exec(target.value)?.[0];
    return undefined;
  }

  #activated(group: PlanExpr): Touched {
    if (group.op === "const" && typeof group.value === "string")
      return { names: new Set([groupName(group.value)]), any: false };
    const groups = [...this.#rules.values()].flatMap((rule) =>
      rule.group === undefined ? [] : [groupName(rule.group)],
    );
    return { names: new Set(groups), any: false };
  }
}

// ---------------------------------------------------------------- names

type Answering = "gate" | "flow" | "guardian" | "pipeline";

function answerName(kind: Answering, name: string): string {
  return `${kind} "${name}"`;
}

function groupName(group: string): string {
  return `group "${group}"`;
}

/** Returns the name of the results of one judge. No type has a space in its name. */
function resultsName(type: string, judge: string): string {
  return `${type} ${judge}`;
}

/** Returns what is read or written in words: `Blocked facts`, `GateResult facts`, `gate "deploy"`. */
export function touchedWords(name: string): string {
  const [first = ""] = name.split(" ");
  return first === name || KEPT.has(first) ? `${first} facts` : name;
}

function typeTouched(type: string | undefined): Touched {
  return type === undefined ? { names: new Set(), any: true } : { names: new Set([type]), any: false };
}

// ---------------------------------------------------------------- what is read

function readByExpr(expr: PlanExpr, into: Gathered): void {
  visit(expr, (inner) => {
    if (inner.op === "outcome") into.names.add(answerName(inner.of, inner.name));
    else if (inner.op === "unmet") into.names.add(answerName("gate", inner.gate));
    else if (inner.op === "follow") into.any = true;
  });
}

function readByAction(action: PlanAction, into: Gathered): void {
  if (action.kind === "decide") into.names.add(answerName("gate", action.gate));
  else if (action.kind === "verify") into.names.add(answerName("guardian", action.guardian));
  for (const expr of actionExpressions(action)) readByExpr(expr, into);
}

/** Returns the constant that a field must equal; undefined when there is none. */
function constantOf(test: PlanExpr, field: string): string | undefined {
  if (test.op === "and") return test.items.map((item) => constantOf(item, field)).find((one) => one !== undefined);
  if (test.op !== "compare" || test.by !== "==") return undefined;
  const [a, b] = test.left.op === "const" ? [test.right, test.left] : [test.left, test.right];
  if (a.op !== "field" || a.field !== field || b.op !== "const" || typeof b.value !== "string") return undefined;
  return b.value;
}
