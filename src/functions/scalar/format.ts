/**
 * `format`: a number, a date or an instant as a string, by a pattern. The pattern is checked with the program where it is written out; one
 * that is computed and wrong is refused.
 */
import { isDay } from "../../base/civil.ts";
import { DAY, readTime } from "../../base/time.ts";
import type { Maybe } from "../../base/value.ts";
import { zoneNamed } from "../../base/zone.ts";
import {
  ANY,
  type BuiltInFunction,
  type CallFault,
  may,
  need,
  type PatternFault,
  STRING,
  type WrittenArgument,
} from "../built-in.ts";
import { readNumberPattern, writeNumber } from "../number-pattern.ts";
import { readTimePattern, writeTime } from "../time-pattern.ts";

export const FORMAT: BuiltInFunction = {
  name: "format",
  signature: { params: [need("value", ANY), need("pattern", STRING), may("zone", STRING)], result: STRING },
  summary: "a number, a date or an instant (in UTC, or in `zone`) by a pattern, see below; unknown (E521) for others",
  example: { call: 'format(1234567.891, "#,##0.00")', gives: "1,234,567.89" },
  compute: (...args) => {
    const written = formatted(args);
    return typeof written === "string" ? written : undefined;
  },
  refuses: (args) => {
    const written = formatted(args);
    if (typeof written !== "object") return undefined;
    return { how: `has no result: ${written.fault}`, hint: written.hint };
  },
  checks,
};

const FAULT_OF_VALUE = "the value is no number, no date and no instant";
const HOURS_OF_DATE: PatternFault = {
  fault: "the pattern has a time of day, and the value is a date",
  hint: "leave out HH, mm, ss and SSS, or give an instant",
};

/** Returns the string, why there is none, or nothing for an argument that is missing or no string. */
function formatted([value, pattern, ...rest]: readonly Maybe[]): string | PatternFault | undefined {
  const [zone] = rest;
  if (value === undefined || typeof pattern !== "string") return undefined;
  if (rest.length > 0 && typeof zone !== "string") return undefined;
  const named = typeof zone === "string" ? zone : undefined;
  if (typeof value === "number") return numberText(value, pattern, named);
  return typeof value === "string" ? timeText(value, pattern, named) : { fault: FAULT_OF_VALUE, hint: VALUE_HINT };
}

const VALUE_HINT = "convert the value: (number) x, parse_date(x) or parse_instant(x)";
const NO_ZONE: PatternFault = { fault: "only an instant has a time zone", hint: "leave out the zone" };

function numberText(value: number, pattern: string, zone: string | undefined): string | PatternFault {
  const read = readNumberPattern(pattern);
  if ("fault" in read) return read;
  return zone === undefined ? writeNumber(read, value) : NO_ZONE;
}

const OUT_OF_RANGE: PatternFault = {
  fault: "clocks there show a year before 1 or after 9999",
  hint: "test the instant first",
};

/** Times arrive as ISO 8601 text, as everywhere where nothing says that they are times. */
function timeText(value: string, pattern: string, zone: string | undefined): string | PatternFault {
  const date = readTime("date", value);
  const instant = "value" in date ? undefined : readTime("instant", value);
  if (instant !== undefined && "fault" in instant) return { fault: FAULT_OF_VALUE, hint: VALUE_HINT };
  const read = readTimePattern(pattern);
  if ("fault" in read) return read;
  if (instant === undefined) {
    if (zone !== undefined) return NO_ZONE;
    return "value" in date && !read.hasTimeOfDay ? writeTime(read, date.value * DAY) : HOURS_OF_DATE;
  }
  const place = zoneNamed(zone ?? "UTC");
  if (place !== undefined) {
    const wall = place.wall(instant.value);
    return isDay(Math.floor(wall / DAY)) ? writeTime(read, wall) : OUT_OF_RANGE;
  }
  return { fault: `there is no time zone ${JSON.stringify(zone)}`, hint: 'use a name such as "Europe/Paris"' };
}

// ---------------------------------------------------------------- with the program

/** Returns what is wrong with a call as it is written. */
function checks([value, pattern, zone]: readonly WrittenArgument[]): CallFault | undefined {
  if (value === undefined || pattern === undefined) return undefined;
  const { kind } = value;
  if (kind !== "number" && kind !== "date" && kind !== "instant" && kind !== "any") {
    const hint = kind === "duration" ? "divide it by a duration, and format the number: x / 1 hour" : VALUE_HINT;
    return { argument: 0, fault: `format takes a number, a date or an instant, found ${value.type}`, hint };
  }
  const fault = pattern.text === undefined ? undefined : patternFault(kind, pattern.text);
  if (fault !== undefined) return { argument: 1, pattern: true, ...fault };
  return zone !== undefined && (kind === "number" || kind === "date") ? { argument: 2, ...NO_ZONE } : undefined;
}

function patternFault(kind: "number" | "date" | "instant" | "any", pattern: string): PatternFault | undefined {
  const number = readNumberPattern(pattern);
  if (kind === "number" || (kind === "any" && !("fault" in number))) return "fault" in number ? number : undefined;
  const time = readTimePattern(pattern);
  if (kind === "any" && "fault" in time && !/[A-Za-z]/u.test(pattern)) return "fault" in number ? number : undefined;
  if ("fault" in time) return time;
  return kind === "date" && time.hasTimeOfDay ? HOURS_OF_DATE : undefined;
}
