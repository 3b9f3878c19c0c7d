/** Which levels of a match an expression reads. */
import type { PlanExpr } from "../plan.ts";

export function levelsOf(expr: PlanExpr): number[] {
  const levels = new Set<number>();
  visit(expr, (inner) => {
    if (inner.op === "field" || inner.op === "fact" || inner.op === "value" || inner.op === "step")
      levels.add(inner.level);
  });
  return [...levels];
}

/** The levels whose values an expression uses. */
export function valuesOf(expr: PlanExpr): Set<number> {
  const levels = new Set<number>();
  visit(expr, (inner) => {
    if (inner.op === "value") levels.add(inner.level);
  });
  return levels;
}

/** Whether a function is called in it. */
export function callsIn(expr: PlanExpr): boolean {
  return uses(expr, "call");
}

/** Whether an operator is used in it. */
export function uses(expr: PlanExpr, op: PlanExpr["op"]): boolean {
  let found = false;
  visit(expr, (inner) => (found ||= inner.op === op));
  return found;
}

/** The names of the functions that are called in it. */
export function calledIn(expr: PlanExpr): Set<string> {
  const names = new Set<string>();
  visit(expr, (inner) => {
    if (inner.op === "call") names.add(inner.name);
  });
  return names;
}

export interface Read {
  readonly level: number;
  readonly field: string;
  readonly type: string | undefined;
}

/** The fields that an expression reads at each level; values and ids never change under a match. */
export function readsOf(expr: PlanExpr): Read[] {
  const reads: Read[] = [];
  visit(expr, (inner) => {
    if (inner.op !== "field" && inner.op !== "step") return;
    reads.push({ level: inner.level, field: inner.field, type: inner.type });
  });
  return reads;
}

export function mapLevels(expr: PlanExpr, to: (level: number) => number): PlanExpr {
  const mapped = mapChildren(expr, (child) => mapLevels(child, to));
  return "level" in mapped ? { ...mapped, level: to(mapped.level) } : mapped;
}

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
      return expr;
    case "step":
    case "follow":
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
    case "call":
      return { ...expr, args: expr.args.map(map) };
    case "object":
      return { ...expr, entries: expr.entries.map(({ name, value }) => ({ name, value: map(value) })) };
  }
}
