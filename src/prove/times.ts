/**
 * Times for the brute-force matcher, where they are ISO 8601 text. Computed with `Date` and by asking `Intl` for every instant:
 * written separately from the engine, to be compared with it.
 */
import type { Maybe, Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { Type } from "../language/check/types.ts";
import { orderOf } from "./compare.ts";
import { writtenOut } from "./texts.ts";

const MS_PER_DAY = 86_400_000;
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** Returns milliseconds: those since 1970 at the beginning of a date, those since 1970 of an instant, those of a duration. */
export function millisecondsOf(text: Maybe): number | undefined {
  if (typeof text !== "string") return undefined;
  if (/^[+-]?P/u.test(text)) return durationOf(text);
  const day = /^(\d+)-(\d+)-(\d+)/u.exec(text);
  if (day === null || !exists(day[0])) return undefined;
  const time =
    text.length === day[0].length
      ? `${text}T00:00:00Z`
      : text.replace(/([+-]\d\d)(\d\d)?$/u, (_, h, m) => `${h}:${m ?? "00"}`);
  const cut = time.replace(/(\.\d{3})\d+/u, "$1");
  const ms = /(?:Z|[+-]\d\d:\d\d)$/u.test(cut) ? Date.parse(cut) : NaN;
  return ms >= FIRST && ms <= LAST ? ms : undefined;
}

/** Returns whether there is such a day: `Date` gives none for 30 February, or the next that exists. */
function exists(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

function durationOf(text: string): number | undefined {
  const parts = /^([+-]?)P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/u.exec(text);
  if (parts === null || /[PT]$/u.test(text)) return undefined;
  const [weeks, days, hours, minutes] = parts.slice(2, 6).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  const size = ((weeks * 7 + days) * 24 + hours) * 3_600_000 + minutes * 60_000 + Number(`${parts[6] ?? 0}e3`);
  return parts[1] === "-" && size !== 0 ? -size : size;
}

/** Returns whether milliseconds are within the years that times can have. */
export function isPointInTime(ms: number): boolean {
  return Math.floor(ms) >= FIRST && Math.floor(ms) <= LAST;
}

/** Returns the text of milliseconds that are a date, an instant or a duration; undefined when there is none. */
function textOf(kind: string, ms: number | undefined): Maybe {
  if (ms === undefined || Number.isNaN(ms)) return undefined;
  if (kind === "duration") return Math.abs(ms) <= 20_000 * 366 * MS_PER_DAY ? durationText(ms) : undefined;
  if (!(ms >= FIRST && ms <= LAST)) return undefined;
  const text = new Date(ms).toISOString();
  return kind === "date" ? text.slice(0, 10) : text.replace(".000Z", "Z");
}

function durationText(ms: number): string {
  const sign = ms < 0 ? "-" : "";
  let rest = Math.abs(ms);
  if (rest % 1 !== 0) return `${sign}PT${inSeconds(rest)}S`;
  const take = (unit: number): number => {
    const whole = (rest - (rest % unit)) / unit;
    rest %= unit;
    return whole;
  };
  const days = take(MS_PER_DAY);
  const clock = (
    [
      [take(3_600_000), "H"],
      [take(60_000), "M"],
    ] as const
  )
    .map(([count, unit]) => (count === 0 ? "" : `${count}${unit}`))
    .join("");
  const whole = `${days === 0 ? "" : `${days}D`}${clock === "" && rest === 0 ? "" : `T${clock}${rest === 0 ? "" : `${inSeconds(rest)}S`}`}`;
  return whole === "" ? "PT0S" : `${sign}P${whole}`;
}

/** Returns milliseconds in seconds, as decimals. */
function inSeconds(ms: number): string {
  const [whole = "", fraction = ""] = writtenOut(ms).split(".");
  const digits = whole.padStart(4, "0");
  const decimals = `${digits.slice(-3)}${fraction}`.replace(/0+$/u, "");
  return `${Number(digits.slice(0, -3))}${decimals === "" ? "" : `.${decimals}`}`;
}

// ---------------------------------------------------------------- computing

/** Returns a written time as text, and months as their number. */
export function literalOf(expr: ast.TimeExpr | ast.AmountExpr): Maybe {
  if (expr.kind === "time") return textOf(expr.of, millisecondsOf(expr.written));
  const lengths: Readonly<Record<string, number>> = {
    m: 0,
    s: 1000,
    h: 3_600_000,
    d: MS_PER_DAY,
    w: 7 * MS_PER_DAY,
    y: 12,
  };
  const unit = expr.unit.toLowerCase();
  if (unit.startsWith("month")) return expr.amount;
  if (unit.startsWith("y")) return expr.amount * 12;
  const length = unit.startsWith("min") ? 60_000 : unit.startsWith("m") ? 1 : (lengths[unit.charAt(0)] ?? 0);
  return textOf("duration", expr.amount * length);
}

/** Returns the result of an operator with the types of its sides, such as `date + duration`. */
export function timeStep(operator: string, left: Maybe, right: Maybe): Maybe {
  const [a = "", op = "", b = ""] = operator.split(" ");
  if (op === "&") return joined(left, right);
  if (a === "months" || b === "months") return withMonths(a, op, b, left, right);
  const x = a === "number" ? left : millisecondsOf(left);
  const y = b === "number" ? right : millisecondsOf(right);
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  if (op === "/" && b === "duration") return ordinary(x / y);
  if (op === "*") return textOf("duration", x * y);
  if (op === "/") return textOf("duration", ordinary(x / y));
  if (op === "%") return textOf("duration", ordinary(x % y));
  const sum = op === "+" ? x + y : x - y;
  const kind = op === "-" && a === b ? "duration" : a === "duration" ? b : a;
  if (kind === "date" && (a === "duration" ? x : y) % MS_PER_DAY !== 0) return undefined;
  return textOf(kind, kind === "instant" ? Math.floor(sum) : sum);
}

function joined(left: Maybe, right: Maybe): Maybe {
  if (left === undefined || right === undefined || typeof left === "object" || typeof right === "object")
    return undefined;
  return `${left}${right}`;
}

function ordinary(number: number): number | undefined {
  return Number.isFinite(number) ? number + 0 : undefined;
}

function withMonths(a: string, op: string, b: string, left: Maybe, right: Maybe): Maybe {
  if (typeof left === "number" && typeof right === "number") {
    const result = op === "*" ? left * right : op === "+" ? left + right : left - right;
    return Number.isSafeInteger(result) ? result + 0 : undefined;
  }
  const months = a === "months" ? left : right;
  const date = a === "months" ? right : left;
  if (typeof months !== "number" || (a !== "date" && b !== "date")) return undefined;
  return textOf("date", monthsLater(millisecondsOf(date), op === "-" ? -months : months));
}

/** Returns the same time of day some months later: the month is stepped to, and the day is the last that it has. */
function monthsLater(ms: number | undefined, months: number): number | undefined {
  if (ms === undefined || !Number.isSafeInteger(months) || Math.abs(months) > 120_000) return undefined;
  const from = new Date(ms);
  for (let day = from.getUTCDate(); day > 0; day -= 1) {
    const to = new Date(ms);
    to.setUTCFullYear(from.getUTCFullYear(), from.getUTCMonth() + months, day);
    if (to.getUTCDate() !== day) continue;
    return to.getUTCFullYear() < 1 || to.getUTCFullYear() > 9999 ? undefined : to.getTime();
  }
  return undefined;
}

/** Returns how two times compare, by their type. */
export function orderOfTimes(type: Type | undefined, left: Maybe, right: Maybe): number | undefined {
  const isTime = type?.kind === "date" || type?.kind === "instant" || type?.kind === "duration";
  return isTime ? orderOf(millisecondsOf(left), millisecondsOf(right)) : orderOf(left, right);
}

export function negatedDuration(value: Maybe): Maybe {
  const ms = millisecondsOf(value);
  return ms === undefined ? undefined : textOf("duration", 0 - ms);
}

/** Returns a time in milliseconds, also as the first of several parts. */
function valueInMilliseconds(one: Maybe): Maybe {
  if (!Array.isArray(one)) return millisecondsOf(one);
  const [first, ...rest] = one as readonly Value[];
  const value = millisecondsOf(first);
  return value === undefined ? undefined : [value, ...rest];
}

/** Returns the text of an aggregate of times whose values are given as text. */
export function overTimes(type: Type, values: readonly Maybe[], aggregate: (values: readonly Maybe[]) => Maybe): Maybe {
  const result = aggregate(values.map(valueInMilliseconds));
  return typeof result === "number" ? textOf(type.kind, result) : undefined;
}

// ---------------------------------------------------------------- functions

/** Returns the value of a function of times; undefined for any other name. */
export function callOnTimes(name: string, args: readonly Maybe[]): Maybe {
  const [first, second, third] = args;
  switch (name) {
    case "parse_date":
    case "parse_instant":
    case "parse_duration":
      return isText(name.slice(6), first) ? textOf(name.slice(6), millisecondsOf(first)) : undefined;
    case "days_between": {
      const [from, to] = [millisecondsOf(first), millisecondsOf(second)];
      return from === undefined || to === undefined ? undefined : (to - from) / MS_PER_DAY;
    }
    case "start_of":
      return textOf("date", edge(first, millisecondsOf(second), -1));
    case "end_of":
      return textOf("date", edge(first, millisecondsOf(second), 1));
    case "date":
      return textOf("date", dayOf(readingOf(millisecondsOf(first), second)));
    case "hour":
    case "minute": {
      const reading = readingOf(millisecondsOf(first), second);
      if (reading === undefined) return undefined;
      return name === "hour" ? new Date(reading).getUTCHours() : new Date(reading).getUTCMinutes();
    }
    case "instant":
      return textOf("instant", firstReading(millisecondsOf(first), second));
    case "plus": {
      const later =
        typeof second === "number" ? monthsLater(readingOf(millisecondsOf(first), third), second) : undefined;
      return textOf("instant", instantWith(later, third));
    }
    default:
      return partOf(name, millisecondsOf(first));
  }
}

function isText(kind: string, text: Maybe): boolean {
  if (typeof text !== "string") return false;
  if (kind === "duration") return text.includes("P");
  return kind === "date" ? /^\d{4}-\d\d-\d\d$/u.test(text) : /^\d{4}-\d\d-\d\dT\d\d:\d\d/u.test(text);
}

function partOf(name: string, ms: number | undefined): number | undefined {
  if (ms === undefined) return undefined;
  const date = new Date(ms);
  switch (name) {
    case "year":
      return date.getUTCFullYear();
    case "month":
      return date.getUTCMonth() + 1;
    case "day":
      return date.getUTCDate();
    case "weekday":
      return date.getUTCDay() === 0 ? 7 : date.getUTCDay();
    case "week":
      return weekOf(date);
    default:
      return undefined;
  }
}

/** Counts the Thursdays of the year up to the one in the week of the date. */
function weekOf(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * MS_PER_DAY);
  const january = new Date(thursday);
  january.setUTCMonth(0, 1);
  return Math.floor((thursday.getTime() - january.getTime()) / (7 * MS_PER_DAY)) + 1;
}

/** Returns the first or last day of a unit: steps day by day while the unit stays the same. */
function edge(unit: Maybe, ms: number | undefined, direction: 1 | -1): number | undefined {
  if (ms === undefined) return undefined;
  const unitOf = (at: number): string => {
    const date = new Date(at);
    const year = date.getUTCFullYear();
    const month = date.getUTCMonth();
    if (unit === "week") return String(Math.floor((at / MS_PER_DAY + 3) / 7));
    return unit === "year" ? `${year}` : `${year} ${unit === "quarter" ? Math.floor(month / 3) : month}`;
  };
  let at = ms;
  while (unitOf(at + direction * MS_PER_DAY) === unitOf(ms)) at += direction * MS_PER_DAY;
  return at;
}

const FORMATS = new Map<string, Intl.DateTimeFormat | undefined>();

function formatOf(zone: Maybe): Intl.DateTimeFormat | undefined {
  if (typeof zone !== "string") return undefined;
  if (!FORMATS.has(zone)) FORMATS.set(zone, makeFormat(zone));
  return FORMATS.get(zone);
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!/^[a-z]/iu.test(timeZone)) return undefined;
  const two = "2-digit";
  try {
    return new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      year: "numeric",
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
  } catch {
    return undefined;
  }
}

