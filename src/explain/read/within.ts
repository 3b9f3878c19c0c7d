/** Windows such as `within 30 days after i.issued`: whether a fact is in one, and whether one is open. */
import { timeNumbers, timeText } from "../../base/time.ts";
import type { Truth } from "../../base/truth.ts";
import type { Maybe } from "../../base/value.ts";
import { WITHIN } from "../../functions/window-length.ts";
import type * as ast from "../../language/ast.ts";
import { windowTime, type WindowTime } from "../../language/check/within.ts";
import { clockValue } from "./clock.ts";
import { failureWords, recordFailure } from "./failure.ts";
import { fieldOf } from "./field.ts";
import type { Evaluate, EvaluationScope } from "./scope.ts";
import { timeStep } from "./times.ts";

/** The times that a window compares, as text; undefined where they are unknown. */
export interface WindowTimes {
  readonly field: string;
  readonly at: Maybe;
  readonly anchor: Maybe;
  /** Unknown also where no window can have it. */
  readonly length: Maybe;
  /** Why no window can have its length, in words; undefined when one can. */
  readonly refused: string | undefined;
  /** The end after which it is closed. */
  readonly end: Maybe;
  readonly now: Maybe;
}

/** Returns the times that a window compares. */
export function windowTimes(expr: ast.WithinExpr, scope: EvaluationScope, evaluate: Evaluate): WindowTimes {
  const { field, kind } = timeOf(expr, scope);
  const bound = expr.variable === null ? undefined : scope.chosen.get(expr.variable.name);
  const own = bound !== undefined && "fact" in bound ? bound.fact : scope.ownFact;
  const outside = { ...scope, ownFact: undefined };
  const anchor = evaluate(expr.anchor, outside);
  const given = evaluate(expr.length, outside);
  const how = WITHIN.refuses?.([typeof given === "number" ? given : timeNumbers("duration", given)])?.how;
  const length = how === undefined ? given : undefined;
  const refused = how === undefined ? undefined : failureWords(WITHIN.name, [given], how);
  const now = clockValue(kind === "date" ? "today" : "now", scope.world);
  const end = expr.side === "before" ? anchor : otherEnd(expr, { kind }, anchor, length, scope);
  return { field, at: own === undefined ? undefined : fieldOf(own, field), anchor, length, refused, end, now };
}

function timeOf(expr: ast.WithinExpr, { world }: EvaluationScope): WindowTime {
  return windowTime(world.context.program.symbols, expr) ?? { field: "", kind: "instant" };
}

function otherEnd(
  { length: of, side }: ast.WithinExpr,
  { kind }: Pick<WindowTime, "kind">,
  anchor: Maybe,
  length: Maybe,
  { world }: EvaluationScope,
): Maybe {
  const lengthKind = world.context.program.times.types.get(of)?.kind ?? "months";
  return timeStep(`${kind} ${side === "after" ? "+" : "-"} ${lengthKind}`, anchor, length);
}

/** Returns whether the fact of a window is in it. */
export function windowTruth(expr: ast.WithinExpr, scope: EvaluationScope, evaluate: Evaluate): Truth {
  const { kind } = timeOf(expr, scope);
  const { at, anchor, length, refused, now } = windowTimes(expr, scope, evaluate);
  if (refused !== undefined) recordFailure(refused, scope);
  const number = (value: Maybe): number | undefined => {
    const found = timeNumbers(kind, value);
    return typeof found === "number" ? found : undefined;
  };
  const [time, near] = [number(at), number(anchor)];
  const isAfter = expr.side === "after";
  let isNear: Truth;
  if (kind === "instant") {
    const span = timeNumbers("duration", length);
    const apart = time === undefined || near === undefined ? undefined : isAfter ? time - near : near - time;
    isNear = notAfter(apart, typeof span === "number" ? span : undefined);
  } else {
    const far = number(otherEnd(expr, { kind }, anchor, length, scope));
    isNear = isAfter ? notAfter(time, far) : notAfter(far, time);
  }
  const tests = [isAfter ? notAfter(near, time) : notAfter(time, near), isNear, notAfter(time, number(now))];
  return tests.includes(false) ? false : tests.includes(undefined) ? undefined : true;
}

function notAfter(a: number | undefined, b: number | undefined): Truth {
  return a === undefined || b === undefined ? undefined : a <= b;
}

/** Returns whether a window is open, or it is unknown when it closes. */
export function isWindowOpen(expr: ast.WithinExpr, scope: EvaluationScope, evaluate: Evaluate): boolean {
  const { kind } = timeOf(expr, scope);
  const { end, now } = windowTimes(expr, scope, evaluate);
  return notAfter(numberOf(kind, now), numberOf(kind, end)) !== false;
}

function numberOf(kind: "instant" | "date", value: Maybe): number | undefined {
  const found = timeNumbers(kind, value);
  return typeof found === "number" ? found : undefined;
}

/** Returns the first window that is open; undefined when all have closed. */
export function openWindow(
  windows: readonly ast.WithinExpr[],
  scope: EvaluationScope,
  evaluate: Evaluate,
): ast.WithinExpr | undefined {
  return windows.find((one) => isWindowOpen(one, scope, evaluate));
}

/** Returns when a window closes in words. */
export function closingWords(expr: ast.WithinExpr, scope: EvaluationScope, evaluate: Evaluate): string {
  const { end, now, refused } = windowTimes(expr, scope, evaluate);
  if (now === undefined) return "the clock is not set";
  if (refused !== undefined && end === undefined) return refused;
  const { kind } = timeOf(expr, scope);
  const last = numberOf(kind, end);
  return last === undefined
    ? "it is unknown when the window closes"
    : `the window closes after ${timeText(kind, last)}`;
}
