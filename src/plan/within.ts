/** Windows such as `within 30 days after i.issued`: a fact is in one when its time is between both ends and has come. */
import { must } from "../base/invariant.ts";
import { need } from "../functions/built-in.ts";
import { WITHIN } from "../functions/window-length.ts";
import type * as ast from "../language/ast.ts";
import { zoneOf } from "../language/check/clock.ts";
import { windowTime, type WindowTime } from "../language/check/within.ts";
import { expressionText } from "../language/print-part.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { normalise } from "./normalise.ts";
import type { PlanExpr } from "./plan.ts";
import { spanFrom, type TimeSpan } from "./time-tests.ts";

/** What a window needs of the place in which it stands: see Lowering in lower-expr.ts. */
export interface WindowPlace {
  readonly program: CheckedProgram;
  patternFact(): { readonly level: number; readonly type: string | undefined } | undefined;
  variable(
    name: string,
  ): { readonly kind: string; readonly level?: number; readonly type?: string | undefined } | undefined;
  timer?(span: TimeSpan, words: string): PlanExpr;
}

/** Lowers an expression in that place. */
type Lower = (expr: ast.Value) => PlanExpr;

/** Returns tests with windows taken apart: what reads the clock is a test of its own. */
export function takenApart(tests: readonly ast.Expr[]): ast.Expr[] {
  return tests.flatMap((test) =>
    test.kind === "within" && test.only === undefined
      ? [
          { ...test, only: "in window" as const },
          { ...test, only: "has come" as const },
        ]
      : [test],
  );
}

/** Returns the test that the time of a fact is in the window, and has come. */
export function lowerWithin(lx: WindowPlace, expr: ast.WithinExpr, lower: Lower): PlanExpr {
  const time = timeOf(lx, expr);
  const at = fieldOf(lx, expr, time);
  const bounds = expr.only === "has come" ? [] : boundsOf(lx, expr, at, lower);
  const come = expr.only === "in window" ? [] : [hasCome(lx, expr, at, time)];
  return normalise({ op: "and", items: [...bounds, ...come] });
}

export function timeOf({ program }: WindowPlace, expr: ast.WithinExpr): WindowTime {
  return must(windowTime(program.symbols, expr), "a window whose time the checker knows");
}

function fieldOf(lx: WindowPlace, { variable }: ast.WithinExpr, { field }: WindowTime): PlanExpr {
  const place = variable === null ? lx.patternFact() : lx.variable(variable.name);
  if (place === undefined || !("level" in place) || ("kind" in place && place.kind === "value"))
    throw new Error("a window is over facts");
  return { op: "field", level: place.level, field, type: place.type };
}

/** Returns both bounds. Times are subtracted, not added: a sum of instants would be rounded. */
function boundsOf(lx: WindowPlace, expr: ast.WithinExpr, at: PlanExpr, lower: Lower): PlanExpr[] {
  const { kind } = timeOf(lx, expr);
  const anchor = lower(expr.anchor);
  const length = lengthOf(lx, expr, lower);
  const isAfter = expr.side === "after";
  const near: PlanExpr = { op: "compare", by: isAfter ? ">=" : "<=", left: at, right: anchor };
  if (kind === "instant") {
    const apart: PlanExpr = { op: "chain", items: isAfter ? [at, anchor] : [anchor, at], ops: ["instant - instant"] };
    return [near, { op: "compare", by: "<=", left: apart, right: length }];
  }
  const far = chainOf(lx, expr, anchor, length, isAfter ? "+" : "-");
  return [near, { op: "compare", by: isAfter ? "<=" : ">=", left: at, right: far }];
}

/** Returns the length of a window. One that is computed is unknown where no window can have it. */
export function lengthOf(lx: WindowPlace, expr: ast.WithinExpr, lower: Lower): PlanExpr {
  const length = lower(expr.length);
  if (length.op === "const" && WITHIN.compute(length.value ?? undefined) !== undefined) return length;
  const type = { kind: lengthKindOf(lx, expr) };
  return { op: "call", name: WITHIN.name, args: [length], signature: { params: [need("length", type)], result: type } };
}

/** Returns the kind of a length. The types of times are noted; a number of months is none. */
function lengthKindOf({ program }: WindowPlace, { length }: ast.WithinExpr): "duration" | "months" {
  return program.times.types.get(length)?.kind === "duration" ? "duration" : "months";
}

/** Returns a time before or after another one. */
export function chainOf(
  lx: WindowPlace,
  expr: ast.WithinExpr,
  anchor: PlanExpr,
  length: PlanExpr,
  sign: "+" | "-",
): PlanExpr {
  const { kind } = timeOf(lx, expr);
  return { op: "chain", items: [anchor, length], ops: [`${kind} ${sign} ${lengthKindOf(lx, expr)}`] };
}

function hasCome(lx: WindowPlace, expr: ast.WithinExpr, at: PlanExpr, { kind }: WindowTime): PlanExpr {
  const zone = kind === "date" ? zoneOf(lx.program) : undefined;
  if (lx.timer === undefined) return { op: "compare", by: ">=", left: { op: "clock", zone }, right: at };
  return lx.timer({ ...spanFrom(at, zone), outside: false }, `${expressionText(expr)}: has come`);
}
