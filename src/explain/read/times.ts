/**
 * Times in explanations: a value is its ISO 8601 text, as people read it, and becomes a number only while something is computed.
 */
import { isTimeKind, type TimeKind, timeNumbers, timeTexts } from "../../base/time.ts";
import type { Maybe, Value } from "../../base/value.ts";
import { aggregateNamed } from "../../functions/aggregates.ts";
import { calledFunction } from "../../functions/functions.ts";
import { TIME_ARITHMETIC, TIME_JOINS, timeResult } from "../../functions/operator/time.ts";
import type * as ast from "../../language/ast.ts";
import type { CheckedProgram } from "../../language/check/program.ts";

type Program = Pick<CheckedProgram, "times">;

/** Returns the kind of the times that an expression gives, or lists; undefined when it gives none. */
export function timeKind({ times }: Program, expr: ast.Value | null): TimeKind | undefined {
  let type = expr === null ? undefined : times.types.get(expr);
  while (type?.kind === "list") type = type.item;
  return type !== undefined && isTimeKind(type.kind) ? type.kind : undefined;
}

/** Returns a written time as text, and months as their number. */
export function literalText(expr: ast.TimeExpr | ast.AmountExpr): Maybe {
  return expr.of === "months" ? expr.value : timeTexts(expr.of, expr.value);
}

/** Returns the result of an operator between two values, such as `date + duration`. */
export function timeStep(operator: string, left: Maybe, right: Maybe): Maybe {
  if (TIME_JOINS.has(operator)) return joined(left, right);
  const [leftKind = "", , rightKind = ""] = operator.split(" ");
  const result = TIME_ARITHMETIC.get(operator)?.(inside(leftKind, left), inside(rightKind, right));
  return outside(resultKind(operator), result);
}

function joined(left: Maybe, right: Maybe): Maybe {
  if (left === undefined || right === undefined || typeof left === "object" || typeof right === "object")
    return undefined;
  return `${left}${right}`;
}

function resultKind(operator: string): string {
  return timeResult(...(operator.split(" ") as [string, string, string])) ?? "number";
}

/** Returns a value as it is computed with. */
function inside(kind: string, value: Maybe): Maybe {
  return isTimeKind(kind) ? timeNumbers(kind, value) : value;
}

/** Returns a computed value as text. */
function outside(kind: string, value: Maybe): Maybe {
  return isTimeKind(kind) ? timeTexts(kind, value) : value;
}

/** Returns two values that are compared: as numbers where they are times. */
export function compared(kind: TimeKind | undefined, left: Maybe, right: Maybe): readonly [Maybe, Maybe] {
  return kind === undefined ? [left, right] : [timeNumbers(kind, left), timeNumbers(kind, right)];
}

/** Returns a duration with the other sign. */
export function negated(value: Maybe): Maybe {
  const number = timeNumbers("duration", value);
  return typeof number === "number" ? timeTexts("duration", 0 - number) : undefined;
}

/** Returns the arguments of a built-in function as it computes with them. */
export function argumentsInside(name: string, args: readonly Maybe[]): readonly Maybe[] {
  const params = calledFunction(name)?.signature.params ?? [];
  return params.some(({ type }) => isTimeKind(type.kind))
    ? args.map((arg, index) => inside(params[index]?.type.kind ?? "any", arg))
    : args;
}

/** Returns the result of a built-in function as text where it is a time. */
export function resultOutside(name: string, value: Maybe): Maybe {
  const result = calledFunction(name)?.signature.result;
  return result === undefined || result === "argument" ? value : outside(result.kind, value);
}

/** Returns the value of an aggregate over values in text. */
export function aggregateValue(program: Program, fn: string, value: ast.Expr | null, values: readonly Maybe[]): Maybe {
  const aggregate = aggregateNamed(fn);
  const kind = timeKind(program, value);
  if (kind === undefined || (aggregate.takes !== "numbers" && aggregate.takes !== "ordered"))
    return aggregate.compute(values);
  const inside = (one: Maybe): Maybe => {
    if (aggregate.count === undefined || !Array.isArray(one)) return timeNumbers(kind, one);
    const [first, ...rest] = one as readonly Maybe[];
    return [timeNumbers(kind, first), ...rest] as readonly Value[];
  };
  return timeTexts(kind, aggregate.compute(values.map(inside)));
}
