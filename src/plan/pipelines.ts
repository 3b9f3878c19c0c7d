/** Plans pipelines: each step is a watch after the chain of the subjects, tested when a request is decided. */
import type { Steps } from "../base/slices.ts";
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import type { RuleBuilder, PlanContext } from "./rule-builder.ts";
import { authorText } from "./author-text.ts";
import { planElements } from "./elements.ts";
import { lowerExpr, lowerOutput } from "./lower-expr.ts";
import type { PlanExpr, StepPlan, AlternativePlan } from "./plan.ts";
import { addWatch, SharedQuestions, planSubject, branchSharing, type ValueWords } from "./watches.ts";

/** Adds the pipelines of a program to the table, one in a step. */
export function* planningPipelines(context: PlanContext): Steps<void> {
  for (const { decl, source } of context.program.symbols.pipelines.values()) {
    planPipeline(context, decl, source);
    yield;
  }
}

function planPipeline(context: PlanContext, decl: ast.PipelineDecl, source: Source): void {
  const { name } = decl.name;
  const { builder: subjects, level: subjectLevel } = planSubject(context, `pipeline "${name}"`, decl.subject);
  const kinds = <Kind extends ast.PipelineItem["kind"]>(kind: Kind): Extract<ast.PipelineItem, { kind: Kind }>[] =>
    decl.items.filter((item): item is Extract<ast.PipelineItem, { kind: Kind }> => item.kind === kind);
  const borders = (kind: "before" | "after"): StepPlan[] =>
    decl.items
      .filter((item): item is ast.BorderItem => item.kind === kind)
      .map((item) => planStep(subjects, source, kind, item, { test: item.test, unless: null }));
  const [otherwise] = kinds("otherwise");
  if (otherwise === undefined) throw new Error("the checker refuses a pipeline without an otherwise");
  const about = {
    pipeline: name,
    subjectType: decl.subject.type.name,
    subjectLevel,
    before: borders("before"),
    steps: kinds("step").map((step) => planStep(subjects, source, step.name.name, step, conditionOf(step))),
    after: borders("after"),
    otherwise: planStep(subjects, source, "otherwise", otherwise, { unless: null }),
    audit: kinds("audit")[0]?.to,
  };
  const text = JSON.stringify(about);
  const { node: left, level } = subjects;
  const node = { kind: "pipeline", left, level, ...about, text } as const;
  context.table.add(node, subjects.rule);
}

interface Condition {
  readonly test?: ast.Expr;
  readonly elements?: readonly ast.Element[];
  readonly unless: ast.Expr | null;
}

function conditionOf({ when, unless }: ast.StepItem): Condition {
  if (when === null) return { unless };
  return when.kind === "test-condition" ? { test: when.test, unless } : { elements: when.elements, unless };
}

function planStep(
  subjects: RuleBuilder,
  source: Source,
  name: string,
  { action, value }: { readonly action: ast.StepAction; readonly value: ast.Expr | null },
  condition: Condition,
): StepPlan {
  const questions = new SharedQuestions();
  const builder = branchSharing(subjects, subjects.context, source, questions);
  const ends = condition.elements === undefined ? [builder] : planElements(builder, condition.elements);
  const ways = ends.map((end) => planAlternative(subjects, end, condition, value, questions.words));
  return { name, action, looks: condition.elements !== undefined, words: wordsOf(condition, source), ways };
}

/** Returns the condition of a step as written. */
function wordsOf({ test, elements, unless }: Condition, source: Source): StepPlan["words"] {
  const [first, last] = [elements?.[0], elements?.at(-1)];
  const looked =
    first === undefined || last === undefined ? undefined : { start: first.span.start, end: last.span.end };
  const when = test?.span ?? looked;
  return {
    when: when === undefined ? undefined : authorText(source, when),
    unless: unless === null ? undefined : authorText(source, unless.span),
  };
}

function planAlternative(
  subjects: RuleBuilder,
  builder: RuleBuilder,
  { test, unless }: Condition,
  value: ast.Expr | null,
  words: ValueWords,
): AlternativePlan {
  const tests: PlanExpr[] = builder.fits === undefined ? [] : [builder.fits.test];
  if (test !== undefined) tests.push(lowerExpr(builder, test));
  if (unless !== null) tests.push({ op: "not", of: lowerExpr(builder, unless) });
  const whole: PlanExpr = tests.length === 0 ? { op: "const", value: true } : { op: "and", items: tests };
  const result = value === null ? undefined : lowerOutput(builder, value);
  const read = result === undefined ? [whole] : [whole, result];
  return { ...addWatch(subjects, builder, read), test: whole, words, value: result };
}
