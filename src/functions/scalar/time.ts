/** Functions of dates, instants and durations. Zones are names such as "Europe/Paris"; one that is not known is refused. */
import { addMonths, civilOf, daysInMonth, daysOf, isDay, weekdayOf, weekOf } from "../../base/civil.ts";
import type { HostType } from "../../base/host-types.ts";
import { DAY, HOUR, MINUTE, readTime, type TimeKind } from "../../base/time.ts";
import type { Maybe } from "../../base/value.ts";
import { type Zone, zoneNamed } from "../../base/zone.ts";
import { type BuiltInFunction, integers, need, NUMBER, type PureFunction, type Refusal, STRING } from "../built-in.ts";

const DATE: HostType = { kind: "date" };
const INSTANT: HostType = { kind: "instant" };
const MONTHS: HostType = { kind: "months" };
const UNIT: HostType = { kind: "union", options: ["year", "quarter", "month", "week"] };

/** Returns a function of a date whose result is a number or a date. */
function onDate(compute: (date: number) => number): PureFunction {
  return (date) => (typeof date === "number" ? compute(date) : undefined);
}

/** Returns a function of a number and the zone in the argument after it. */
function inZone(compute: (value: number, zone: Zone) => number | undefined): PureFunction {
  return (value, name) => {
    const zone = typeof name === "string" ? zoneNamed(name) : undefined;
    return typeof value === "number" && zone !== undefined ? compute(value, zone) : undefined;
  };
}

/** Refuses a zone that does not exist, at a position of the arguments. */
function refusesZone(position: number): (args: readonly Maybe[]) => Refusal | undefined {
  return (args) => {
    const zone = args[position];
    if (typeof zone !== "string" || args.includes(undefined) || zoneNamed(zone) !== undefined) return undefined;
    return { how: `does not know the time zone ${JSON.stringify(zone)}`, hint: 'use a name such as "Europe/Paris"' };
  };
}

function inDay(wall: number): number {
  return wall - Math.floor(wall / DAY) * DAY;
}

/** Returns the first day of the year, quarter, month or week of a date. */
function startOf(unit: Maybe, date: Maybe): Maybe {
  if (typeof date !== "number") return undefined;
  const { year, month } = civilOf(date);
  switch (unit) {
    case "year":
      return daysOf(year, 1, 1);
    case "quarter":
      return daysOf(year, month - ((month - 1) % 3), 1);
    case "month":
      return daysOf(year, month, 1);
    case "week": {
      const monday = date - weekdayOf(date) + 1;
      return isDay(monday) ? monday : undefined;
    }
    default:
      return undefined;
  }
}

const MONTHS_OF = new Map([
  ["year", 12],
  ["quarter", 3],
  ["month", 1],
]);

/** Returns the last day of the year, quarter, month or week of a date. */
function endOf(unit: Maybe, date: Maybe): Maybe {
  const start = startOf(unit, date);
  if (typeof start !== "number" || typeof unit !== "string") return undefined;
  const months = MONTHS_OF.get(unit);
  if (months === undefined) return isDay(start + 6) ? start + 6 : undefined;
  const { year, month } = civilOf(start);
  const last = month + months - 1;
  return daysOf(year, last, daysInMonth(year, last));
}

/** Returns the instant some months later on the clocks of a zone. */
function plus(instant: Maybe, months: Maybe, name: Maybe): Maybe {
  const zone = typeof name === "string" ? zoneNamed(name) : undefined;
  if (typeof instant !== "number" || typeof months !== "number" || zone === undefined) return undefined;
  const wall = zone.wall(instant);
  const day = addMonths(Math.floor(wall / DAY), months);
  return day === undefined ? undefined : zone.instantOf(day * DAY + inDay(wall));
}

/** Returns what functions that read a string have in common. */
function parses(kind: TimeKind): Pick<BuiltInFunction, "signature" | "summary" | "compute" | "refuses"> {
  const read = (text: Maybe): Maybe => {
    const found = typeof text === "string" ? readTime(kind, text) : undefined;
    return found !== undefined && "value" in found ? found.value : undefined;
  };
  return {
    signature: { params: [need("text", STRING)], result: { kind } },
    summary: `the ${kind} that a string holds in ISO 8601; unknown (E521) when it holds none`,
    compute: read,
    refuses: ([text]) => {
      const found = typeof text === "string" ? readTime(kind, text) : undefined;
      if (found === undefined || "value" in found) return undefined;
      return { how: `was given a string that ${found.fault}`, hint: "test the string first, or correct the facts" };
    },
  };
}

