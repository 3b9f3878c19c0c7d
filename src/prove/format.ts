/**
 * Strings of the language that are made from others, and from numbers and times by a pattern. Written separately from the
 * engine, character by character, to be compared with it.
 */
import type { Maybe } from "../base/value.ts";
import { isZone, millisecondsOf, wallClock } from "./times.ts";
import { writtenOut } from "./texts.ts";

const MOST = 100_000;

/** Returns whether a function that may fail got arguments of the right types. */
export function areRight(name: string, args: readonly Maybe[]): boolean {
  const types = args.map((arg) => typeof arg);
  switch (name) {
    case "format":
      return types[0] !== "undefined" && types.slice(1).every((type) => type === "string");
    case "replace":
      return types.every((type) => type === "string");
    default:
      return types.every((type, at) => type === (at === 1 ? "number" : "string"));
  }
}

export function callOnText(name: string, args: readonly Maybe[]): Maybe {
  if (name === "index_of") return args.every((arg) => typeof arg === "string") ? indexOf(args) : undefined;
  if (!areRight(name, args)) return undefined;
  const text = [...(args[0] as string)];
  if (name === "replace") return atMost(replaced(args));
  const count = args[1] as number;
  if (Math.floor(count) !== count) return undefined;
  if (name === "repeat") {
    if (count < 0 || (text.length > 0 && text.length * count > MOST)) return undefined;
    return text.length === 0 ? "" : Array.from({ length: count }, () => text.join("")).join("");
  }
  if (count > MOST) return undefined;
  const filler = [...((args[2] as string | undefined) ?? " ")];
  const filling: string[] = [];
  while (filler.length > 0 && text.length + filling.length < count) {
    filling.push(filler[filling.length % filler.length] ?? "");
  }
  return (name === "pad_left" ? [...filling, ...text] : [...text, ...filling]).join("");
}

function atMost(text: string): string | undefined {
  return [...text].length > MOST ? undefined : text;
}

function replaced(args: readonly Maybe[]): string {
  const [text, part, by] = args as readonly [string, string, string];
  let made = "";
  for (let at = 0; at < text.length;) {
    const isHere = part !== "" && text.startsWith(part, at);
    made += isHere ? by : text.charAt(at);
    at += isHere ? part.length : 1;
  }
  return made;
}

function indexOf(args: readonly Maybe[]): number {
  const [text = "", part = ""] = args as readonly string[];
  for (let at = 0; at <= text.length; at++) if (text.startsWith(part, at)) return [...text.slice(0, at)].length;
  return -1;
}

export function titled(text: string): string {
  let inWord = false;
  let made = "";
  for (const character of text.toLowerCase()) {
    const begins = /\p{L}/u.test(character);
    if (begins && !inWord) {
      const [capital = "", ...more] = character.toUpperCase();
      made += capital + more.join("").toLowerCase();
    } else made += character;
    inWord = begins || (inWord && /[\p{M}\p{N}'’]/u.test(character));
  }
  return made;
}

// ---------------------------------------------------------------- format

/** Returns a number or a time by a pattern; undefined when there is no such string. */
export function formatted(args: readonly Maybe[]): Maybe {
  if (!areRight("format", args)) return undefined;
  const [value, pattern, zone] = args as readonly [Maybe, string, string | undefined];
  if (typeof value === "number") return zone === undefined ? numberText(value, pattern) : undefined;
  if (typeof value !== "string" || /^[+-]?P/u.test(value)) return undefined;
  const ms = millisecondsOf(value);
  const isDate = !value.includes("T") && !value.includes("t") && !value.includes(" ");
  if (ms === undefined || (isDate && zone !== undefined) || (zone !== undefined && !isZone(zone))) return undefined;
  const shown = wallClock(ms, zone ?? "UTC");
  return shown === undefined ? undefined : timeText(shown, pattern, isDate);
}

function numberText(value: number, pattern: string): Maybe {
  const percent = pattern.endsWith("%");
  const [before = "", after, ...more] = (percent ? pattern.slice(0, -1) : pattern).split(".");
  const places = before.replace(",", "");
  const comma = before.indexOf(",");
  if (more.length > 0 || !/^#*0+$/u.test(places) || (after !== undefined && !/^(?=.)0*#*$/u.test(after))) {
    return undefined;
  }
  if (comma >= 0 && comma !== before.length - 4) return undefined;
  const most = after?.length ?? 0;
  const zeros = places.split("0").length - 1;
  if (most > 20 || zeros > 20) return undefined;
  const digits = shifted(writtenOut(Math.abs(value)), percent ? 2 : 0, most);
  let fraction = most === 0 ? "" : digits.slice(-most);
  const fewest = (after ?? "").split("0").length - 1;
  while (fraction.length > fewest && fraction.at(-1) === "0") fraction = fraction.slice(0, -1);
  let whole = digits.slice(0, digits.length - most).replace(/^0*/u, "");
  while (whole.length < zeros) whole = `0${whole}`;
  if (comma >= 0) {
    const groups: string[] = [];
    for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
    whole = groups.join(",");
  }
  const sign = value < 0 && /[1-9]/u.test(digits) ? "-" : "";
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}${percent ? "%" : ""}`;
}

/** Returns all digits of a written number times a power of ten, with so many after the point, rounded up from a half on. */
function shifted(written: string, tens: number, decimals: number): string {
  const [whole = "", fraction = ""] = written.split(".");
  const filled = fraction.padEnd(tens + decimals + 1, "0");
  const kept = BigInt(whole + filled.slice(0, tens + decimals));
  const up = (filled[tens + decimals] ?? "0") >= "5" ? 1n : 0n;
  return String(kept + up).padStart(decimals + 1, "0");
}

const WIDTHS: Readonly<Record<string, readonly number[]>> = {
  y: [4, 2],
  M: [2, 1],
  d: [2, 1],
  H: [2, 1],
  m: [2],
  s: [2],
  S: [3],
};

/** Reads a pattern character by character; `iso` is the time as `Date` writes it. */
function timeText(iso: string, pattern: string, isDate: boolean): Maybe {
  if (pattern.length > 100) return undefined;
  const from = { y: [0, 4], M: [5, 7], d: [8, 10], H: [11, 13], m: [14, 16], s: [17, 19], S: [20, 23] } as const;
  let made = "";
  let parts = 0;
  for (let at = 0; at < pattern.length;) {
    const character = pattern.charAt(at);
    if (character === "'") {
      if (pattern.charAt(at + 1) === "'") {
        made += "'";
        at += 2;
        continue;
      }
      let end = at + 1;
      while (end < pattern.length && (pattern[end] !== "'" || pattern[end + 1] === "'")) {
        const isPair = pattern[end] === "'";
        made += pattern.charAt(end);
        end += isPair ? 2 : 1;
      }
      if (end >= pattern.length) return undefined;
      at = end + 1;
    } else if (/[A-Za-z]/u.test(character)) {
      let end = at;
      while (pattern[end] === character) end++;
      const width = end - at;
      if (WIDTHS[character]?.includes(width) !== true || (isDate && "HmsS".includes(character))) return undefined;
      const digits = iso.slice(...from[character as keyof typeof from]);
      made += width === 1 ? String(Number(digits)) : digits.slice(-width);
      parts++;
      at = end;
    } else {
      made += character;
      at++;
    }
  }
  return parts === 0 ? undefined : made;
}
