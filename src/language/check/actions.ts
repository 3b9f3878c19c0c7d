/** Checks the actions of rules: calls of host actions, and changes of facts. */
import { unreachable } from "../../base/invariant.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import { checkArguments, checkCallArguments, paramsOf } from "./arguments.ts";
import { bind } from "./bind.ts";
import { type ConditionUse, isQuestion } from "./condition-uses.ts";
import type { Context } from "./context.ts";
import { checkExpression, checkFact, isNull, isOwnFact } from "./facts.ts";
import { typeOfField, typeOfPath } from "./paths.ts";
import type { Scope } from "./scope.ts";
import { hintFor } from "./names.ts";
import { checkJudgeCall } from "./judging.ts";
import { typeOf, typesOf } from "./typing.ts";
import { describe, type Type } from "./types.ts";

export function checkActions(cx: Context, actions: readonly ast.Action[], scope: Scope): void {
  for (const action of actions) {
    checkAction(cx, action, scope);
    refuseSubqueries(cx, action);
  }
}

/** Reports questions about facts in actions: they belong in the condition. */
function refuseSubqueries(cx: Context, action: ast.Action): void {
  forEachNode(action, (node) => {
    const isCondition = cx.conditionUses.has(node as unknown as ConditionUse);
    if (isCondition) {
      const message = "an action cannot ask a condition";
      cx.report.error("E214", node["span"] as Span, message, "test it in the condition of the rule: where …");
      return;
    }
    if (!isQuestion(node)) return;
    const hint = "bind it in the condition: total: sum(x.amount) from x: Order(…)";
    cx.report.error("E214", node["span"] as Span, "an action cannot query other facts", hint);
  });
}

function checkAction(cx: Context, action: ast.Action, scope: Scope): void {
  switch (action.kind) {
    case "call":
      return checkActionCall(cx, action, scope);
    case "insert":
      return checkFact(cx, action.fact, { kind: "expressions", scope });
    case "xuple":
      checkSpace(cx, action.space);
      if (action.fact.kind === "path") return checkMatched(cx, action.fact, scope);
      return checkFact(cx, action.fact, { kind: "expressions", scope });
    case "update":
      return checkUpdate(cx, action, scope);
    case "assign":
      return checkAssign(cx, action, scope);
    case "retract":
      return checkRetract(cx, action, scope);
    case "decide":
      return checkJudgeCall(cx, "gate", action.gate, action.args, action.span, typesOf(cx, action.args, scope));
    case "verify":
      return checkJudgeCall(cx, "guardian", action.guardian, action.args, action.span, typesOf(cx, action.args, scope));
    case "let":
      return bind(cx, action.name, scope, { type: typeOf(cx, action.value, scope), kind: "value" });
    case "halt":
      return;
    default:
      unreachable(action);
  }
}

export function checkActionCall(cx: Context, action: ast.CallAction, scope: Scope): void {
  const { name } = action.name;
  const types = typesOf(cx, action.args, scope);
  const builtIn = cx.symbols.builtInAction(name);
  if (builtIn !== undefined) {
    checkCallArguments(cx, name, builtIn, action, types);
    return;
  }
  const declared = cx.symbols.actions.get(name);
  if (declared === undefined) checkActionName(cx, action.name);
  else checkArguments(cx, `action ${name}`, paramsOf(cx, declared.decl.params), false, action.args, action.span, types);
}

/** Reports an action that is neither built in nor declared. */
export function checkActionName(cx: Context, { name, span }: ast.Ident): void {
  if (cx.symbols.builtInAction(name) !== undefined || cx.symbols.actions.get(name) !== undefined) return;
  if (cx.symbols.openActions || cx.symbols.excuses(cx.symbols.actions, name)) return;
  const meant = nearest(name, [
    ...cx.symbols.written(cx.symbols.actions, cx.report.source),
    "log",
    "print",
    "insert",
    "update",
    "retract",
    "focus",
  ]);
  const hint =
    cx.symbols.type(name) === undefined ? hintFor(name, meant) : `to insert a fact, write "insert ${name}(…)"`;
  cx.report.error("E206", span, `unknown action "${name}"`, hint);
}

