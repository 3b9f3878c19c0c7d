/** Checks `test` blocks: the given facts, and the expectations. */
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { checkActionCall } from "./actions.ts";
import type { Context } from "./context.ts";
import { checkFact, isKeyOf, Keys } from "./facts.ts";
import { isKnown } from "./paths.ts";
import { Scope } from "./scope.ts";
import { didYouMean } from "./symbols.ts";
import { checkPattern, typeOf } from "./typing.ts";
import { describe, factOf, STRING, type Type } from "./types.ts";

export function checkTestDecl(cx: Context, decl: ast.TestDecl): void {
  const scope = Scope.root();
  const keys = new Keys();
  for (const item of decl.items) {
    if (item.kind === "given" && item.name !== null) nameGiven(cx, item.name, item.fact, scope);
  }
  for (const item of decl.items) {
    if (item.kind !== "given") continue;
    checkFact(cx, item.fact, { kind: "data", scope });
    keys.take(cx, item.fact);
  }
  for (const item of decl.items) if (item.kind !== "given") checkExpectation(cx, item, scope);
}

function nameGiven(cx: Context, name: ast.Ident, fact: ast.FactLiteral, scope: Scope): void {
  if (scope.get(name.name) !== undefined) {
    cx.report.error("E204", name.span, `the name "${name.name}" is given twice`, "choose another name");
  }
  scope.add({ name: name.name, type: factOf(fact.type.name), kind: "fact" });
}

function checkExpectation(cx: Context, item: Exclude<ast.TestItem, ast.GivenItem>, scope: Scope): void {
  switch (item.kind) {
    case "expect-rule":
      checkTimes(cx, item.times, item.span);
      return checkRuleName(cx, item.rule);
    case "expect-effect":
      return checkActionCall(cx, item.effect, scope);
    case "expect-gate":
      return checkJudged(cx, "gate", item.gate, item.args, scope);
    case "expect-verdict":
      return checkJudged(cx, "guardian", item.guardian, item.args, scope);
    case "expect-decision":
      checkDecision(cx, item);
      return checkJudged(cx, "pipeline", item.pipeline, item.args, scope);
    case "expect-facts":
      checkTimes(cx, item.count, item.span);
      return checkPattern(cx, item.pattern, scope.inner());
  }
}

function checkTimes(cx: Context, times: number | null, span: Span): void {
  if (times === null || Number.isInteger(times)) return;
  cx.report.error("E209", span, `${times} is not a number of times`, "write an integer of 0 or more");
}

/** Checks an expected decision; ALLOW and NOTE never end a pipeline. */
function checkDecision(cx: Context, item: ast.ExpectDecision): void {
  if (item.decision !== "ALLOW" && item.decision !== "NOTE") return;
  const hint = "use BLOCK, ANSWER, FORWARD or ERROR";
  cx.report.error("E214", item.span, `a pipeline never ends in ${item.decision}`, hint);
}

function checkRuleName(cx: Context, rule: ast.Label): void {
  if (cx.symbols.rules.get(rule.name) !== undefined || cx.symbols.removedRules.has(rule.name)) return;
  if (cx.symbols.excuses(cx.symbols.rules, rule.name)) return;
  cx.report.error("E207", rule.span, `unknown rule "${rule.name}"`, didYouMean(cx.symbols.rules.nearest(rule.name)));
}

/**
 * Checks the subject of an expectation: a given fact, a fact of the program, or the key or id of one: `deploy(r1)`,
 * `deploy("Release~r1")`.
 */
function checkJudged(
  cx: Context,
  of: "gate" | "guardian" | "pipeline",
  name: ast.Label,
  args: readonly ast.Expr[],
  scope: Scope,
): void {
  const names = { gate: cx.symbols.gates, guardian: cx.symbols.guardians, pipeline: cx.symbols.pipelines }[of];
  const found = names.get(name.name);
  if (found === undefined) {
    if (cx.symbols.excuses(names, name.name)) return;
    const hint = didYouMean(nearest(name.name, names.names()));
    cx.report.error("E213", name.span, `unknown ${of} "${name.name}"`, hint);
    return;
  }
  const wanted = found.decl.subject === null ? 0 : 1;
  if (args.length !== wanted) {
    const message = `${of} ${name.name} takes ${wanted === 0 ? "no subject" : "1 subject"}, found ${args.length}`;
    cx.report.error("E209", name.span, message);
  }
  const type = found.decl.subject?.type.name;
  for (const arg of args) checkSubjectOf(cx, `${of} ${name.name}`, type, arg, scope);
}

function checkSubjectOf(cx: Context, judge: string, wanted: string | undefined, arg: ast.Expr, scope: Scope): void {
  const found = subjectType(cx, arg, scope);
  if (wanted === undefined || fits(cx, wanted, arg, found)) return;
  const hint = `use a fact of type ${wanted}, or its key or id in quotes`;
  cx.report.error("E209", arg.span, `${judge} takes a fact of type ${wanted}, found ${describe(found)}`, hint);
}

function subjectType(cx: Context, arg: ast.Expr, scope: Scope): Type {
  if (arg.kind === "path" && arg.fields.length === 0 && !isKnown(cx, arg, scope)) {
    cx.resolutions.set(arg, "word");
    return STRING;
  }
  return typeOf(cx, arg, scope);
}

function fits(cx: Context, wanted: string, arg: ast.Expr, found: Type): boolean {
  if (found.kind === "any" || found.kind === "fact") return found.kind === "any" || found.type === wanted;
  if (arg.kind === "text" && arg.value.startsWith(`${wanted}~`)) return true;
  const plain = arg.kind === "text" || arg.kind === "number" || arg.kind === "path";
  return plain && (found.kind === "string" || found.kind === "number") && isKeyOf(cx, factOf(wanted), found.kind);
}
