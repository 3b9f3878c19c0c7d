/**
 * Dates, instants and durations: inside they are numbers, outside ISO 8601 text.
 *
 * A date is whole days since 1970-01-01, an instant whole milliseconds since 1970-01-01T00:00Z, a duration milliseconds, which may
 * be negative or fractional. Every value has one text, and reading it again gives the same value.
 */
import { civilOf, daysInMonth, daysOf, FIRST_DAY, isDay, LAST_DAY } from "./civil.ts";
import type { Maybe, Value } from "./value.ts";

/** The types of time that fields can have. */
export type TimeKind = "date" | "instant" | "duration";

export const SECOND = 1000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;
export const DAY: number = 24 * HOUR;

const FIRST_INSTANT = FIRST_DAY * DAY;
const LAST_INSTANT = (LAST_DAY + 1) * DAY - 1;
/** The longest duration, 20,000 years of 366 days: sums of three such numbers are exact. */
const LONGEST = 20_000 * 366 * DAY;

export function isTimeKind(kind: string): kind is TimeKind {
  return kind === "date" || kind === "instant" || kind === "duration";
}

/** Returns whether a number is a value of the kind. */
export function isInRange(kind: TimeKind, value: number): boolean {
  switch (kind) {
    case "date":
      return isDay(value);
    case "instant":
      return Number.isInteger(value) && value >= FIRST_INSTANT && value <= LAST_INSTANT;
    case "duration":
      return Math.abs(value) <= LONGEST;
  }
}

// ---------------------------------------------------------------- text

const two = (n: number): string => String(n).padStart(2, "0");

function dateText(days: number): string {
  const { year, month, day } = civilOf(days);
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

function instantText(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY);
  const inDay = milliseconds - days * DAY;
  const fraction = inDay % SECOND;
  const clock = [Math.floor(inDay / HOUR), Math.floor(inDay / MINUTE) % 60, Math.floor(inDay / SECOND) % 60].map(two);
  return `${dateText(days)}T${clock.join(":")}${fraction === 0 ? "" : `.${String(fraction).padStart(3, "0")}`}Z`;
}

function durationText(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const sign = milliseconds < 0 ? "-" : "";
  if (!Number.isInteger(size)) return `${sign}PT${shifted(plainDecimal(size), -3)}S`;
  const days = Math.floor(size / DAY);
  const rest = size - days * DAY;
  const hours = Math.floor(rest / HOUR);
  const minutes = Math.floor(rest / MINUTE) % 60;
  const seconds = rest % MINUTE;
  const clock =
    (hours > 0 ? `${hours}H` : "") +
    (minutes > 0 ? `${minutes}M` : "") +
    (seconds > 0 ? `${shifted(String(seconds), -3)}S` : "");
  if (days === 0 && clock === "") return "PT0S";
  return `${sign}P${days > 0 ? `${days}D` : ""}${clock === "" ? "" : `T${clock}`}`;
}

/** Returns a positive number in decimals, without an exponent. */
function plainDecimal(value: number): string {
  const [digits = "", exponent] = String(value).split("e");
  return exponent === undefined ? digits : shifted(digits, Number(exponent));
}

/** Returns a decimal number as text with its point moved to the right, or to the left by a negative number of places. */
function shifted(decimal: string, by: number): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  const digits = `${whole}${fraction}`;
  const point = whole.length + by;
  const padded = point <= 0 ? `${"0".repeat(1 - point)}${digits}` : digits.padEnd(point, "0");
  const at = Math.max(1, point);
  return `${padded.slice(0, at).replace(/^0+(?=\d)/u, "")}.${padded.slice(at)}`.replace(/\.?0*$/u, "");
}

/** Returns the ISO 8601 text of a value of the kind. */
export function timeText(kind: TimeKind, value: number): string {
  switch (kind) {
    case "date":
      return dateText(value);
    case "instant":
      return instantText(value);
    case "duration":
      return durationText(value);
  }
}

/** Returns the text of a value that should be of the kind, or of each item of a list; undefined for what is not. */
export function timeTexts(kind: TimeKind, value: Maybe): Maybe {
  if (typeof value === "number") return timeText(kind, value);
  if (!Array.isArray(value)) return undefined;
  const items = (value as readonly Value[]).map((item) => timeTexts(kind, item));
  return items.includes(undefined) ? undefined : (items as readonly Value[]);
}

// ---------------------------------------------------------------- reading

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/u;
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/iu;
const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const DURATION = new RegExp(
  `^([+-])?P(?=.)(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
  "iu",
);

/** A number of the kind, or why the text is none. */
export type ReadTime = { readonly value: number } | { readonly fault: string };

/** Reads ISO 8601 text. An instant needs "Z" or an offset; digits below a millisecond are cut off. */
export function readTime(kind: TimeKind, text: string): ReadTime {
  switch (kind) {
    case "date":
      return readDate(text);
    case "instant":
      return readInstant(text);
    case "duration":
      return readDuration(text);
  }
}

/** Returns the number of a text that should be of the kind, or of each item of a list; undefined for what is not. */
export function timeNumbers(kind: TimeKind, value: Maybe): Maybe {
  if (typeof value === "string") {
    const read = readTime(kind, value);
    return "value" in read ? read.value : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const items = (value as readonly Value[]).map((item) => timeNumbers(kind, item));
  return items.includes(undefined) ? undefined : (items as readonly Value[]);
}

function readDate(text: string): ReadTime {
  const parts = DATE.exec(text);
  if (parts === null) return { fault: "is not a date such as 2026-11-16" };
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    return { fault: "is a day that does not exist" };
  }
  return { value: daysOf(year, month, day) };
}

function readInstant(text: string): ReadTime {
  const parts = INSTANT.exec(text);
  if (parts === null) return { fault: "is not an instant such as 2026-11-16T09:30:00Z" };
  const [, date = "", hour, minute, second, fraction = "", utc, sign, offsetHour, offsetMinute] = parts;
  if (utc === undefined && sign === undefined) return { fault: 'has no zone: add "Z" or an offset such as +01:00' };
  const day = readDate(date);
  if ("fault" in day) return day;
  const [h, m, s, oh, om] = [hour, minute, second, offsetHour, offsetMinute].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (h > 23 || m > 59 || s > 59 || oh > 23 || om > 59) return { fault: "is a time of day that does not exist" };
  const local = day.value * DAY + h * HOUR + m * MINUTE + s * SECOND + Number(fraction.padEnd(3, "0").slice(0, 3));
  const value = local - (sign === "-" ? -1 : 1) * (oh * HOUR + om * MINUTE);
  return isInRange("instant", value) ? { value } : { fault: "is not within the years 0001 to 9999" };
}

function readDuration(text: string): ReadTime {
  const parts = DURATION.exec(text);
  if (parts === null)
    return { fault: "is not a duration such as PT15M or P90D; months and years have no fixed length" };
  const [, sign, weeks, days, hours, minutes, seconds] = parts;
  const size =
    Number(weeks ?? 0) * 7 * DAY +
    Number(days ?? 0) * DAY +
    Number(hours ?? 0) * HOUR +
    Number(minutes ?? 0) * MINUTE +
    Number(shifted(seconds ?? "0", 3));
  const value = sign === "-" && size !== 0 ? -size : size;
  return isInRange("duration", value) ? { value } : { fault: "is longer than 20,000 years" };
}
