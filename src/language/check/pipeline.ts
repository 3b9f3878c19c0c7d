/** Checks pipelines: where each action is allowed, and its value. */
import type * as ast from "../ast.ts";
import { warnOfBlocking } from "./after-tests.ts";
import type { Context } from "./context.ts";
import { checkSubject, isNoLet } from "./decisions.ts";
import { seeingDecision } from "./decision-names.ts";
import { checkElements } from "./elements.ts";
import { Lets, noteInlined } from "./lets.ts";
import { Scope } from "./scope.ts";
import { checkTest, typeOf } from "./typing.ts";
import { describe, isText } from "./types.ts";

export function checkPipeline(cx: Context, pipeline: ast.PipelineDecl): void {
  const scope = Scope.root("outcomes", "judging");
  checkSubject(cx, pipeline.subject, scope);
  checkNames(cx, pipeline.items);
  const errorsBefore = errorCount(cx);
  const lets = new Lets(cx);
  for (const item of pipeline.items) {
    if (item.kind === "let") lets.add(item, scope);
    else checkItem(cx, item, scope);
  }
  const items = lets.inline(pipeline.items.filter(isNoLet));
  for (const item of items) {
    if (item.kind === "step" && item.when?.kind === "pattern-condition") noteInlined(cx, item.when.elements);
  }
  if (items.length < pipeline.items.length) cx.elaborated.set(pipeline, { ...pipeline, items });
  if (errorCount(cx) === errorsBefore) warnOfBlocking(cx, items);
  if (!pipeline.items.some((item) => item.kind === "otherwise")) {
    cx.report.error(
      "E232",
      pipeline.name.span,
      `pipeline "${pipeline.name.name}" has no "otherwise" for the case that no step decides`,
      'write: otherwise FORWARD "…", or otherwise ERROR',
    );
  }
}

function errorCount({ report }: Context): number {
  return report.diagnostics.filter(({ severity }) => severity === "error").length;
}

function checkNames(cx: Context, items: readonly ast.PipelineItem[]): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = item.kind === "step" ? `step "${item.name.name}"` : `"${item.kind}"`;
    const once = item.kind === "step" || item.kind === "otherwise" || item.kind === "audit";
    if (once && seen.has(key)) {
      const span = item.kind === "step" ? item.name.span : item.span;
      cx.report.error("E204", span, `${key} appears twice`, "remove one of them");
    }
    seen.add(key);
  }
}

function checkItem(cx: Context, item: Exclude<ast.PipelineItem, ast.LetElement>, scope: Scope): void {
  switch (item.kind) {
    case "before":
    case "after":
      checkTest(cx, item.test, item.kind === "after" ? seeingDecision(cx, scope) : scope);
      return checkOutcome(cx, item, BORDER_ACTIONS, scope);
    case "step":
      return checkStep(cx, item, scope);
    case "otherwise":
      return checkOutcome(cx, item, OTHERWISE_ACTIONS, scope);
    case "audit":
      return;
  }
}

const BORDER_ACTIONS: readonly ast.StepAction[] = ["BLOCK"];
const STEP_ACTIONS: readonly ast.StepAction[] = ["ALLOW", "NOTE", "BLOCK", "ANSWER", "FORWARD"];
const OTHERWISE_ACTIONS: readonly ast.StepAction[] = ["FORWARD", "ERROR", "BLOCK", "ANSWER"];

function checkStep(cx: Context, step: ast.StepItem, outer: Scope): void {
  const scope = outer.inner();
  if (step.when?.kind === "test-condition") checkTest(cx, step.when.test, scope);
  else if (step.when !== null) checkElements(cx, step.when.elements, scope);
  if (step.unless !== null) checkTest(cx, step.unless, scope);
  checkOutcome(cx, step, STEP_ACTIONS, scope);
}

/** Checks the action of an item. ALLOW and ERROR take no value; every other action needs one. */
function checkOutcome(
  cx: Context,
  item: Exclude<ast.PipelineItem, ast.AuditItem | ast.LetElement>,
  allowed: readonly ast.StepAction[],
  scope: Scope,
): void {
  if (!allowed.includes(item.action)) {
    const what = item.kind === "step" ? "a step" : `"${item.kind}"`;
    const [only, ...others] = allowed;
    const hint = others.length === 0 ? `use ${only}` : `use one of ${allowed.join(", ")}`;
    cx.report.error("E214", item.span, `${item.action} cannot be used in ${what}`, hint);
  }
  if (item.value !== null) checkWords(cx, item.action, item.value, scope);
  else if (item.action !== "ALLOW" && item.action !== "ERROR") {
    cx.report.error("E209", item.span, `${item.action} needs a string`, `write: ${item.action} "…"`);
  }
}

/** Checks that the value of a step is a string. */
function checkWords(cx: Context, action: ast.StepAction, value: ast.Expr, scope: Scope): void {
  const type = typeOf(cx, value, scope);
  if (isText(type) || type.kind === "any") return;
  const hint =
    type.kind === "number" || type.kind === "bool" ? "convert it with (string) x" : "use a field of type string";
  cx.report.error("E203", value.span, `${action} needs a string, found ${describe(type)}`, hint);
}
