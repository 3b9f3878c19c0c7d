/** Makes the functions of a pipeline: the tests and values of its steps, and what they say when something is unknown. */
import type { Decided } from "../base/answers.ts";
import type { PipelineSpec } from "../guardian/pipeline.ts";
import type { AlternativeSpec, StepSpec } from "../guardian/step-result.ts";
import { ANY_FIELD, type Sources } from "../guardian/withheld.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { Match } from "../rete/match.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { AlternativePlan, PipelinePlan, PlanExpr, StepPlan } from "../plan/plan.ts";
import { visit } from "../plan/read/levels.ts";
import { unknownReason } from "./unknown-reasons.ts";

/** Returns the live node of a watch of the plan. */
type Watches = (id: number) => WatchNode;

/** Compiles a pipeline, and returns what makes the spec of a session's node. */
export function pipelineSpec(plan: PipelinePlan, expressions: ExpressionCompiler): (watch: Watches) => PipelineSpec {
  const { subjectType, subjectLevel, audit } = plan;
  const [before, steps, after] = [plan.before, plan.steps, plan.after].map((all) =>
    all.map((step) => stepSpec(step, expressions)),
  );
  const otherwise = stepSpec(plan.otherwise, expressions);
  const shows: PipelineSpec["showing"] = (decided, work) => showing(expressions, decided, work);
  return (watch) => ({
    name: plan.pipeline,
    subjectType,
    subjectLevel,
    before: (before ?? []).map((step) => step(watch)),
    steps: (steps ?? []).map((step) => step(watch)),
    after: (after ?? []).map((step) => step(watch)),
    otherwise: otherwise(watch),
    audit,
    showing: shows,
  });
}

function stepSpec(
  { name, action, looks, words, ways }: StepPlan,
  expressions: ExpressionCompiler,
): (watch: Watches) => StepSpec {
  const alternatives = ways.map((way) => alternativeSpec(way, expressions));
  const sources = sourcesOf(ways.flatMap(({ value }) => (value === undefined ? [] : [value])));
  const reads = sourcesOf(ways.flatMap(({ test, value }) => (value === undefined ? [test] : [test, value])));
  return (watch) => ({
    name,
    action,
    looks,
    words,
    alternatives: alternatives.map((alternative) => alternative(watch)),
    sources,
    reads,
  });
}

/** Returns the fields that expressions read. */
function sourcesOf(exprs: readonly PlanExpr[]): Sources {
  const names = new Set<string>();
  for (const expr of exprs) {
    visit(expr, (one) => {
      if (one.op === "field" || one.op === "step" || one.op === "follow") names.add(one.field);
      if (one.op === "fact" || one.op === "value") names.add(ANY_FIELD);
    });
  }
  return names;
}

function alternativeSpec(way: AlternativePlan, expressions: ExpressionCompiler): (watch: Watches) => AlternativeSpec {
  const { test, value, words, level } = way;
  const unclear = unknownReason([test], words);
  const holding = holdingGates(test, level, expressions);
  const shared = {
    test: expressions.truthOf(test, level),
    unclear: (match: Match) => lackingParts(test, expressions) ?? holding(match) ?? unclear(match),
    value: value === undefined ? undefined : expressions.valueOf(value, level),
    lacking: unknownReason(value === undefined ? [] : [value], words),
  };
  return (watch) => ({ watch: watch(way.watch), ...shared });
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

/** Returns a function that names the gates that hold and that a test asks: they make it unknown. */
function holdingGates(
  test: PlanExpr,
  level: number,
  expressions: ExpressionCompiler,
): (match: Match) => string | undefined {
  const gates: ((match: Match) => string[])[] = [];
  visit(test, (one) => {
    if (one.op !== "outcome" || one.of !== "gate" || one.outcome === "hold") return;
    const { name, subject } = one;
    const holds = expressions.matchTest({ op: "outcome", of: "gate", name, outcome: "hold", subject }, level);
    const unmet = expressions.matchValue({ op: "unmet", gate: name, subject }, level);
    gates.push((match) => (holds(match) ? [`gate "${name}" holds${missingWords(unmet(match))}`] : []));
  });
  return (match) => {
    const words = new Set(gates.flatMap((gate) => gate(match)));
    return words.size === 0 ? undefined : [...words].join(", ");
  };
}

function missingWords(unmet: unknown): string {
  return Array.isArray(unmet) && unmet.length > 0
    ? `: ${unmet.join(", ")} ${unmet.length === 1 ? "is" : "are"} unknown`
    : "";
}
