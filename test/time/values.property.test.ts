/** Dates, instants and durations against `Date`, `Intl` and the naive matcher: month ends, leap years, clock changes. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addMonths,
  civilOf,
  daysInMonth,
  daysOf,
  FIRST_DAY,
  LAST_DAY,
  weekdayOf,
  weekOf,
} from "../../src/base/civil.ts";
import { DAY, isInRange, readTime, type TimeKind, timeText } from "../../src/base/time.ts";
import { zoneNamed } from "../../src/base/zone.ts";
import { check } from "../../src/index.ts";
import { callOnTimes } from "../../src/prove/times.ts";
import type { OracleFact } from "../oracle/naive.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { engineTexts, expectSame, naiveTexts, programOf } from "../support/rig.ts";
import { type TimedFields, timedFields, timedTest, timedValue } from "./timed-arbitrary.ts";

const day = fc.oneof(
  fc.integer({ min: FIRST_DAY, max: LAST_DAY }),
  fc.integer({ min: 10_000, max: 30_000 }),
  // The ends of months, around leap days.
  fc
    .tuple(
      fc.constantFrom(1600, 1900, 2000, 2023, 2024, 2100),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: -1, max: 1 }),
    )
    .map(([year, month, by]) => daysOf(year, month, daysInMonth(year, month)) + by),
);

test("the calendar agrees with Date for every day of four centuries, and at random", () => {
  const agree = (days: number): void => {
    const date = new Date(days * DAY);
    const { year, month, day: ofMonth } = civilOf(days);
    expect([year, month, ofMonth]).toEqual([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
    expect(daysOf(year, month, ofMonth)).toBe(days);
    expect(weekdayOf(days)).toBe(date.getUTCDay() || 7);
    expect(timeText("date", days)).toBe(date.toISOString().slice(0, 10));
  };
  for (let days = -40_000; days < 106_000; days += 97) agree(days);
  fc.assert(fc.property(day, agree), { numRuns: runs(3000) });
});

test("months are added as a person would: the same day, or the last of a shorter month", () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -3000, max: 3000 }), (from, months) => {
      const to = addMonths(from, months);
      const expected = callOnTimes("date", [
        callOnTimes("plus", [timeText("instant", from * DAY), months, "UTC"]),
        "UTC",
      ]);
      expect(to === undefined ? undefined : timeText("date", to)).toBe(expected);
    }),
    { numRuns: runs(3000) },
  );
  expect(timeText("date", addMonths(daysOf(2026, 1, 31), 1) ?? 0)).toBe("2026-02-28");
  expect(timeText("date", addMonths(daysOf(2024, 2, 29), 12) ?? 0)).toBe("2025-02-28");
});

test("weeks are those of ISO 8601", () => {
  const weeks = ["2026-01-01", "2027-01-03", "2020-12-31", "2021-01-04", "2024-12-30"].map((text) => {
    const read = readTime("date", text);
    return "value" in read ? weekOf(read.value) : undefined;
  });
  expect(weeks).toEqual([1, 53, 53, 1, 1]);
});

const time: fc.Arbitrary<readonly [TimeKind, number]> = fc.oneof(
  day.map((days) => ["date", days] as const),
  fc.tuple(day, fc.integer({ min: 0, max: DAY - 1 })).map(([days, ms]) => ["instant", days * DAY + ms] as const),
  fc.oneof(fc.integer(), fc.double({ min: -1e12, max: 1e12, noNaN: true })).map((ms) => ["duration", ms + 0] as const),
);

test("every value has one text, and reading it gives the value", () => {
  fc.assert(
    fc.property(time, ([kind, value]) => {
      fc.pre(isInRange(kind, value));
      const text = timeText(kind, value);
      expect(readTime(kind, text)).toEqual({ value });
      if (kind === "instant") expect(Date.parse(text)).toBe(value);
      expect(callOnTimes(`parse_${kind}`, [text])).toBe(text);
    }),
    { numRuns: runs(10_000) },
  );
});

test("offsets, fractions and leap seconds are read as documented", () => {
  const read = (kind: TimeKind, text: string): string => {
    const found = readTime(kind, text);
    return "value" in found ? timeText(kind, found.value) : found.fault;
  };
  expect(read("instant", "2026-11-16T10:30:00.1239+01:00")).toBe("2026-11-16T09:30:00.123Z");
  expect(read("instant", "2026-11-16T10:30-0530")).toBe("2026-11-16T16:00:00Z");
  expect(read("instant", "2026-11-16T10:30:60Z")).toBe("is a time of day that does not exist");
  expect(read("instant", "2026-11-16T10:30:00")).toContain("has no zone");
  expect(read("instant", "0001-01-01T00:30:00+01:00")).toContain("years");
  expect(read("date", "2023-02-29")).toBe("is a day that does not exist");
  expect(read("date", "0000-01-01")).toBe("is a day that does not exist");
  expect(read("duration", "P1M")).toContain("months");
  expect(read("duration", "P1W2DT3H4M5.006S")).toBe("P9DT3H4M5.006S");
  expect(read("duration", "PT")).toContain("is not a duration");
  expect(read("duration", "-PT0S")).toBe("PT0S");
});

describe("time zones", () => {
  /** Changes of clocks: forwards, backwards, over midnight, by half an hour, and a day that Samoa left out. */
  const CHANGES: readonly (readonly [string, string])[] = [
    ["Europe/Paris", "2026-03-29"],
    ["Europe/Paris", "2026-10-25"],
    ["America/St_Johns", "2010-11-07"],
    ["America/Sao_Paulo", "2018-11-04"],
    ["Australia/Lord_Howe", "2026-04-05"],
    ["Pacific/Apia", "2011-12-30"],
    ["Asia/Kolkata", "2026-01-01"],
    ["Africa/Monrovia", "1972-01-07"],
  ];
  const change = fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -2, max: 2 })).map(([[name, text], by]) => {
    const read = readTime("date", text);
    return { name, days: ("value" in read ? read.value : 0) + by };
  });

  test(
    "days begin where a search through every minute finds it",
    () => {
      for (const [name, text] of CHANGES) {
        const read = readTime("date", text);
        const days = "value" in read ? read.value : 0;
        for (const by of [-1, 0, 1]) {
          const start = zoneNamed(name)?.startOf(days + by);
          expect(start === undefined ? undefined : timeText("instant", start), `${name} ${text} ${by}`).toBe(
            callOnTimes("instant", [timeText("date", days + by), name]),
          );
        }
      }
    },
    PATIENT,
  );

  test(
    "what clocks show agrees with Intl at every moment near a change",
    () => {
      fc.assert(
        fc.property(change, fc.integer({ min: -DAY, max: DAY }), ({ name, days }, ms) => {
          const instant = timeText("instant", days * DAY + ms);
          const zone = zoneNamed(name);
          const shown = zone?.dateAt(days * DAY + ms);
          expect(shown === undefined ? undefined : timeText("date", shown)).toBe(callOnTimes("date", [instant, name]));
          const wall = zone?.wall(days * DAY + ms) ?? 0;
          expect(Math.floor((wall - Math.floor(wall / DAY) * DAY) / 3_600_000)).toBe(
            callOnTimes("hour", [instant, name]),
          );
        }),
        { numRuns: runs(500) },
      );
    },
    PATIENT,
  );

  test("the day never goes back while time goes on", () => {
    fc.assert(
      fc.property(
        change,
        fc.array(fc.integer({ min: -DAY, max: DAY }), { minLength: 2, maxLength: 5 }),
        ({ name, days }, steps) => {
          const seen = steps.sort((a, b) => a - b).map((ms) => zoneNamed(name)?.dayAt(days * DAY + ms) ?? 0);
          expect([...seen].sort((a, b) => a - b)).toEqual(seen);
        },
      ),
      { numRuns: runs(500) },
    );
    const apia = zoneNamed("America/St_Johns");
    const at = Date.parse("2010-11-07T02:45:00Z");
    expect(timeText("date", apia?.dateAt(at) ?? 0)).toBe("2010-11-06");
    expect(timeText("date", apia?.dayAt(at) ?? 0)).toBe("2010-11-07");
  });
});

