/** Makes the functions of a pipeline: the tests and values of its steps, and what they say when something is unknown. */
import type { Decided } from "../base/answers.ts";
import type { PipelineSpec } from "../guardian/pipeline.ts";
import type { AlternativeSpec, StepSpec } from "../guardian/step-result.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { Match } from "../rete/match.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { AlternativePlan, PipelinePlan, PlanExpr, StepPlan } from "../plan/plan.ts";
import { replaced, visit } from "../plan/read/levels.ts";
import { unknownReason } from "./unknown-reasons.ts";

/** Returns the spec of a pipeline node; `watch` returns the live node of a watch. */
export function pipelineSpec(
  plan: PipelinePlan,
  expressions: ExpressionCompiler,
  watch: (id: number) => WatchNode,
): PipelineSpec {
  const step = ({ name, action, looks, words, ways }: StepPlan): StepSpec => ({
    name,
    action,
    looks,
    words,
    alternatives: ways.map((way) => alternativeSpec(way, expressions, watch)),
  });
  return {
    name: plan.pipeline,
    subjectType: plan.subjectType,
    subjectLevel: plan.subjectLevel,
    before: plan.before.map(step),
    steps: plan.steps.map(step),
    after: plan.after.map(step),
    otherwise: step(plan.otherwise),
    audit: plan.audit,
    showing: (decided, work) => showing(expressions, decided, work),
  };
}

function alternativeSpec(
  way: AlternativePlan,
  expressions: ExpressionCompiler,
  watch: (id: number) => WatchNode,
): AlternativeSpec {
  const { test, value, words, level } = way;
  const unclear = unknownReason([test], words);
  return {
    watch: watch(way.watch),
    test: expressions.truthOf(test, level),
    unclear: (match) => lackingParts(test, expressions) ?? unclear(match),
    unsettled: unsettledBy(test, level, expressions),
    value: value === undefined ? undefined : expressions.valueOf(value, level),
    lacking: unknownReason(value === undefined ? [] : [value], words),
  };
}

/** Shows a decision to the expressions of a pipeline while it works; calls may be nested. */
function showing<Result>({ shown }: ExpressionCompiler, decided: Decided, work: () => Result): Result {
  const before = shown.current;
  shown.current = decided;
  try {
    return work();
  } finally {
    shown.current = before;
  }
}

/** Returns which parts of the decision are missing that a test reads: `a FORWARD has no answer`. */
function lackingParts(test: PlanExpr, { shown }: ExpressionCompiler): string | undefined {
  const decided = shown.current;
  if (decided === undefined) return undefined;
  const parts = new Set<string>();
  visit(test, (inner) => {
    if (inner.op === "decided" && decided[inner.part] === undefined) parts.add(inner.part);
  });
  return parts.size === 0 ? undefined : `${decided.decision} has no ${[...parts].join(" and no ")}`;
}

/**
 * Returns a function that names the gates that hold, when the test would be unknown if a gate that holds made
 * `passes` and `fails` unknown.
 */
function unsettledBy(test: PlanExpr, level: number, expressions: ExpressionCompiler): AlternativeSpec["unsettled"] {
  const open = replaced(test, (one) => (one.op === "outcome" && one.of === "gate" ? { ...one, open: true } : one));
  const gates: {
    readonly name: string;
    readonly holds: (match: Match) => boolean;
    readonly unmet: (match: Match) => unknown;
  }[] = [];
  visit(open, (one) => {
    if (one.op !== "outcome" || one.open !== true) return;
    const { name, subject } = one;
    const holds = expressions.matchTest({ op: "outcome", of: "gate", name, outcome: "hold", subject }, level);
    gates.push({ name, holds, unmet: expressions.matchValue({ op: "unmet", gate: name, subject }, level) });
  });
  if (gates.length === 0) return () => undefined;
  const truth = expressions.truthOf(open, level);
  return (match) => {
    if (truth(match).truth !== undefined) return undefined;
    const holding = gates.filter(({ holds }) => holds(match));
    return holding.map(({ name, unmet }) => `gate "${name}" holds${missingWords(unmet(match))}`).join(", ");
  };
}

function missingWords(unmet: unknown): string {
  return Array.isArray(unmet) && unmet.length > 0
    ? `: ${unmet.join(", ")} ${unmet.length === 1 ? "is" : "are"} unknown`
    : "";
}
