/** Checks `test` blocks: what is given, and what is expected. */
import { nearest } from "../../base/nearest.ts";
import type * as ast from "../ast.ts";
import { checkActionCall } from "./actions.ts";
import type { Context } from "./context.ts";
import { checkPattern } from "./elements.ts";
import { checkFact, Keys } from "./facts.ts";
import { Scope } from "./scope.ts";
import { didYouMean } from "./symbols.ts";
import { typeOf } from "./typing.ts";
import { factOf } from "./types.ts";

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
    cx.report.error("E204", name.span, `"${name.name}" is given twice`, "choose another name for this one");
  }
  scope.add({ name: name.name, type: factOf(fact.type.name), kind: "fact" });
}

function checkExpectation(cx: Context, item: Exclude<ast.TestItem, ast.GivenItem>, scope: Scope): void {
  switch (item.kind) {
    case "expect-rule":
      return checkRuleName(cx, item.rule);
    case "expect-effect":
      return checkActionCall(cx, item.effect, scope);
    case "expect-gate":
      return checkJudged(cx, "gate", item.gate, item.args, scope);
    case "expect-verdict":
      return checkJudged(cx, "guardian", item.guardian, item.args, scope);
    case "expect-decision":
      return checkJudged(cx, "pipeline", item.pipeline, item.args, scope);
    case "expect-facts":
      return checkPattern(cx, item.pattern, scope.inner());
  }
}

function checkRuleName(cx: Context, rule: ast.Label): void {
  if (cx.symbols.rules.get(rule.name) !== undefined || cx.symbols.removedRules.has(rule.name)) return;
  if (cx.symbols.excuses(cx.symbols.rules, rule.name)) return;
  cx.report.error(
    "E207",
    rule.span,
    `there is no rule "${rule.name}"`,
    didYouMean(cx.symbols.rules.nearest(rule.name)),
  );
}

/** The subject is a given fact, a fact of the program, or the key or id of one: `deploy(r1)`, `deploy("Release~r1")`. */
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
    cx.report.error("E213", name.span, `there is no ${of} "${name.name}"`, hint);
    return;
  }
  const wanted = found.decl.subject === null ? 0 : 1;
  if (args.length !== wanted) {
    const message = `${of} ${name.name} takes ${wanted === 0 ? "no subject" : "1 subject"}; ${args.length} given`;
    cx.report.error("E209", name.span, message);
  }
  for (const arg of args) checkSubjectName(cx, arg, scope);
}

function checkSubjectName(cx: Context, arg: ast.Expr, scope: Scope): void {
  if (arg.kind === "path" && arg.fields.length === 0) {
    const known = scope.get(arg.root.name) !== undefined || cx.symbols.facts.get(arg.root.name) !== undefined;
    if (!known) {
      cx.resolutions.set(arg, "word");
      return;
    }
  }
  typeOf(cx, arg, scope);
}
