/**
 * A run as text: each firing with its number, rule and variables, its effects below it, and a summary.
 *
 *     1  VIP_or_Adult   p = Person p1
 *          Eligible: Ann
 */
import type {
  Decision,
  Effect,
  Explanation,
  FactEvent,
  Fired,
  FlowAnswer,
  GateAnswer,
  PipelineDecision,
  Plan,
  VerdictAnswer,
} from "../../index.ts";
import { type FactVariables, factVariables } from "../bindings.ts";
import { filled, inColumns, WIDEST_COLUMN, widthOf } from "../columns.ts";
import { gateCells } from "../decide/gate-text.ts";
import { factName } from "../fact-names.ts";
import { explanationText } from "../explanation-text.ts";
import { type Paint } from "../paint.ts";
import { plural } from "../report.ts";
import type { Summary } from "./summary.ts";
import type { Explained, RunView } from "./view.ts";
import { decisionCells, verdictCells } from "./verdict-text.ts";
import { fieldsText, messageText, valueText } from "../value-text.ts";
import { oneLine, visible } from "../visible.ts";

/** The widest column of rule names. */
const WIDEST_NAME = 32;
/** The most gates, flows, verdicts and decisions that are shown. */
const MOST_SHOWN = 50;
const INDENT = " ".repeat(9);
const SIGNS = { assert: "+", update: "~", retract: "-" } as const;
const SIGN_COLORS = { assert: "green", update: "yellow", retract: "red" } as const;

const ENDS = {
  done: "",
  halted: ", halted by a rule",
  limit: ", stopped at the firing limit",
  failed: ", stopped by a failed action",
  restless: ", stopped because gates or flows keep changing",
};

export class TextView implements RunView {
  readonly #out: (text: string) => void;
  readonly #paint: Paint;
  readonly #width: number;
  /** Whether anything was printed above the summary. */
  #begun = false;
  readonly #decisions: PipelineDecision[] = [];
  readonly #reasons = new Map<PipelineDecision, Explanation>();
  readonly #factVariables: FactVariables;
  /** For each rule the widths that its variables have taken so far. */
  readonly #bindingWidths = new Map<string, number[]>();

  constructor(out: (text: string) => void, paint: Paint, plan: Plan) {
    this.#out = out;
    this.#paint = paint;
    this.#width = Math.min(WIDEST_NAME, Math.max(0, ...plan.rules.map(({ name }) => widthOf(name))));
    this.#factVariables = factVariables(plan);
  }

