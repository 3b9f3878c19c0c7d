/** Types of computations with times, and where times become text. */
import { isTimeKind } from "../../base/time.ts";
import { timeResult } from "../../functions/operator/time.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { describe, holdsTime, isText, isTime, REPORTED, STRING, type Type } from "./types.ts";
import { carryValueFields } from "./value-fields.ts";

/** Notes that a value which may hold times becomes text where something else is expected. */
export function noteText(cx: Context, value: ast.Value, type: Type, wanted: Type): void {
  if (holdsTime(type) && !holdsTime(wanted)) cx.times.texts.set(value, true);
}

/** Notes of a copy what is noted of an expression. */
export function carryTimes({ times }: Context, from: ast.Expr, to: ast.Expr): void {
  const type = times.types.get(from);
  if (type !== undefined) times.types.set(to, type);
  if (times.texts.has(from)) times.texts.set(to, true);
  const operators = from.kind === "chain" ? times.operators.get(from) : undefined;
  if (operators !== undefined && to.kind === "chain") times.operators.set(to, operators);
}

/** Returns the value that a name stands for; a copy of it where the name is used as text. */
export function asText(cx: Context, name: ast.PathExpr, value: ast.Expr): ast.Expr {
  if (!cx.times.texts.has(name)) return value;
  const copy = { ...value };
  carryTimes(cx, value, copy);
  const table = value.kind === "call" ? cx.tables.uses.get(value) : undefined;
  if (table !== undefined && copy.kind === "call") cx.tables.uses.set(copy, table);
  if (copy.kind === "path" && value.kind === "path") {
    const resolution = cx.resolutions.get(value);
    if (resolution !== undefined) cx.resolutions.set(copy, resolution);
  }
  carryValueFields(cx, value, copy);
  cx.times.texts.set(copy, true);
  return copy;
}

interface Step {
  readonly left: Type;
  readonly op: string;
  readonly right: Type;
  /** Which operator of the chain this is, from 0. */
  readonly index: number;
}

/** Returns the type of one step of a sum or product in which a time takes part; undefined when none does. */
export function timeStep(cx: Context, chain: ast.ChainExpr, { left, op, right, index }: Step): Type | undefined {
  if (!isTime(left) && !isTime(right)) return undefined;
  if (left === REPORTED || right === REPORTED) return REPORTED;
  const joined = op === "+" ? joinOperator(left, right) : undefined;
  const result = joined === undefined ? timeResult(left.kind, op, right.kind) : undefined;
  if (joined === undefined && result === undefined) {
    const message = `"${op}" cannot be applied to ${describe(left)} and ${describe(right)}`;
    cx.report.error("E203", chain.span, message, stepHint(left, right));
    return isTime(left) ? left : right;
  }
  const operators = [...(cx.times.operators.get(chain) ?? chain.ops)];
  operators[index] = joined ?? `${left.kind} ${op} ${right.kind}`;
  cx.times.operators.set(chain, operators);
  return result === undefined ? STRING : { kind: result };
}

/** Returns the operator that joins a time to a string: the time becomes its text. */
function joinOperator(left: Type, right: Type): string | undefined {
  const isJoined = (type: Type): boolean => isText(type) || type.kind === "any";
  if (isTimeKind(left.kind) && isJoined(right)) return `${left.kind} & string`;
  return isJoined(left) && isTimeKind(right.kind) ? `string & ${right.kind}` : undefined;
}

function stepHint(left: Type, right: Type): string | undefined {
  const kinds = new Set<string>([left.kind, right.kind]);
  if (kinds.has("months") && (kinds.has("instant") || kinds.has("duration"))) {
    return "months have no fixed length: add them to a date, or write plus(i, 1 month, zone)";
  }
  if (kinds.has("number")) return "give the number a unit: x * 1 day";
  if (kinds.has("date") && kinds.has("instant")) return "convert one of them: date(i, zone) or instant(d, zone)";
  return kinds.has("any") ? "convert the value: parse_date(x), parse_instant(x) or parse_duration(x)" : undefined;
}

/** Returns what to write instead of comparing a time with something else. */
export function timeComparisonHint(left: Type, right: Type): string | undefined {
  const kinds = new Set<string>([left.kind, right.kind]);
  if (kinds.has("date") && kinds.has("instant")) return "convert one of them: date(i, zone) or instant(d, zone)";
  const time = isTime(left) ? left : right;
  const other = isTime(left) ? right : left;
  if (isText(other) || other.kind === "any") {
    const literal = time.kind === "date" ? "@2026-11-16" : time.kind === "instant" ? "@2026-11-16T09:30:00Z" : "15 min";
    return `write ${describe(time)}s as ${literal}; convert a string with parse_${time.kind}(x)`;
  }
  return other.kind === "number" && time.kind === "duration" ? "give the number a unit: 5 min" : undefined;
}
