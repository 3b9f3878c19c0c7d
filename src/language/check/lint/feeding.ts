/**
 * Warns of a rule that feeds itself (W253): each firing makes or changes a fact so that the rule matches again, for ever.
 *
 * Only rules are reported whose next match is certain: those of patterns and tests, where the new or changed fact passes every test
 * that the old one passed. A rule that is stopped by `no-loop`, by a bound, by `not` or by another action is not reported.
 */
import { FLIPPED } from "../../../base/comparator.ts";
import type { Maybe } from "../../../base/value.ts";
import type * as ast from "../../ast.ts";
import { forEachNode } from "../../walk.ts";
import type { Context } from "../context.ts";
import { factArgument } from "../facts.ts";
import { compared, constantOf } from "./regions.ts";

/** A test, and the variable of the pattern whose fields its bare names are. */
interface Test {
  readonly expr: ast.Expr;
  readonly own: string;
}

/** The condition of a rule: its variables with their types, and its tests. */
interface Condition {
  readonly types: ReadonlyMap<string, string>;
  readonly tests: readonly Test[];
}

/** The value of a field after a firing: the same as before, a larger or smaller number, a constant, or that of another fact. */
type Next =
  | { readonly kind: "same" }
  | { readonly kind: "grows"; readonly by: number }
  | { readonly kind: "constant"; readonly value: Maybe }
  | { readonly kind: "read"; readonly from: Reading };

/** A field of a matched fact. */
interface Reading {
  readonly variable: string;
  readonly field: string;
}

export function warnOfFeeding(cx: Context, rule: ast.RuleDecl): void {
  if (rule.attributes.some(({ kind }) => kind === "no-loop" || kind === "disabled")) return;
  const condition = rule.body.kind === "block" ? blockCondition(rule.body) : slashCondition(rule.body);
  const { actions } = rule.body;
  if (condition === undefined || !actions.every(({ kind }) => HARMLESS.has(kind))) return;
  for (const action of actions) {
    const fed = fedBy(cx, action, condition, actions);
    if (fed === undefined) continue;
    const hint = "add a test that stops it, or no-loop";
    cx.report.warning("W253", action.span, `rule "${rule.name.name}" feeds itself: ${fed}`, hint);
    return;
  }
}

/** The actions that leave a match as it is, besides the one that is looked at. */
const HARMLESS: ReadonlySet<ast.Action["kind"]> = new Set(["call", "let", "insert", "assign", "update"]);

function fedBy(
  cx: Context,
  action: ast.Action,
  condition: Condition,
  actions: readonly ast.Action[],
): string | undefined {
  if (action.kind === "insert" && !action.logical) {
    const changes = actions.some(({ kind }) => kind === "assign" || kind === "update");
    return changes ? undefined : inserted(cx, action.fact, condition);
  }
  const change = changeOf(action);
  if (change === undefined) return undefined;
  const inserts = actions.filter(({ kind }) => kind === "insert" || kind === "assign" || kind === "update");
  return inserts.length > 1 ? undefined : changed(cx, change, condition);
}

// ---------------------------------------------------------------- conditions

/** Returns the condition of a block; undefined when it has more than patterns and tests. */
function blockCondition({ elements }: ast.BlockBody): Condition | undefined {
  const types = new Map<string, string>();
  const tests: Test[] = [];
  for (const [index, element] of elements.entries()) {
    if (element.kind === "where") tests.push(...conjuncts(element.test, ""));
    else if (element.kind !== "pattern") return undefined;
    else {
      const own = element.variable?.name ?? `#${index}`;
      types.set(own, element.type.name);
      tests.push(...element.tests.flatMap((test) => conjuncts(test, own)));
    }
  }
  return { types, tests };
}

function slashCondition({ sources, test }: ast.SlashBody): Condition | undefined {
  const types = new Map<string, string>();
  for (const source of sources.flat()) {
    if (source.kind !== "source") return undefined;
    types.set(source.variable.name, source.type.name);
  }
  return { types, tests: test === null ? [] : conjuncts(test, "") };
}

