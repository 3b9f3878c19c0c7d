/** Verdicts and decisions as text. */
import type { PipelineDecision, VerdictAnswer } from "../../index.ts";
import { type FactNaming, factName } from "../fact-names.ts";
import type { Paint } from "../paint.ts";
import { visible } from "../visible.ts";

export const VERDICT_COLORS = { PASS: "green", RETRY: "yellow", FAIL: "red" } as const;
const DECISION_COLORS = { ANSWER: "green", FORWARD: "cyan", BLOCK: "red", ERROR: "red" } as const;

/**
 * Returns `answer`, `Draft d1`, `RETRY`, and in one cell `insufficient_evidence_count(<2)  → ADD_EVIDENCE, RETRIEVE_MORE`. `nameOf`
 * turns the id of the subject into its name.
 */
export function verdictCells(paint: Paint, answer: VerdictAnswer, nameOf: FactNaming = factName): string[] {
  const { guardian, subject, verdict, reasons, required_actions, would_fix, attempt } = answer;
  const again = attempt === 0 ? "" : ` at attempt ${attempt}`;
  const rest = [
    ...(reasons.length === 0 ? [] : [visible(reasons.join("; "))]),
    ...listed("→ ", required_actions),
    ...listed("would fix: ", would_fix),
    ...listed("", answer.flags),
    ...listed("warning: ", answer.warnings),
  ];
  return row(paint, guardian, nameOf(subject), `${paint(VERDICT_COLORS[verdict], verdict)}${again}`, rest);
}

/** Returns `request`, `Request q1`, `BLOCK`, and in one cell `prohibited content  (account, safety)`. */
export function decisionCells(paint: Paint, answer: PipelineDecision, nameOf: FactNaming = factName): string[] {
  const { pipeline, subject, decision, value, flags, trace } = answer;
  const steps = trace.rules_executed.map(({ rule }) => visible(rule));
  const rest = [
    visible(value),
    ...listed("noted: ", flags),
    paint("faint", steps.length === 0 ? "(no step)" : `(${steps.join(", ")})`),
  ];
  return row(paint, pipeline, nameOf(subject), paint(DECISION_COLORS[decision], decision), rest);
}

function row(paint: Paint, name: string, subject: string, said: string, rest: readonly string[]): string[] {
  return [visible(name), paint("cyan", subject), said, rest.filter((part) => part !== "").join("  ")].map((cell) =>
    cell.replaceAll("\n", " "),
  );
}

function listed(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${label}${items.map(visible).join(", ")}`];
}
