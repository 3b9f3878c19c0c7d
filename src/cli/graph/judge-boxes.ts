/**
 * Draws gates with their conditions and operators, flows with their stages, guardians, and pipelines with their states; and
 * the facts that gates and guardians write.
 */
import { type Plan, planInputs, type PlanNode } from "../../index.ts";
import { type Drawing, idOf } from "./drawing.ts";
import {
  type Gate,
  gateText,
  type Guardian,
  guardianText,
  judgeName,
  type JudgeText,
  operatorText,
  type Pipeline,
  type Requirement,
} from "./judge-text.ts";
import { type Machine, machineOf, pipelineMachine } from "./machine.ts";
import type { Condition, NodeIndex } from "./node-index.ts";

const GATE_RESULTS = "GateResult";
const VERDICTS = "Verdict";

export class JudgeBoxes {
  readonly #drawing: Drawing;
  readonly #index: NodeIndex;
  readonly #text: JudgeText;
  /** The types of results that a gate or guardian also reads: an arrow to these would close a circle, so it is left out. */
  readonly #circular: ReadonlySet<string>;

  constructor(drawing: Drawing, index: NodeIndex, text: JudgeText, { nodes }: Plan) {
    this.#drawing = drawing;
    this.#index = index;
    this.#text = text;
    const writers = nodes.filter(({ kind }) => kind === "gate" || kind === "guardian");
    const judges = new Set(writers.flatMap((node) => judgeName(node) ?? []));
    const read = nodes.filter((node) => node.rules.some((rule) => judges.has(rule)));
    this.#circular = new Set(read.flatMap((node) => ("type" in node && node.type !== undefined ? [node.type] : [])));
  }

  /** Draws a leaf of gates: what is looked at for each subject. */
  condition(node: Condition): void {
    const inner = this.#index.onlyInner(node);
    this.#drawing.node(node, "condition", this.#text.condition(node));
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
    if (inner !== undefined) this.#drawing.arrow(this.#drawing.facts(inner.type, inner.right), node, "inner");
    else if (node.inner !== node.left) this.#drawing.arrow(this.#drawing.source(node.inner), node, "inner");
    for (const { end } of node.gaps) this.#drawing.arrow(this.#drawing.source(end), node, "inner");
    if (node.asked !== undefined) this.#drawing.connect(`node ${node.asked.condition}`, idOf(node), "values");
  }

  gate(node: Gate): void {
    this.#drawing.node(node, "gate", gateText(node));
    this.#requirement(node, node.requirement, idOf(node));
    this.#results(node, GATE_RESULTS);
  }

  /** Draws the parts of a requirement, with arrows to its box. */
  #requirement(gate: Gate, part: Requirement, box: string): void {
    const items = part.kind === "leaf" ? [part] : part.items;
    for (const [index, item] of items.entries()) {
      if (item.kind === "leaf") {
        const condition = gate.leaves[item.leaf]?.condition;
        if (condition !== undefined) this.#drawing.connect(`node ${condition}`, box, "values");
        continue;
      }
      const id = `${box}.${index + 1}`;
      const text = operatorText(item);
      this.#drawing.box({ id, kind: "operator", name: "", text, rules: gate.rules, shared: false });
      this.#drawing.connect(id, box, "values");
      this.#requirement(gate, item, id);
    }
  }

  flow(node: Extract<PlanNode, { kind: "flow" }>): void {
    this.#drawing.node(node, "flow", `flow "${node.flow}"`);
    this.#machine(node, "stage", machineOf(node));
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
  }

  guardian(node: Guardian): void {
    this.#drawing.node(node, "guardian", guardianText(node));
    this.#watched(node);
    this.#results(node, VERDICTS);
  }

  pipeline(node: Pipeline): void {
    this.#drawing.node(node, "pipeline", `pipeline "${node.pipeline}"`);
    this.#watched(node);
    for (const judge of this.#judgesOf(node)) this.#drawing.arrow(idOf(judge), node, "results");
    const text = (step: Pipeline["steps"][number], isBorder: boolean): string => this.#text.step(node, step, isBorder);
    this.#machine(node, "state", pipelineMachine(node, text));
  }

  /** Draws what a guardian or pipeline looks at: its subjects, and the ends of the chains that it watches. */
  #watched(node: Guardian | Pipeline): void {
    const subjects = this.#drawing.source(node.left);
    this.#drawing.arrow(subjects, node, "matches");
    for (const id of planInputs(node)) {
      const input = this.#index.get(id);
      if (input?.kind !== "watch") continue;
      for (const one of [input.inner, ...input.gaps.map(({ end }) => end)]) {
        const from = this.#drawing.source(one);
        if (from !== subjects) this.#drawing.arrow(from, node, "inner");
      }
    }
  }

  /** Draws an arrow to the facts that a judge writes, so that rules over them come after it. */
  #results(node: PlanNode, type: string): void {
    if (this.#circular.has(type)) return;
    this.#drawing.connect(idOf(node), this.#drawing.facts(type, undefined), "results");
  }

  /** Returns the gates and guardians whose outcome the steps of a pipeline ask for. */
  #judgesOf({ before, steps, after, otherwise }: Pipeline): PlanNode[] {
    const names = new Set<string>();
    const visit = (part: unknown): void => {
      if (typeof part !== "object" || part === null) return;
      const { op, of, name } = part as { readonly op?: unknown; readonly of?: unknown; readonly name?: unknown };
      if (op === "outcome") names.add(`${String(of)} "${String(name)}"`);
      Object.values(part).forEach(visit);
    };
    visit([...before, ...steps, ...after, otherwise].map((step) => step.ways.map((way) => way.test)));
    return this.#index.nodes.filter((one) => names.has(judgeName(one) ?? ""));
  }

  /** Draws the states of a flow or pipeline, and the moves between them. */
  #machine(node: PlanNode, kind: "stage" | "state", { states, moves }: Machine): void {
    const beginning = idOf(node);
    const idOfState = (state: string): string => `${beginning} ${state}`;
    const more = kind === "state" ? { of: beginning } : {};
    for (const { id, name, text } of states) {
      this.#drawing.box({ id: idOfState(id), kind, name, text, rules: node.rules, shared: false, ...more });
    }
    const [first] = states;
    if (first !== undefined) this.#drawing.connect(beginning, idOfState(first.id), "moves");
    for (const { from, to, ...about } of moves) this.#drawing.connect(idOfState(from), idOfState(to), "moves", about);
  }
}
