/** What an expression reads of a match: levels, fields, values and functions. */
import type { PlanExpr } from "../plan.ts";

/** Returns the levels of facts and values that an expression reads. */
export function levelsOf(expr: PlanExpr): number[] {
  const levels = new Set<number>();
  visit(expr, (inner) => {
    if (inner.op === "field" || inner.op === "fact" || inner.op === "value" || inner.op === "step")
      levels.add(inner.level);
  });
  return [...levels];
}

/** Returns the levels whose values (of aggregates) an expression uses. */
export function valuesOf(expr: PlanExpr): Set<number> {
  const levels = new Set<number>();
  visit(expr, (inner) => {
    if (inner.op === "value") levels.add(inner.level);
  });
  return levels;
}

/** Returns whether an expression can fail: it calls a function or a decision table, or has a loop inside a loop, which has a limit. */
export function callsIn(expr: PlanExpr): boolean {
  let found = false;
  visit(expr, (inner) => {
    found ||= inner.op === "call" || inner.op === "table" || (isLoop(inner) && hasLoopInside(inner));
  });
  return found;
}

function isLoop(expr: PlanExpr): boolean {
  return expr.op === "each" || expr.op === "collect";
}

function hasLoopInside(loop: PlanExpr): boolean {
  let found = false;
  visit(loop, (inner) => (found ||= inner !== loop && isLoop(inner)));
  return found;
}

/** Returns whether an expression contains an operator. */
export function uses(expr: PlanExpr, op: PlanExpr["op"]): boolean {
  let found = false;
  visit(expr, (inner) => (found ||= inner.op === op));
  return found;
}

/** Returns the names of the functions that an expression calls. */
export function calledIn(expr: PlanExpr): Set<string> {
  const names = new Set<string>();
  visit(expr, (inner) => {
    if (inner.op === "call") names.add(inner.name);
  });
  return names;
}

/** A field that is read, of the fact at a level. */
export interface Read {
  readonly level: number;
  readonly field: string;
  readonly type: string | undefined;
}

/** Returns the fields that an expression reads; values and ids are left out, for they do not change while a match lives. */
export function readsOf(expr: PlanExpr): Read[] {
  const reads: Read[] = [];
  visit(expr, (inner) => {
    if (inner.op !== "field" && inner.op !== "step") return;
    reads.push({ level: inner.level, field: inner.field, type: inner.type });
  });
  return reads;
}

/** Returns the expression with other levels. */
export function mapLevels(expr: PlanExpr, to: (level: number) => number): PlanExpr {
  const mapped = mapChildren(expr, (child) => mapLevels(child, to));
  return "level" in mapped ? { ...mapped, level: to(mapped.level) } : mapped;
}

/** Visits an expression and everything inside it, outermost first. */
export function visit(expr: PlanExpr, see: (expr: PlanExpr) => void): void {
  see(expr);
  mapChildren(expr, (child) => {
    visit(child, see);
    return child;
  });
}

function mapChildren(expr: PlanExpr, map: (child: PlanExpr) => PlanExpr): PlanExpr {
  switch (expr.op) {
    case "const":
    case "field":
    case "fact":
    case "value":
    case "decided":
    case "item":
    case "clock":
      return expr;
    case "each":
      return { ...expr, list: map(expr.list), test: map(expr.test) };
    case "collect":
      return {
        ...expr,
        list: map(expr.list),
        ...(expr.test !== undefined && { test: map(expr.test) }),
        value: map(expr.value),
      };
    case "at":
      return { ...expr, list: map(expr.list), index: map(expr.index) };
    case "step":
    case "follow":
    case "property":
    case "not":
    case "missing":
    case "nottrue":
    case "negate":
    case "cast":
      return { ...expr, of: map(expr.of) };
    case "unmet":
    case "outcome":
      return { ...expr, subject: map(expr.subject) };
    case "and":
    case "or":
    case "chain":
    case "list":
      return { ...expr, items: expr.items.map(map) };
    case "compare":
    case "in":
    case "contains":
      return { ...expr, left: map(expr.left), right: map(expr.right) };
    case "like":
      return { ...expr, left: map(expr.left), pattern: map(expr.pattern) };
    case "matches":
      return { ...expr, left: map(expr.left) };
    case "if":
      return { ...expr, test: map(expr.test), whenTrue: map(expr.whenTrue), whenFalse: map(expr.whenFalse) };
    case "call":
      return { ...expr, args: expr.args.map(map) };
    case "table":
      return { ...expr, inputs: expr.inputs.map(map), computed: expr.computed.map(map) };
    case "object":
      return { ...expr, entries: expr.entries.map(({ name, value }) => ({ name, value: map(value) })) };
  }
}
