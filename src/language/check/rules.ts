/** Checks rules of both forms, and queries. */
import type * as ast from "../ast.ts";
import { checkActions } from "./actions.ts";
import { paramsOf } from "./arguments.ts";
import { bind, bindFact, hideAll } from "./bind.ts";
import { warnUnconnected } from "./connections.ts";
import type { Context } from "./context.ts";
import { checkElements } from "./elements.ts";
import { checkParams } from "./fields.ts";
import { noteInlined, withoutClockLets, withoutLets } from "./lets.ts";
import { Scope, type Variable } from "./scope.ts";
import { checkTest, checkTypeName, typeOfAggregate } from "./typing.ts";

export function checkRule(cx: Context, rule: ast.RuleDecl): void {
  const before = cx.report.diagnostics.length;
  checkAttributes(cx, rule);
  checkBody(cx, rule);
  elaborate(cx, rule);
  // An unresolved name may be the one that connects two patterns.
  if (cx.report.diagnostics.length === before) warnUnconnected(cx, rule);
}

/** Writes the names that `let` gives in the actions of a rule out, and those of its elements for explanations. */
function elaborate(cx: Context, rule: ast.RuleDecl): void {
  const { body } = rule;
  const clock = body.kind === "block" ? withoutClockLets(cx, body.elements) : undefined;
  if (clock !== undefined && body.kind === "block") {
    noteInlined(cx, clock.elements);
    const actions = withoutLets(cx, body.actions, clock.lets);
    cx.elaborated.set(rule, { ...rule, body: { ...body, elements: clock.elements, actions } });
    return;
  }
  if (body.kind === "block") noteInlined(cx, body.elements);
  const actions = body.actions.some(({ kind }) => kind === "let") ? withoutLets(cx, body.actions) : undefined;
  if (actions !== undefined) cx.elaborated.set(rule, { ...rule, body: { ...body, actions } });
}

export function checkQuery(cx: Context, query: ast.QueryDecl): void {
  checkParams(cx, query.params);
  checkQuestion(cx, query);
  const clock = withoutClockLets(cx, query.elements);
  if (clock !== undefined) cx.elaborated.set(query, { ...query, elements: clock.elements });
  noteInlined(cx, clock?.elements ?? query.elements);
}

/** Returns the variables of a rule or query that was checked, in written order, without parameters. */
export function variablesOf(cx: Context, decl: ast.RuleDecl | ast.QueryDecl): Variable[] {
  const scope = decl.kind === "rule" ? checkBody(cx, decl) : checkQuestion(cx, decl);
  return [...scope.added()].filter((variable) => variable.kind !== "parameter");
}

function checkQuestion(cx: Context, query: ast.QueryDecl): Scope {
  const scope = Scope.root();
  for (const param of paramsOf(cx, query.params)) scope.add({ name: param.name, type: param.type, kind: "parameter" });
  if (withinAlternatives(cx, query, query.elements)) checkElements(cx, query.elements, scope);
  return scope;
}

function checkBody(cx: Context, rule: ast.RuleDecl): Scope {
  return rule.body.kind === "block" ? checkBlock(cx, rule, rule.body) : checkSlash(cx, rule.body);
}

function checkAttributes(cx: Context, rule: ast.RuleDecl): void {
  const seen = new Set<string>();
  for (const attribute of rule.attributes) {
    if (seen.has(attribute.kind)) {
      cx.report.error("E204", attribute.span, `"${attribute.kind}" appears twice`, "remove one of them");
    }
    seen.add(attribute.kind);
  }
}

function checkBlock(cx: Context, rule: ast.RuleDecl, body: ast.BlockBody): Scope {
  const scope = Scope.root();
  if (!withinAlternatives(cx, rule, body.elements)) return scope;
  checkElements(cx, body.elements, scope);
  checkActions(cx, body.actions, scope);
  return scope;
}

/**
 * Checks the slash form. Actions do not see the variables of the later braces: the aggregates of the first ones range
 * over them.
 */
function checkSlash(cx: Context, body: ast.SlashBody): Scope {
  const scope = Scope.root();
  const inner = scope.inner();
  const aggregates = body.sources.flat().filter((source) => source.kind === "aggregate-source");
  for (const [index, braces] of body.sources.entries()) {
    const seenBy = index > 0 && aggregates.length > 0 ? inner : scope;
    for (const source of braces) if (source.kind === "source") bindSource(cx, source, seenBy);
  }
  for (const aggregate of aggregates) {
    const type = typeOfAggregate(cx, aggregate.fn, aggregate.value, inner);
    bind(cx, aggregate.variable, scope, { type, kind: "value" });
  }
  if (body.test !== null) checkTest(cx, body.test, inner);
  hideAll(scope, inner, "bound only inside the aggregates");
  checkActions(cx, body.actions, scope);
  return scope;
}

function bindSource(cx: Context, source: ast.SourceVar, scope: Scope): void {
  checkTypeName(cx, source.type);
  bindFact(cx, source.variable, source.type, scope);
}

// ---------------------------------------------------------------- alternatives

/** Reports a rule with too many alternatives, before `or` between elements is multiplied out. */
function withinAlternatives(
  cx: Context,
  owner: ast.RuleDecl | ast.QueryDecl,
  elements: readonly ast.Element[],
): boolean {
  const count = alternatives(elements);
  if (count <= cx.limits.alternatives) return true;
  cx.report.error(
    "E304",
    owner.name.span,
    `"or" between patterns gives ${count} alternatives; the limit is ${cx.limits.alternatives}`,
    `split the ${owner.kind}, or write the alternatives as tests inside one pattern`,
  );
  return false;
}

/**
 * Returns the largest number of alternatives that one sequence, here or inside a `not` or `exists`, is multiplied out
 * to.
 */
function alternatives(elements: readonly ast.Element[]): number {
  let product = 1;
  let inside = 1;
  for (const element of elements) {
    if (element.kind === "or") {
      product *= element.alternatives.reduce((sum, alternative) => sum + alternatives(alternative), 0);
    } else if (element.kind === "absence") {
      inside = Math.max(inside, alternatives(element.elements));
    }
  }
  return Math.max(product, inside);
}
