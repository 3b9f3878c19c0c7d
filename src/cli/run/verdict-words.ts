/** Verdicts and decisions as a person reads them. */
import type { PipelineDecision, VerdictAnswer } from "../../index.ts";
import type { Paint } from "../paint.ts";
import { visible } from "./words.ts";

export const VERDICT_COLORS = { PASS: "green", RETRY: "yellow", FAIL: "red" } as const;
const DECISION_COLORS = { ANSWER: "green", FORWARD: "cyan", BLOCK: "red", ERROR: "red" } as const;

/** `answer  Draft~d1  RETRY  insufficient_evidence_count(<2)  → ADD_EVIDENCE, RETRIEVE_MORE`. */
export function verdictText(paint: Paint, answer: VerdictAnswer): string {
  const { guardian, subject, verdict, reasons, required_actions, would_fix, attempt } = answer;
  const again = attempt === 0 ? "" : ` at attempt ${attempt}`;
  const parts = [
    visible(guardian),
    paint("cyan", visible(subject)),
    `${paint(VERDICT_COLORS[verdict], verdict)}${again}`,
    ...(reasons.length === 0 ? [] : [visible(reasons.join("; "))]),
    ...listed("→ ", required_actions),
    ...listed("would fix: ", would_fix),
    ...listed("", answer.flags),
    ...listed("warning: ", answer.warnings),
  ];
  return parts.join("  ").replaceAll("\n", " ");
}

/** `request  Request~q1  BLOCK  prohibited content  (account, safety)`. */
export function decisionText(paint: Paint, answer: PipelineDecision): string {
  const { pipeline, subject, decision, value, flags, trace } = answer;
  const steps = trace.rules_executed.map(({ rule }) => visible(rule));
  const parts = [
    visible(pipeline),
    paint("cyan", visible(subject)),
    paint(DECISION_COLORS[decision], decision),
    visible(value),
    ...listed("noted: ", flags),
    paint("faint", steps.length === 0 ? "(no step)" : `(${steps.join(", ")})`),
  ];
  return parts.join("  ").replaceAll("\n", " ");
}

function listed(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${label}${items.map(visible).join(", ")}`];
}