function checkSpace(cx: Context, space: ast.TextExpr): void {
  if (cx.symbols.spaces.get(space.value) !== undefined) return;
  if (cx.symbols.excuses(cx.symbols.spaces, space.value)) return;
  const hint =
    didYouMean(nearest(space.value, cx.symbols.written(cx.symbols.spaces, cx.report.source))) ??
    `declare it: xuple-space ${space.value} { … }`;
  cx.report.error("E213", space.span, `unknown xuple-space "${space.value}"`, hint);
}

/** Reports a path that leads to no fact: only facts are put into a tuple space. */
function checkMatched(cx: Context, path: ast.PathExpr, scope: Scope): void {
  const type = typeOfPath(cx, path, scope);
  if (type.kind === "fact" || type.kind === "any") return;
  const hint = "write the variable of a pattern, or a new fact: Task(id: …)";
  cx.report.error("E214", path.span, `only facts can be put into a xuple-space, found ${describe(type)}`, hint);
}

function checkUpdate(cx: Context, action: ast.UpdateAction, scope: Scope): void {
  const target = changeable(cx, action.target, scope, "updated");
  const seen = new Set<string>();
  for (const entry of action.changes.entries) {
    if (seen.has(entry.name.name)) {
      cx.report.error("E404", entry.name.span, `field "${entry.name.name}" appears twice`, "remove one of them");
    }
    seen.add(entry.name.name);
    checkChange(cx, target, entry.name, entry.value, scope);
  }
}

function checkAssign(cx: Context, action: ast.AssignAction, scope: Scope): void {
  const { target } = action;
  const field = target.fields.at(-1);
  if (field === undefined) {
    cx.report.error(
      "E214",
      target.span,
      `cannot assign to variable "${target.root.name}"`,
      'assign to a field: p.status = "Gold"',
    );
    return;
  }
  const end = target.fields.at(-2)?.span.end ?? target.root.span.end;
  const owner = { ...target, fields: target.fields.slice(0, -1), span: { start: target.span.start, end } };
  const type = changeable(cx, owner, scope, "updated");
  const resolution = cx.resolutions.get(owner);
  if (resolution !== undefined) cx.resolutions.set(target, resolution);
  checkChange(cx, type, field, action.value, scope);
}

function checkRetract(cx: Context, action: ast.RetractAction, scope: Scope): void {
  changeable(cx, action.target, scope, "retracted");
}

/** Returns the type of the fact that a path leads to; reports anything else, which cannot be changed. */
function changeable(cx: Context, path: ast.PathExpr, scope: Scope, verb: string): Type {
  const type = typeOfPath(cx, path, scope);
  if (type.kind === "fact") isOwnFact(cx, type.type, path.span);
  else if (type.kind !== "any") {
    const hint =
      type.kind === "record" ? "a record is a value: give the field of the fact another one, f.x = {…}" : undefined;
    cx.report.error("E214", path.span, `only facts can be ${verb}, found ${describe(type)}`, hint);
  }
  return type;
}

function checkChange(cx: Context, owner: Type, field: ast.Ident, value: ast.Value, scope: Scope): void {
  const wanted = typeOfField(cx, owner, field);
  const typeName = owner.kind === "fact" ? owner.type : "the fact";
  const declared = owner.kind === "fact" ? cx.symbols.type(owner.type)?.fields.get(field.name) : undefined;
  if (declared?.key === true) {
    cx.report.error(
      "E412",
      field.span,
      `${typeName}.${field.name} is a key and cannot be updated`,
      "retract the fact and insert a new one",
    );
  }
  if (isNull(value)) {
    cx.resolutions.set(value, "null");
    if (declared !== undefined && !declared.optional && !declared.hasDefault) {
      cx.report.error(
        "E402",
        value.span,
        `${typeName}.${field.name} is required and cannot be cleared`,
        "give it a value",
      );
    }
    return;
  }
  checkExpression(cx, `${typeName}.${field.name}`, wanted, value, scope);
}