describe("D1 for times", () => {
  const TYPE = "type T(#id: string, d: date?, e: date?, i: instant?, j: instant?, u: duration?, n: number?)\n";

  const agree = (condition: string, value: string, given: readonly TimedFields[]): void => {
    const source =
      `${TYPE}rule holds { when v: T(${condition}) then log(1) }\n` +
      `rule fails { when v: T(not (${condition})) then log(1) }\n` +
      `rule gives { when all_of: collect(${value}) from v: T then log(all_of) }\n` +
      `rule joins { when v: T w: T(w.d == v.e, w.i < v.j) last: max(x.i) from x: T(x.u >= w.u) where last != v.i then log(1) }\n`;
    const checked = check(source);
    expect(
      checked.diagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => `${message} in ${source}`),
    ).toEqual([]);
    const session = programOf(checked).session({ facts: "none" });
    const facts = given.map((fields, order): OracleFact => {
      const whole = { id: String(order), ...fields };
      return { id: session.assert("T", whole).id, type: "T", fields: whole, order };
    });
    const rules = ["holds", "fails", "gives", "joins"];
    expectSame(
      naiveTexts(checked, { facts }),
      engineTexts(session, rules),
      () => `${source}\n${JSON.stringify(given)}`,
    );
  };

  test(
    "tests and values are the same in the engine and in the naive matcher",
    () => {
      fc.assert(fc.property(timedTest, timedValue, fc.array(timedFields, { minLength: 1, maxLength: 4 }), agree), {
        numRuns: runs(),
      });
    },
    PATIENT,
  );
});
