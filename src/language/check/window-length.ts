/**
 * How long a window is. A length that the program alone decides must be one that a window can have; one that depends on facts is
 * tested when it is computed (functions/window-length.ts).
 */
import { timeNumbers } from "../../base/time.ts";
import { type CalledFunction, OVER_LAST, OVER_LAST_FACTS, WITHIN } from "../../functions/window-length.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { Context } from "./context.ts";
import { describe, REPORTED, type Type } from "./types.ts";

/** Returns the length of `over last d` as it is written; `to` is the end of the test that was written out from the window. */
export function writtenLength(to: ast.Expr): ast.Expr {
  const [written] = to.kind === "call" ? to.args : [];
  return written === undefined || written.kind === "object" ? to : written;
}

/** Checks the length of `over last d`, whose type is known, and notes the type of its end. */
export function checkLastLength(cx: Context, to: ast.Expr, type: Type): void {
  const last = writtenLength(to);
  cx.times.types.set(to, { kind: "duration" });
  if (type === REPORTED) return;
  if (type.kind !== "duration") {
    const hint =
      type.kind === "months"
        ? "months have no fixed length: write 30 days"
        : type.kind === "number"
          ? "to count facts write (number) before it: over last (number) x"
          : "write a duration, or a number of facts: over last 10 min, over last 20";
    cx.report.error("E218", last.span, `"over last" needs a duration, found ${describe(type)}`, hint);
  } else if (isRefused(cx, last, OVER_LAST)) {
    cx.report.error("E218", last.span, "nothing is in this window", "write a duration above zero: over last 10 min");
  }
}

/** Checks how many facts `over last n` counts. Its type is found outside the pattern. */
export function checkLastCount(cx: Context, expr: ast.LastExpr, type: Type): void {
  const last = writtenLength(expr.count);
  refuseOwn(cx, expr);
  if (type === REPORTED) return;
  if (type.kind !== "number") {
    const hint = "write a number of facts, or a duration: over last 20, over last 10 min";
    cx.report.error("E218", last.span, `"over last" needs a number of facts, found ${describe(type)}`, hint);
  } else if (isRefused(cx, last, OVER_LAST_FACTS)) {
    const hint = "write an integer above zero: over last 20";
    cx.report.error("E218", last.span, "this is no number of facts", hint);
  }
}

/** Reports a number of facts that depends on the fact which the window selects. */
function refuseOwn(cx: Context, { variable, count }: ast.LastExpr): void {
  if (variable === null) return;
  forEachNode(count, (node) => {
    const path = node as unknown as ast.PathExpr;
    if (path.kind !== "path" || path.root.name !== variable.name || cx.resolutions.get(path) !== "variable") return;
    const message = `how many facts count cannot depend on "${variable.name}" itself`;
    cx.report.error("E218", path.span, message, "use a number, a constant or a field of an earlier variable");
  });
}

/** Checks the length of `within d after t`, whose type is right. */
export function checkWithinLength(cx: Context, { length }: ast.WithinExpr): void {
  if (!isRefused(cx, length, WITHIN)) return;
  cx.report.error("E218", length.span, "nothing is in this window", "write a duration that is not negative");
}

function isRefused(cx: Context, length: ast.Expr, { compute }: CalledFunction): boolean {
  const known = constantLength(cx, length, new Set());
  return known !== undefined && compute(known) === undefined;
}

/** Returns the value of a length, or of a number in it, that the program alone decides; undefined for any other. */
function constantLength(cx: Context, expr: ast.Value, inside: ReadonlySet<ast.ConstDecl>): number | undefined {
  switch (expr.kind) {
    case "amount":
    case "number":
      return expr.value;
    case "text":
      return numberOf(timeNumbers("duration", expr.value)); // the value of a parameter
    case "negate": {
      const value = constantLength(cx, expr.operand, inside);
      return value === undefined ? undefined : -value;
    }
    case "path": {
      const decl = expr.fields.length === 0 ? cx.symbols.constants.get(expr.root.name)?.decl : undefined;
      const isConstant = inside.size > 0 || cx.resolutions.get(expr) === "constant";
      if (decl === undefined || !isConstant || inside.has(decl)) return undefined;
      return constantLength(cx, decl.value, new Set([...inside, decl]));
    }
    case "chain":
      return constantChain(
        expr,
        expr.items.map((item) => constantLength(cx, item, inside)),
      );
    default:
      return undefined;
  }
}

function constantChain({ ops }: ast.ChainExpr, [first, ...rest]: readonly (number | undefined)[]): number | undefined {
  let value = first;
  for (const [index, right] of rest.entries()) {
    const compute = ARITHMETIC.get(ops[index] ?? "");
    if (value === undefined || right === undefined || compute === undefined) return undefined;
    value = compute(value, right);
  }
  return Number.isFinite(value) ? value : undefined;
}

/** What the operators do with durations and numbers: the checker has seen that they are applied to the right ones. */
const ARITHMETIC: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
  ["/", (a, b) => a / b],
  ["%", (a, b) => a % b],
]);

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