function conjuncts(expr: ast.Expr, own: string): Test[] {
  if (expr.kind === "logic" && expr.op === "and") return expr.items.flatMap((item) => conjuncts(item, own));
  return [{ expr, own }];
}

// ---------------------------------------------------------------- new facts

/** Returns how a new fact feeds the rule: it passes every test of a pattern of its type, and is another fact each time. */
function inserted(cx: Context, fact: ast.FactLiteral, condition: Condition): string | undefined {
  const type = cx.symbols.type(fact.type.name);
  for (const [variable, name] of condition.types) {
    if (name !== fact.type.name) continue;
    const nextOf = (field: string): Next | undefined => {
      const index = type === undefined ? -1 : [...type.fields.keys()].indexOf(field);
      const arg = factArgument(fact, field, index);
      return arg === undefined ? undefined : next(cx, arg.value, { variable, field });
    };
    const keys = [...(type?.fields.values() ?? [])].filter(({ key }) => key);
    const isNew = keys.length === 0 || keys.some(({ name: key }) => nextOf(key)?.kind === "grows");
    if (isNew && stays(cx, condition, variable, nextOf)) return `it matches the ${name} that it inserts`;
  }
  return undefined;
}

// ---------------------------------------------------------------- changed facts

interface Change {
  readonly variable: string;
  readonly values: ReadonlyMap<string, ast.Value>;
}

function changeOf(action: ast.Action): Change | undefined {
  if (action.kind === "assign") {
    const [field, ...more] = action.target.fields;
    if (field === undefined || more.length > 0) return undefined;
    return { variable: action.target.root.name, values: new Map([[field.name, action.value]]) };
  }
  if (action.kind !== "update" || action.target.fields.length > 0) return undefined;
  const values = action.changes.entries.map(({ name, value }) => [name.name, value] as const);
  return { variable: action.target.root.name, values: new Map(values) };
}

/** Returns how a change feeds the rule: a field that the condition reads changes each time, and no test stops it. */
function changed(cx: Context, { variable, values }: Change, condition: Condition): string | undefined {
  if (!condition.types.has(variable)) return undefined;
  const nextOf = (field: string): Next => {
    const value = values.get(field);
    return value === undefined
      ? { kind: "same" }
      : (next(cx, value, { variable, field }) ?? { kind: "constant", value: undefined });
  };
  const reads = condition.tests.flatMap((test) => readingsIn(cx, test) ?? []);
  const growing = [...values.keys()].find(
    (field) => nextOf(field).kind === "grows" && reads.some((one) => one.variable === variable && one.field === field),
  );
  if (growing === undefined || !stays(cx, condition, variable, nextOf)) return undefined;
  return `it changes "${growing}", which its condition reads`;
}

// ---------------------------------------------------------------- tests

/** Returns whether every test that holds of a fact holds of the fact after it; undefined fields are missing. */
function stays(
  cx: Context,
  { tests }: Condition,
  variable: string,
  nextOf: (field: string) => Next | undefined,
): boolean {
  return tests.every((test) => {
    const reads = readingsIn(cx, test);
    if (reads === undefined) return false;
    const about = reads.filter((one) => one.variable === variable);
    if (about.every(({ field }) => nextOf(field)?.kind === "same")) return true;
    return staysTrue(cx, test, variable, nextOf);
  });
}

