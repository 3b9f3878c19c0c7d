/**
 * Finds what the tests of a join demand of one field of the new fact: `amount > b.amount`, `x >= a.lo, x < a.hi`. With it the facts between
 * the bounds are found in order, instead of trying all facts with the key.
 *
 * The other facts are then not tested at all. So there are no bounds where evaluating a test can do more than decide: call a function,
 * divide, or join strings.
 */
import { type Comparator, FLIPPED } from "../base/comparator.ts";
import { kindOfType, type KindContext } from "./known-kinds.ts";
import type { BoundPlan, PlanExpr, RangePlan } from "./plan.ts";
import { canonicalText } from "./read/canonical.ts";
import { callsIn, levelsOf, visit } from "./read/levels.ts";
import type { RuleBuilder } from "./rule-builder.ts";

/** A test as a bound of a field. */
interface FieldBound extends BoundPlan {
  readonly field: PlanExpr;
  readonly end: "from" | "to";
}

/** Returns the bounds of the first field that has two, or else of the first that has one; undefined when there is none. */
export function rangeOf(builder: RuleBuilder, tests: readonly PlanExpr[], level: number): RangePlan | undefined {
  if (builder.node === undefined || !tests.every((test) => isQuiet(builder, test))) return undefined;
  const ranges = new Map<string, RangePlan>();
  for (const test of tests) {
    const bound = boundOf(test, level);
    if (bound === undefined) continue;
    const { field, end, value, excluded } = bound;
    const text = canonicalText(field);
    const range = ranges.get(text) ?? { field, from: undefined, to: undefined };
    if (range[end] === undefined) ranges.set(text, { ...range, [end]: { value, excluded } });
  }
  const all = [...ranges.values()];
  return all.find(({ from, to }) => from !== undefined && to !== undefined) ?? all[0];
}

/** Returns whether an expression is a field of the fact at a level, or of a record in it. */
export function isFieldAt(expr: PlanExpr, level: number): boolean {
  if (expr.op === "property") return expr.of.op !== "fact" && isFieldAt(expr.of, level);
  return (expr.op === "field" || expr.op === "fact") && expr.level === level;
}

function boundOf(test: PlanExpr, level: number): FieldBound | undefined {
  if (test.op !== "compare") return undefined;
  const { by, left, right } = test;
  return boundBy(by, left, right, level) ?? boundBy(FLIPPED[by], right, left, level);
}

/** Returns the bound that `own by known` is, where `own` is a field of the new fact and `known` is not about it. */
function boundBy(by: Comparator, own: PlanExpr, known: PlanExpr, level: number): FieldBound | undefined {
  if (by === "==" || by === "!=") return undefined;
  if (!isFieldAt(own, level)) return windowBound(by, own, known, level);
  const end = by === "<" || by === "<=" ? "to" : "from";
  return isKnownBefore(known, level)
    ? { field: own, end, value: known, excluded: by === "<" || by === ">" }
    : undefined;
}

/**
 * Returns the bound that the far end of a window is: `at - anchor <= length` or `anchor - at <= length`, where `at` is a field of the new fact.
 * Instants are integers, so the bound is rounded to one.
 */
function windowBound(by: Comparator, apart: PlanExpr, length: PlanExpr, level: number): FieldBound | undefined {
  if ((by !== "<" && by !== "<=") || apart.op !== "chain" || levelsOf(length).includes(level)) return undefined;
  const [late, early, ...more] = apart.items;
  if (late === undefined || early === undefined || more.length > 0 || apart.ops[0] !== "instant - instant")
    return undefined;
  const solved = (op: string, anchor: PlanExpr): BoundPlan => {
    return { value: { op: "chain", items: [anchor, length], ops: [op] }, excluded: false };
  };
  if (isFieldAt(late, level) && isKnownBefore(early, level))
    return { field: late, end: "to", ...solved("solve instant - duration", early) };
  if (isFieldAt(early, level) && isKnownBefore(late, level))
    return { field: early, end: "from", ...solved("solve instant + duration", late) };
  return undefined;
}

function isKnownBefore(expr: PlanExpr, level: number): boolean {
  const levels = levelsOf(expr);
  return levels.length > 0 && !levels.includes(level);
}

/** Returns whether evaluating a test only decides: nothing is called, and no division or string that is too long is reported. */
function isQuiet(context: KindContext, test: PlanExpr): boolean {
  let quiet = !callsIn(test);
  visit(test, (inner) => {
    if (inner.op === "chain")
      quiet &&= !inner.ops.some(divides) && inner.items.every((item) => isNoText(context, item));
  });
  return quiet;
}

function divides(op: string): boolean {
  return op.includes("/") || op.includes("%");
}

/** Returns whether the value of an expression is never a string. */
function isNoText({ program, kinds }: KindContext, expr: PlanExpr): boolean {
  switch (expr.op) {
    case "const":
      return typeof expr.value !== "string";
    case "field":
    case "step": {
      const field = expr.type === undefined ? undefined : program.symbols.type(expr.type)?.fields.get(expr.field);
      const kind = field === undefined ? undefined : kindOfType(field.type);
      return kind === "number" || kind === "bool";
    }
    case "value":
      return kinds.get(expr.level) === "number";
    case "chain": // whose items are looked at by themselves
    case "negate":
      return true;
    default:
      return false;
  }
}
