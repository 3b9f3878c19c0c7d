/**
 * Brings an expression into normal form: nested AND/OR flattened, NOT pushed inward, comparisons oriented, terms sorted by
 * their canonical text and duplicates dropped. It keeps the meaning in all three values; it is idempotent and independent
 * of the order in which terms were written.
 */
import { type Comparator, FLIPPED, OPPOSITE } from "../base/comparator.ts";
import { canonicalText } from "./read/canonical.ts";
import type { PlanExpr } from "./plan.ts";

/** Returns the normal form of an expression whose truth is used. */
export function normalise(expr: PlanExpr): PlanExpr {
  switch (expr.op) {
    case "not":
      return negated(expr.of);
    case "and":
    case "or":
      return combined(expr.op, expr.items.map(normalise));
    case "compare":
      return oriented(expr.by, normaliseValue(expr.left), normaliseValue(expr.right));
    case "in":
    case "contains":
      return { ...expr, left: normaliseValue(expr.left), right: normaliseValue(expr.right) };
    case "like":
      return { ...expr, left: normaliseValue(expr.left), pattern: normaliseValue(expr.pattern) };
    case "matches":
      return { ...expr, left: normaliseValue(expr.left) };
    case "nottrue":
      return { ...expr, of: normalise(expr.of) };
    case "missing":
    case "negate":
    case "cast":
    case "step":
    case "follow":
    case "property":
      return { ...expr, of: normaliseValue(expr.of) };
    case "if":
      return {
        ...expr,
        test: normalise(expr.test),
        whenTrue: normaliseValue(expr.whenTrue),
        whenFalse: normaliseValue(expr.whenFalse),
      };
    case "chain":
    case "list":
      return { ...expr, items: expr.items.map(normaliseValue) };
    case "call":
      return { ...expr, args: expr.args.map(normaliseValue) };
    case "each":
      return { ...expr, list: normaliseValue(expr.list), test: normalise(expr.test) };
    case "collect":
      return {
        ...expr,
        list: normaliseValue(expr.list),
        ...(expr.test !== undefined && { test: normalise(expr.test) }),
        value: normaliseValue(expr.value),
      };
    case "at":
      return { ...expr, list: normaliseValue(expr.list), index: normaliseValue(expr.index) };
    case "table":
      return { ...expr, inputs: expr.inputs.map(normaliseValue), computed: expr.computed.map(normaliseValue) };
    case "object":
      return { ...expr, entries: expr.entries.map(({ name, value }) => ({ name, value: normaliseValue(value) })) };
    default:
      return expr;
  }
}

/**
 * Returns the normal form of an expression whose value is used. NOT(NOT(x)) is x where only truth counts, but as a value it is
 * unknown when x is a string, and x is not: there the two NOTs stay.
 */
export function normaliseValue(expr: PlanExpr): PlanExpr {
  const normal = normalise(expr);
  const logical = expr.op === "not" || expr.op === "and" || expr.op === "or";
  return logical && !ALWAYS_TRUTH.has(normal.op) ? { op: "not", of: { op: "not", of: normal } } : normal;
}

/** The operators that only give true, false or unknown. */
const ALWAYS_TRUTH: ReadonlySet<PlanExpr["op"]> = new Set<PlanExpr["op"]>([
  "not",
  "and",
  "or",
  "compare",
  "in",
  "contains",
  "like",
  "matches",
  "missing",
  "nottrue",
  "each",
]);

/** Returns the normal form of NOT(expr). */
function negated(expr: PlanExpr): PlanExpr {
  switch (expr.op) {
    case "not":
      return normalise(expr.of);
    case "and":
    case "or":
      return combined(expr.op === "and" ? "or" : "and", expr.items.map(negated));
    case "compare":
      return oriented(OPPOSITE[expr.by], normaliseValue(expr.left), normaliseValue(expr.right));
    default:
      return { op: "not", of: normalise(expr) };
  }
}

function combined(op: "and" | "or", items: readonly PlanExpr[]): PlanExpr {
  const byText = new Map<string, PlanExpr>();
  for (const item of items) {
    for (const term of item.op === op ? item.items : [item]) byText.set(canonicalText(term), term);
  }
  const sorted = [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, term]) => term);
  const [only] = sorted;
  return sorted.length === 1 && only !== undefined ? only : { op, items: sorted };
}

/** Returns a comparison with a constant on the right, or else with the smaller text on the left. */
function oriented(by: Comparator, left: PlanExpr, right: PlanExpr): PlanExpr {
  const one: PlanExpr = { op: "compare", by, left, right };
  const other: PlanExpr = { op: "compare", by: FLIPPED[by], left: right, right: left };
  if ((left.op === "const") !== (right.op === "const")) return left.op === "const" ? other : one;
  return canonicalText(one) <= canonicalText(other) ? one : other;
}

/** Returns the terms of a top-level AND, or the expression itself. */
export function conjuncts(expr: PlanExpr): readonly PlanExpr[] {
  return expr.op === "and" ? expr.items : [expr];
}
