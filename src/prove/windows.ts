/**
 * Windows such as `within 30 days after i.issued`, by definition: the time of the fact is between both ends and has come; the window is
 * open until its upper end has passed. Computed in milliseconds, with the fields as text. A length that no window can have is no length.
 */
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import { zoneOf } from "../language/check/clock.ts";
import { allOf } from "./compare.ts";
import type { Place } from "./place.ts";
import { dayOn, isPointInTime, millisecondsOf, timeStep } from "./times.ts";
import { fieldOf } from "./world.ts";

type Evaluate = (expr: ast.Value, place: Place) => Maybe;

/** Returns the windows among tests, also in an `and`. */
export function windowsAmong(tests: readonly ast.Expr[]): ast.WithinExpr[] {
  return tests.flatMap((test) => {
    if (test.kind === "logic" && test.op === "and") return windowsAmong(test.items);
    return test.kind === "within" ? [test] : [];
  });
}

/** Returns the windows of patterns, also of those inside `not`, `exists` and `or`. */
export function windowsInside(elements: readonly ast.Element[]): ast.WithinExpr[] {
  return elements.flatMap((element): ast.WithinExpr[] => {
    if (element.kind === "pattern") return windowsAmong(element.tests);
    if (element.kind === "forall" || element.kind === "aggregate") return windowsAmong(element.pattern.tests);
    if (element.kind === "or") return element.alternatives.flatMap(windowsInside);
    return element.kind === "absence" ? windowsInside(element.elements) : [];
  });
}

interface Ends {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

function timeField({ by, type }: ast.WithinExpr, { world }: Place): { readonly name: string; readonly kind: string } {
  const fields = [...(world.program.symbols.type(type.name)?.fields.values() ?? [])];
  const wanted = by === null ? undefined : (by.fields.at(-1) ?? by.root).name;
  const field = fields.find((one) => (wanted === undefined ? one.at === true : one.name === wanted));
  return { name: field?.name ?? "", kind: field?.type.kind ?? "" };
}

function endsOf(expr: ast.WithinExpr, place: Place, evaluate: Evaluate): Ends {
  const outside: Place = { ...place };
  const anchor = evaluate(expr.anchor, outside);
  const written = evaluate(expr.length, outside);
  const length = isNegative(written) ? undefined : written;
  const at = millisecondsOf(anchor);
  const later = expr.side === "after";
  if (timeField(expr, place).kind === "instant") {
    const span = millisecondsOf(length);
    const far = at === undefined || span === undefined ? undefined : later ? at + span : at - span;
    return later ? { from: at, to: far } : { from: far, to: at };
  }
  const lengthKind = place.world.program.times.types.get(expr.length)?.kind ?? "months";
  const far = millisecondsOf(timeStep(`date ${later ? "+" : "-"} ${lengthKind}`, anchor, length));
  return later ? { from: at, to: far } : { from: far, to: at };
}

/** Returns whether a duration, or a number of months, is below zero. */
function isNegative(length: Maybe): boolean {
  return (typeof length === "number" ? length : (millisecondsOf(length) ?? 0)) < 0;
}

/** Returns what the clock shows: the instant, or the beginning of the day. */
function clockOf({ kind }: { readonly kind: string }, { world }: Place): number | undefined {
  return millisecondsOf(kind === "date" ? dayOn(world.clock, zoneOf(world.program)) : world.clock);
}

/** Returns whether the fact of a window is in it. */
export function isWithin(expr: ast.WithinExpr, place: Place, evaluate: Evaluate): Truth {
  const { from, to } = endsOf(expr, place, evaluate);
  const field = timeField(expr, place);
  const bound = expr.variable === null ? undefined : place.bindings.get(expr.variable.name);
  const own =
    expr.variable === null
      ? place.own
      : bound !== undefined && "fact" in bound
        ? place.world.get(bound.fact)
        : undefined;
  const time = own === undefined ? undefined : millisecondsOf(fieldOf(own, field.name));
  const now = clockOf(field, place);
  const notAfter = (a: number | undefined, b: number | undefined): Truth =>
    a === undefined || b === undefined ? undefined : a <= b;
  return allOf([notAfter(from, time), notAfter(time, to), notAfter(time, now)]);
}

/** Returns whether a window is open, or it is unknown when it closes. */
export function isOpen(expr: ast.WithinExpr, place: Place, evaluate: Evaluate): boolean {
  const { to } = endsOf(expr, place, evaluate);
  const now = clockOf(timeField(expr, place), place);
  return to === undefined || !isPointInTime(to) || now === undefined || now <= to;
}