/** Returns whether a zone is known. */
export function isZone(zone: Maybe): boolean {
  return formatOf(zone) !== undefined;
}

/**
 * Returns what clocks show at an instant, as if it were UTC. Swedish dates are written as in ISO 8601, without a sign before the
 * year 1: what is shown there is no reading.
 */
function readingOf(ms: number | undefined, zone: Maybe): number | undefined {
  const format = formatOf(zone);
  if (ms === undefined || format === undefined) return undefined;
  const parts = format.format(ms).split(/\D+/u).map(Number);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const shown = new Date(0);
  shown.setUTCFullYear(year, month - 1, day);
  shown.setUTCHours(hour, minute, second, ((ms % 1000) + 1000) % 1000);
  return Math.abs(shown.getTime() - ms) < 2 * MS_PER_DAY ? shown.getTime() : undefined;
}

/** Returns what clocks show at an instant, in ISO 8601; undefined outside the years 1 to 9999. */
export function wallClock(ms: number, zone: string): string | undefined {
  const reading = readingOf(ms, zone);
  return reading !== undefined && reading >= FIRST && reading <= LAST ? new Date(reading).toISOString() : undefined;
}

function dayOf(reading: number | undefined): number | undefined {
  return reading === undefined ? undefined : Math.floor(reading / MS_PER_DAY) * MS_PER_DAY;
}

