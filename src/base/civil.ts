/**
 * The proleptic Gregorian calendar on integers: a date is the number of days since 1970-01-01.
 *
 * Dates are those of the years 1 to 9999; what leads out of them has no result.
 */

/** The day of a year, month (1 to 12) and day of the month (from 1). */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The days from 0000-03-01 to 1970-01-01: years are counted from March, so that a leap day is the last of its year. */
const EPOCH_FROM_MARCH = 719_468;
const DAYS_OF_400_YEARS = 146_097;

/** Returns the days since 1970-01-01 of a date that exists. */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(y / 400);
  const yearOfCycle = y - cycle * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfCycle = yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + dayOfYear;
  return cycle * DAYS_OF_400_YEARS + dayOfCycle - EPOCH_FROM_MARCH;
}

/** Returns year, month and day of a number of days since 1970-01-01. */
export function civilOf(days: number): CivilDate {
  const shifted = days + EPOCH_FROM_MARCH;
  const cycle = Math.floor(shifted / DAYS_OF_400_YEARS);
  const dayOfCycle = shifted - cycle * DAYS_OF_400_YEARS;
  const yearOfCycle = Math.floor(
    (dayOfCycle - Math.floor(dayOfCycle / 1460) + Math.floor(dayOfCycle / 36_524) - Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const dayOfYear = dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day };
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Returns the number of days of a month, from 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (LENGTHS[month - 1] ?? 0);
}

export const FIRST_DAY: number = daysOf(1, 1, 1);
export const LAST_DAY: number = daysOf(9999, 12, 31);

/** Returns whether a number is a date: a whole number of days within the years 1 to 9999. */
export function isDay(days: number): boolean {
  return Number.isInteger(days) && days >= FIRST_DAY && days <= LAST_DAY;
}

/** Returns the date some months later; the day is that of the month, or the last one of a shorter month. */
export function addMonths(days: number, months: number): number | undefined {
  const { year, month, day } = civilOf(days);
  const from0 = year * 12 + (month - 1) + months;
  const toYear = Math.floor(from0 / 12);
  if (!Number.isInteger(from0) || toYear < 1 || toYear > 9999) return undefined;
  const toMonth = from0 - toYear * 12 + 1;
  return daysOf(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth)));
}

/** Returns the day of the week, from 1 for Monday to 7 for Sunday. */
export function weekdayOf(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

/** Returns the number of the week by ISO 8601: week 1 is the one with the first Thursday of the year. */
export function weekOf(days: number): number {
  const thursday = days - weekdayOf(days) + 4;
  return Math.floor((thursday - daysOf(civilOf(thursday).year, 1, 1)) / 7) + 1;
}
