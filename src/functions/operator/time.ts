/**
 * Arithmetic with times. The checker knows the types of both sides, so every operator has a name that says them, and works on
 * numbers. A result out of range is unknown.
 */
import { addMonths } from "../../base/civil.ts";
import { DAY, isInRange, type TimeKind, timeTexts } from "../../base/time.ts";
import type { Maybe } from "../../base/value.ts";
import { toText } from "./cast.ts";

/** The types that take part: those of fields, numbers, and months, whose length differs. */
export type TimeOperand = TimeKind | "months" | "number";

interface TimeOperator {
  readonly result: TimeOperand;
  readonly compute: (left: number, right: number) => number | undefined;
}

/** Returns the date some days later, for a duration of whole days. */
function addDays(date: number, milliseconds: number): number | undefined {
  return milliseconds % DAY === 0 ? date + milliseconds / DAY : undefined;
}

const OPERATORS: ReadonlyMap<string, TimeOperator> = new Map<string, TimeOperator>([
  ["date + duration", { result: "date", compute: addDays }],
  ["duration + date", { result: "date", compute: (duration, date) => addDays(date, duration) }],
  ["date - duration", { result: "date", compute: (date, duration) => addDays(date, -duration) }],
  ["date + months", { result: "date", compute: addMonths }],
  ["months + date", { result: "date", compute: (months, date) => addMonths(date, months) }],
  ["date - months", { result: "date", compute: (date, months) => addMonths(date, -months) }],
  ["date - date", { result: "duration", compute: (a, b) => (a - b) * DAY }],
  ["instant + duration", { result: "instant", compute: (a, b) => Math.floor(a + b) }],
  ["duration + instant", { result: "instant", compute: (a, b) => Math.floor(a + b) }],
  ["instant - duration", { result: "instant", compute: (a, b) => Math.floor(a - b) }],
  ["instant - instant", { result: "duration", compute: (a, b) => a - b }],
  ["duration + duration", { result: "duration", compute: (a, b) => a + b }],
  ["duration - duration", { result: "duration", compute: (a, b) => a - b }],
  ["duration * number", { result: "duration", compute: (a, b) => a * b }],
  ["number * duration", { result: "duration", compute: (a, b) => a * b }],
  ["duration / number", { result: "duration", compute: (a, b) => a / b }],
  ["duration / duration", { result: "number", compute: (a, b) => a / b }],
  ["duration % duration", { result: "duration", compute: (a, b) => a % b }],
  ["months + months", { result: "months", compute: (a, b) => a + b }],
  ["months - months", { result: "months", compute: (a, b) => a - b }],
  ["months * number", { result: "months", compute: (a, b) => a * b }],
  ["number * months", { result: "months", compute: (a, b) => a * b }],
]);

/** Returns the type of `left op right`; undefined when there is no such operator. */
export function timeResult(left: string, op: string, right: string): TimeOperand | undefined {
  return OPERATORS.get(`${left} ${op} ${right}`)?.result;
}

/** The operators by name, such as `date + duration`, as functions of values. */
export const TIME_ARITHMETIC: ReadonlyMap<string, (left: Maybe, right: Maybe) => Maybe> = new Map(
  [...OPERATORS].map(([name, { result, compute }]) => [
    name,
    (left: Maybe, right: Maybe): Maybe => {
      if (typeof left !== "number" || typeof right !== "number") return undefined;
      const value = compute(left, right);
      return value === undefined || !isResult(result, value) ? undefined : value + 0;
    },
  ]),
);

/**
 * The operators that take an operand of the clock to the other side of a comparison. With them `now + d >= t` is true exactly when
 * `now >= t - d` is: sums of instants are rounded down, and dates take whole days only.
 */
export const TIME_SOLVING: ReadonlyMap<string, (left: Maybe, right: Maybe) => Maybe> = new Map(
  Object.entries<(other: number, operand: number) => number | undefined>({
    "solve instant + duration": (other, duration) => other - Math.floor(duration),
    "solve instant - duration": (other, duration) => other + Math.ceil(duration),
    "solve date + duration": (other, duration) => addDays(other, -duration),
    "solve date - duration": addDays,
    "solve date - date": (other, date) => other / DAY + date,
    "solve x - date": (other, date) => date - other / DAY,
    "solve x -": (other, operand) => operand - other,
  }).map(([name, compute]) => [
    name,
    (left: Maybe, right: Maybe): Maybe =>
      typeof left === "number" && typeof right === "number" ? compute(left, right) : undefined,
  ]),
);

/** The operators that join the text of a time to a string. */
export const TIME_JOINS: ReadonlyMap<string, (left: Maybe, right: Maybe) => Maybe> = new Map(
  (["date", "instant", "duration"] as const).flatMap((kind) => [
    [`${kind} & string`, (left: Maybe, right: Maybe) => joined(timeTexts(kind, left), toText(right))] as const,
    [`string & ${kind}`, (left: Maybe, right: Maybe) => joined(toText(left), timeTexts(kind, right))] as const,
  ]),
);

function joined(left: Maybe, right: Maybe): string | undefined {
  return typeof left === "string" && typeof right === "string" ? left + right : undefined;
}

function isResult(kind: TimeOperand, value: number): boolean {
  if (kind === "number") return Number.isFinite(value);
  return kind === "months" ? Number.isSafeInteger(value) : isInRange(kind, value);
}
