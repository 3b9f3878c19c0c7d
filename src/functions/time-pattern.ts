/**
 * Patterns of dates and instants for `format`: `yyyy-MM-dd HH:mm`.
 *
 * Letters are parts of the time, everything else is written as it stands, and so is what is between single quotes; two of them are one. There are no names of
 * months and days, which belong to a language.
 */
import { civilOf } from "../base/civil.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../base/time.ts";
import type { PatternFault } from "./built-in.ts";

/** A time as clocks show it: milliseconds since 1970-01-01T00:00 on the clock. */
type WallTime = number;

interface Part {
  /** The part of the day that a date does not have. */
  readonly ofDay: boolean;
  readonly write: (wall: WallTime) => string;
}

export interface TimePattern {
  readonly pieces: readonly (string | Part)[];
  /** Whether hours, minutes or seconds are written, which a date does not have. */
  readonly hasTimeOfDay: boolean;
}

const ofDate = (value: (date: { year: number; month: number; day: number }) => number, width: number): Part => ({
  ofDay: false,
  write: (wall) =>
    String(value(civilOf(Math.floor(wall / DAY))))
      .padStart(width, "0")
      .slice(width === 0 ? 0 : -width),
});

const ofClock = (unit: number, count: number, width: number): Part => ({
  ofDay: true,
  write: (wall) => {
    const inDay = wall - Math.floor(wall / DAY) * DAY;
    return String(Math.floor(inDay / unit) % count).padStart(width, "0");
  },
});

const PARTS: ReadonlyMap<string, Part> = new Map([
  ["yyyy", ofDate(({ year }) => year, 4)],
  ["yy", ofDate(({ year }) => year, 2)],
  ["MM", ofDate(({ month }) => month, 2)],
  ["M", ofDate(({ month }) => month, 0)],
  ["dd", ofDate(({ day }) => day, 2)],
  ["d", ofDate(({ day }) => day, 0)],
  ["HH", ofClock(HOUR, 24, 2)],
  ["H", ofClock(HOUR, 24, 0)],
  ["mm", ofClock(MINUTE, 60, 2)],
  ["ss", ofClock(SECOND, 60, 2)],
  ["SSS", ofClock(1, 1000, 3)],
]);

const PIECE = /''|'((?:[^']|'')+)'|([A-Za-z])\2*|[^A-Za-z']+|'/gu;
const MOST_CHARACTERS = 100;

/** Returns what a pattern of times says, or what is wrong with it. */
export function readTimePattern(pattern: string): TimePattern | PatternFault {
  if (pattern.length > MOST_CHARACTERS) {
    return { fault: `the pattern has more than ${MOST_CHARACTERS} characters`, hint: "shorten it" };
  }
  const pieces: (string | Part)[] = [];
  for (const [piece, quoted, letter] of pattern.matchAll(PIECE)) {
    const part = PARTS.get(piece);
    if (piece === "'") return { fault: "a single quote is not closed", hint: "write '' for a single quote" };
    if (letter !== undefined && part === undefined) return unknownPart(piece);
    pieces.push(part ?? (piece === "''" ? "'" : (quoted?.replaceAll("''", "'") ?? piece)));
  }
  const parts = pieces.filter((piece) => typeof piece === "object");
  if (parts.length > 0) return { pieces, hasTimeOfDay: parts.some(({ ofDay }) => ofDay) };
  return { fault: `${JSON.stringify(pattern)} has no part of a time`, hint: "use a pattern such as yyyy-MM-dd" };
}

/** Returns a time as the pattern says. */
export function writeTime({ pieces }: TimePattern, wall: WallTime): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.write(wall))).join("");
}

/** What is meant by letters that other tools use. */
const MEANT: readonly (readonly [RegExp, string])[] = [
  [/^Y+$|^y+$|^u+$/u, "write yyyy for the year"],
  [/^D+$/u, "write dd for the day of the month"],
  [/^h+$|^k+$|^K+$|^a+$/u, "write HH for the hour, from 00 to 23"],
  [/^M{3,}$|^L+$|^E+$/u, "names of months and days belong to a language: choose them with if, or write the number"],
  [/^m$/u, "write mm for the minute"],
  [/^s$/u, "write ss for the second"],
  [/^S+$/u, "write SSS for the millisecond"],
];

function unknownPart(piece: string): PatternFault {
  const hint =
    MEANT.find(([shape]) => shape.test(piece))?.[1] ??
    `parts: ${[...PARTS.keys()].join(", ")}; put other letters between single quotes`;
  return { fault: `"${piece}" is no part of a date or an instant`, hint };
}