export const TIME_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "days_between",
    signature: { params: [need("from", DATE), need("to", DATE)], result: NUMBER },
    summary: "the number of days from the first date to the second; negative when the second is earlier",
    example: { call: "days_between(@2026-02-27, @2026-03-01)", gives: 2 },
    compute: (from, to) => (typeof from === "number" && typeof to === "number" ? to - from : undefined),
    results: integers(),
  },
  {
    name: "start_of",
    signature: { params: [need("unit", UNIT), need("date", DATE)], result: DATE },
    summary: "the first day of the `year`, `quarter`, `month` or `week` (from Monday) of a date",
    example: { call: "start_of(month, @2026-11-16)", gives: "2026-11-01" },
    compute: startOf,
  },
  {
    name: "end_of",
    signature: { params: [need("unit", UNIT), need("date", DATE)], result: DATE },
    summary: "the last day of the `year`, `quarter`, `month` or `week` of a date",
    example: { call: "end_of(month, @2028-02-05)", gives: "2028-02-29" },
    compute: endOf,
  },
  {
    name: "year",
    signature: { params: [need("date", DATE)], result: NUMBER },
    summary: "the year of a date",
    example: { call: "year(@2026-11-16)", gives: 2026 },
    compute: onDate((date) => civilOf(date).year),
    results: integers(1, 9999),
  },
  {
    name: "month",
    signature: { params: [need("date", DATE)], result: NUMBER },
    summary: "the month of a date, from 1 to 12",
    example: { call: "month(@2026-11-16)", gives: 11 },
    compute: onDate((date) => civilOf(date).month),
    results: integers(1, 12),
  },
  {
    name: "day",
    signature: { params: [need("date", DATE)], result: NUMBER },
    summary: "the day of the month of a date, from 1",
    example: { call: "day(@2026-11-16)", gives: 16 },
    compute: onDate((date) => civilOf(date).day),
    results: integers(1, 31),
  },
  {
    name: "weekday",
    signature: { params: [need("date", DATE)], result: NUMBER },
    summary: "the day of the week of a date, from 1 for Monday to 7 for Sunday",
    example: { call: "weekday(@2026-11-16)", gives: 1 },
    compute: onDate(weekdayOf),
    results: integers(1, 7),
  },
  {
    name: "week",
    signature: { params: [need("date", DATE)], result: NUMBER },
    summary: "the week of a date by ISO 8601, from 1 to 53",
    example: { call: "week(@2026-11-16)", gives: 47 },
    compute: onDate(weekOf),
    results: integers(1, 53),
  },
  {
    name: "date",
    signature: { params: [need("instant", INSTANT), need("zone", STRING)], result: DATE },
    summary: "the date that clocks in a time zone show at an instant; unknown (E521) for a zone that does not exist",
    example: { call: 'date(@2026-11-16T23:30:00Z, "Europe/Paris")', gives: "2026-11-17" },
    compute: inZone((instant, zone) => zone.dateAt(instant)),
    refuses: refusesZone(1),
  },
  {
    name: "hour",
    signature: { params: [need("instant", INSTANT), need("zone", STRING)], result: NUMBER },
    summary:
      "the hour that clocks in a time zone show at an instant, from 0 to 23; unknown (E521) for a zone that does not exist",
    example: { call: 'hour(@2026-11-16T09:30:00Z, "Europe/Paris")', gives: 10 },
    compute: inZone((instant, zone) => Math.floor(inDay(zone.wall(instant)) / HOUR)),
    refuses: refusesZone(1),
    results: integers(0, 23),
  },
  {
    name: "minute",
    signature: { params: [need("instant", INSTANT), need("zone", STRING)], result: NUMBER },
    summary:
      "the minute that clocks in a time zone show at an instant, from 0 to 59; unknown (E521) for a zone that does not exist",
    example: { call: 'minute(@2026-11-16T09:30:00Z, "Asia/Kolkata")', gives: 0 },
    compute: inZone((instant, zone) => Math.floor(inDay(zone.wall(instant)) / MINUTE) % 60),
    refuses: refusesZone(1),
    results: integers(0, 59),
  },
  {
    name: "instant",
    signature: { params: [need("date", DATE), need("zone", STRING)], result: INSTANT },
    summary: "the first instant of a date in a time zone; unknown (E521) for a zone that does not exist",
    example: { call: 'instant(@2026-11-16, "Europe/Paris")', gives: "2026-11-15T23:00:00Z" },
    compute: inZone((date, zone) => zone.startOf(date)),
    refuses: refusesZone(1),
  },
  {
    name: "plus",
    signature: { params: [need("instant", INSTANT), need("months", MONTHS), need("zone", STRING)], result: INSTANT },
    summary:
      "the instant some months later on the clocks of a time zone; unknown (E521) for a zone that does not exist",
    example: { call: 'plus(@2026-01-31T12:00:00Z, 1 month, "Europe/Paris")', gives: "2026-02-28T12:00:00Z" },
    compute: plus,
    refuses: refusesZone(2),
  },
  {
    name: "parse_date",
    ...parses("date"),
    example: { call: 'parse_date("2026-11-16")', gives: "2026-11-16" },
  },
  {
    name: "parse_instant",
    ...parses("instant"),
    example: { call: 'parse_instant("2026-11-16T10:30:00+01:00")', gives: "2026-11-16T09:30:00Z" },
  },
  {
    name: "parse_duration",
    ...parses("duration"),
    example: { call: 'parse_duration("PT90S")', gives: "PT1M30S" },
  },
];