/** Returns the first instant at which clocks show a day or a later one: every minute is looked at. */
function firstReading(day: number | undefined, zone: Maybe): number | undefined {
  if (day === undefined || formatOf(zone) === undefined) return undefined;
  const reaches = (at: number): boolean => (readingOf(at, zone) ?? -Infinity) >= day;
  let at = day - MS_PER_DAY;
  while (!reaches(at)) at += 60_000;
  while (reaches(at - 1000)) at -= 1000;
  return at;
}

/** Returns the last day that has begun in a zone at an instant. */
export function dayOn(instant: string | undefined, zone: string): Maybe {
  const ms = millisecondsOf(instant);
  const shown = dayOf(readingOf(ms, zone));
  if (ms === undefined || shown === undefined) return undefined;
  for (let day = shown + MS_PER_DAY; day >= shown - 3 * MS_PER_DAY; day -= MS_PER_DAY) {
    if ((firstOf(day, zone) ?? Infinity) <= ms) return textOf("date", day);
  }
  return undefined;
}

const FIRST_INSTANTS = new Map<string, number | undefined>();

/** Returns the first instant of a day, looked for once. */
function firstOf(day: number, zone: string): number | undefined {
  const key = `${day} ${zone}`;
  if (!FIRST_INSTANTS.has(key)) FIRST_INSTANTS.set(key, firstReading(day, zone));
  return FIRST_INSTANTS.get(key);
}

/** Returns the instant with a reading: the earlier of two; in a gap, as much later as clocks jump. */
function instantWith(reading: number | undefined, zone: Maybe): number | undefined {
  if (reading === undefined) return undefined;
  const offsets = [-MS_PER_DAY, MS_PER_DAY].map((by) => (readingOf(reading + by, zone) ?? NaN) - (reading + by));
  const found = offsets.map((offset) => reading - offset).filter((at) => readingOf(at, zone) === reading);
  return found.length > 0 ? Math.min(...found) : reading - (offsets[0] ?? NaN);
}
