/** Plans pipelines: each step a watch below the chain of the subjects, tested when a request is decided. */
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import type { Chain, Ground } from "./rule-builder.ts";
import { planElements } from "./elements.ts";
import { lower } from "./lower.ts";
import type { PlanExpr, StepPlan, WayPlan } from "./plan.ts";
import { stepWatches } from "./read/inputs.ts";
import { addWatch, Asked, planSubject, remembering, type ValueWords } from "./watches.ts";

export function planPipelines(ground: Ground): void {
  for (const { decl, source } of ground.program.symbols.pipelines.values()) planPipeline(ground, decl, source);
}

function planPipeline(ground: Ground, decl: ast.PipelineDecl, source: Source): void {
  const { name } = decl.name;
  const { chain: subjects, level: subjectLevel } = planSubject(ground, `pipeline "${name}"`, decl.subject);
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
  ground.table.add(node, [left, ...stepWatches(node)], `${subjects.text} pipeline ${text}`, subjects.rule);
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
  subjects: Chain,
  source: Source,
  name: string,
  { action, value }: { readonly action: ast.StepAction; readonly value: ast.Expr | null },
  condition: Condition,
): StepPlan {
  const asked = new Asked();
  const chain = remembering(subjects, subjects.ground, source, asked);
  const ends = condition.elements === undefined ? [chain] : planElements(chain, condition.elements);
  const ways = ends.map((end) => planWay(subjects, end, condition, value, asked.words));
  return { name, action, looks: condition.elements !== undefined, ways };
}

function planWay(
  subjects: Chain,
  chain: Chain,
  { test, unless }: Condition,
  value: ast.Expr | null,
  words: ValueWords,
): WayPlan {
  const tests: PlanExpr[] = chain.fits === undefined ? [] : [chain.fits.test];
  if (test !== undefined) tests.push(lower(chain, test));
  if (unless !== null) tests.push({ op: "not", of: lower(chain, unless) });
  const whole: PlanExpr = tests.length === 0 ? { op: "const", value: true } : { op: "and", items: tests };
  const said = value === null ? undefined : lower(chain, value);
  const read = said === undefined ? [whole] : [whole, said];
  return { ...addWatch(subjects, chain, read), test: whole, words, value: said };
}