/** Returns whether a test against a constant, or against another fact, holds again. */
function staysTrue(
  cx: Context,
  { expr, own }: Test,
  variable: string,
  nextOf: (field: string) => Next | undefined,
): boolean {
  if (expr.kind === "presence") {
    const read = readingOf(cx, expr.operand, own);
    return !expr.missing && read?.variable === variable && nextOf(read.field) !== undefined;
  }
  if (expr.kind !== "compare") return false;
  for (const [left, right, op] of [
    [expr.left, expr.right, expr.op],
    [expr.right, expr.left, FLIPPED[expr.op]],
  ] as const) {
    const read = readingOf(cx, left, own);
    const after = read?.variable === variable ? nextOf(read.field) : undefined;
    if (after === undefined) continue;
    const constant = constantOf(cx, right);
    if (constant === undefined) {
      const other = readingOf(cx, right, own);
      return (
        op === "==" &&
        after.kind === "read" &&
        other !== undefined &&
        isSame(after.from, other) &&
        other.variable !== variable
      );
    }
    if (after.kind === "constant") return compared(op, after.value, constant) === true;
    if (after.kind === "grows") return after.by > 0 ? op === ">" || op === ">=" : op === "<" || op === "<=";
    return false;
  }
  return false;
}

/** Returns the value of a field after a firing; undefined when nothing is known of it. */
function next(cx: Context, value: ast.Value, field: Reading): Next | undefined {
  const constant = constantOf(cx, value);
  if (constant !== undefined) return { kind: "constant", value: constant };
  if (value.kind === "path") {
    const from = readingOf(cx, value, "");
    if (from === undefined) return undefined;
    return isSame(from, field) ? { kind: "same" } : { kind: "read", from };
  }
  const by = value.kind === "chain" && value.template !== true ? growth(cx, value, field) : undefined;
  return by === undefined || by === 0 ? undefined : { kind: "grows", by };
}

/** Returns the number that a sum adds to a field: 1 for `c.n + 1`. */
function growth(cx: Context, { items, ops }: ast.ChainExpr, field: Reading): number | undefined {
  let by = 0;
  let times = 0;
  for (const [index, item] of items.entries()) {
    const op = index === 0 ? "+" : ops[index - 1];
    if (op !== "+" && op !== "-") return undefined;
    const read = readingOf(cx, item, "");
    if (read !== undefined && isSame(read, field) && op === "+") {
      times += 1;
      continue;
    }
    if (item.kind !== "number") return undefined;
    by += op === "+" ? item.value : -item.value;
  }
  return times === 1 ? by : undefined;
}

function isSame(a: Reading, b: Reading): boolean {
  return a.variable === b.variable && a.field === b.field;
}

/** Returns the field of a matched fact that an expression is. */
function readingOf(cx: Context, expr: ast.Value, own: string): Reading | undefined {
  if (expr.kind !== "path") return undefined;
  const [field, ...more] = expr.fields;
  const resolution = cx.resolutions.get(expr);
  if (resolution === "own-field") return field === undefined ? { variable: own, field: expr.root.name } : undefined;
  if (resolution !== "variable" || field === undefined || more.length > 0) return undefined;
  return { variable: expr.root.name, field: field.name };
}

/** Returns the fields that a test reads; undefined when it reads more than fields of matched facts, or asks about other facts. */
function readingsIn(cx: Context, { expr, own }: Test): readonly Reading[] | undefined {
  const found: Reading[] = [];
  let isPlain = true;
  forEachNode(expr, (node) => {
    if (node["kind"] === "path") {
      const path = node as unknown as ast.PathExpr;
      if (cx.resolutions.get(path) === "constant" || cx.resolutions.get(path) === "word") return;
      const read = readingOf(cx, path, own);
      if (read === undefined) isPlain = false;
      else found.push(read);
    } else if (!PLAIN.has(node["kind"]) && "kind" in node) isPlain = false;
  });
  return isPlain ? found : undefined;
}

/** The parts of tests that read nothing but fields. */
const PLAIN: ReadonlySet<unknown> = new Set([
  "text",
  "number",
  "bool",
  "time",
  "amount",
  "list",
  "range",
  "negate",
  "not",
  "chain",
  "compare",
  "in",
  "contains",
  "like",
  "matches",
  "presence",
  "logic",
  "cast",
]);
