/**
 * `over last n` by definition: of the facts that are counted for certain, fewer than n come after this one. A fact that may be counted,
 * and one of which nobody knows when it was, may come after any other. Every pair of facts is compared.
 */
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import { zoneOf } from "../language/check/clock.ts";
import type { Place } from "./place.ts";
import { dayOn, millisecondsOf } from "./times.ts";
import { fieldOf, type OracleFact } from "./world.ts";

/** A fact for which the other tests of the pattern are true, or, when not `sure`, may be. */
export interface Counted {
  readonly own: OracleFact;
  readonly sure: boolean;
}

/** Returns a list of tests without the window, and the window; undefined where there is none. */
export function parted(tests: readonly ast.Expr[]): {
  readonly last: ast.LastExpr | undefined;
  readonly others: readonly ast.Expr[];
} {
  const all = tests.flatMap(terms);
  const last = all.find((test) => test.kind === "last");
  return last === undefined ? { last, others: tests } : { last, others: all.filter((test) => test !== last) };
}

function terms(test: ast.Expr): ast.Expr[] {
  return test.kind === "logic" && test.op === "and" ? test.items.flatMap(terms) : [test];
}

/** Returns the facts that are among the last ones, and those that may be. */
export function amongLast(
  expr: ast.LastExpr,
  counted: readonly Counted[],
  place: Place,
  evaluate: (expr: ast.Value, place: Place) => Maybe,
): Counted[] {
  const { key } = expr;
  const outside: Place = { world: place.world, bindings: place.bindings };
  const passed = place.passed === undefined ? outside : { ...outside, passed: place.passed };
  const count = numberOf(evaluate(writtenCount(expr), passed));
  const aged = counted.flatMap(({ own, sure }): Aged[] => {
    const at = key === null ? 0 : timeOf(own, key, expr, place);
    const come = key === null ? true : hasCome(at, key, expr, place);
    return come === false ? [] : [{ own, at, sure: sure && come === true }];
  });
  return aged.flatMap((one) => {
    const truth = count === undefined ? undefined : isAmong(one, aged, count);
    return truth === false ? [] : [{ own: one.own, sure: truth === true }];
  });
}

interface Aged extends Counted {
  readonly at: number | undefined;
}

function isAmong({ own, at, sure }: Aged, all: readonly Aged[], count: number): Truth {
  if (at === undefined) return undefined;
  const others = all.filter((one) => one.own !== own);
  const later = others.filter(
    (one) => one.at !== undefined && (one.at > at || (one.at === at && one.own.order > own.order)),
  );
  const certain = later.filter((one) => one.sure).length;
  const possible = later.length + others.filter((one) => one.at === undefined).length;
  if (certain >= count) return false;
  return sure && possible < count ? true : undefined;
}

/** Returns an integer above zero; undefined for anything else. */
function numberOf(count: Maybe): number | undefined {
  return typeof count === "number" && count >= 1 && count % 1 === 0 ? count : undefined;
}

function writtenCount({ count }: ast.LastExpr): ast.Value {
  return (count.kind === "call" ? count.args[0] : undefined) ?? count;
}

function kindOf(key: ast.PathExpr, { type }: ast.LastExpr, { world }: Place): string | undefined {
  const name = (key.fields.at(-1) ?? key.root).name;
  return world.program.symbols.type(type.name)?.fields.get(name)?.type.kind;
}

function timeOf(own: OracleFact, key: ast.PathExpr, expr: ast.LastExpr, place: Place): number | undefined {
  const value = fieldOf(own, (key.fields.at(-1) ?? key.root).name);
  if (kindOf(key, expr, place) !== "number") return millisecondsOf(value);
  return typeof value === "number" ? value : undefined;
}

/** Returns whether the clock has reached the time of a fact; true where its key is no time. */
function hasCome(at: number | undefined, key: ast.PathExpr, expr: ast.LastExpr, place: Place): Truth {
  const kind = kindOf(key, expr, place);
  if (kind === "number") return true;
  const { clock, program } = place.world;
  const now = millisecondsOf(kind === "date" ? dayOn(clock, zoneOf(program)) : clock);
  return at === undefined || now === undefined ? undefined : at <= now;
}
