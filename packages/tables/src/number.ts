/** Numbers and dates in cells. */
import type { DateStyle } from "./styles.ts";

/** The digits that every spreadsheet keeps. */
const MOST_DIGITS = 15;

/** Returns whether a text can be stored as a number: reading the number gives the same text again. */
export function isPlainNumber(text: string): boolean {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return false;
  return text.replaceAll(/\D/g, "").length <= MOST_DIGITS && String(Number(text)) === text;
}

const DAY_MS = 86_400_000;
/** The day after 1900-02-28 in spreadsheets that count from 1900: 1900-02-29, which never was. */
const NEVER = 60;
/** 9999-12-31. */
const LAST = 2_958_465;

/** What a cell with a number in the style of a date shows: the day, or what it shows instead of a day. */
export type Shown = { readonly day: string } | { readonly instead: string };

/** Returns what a number shows in a style. `from1904` is how old files for the Mac count their days. */
export function dateShown(serial: number, style: DateStyle, from1904: boolean): Shown {
  if (style === "time") return { instead: "a time of day" };
  if (!Number.isInteger(serial)) return { instead: "a date with a time" };
  const first = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < NEVER ? 31 : 30);
  if (serial < (from1904 ? 0 : 1) || serial > LAST || (!from1904 && serial === NEVER))
    return { instead: "a date that does not exist" };
  return { day: new Date(first + serial * DAY_MS).toISOString().slice(0, 10) };
}