  fire({ n, rule, bindings }: Fired): void {
    this.#begun = true;
    const number = this.#paint("faint", String(n).padStart(5));
    const name = filled(this.#paint("bold", visible(rule)), this.#width);
    this.#out(`${number}  ${name}  ${this.#bindings(rule, bindings)}`.trimEnd() + "\n");
  }

  /** Prints the headline and the tree. Decisions of pipelines are explained at the end, below them. */
  reasoning(of: Explained, explanation: Explanation): void {
    if ("pipeline" in of) this.#reasons.set(of, explanation);
    else for (const line of this.#tree(explanation)) this.#out(`${INDENT}${line}\n`);
  }

  #tree(explanation: Explanation): string[] {
    return explanationText(explanation, this.#paint)
      .trimEnd()
      .split("\n")
      .filter((line) => line !== "");
  }

  effect({ action, args }: Effect): void {
    const said = action === "log" || action === "print" ? messageText(args) : call(action, args);
    this.#out(`${INDENT}${said.replaceAll("\n", `\n${INDENT}`)}\n`);
  }

  fact({ op, id, fields, by }: FactEvent): void {
    const sign = this.#paint(SIGN_COLORS[op], SIGNS[op]);
    const what = op === "retract" ? (by === "support" ? "no longer supported" : "") : fieldsText(fields);
    this.#out(`${INDENT}${sign} ${factName(id)}  ${this.#paint("faint", what)}`.trimEnd() + "\n");
  }

  gate(answer: GateAnswer): void {
    this.#out(`${INDENT}${together(gateCells(this.#paint, answer).slice(0, -1))}\n`);
  }

  flow(answer: FlowAnswer): void {
    this.#out(`${INDENT}${together(flowCells(answer))}\n`);
  }

  verdict(answer: VerdictAnswer): void {
    this.#out(`${INDENT}${together(verdictCells(this.#paint, answer))}\n`);
  }

  /** Prints what a gate or guardian answered to a rule. Decisions of pipelines are collected and printed at the end. */
  decision(answer: Decision): void {
    if ("pipeline" in answer) this.#decisions.push(answer);
    else if ("gate" in answer)
      this.#out(`${INDENT}decided: ${together(gateCells(this.#paint, answer).slice(0, -1))}\n`);
    else this.#out(`${INDENT}decided: ${together(verdictCells(this.#paint, answer))}\n`);
  }

  outcomes(
    gates: readonly GateAnswer[],
    verdicts: readonly VerdictAnswer[],
    stages: readonly FlowAnswer[],
    why: ((asked: GateAnswer | FlowAnswer | VerdictAnswer) => Explanation) | undefined,
  ): void {
    const below = (of: GateAnswer | FlowAnswer | VerdictAnswer | PipelineDecision): string[] => {
      const told = "pipeline" in of ? this.#reasons.get(of) : "flow" in of ? withoutGateParts(why?.(of)) : why?.(of);
      const lines = told !== undefined ? this.#tree(told) : "guardian" in of ? of.sentences.map(oneLine) : [];
      return lines.map((line) => `    ${line}`);
    };
    this.#list("gates", gates, (answer) => gateCells(this.#paint, answer), below);
    this.#list("flows", stages, flowCells, below);
    this.#list("verdicts", verdicts, (answer) => verdictCells(this.#paint, answer), below);
    this.#list("decisions", this.#decisions, (answer) => decisionCells(this.#paint, answer), below);
  }

  summary(summary: Summary): void {
    const { fired, facts, end } = summary;
    const head = `${fired === 0 ? "no rule fired" : plural(fired, "firing")}, ${plural(facts, "fact")} now`;
    const lines = ["", `${this.#paint("bold", head)}${ENDS[end]}`, ""];
    if (summary.rules.length > 0) lines.push(...this.#table(summary), "");
    lines.push(...details(summary).map(([name, words]) => `  ${this.#paint("faint", name.padEnd(9))}${words}`));
    this.#out(`${lines.join("\n").replace(/^\n/u, this.#begun ? "\n" : "")}\n`);
  }

  #list<Item>(
    title: string,
    items: readonly Item[],
    cells: (item: Item) => readonly string[],
    below: (item: Item) => readonly string[] = () => [],
  ): void {
    if (items.length === 0) return;
    const shown = items.slice(0, MOST_SHOWN);
    const rows = inColumns(shown.map(cells));
    const lines = shown.flatMap((item, at) => [`  ${rows[at] ?? ""}`, ...below(item)]);
    if (items.length > MOST_SHOWN) lines.push(`  … and ${items.length - MOST_SHOWN} more; use --json to see all`);
    this.#out(`${this.#begun ? "\n" : ""}${this.#paint("bold", title)}\n${lines.join("\n")}\n`);
    this.#begun = true;
  }

  /** Returns the variables in columns. Firings are printed as they come, so a column is as wide as it ever was in this rule. */
  #bindings(rule: string, bindings: Fired["bindings"]): string {
    const facts = this.#factVariables.get(rule);
    const widths = this.#bindingWidths.get(rule) ?? [];
    this.#bindingWidths.set(rule, widths);
    const cells = Object.entries(bindings).map(([name, value], at) => {
      const isFact = facts?.has(name) === true && typeof value === "string";
      const cell = `${this.#paint("faint", `${name} =`)} ${isFact ? this.#paint("cyan", factName(value)) : valueText(value)}`;
      widths[at] = Math.max(widths[at] ?? 0, Math.min(widthOf(cell), WIDEST_COLUMN));
      return filled(cell, widths[at]);
    });
    return cells.join("  ");
  }

  #table({ rules }: Summary): string[] {
    const width = Math.max(4, this.#width);
    const row = (name: string, fires: string, matches: string): string =>
      `  ${filled(name, width)}  ${fires.padStart(7)}  ${matches.padStart(11)}`;
    return [
      this.#paint("faint", row("rule", "firings", "matches now")),
      ...rules.map(({ rule, fires, matches }) => row(visible(rule), String(fires), String(matches))),
    ];
  }
}

/** Returns an explanation of a flow without the parts of its gates, which are listed above it. */
function withoutGateParts(flow: Explanation | undefined): Explanation | undefined {
  if (flow === undefined) return undefined;
  const gatesOf = (move: Explanation): Explanation[] => move.children.map((gate) => ({ ...gate, children: [] }));
  return { ...flow, children: flow.children.map((move) => ({ ...move, children: gatesOf(move) })) };
}

function flowCells({ flow, subject, stage }: FlowAnswer): string[] {
  return [visible(flow), subject === null ? "" : factName(subject), visible(stage)];
}

/** Returns cells on one line. */
function together(cells: readonly string[]): string {
  return cells.filter((cell) => cell !== "").join("  ");
}

function call(action: string, args: Effect["args"]): string {
  return `${action}(${args.map(valueText).join(", ")})`;
}

function details({ factsByType, nodes, shared, clock }: Summary): [string, string][] {
  const facts = [...factsByType].map(([type, count]) => `${count} ${type}`).join(", ");
  const { type, ...kinds } = nodes;
  const counted = Object.entries(kinds)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}${sharedText(shared, kind)}`);
  return [
    ["facts", facts === "" ? "none" : facts],
    ...(clock === undefined ? [] : [["clock", clock] satisfies [string, string]]),
    ["network", [plural(type, "type"), ...counted].join(", ")],
  ];
}

function sharedText(shared: Summary["shared"], kind: string): string {
  const count = kind === "alpha" || kind === "join" ? shared[kind] : 0;
  return count === 0 ? "" : ` (${count} shared)`;
}
