/** Arithmetic, casts and the functions of the language. A result that cannot be computed is undefined. */
import { LONGEST_MADE_STRING } from "../base/limits.ts";
import { fold } from "../base/fold.ts";
import { isJson, meanOfDistinct, missingSections, phrasesIn, secretsIn, wordsIn, writtenIn } from "../base/phrases.ts";
import type { Maybe, Value } from "../base/value.ts";
import type { CastTarget, ProductOp, SumOp } from "../language/ast.ts";
import { aggregate } from "./aggregates.ts";
import { orderOf } from "./compare.ts";
import { areRight, callOnText, formatted, titled } from "./format.ts";
import { exactLog, exactPower } from "./powers.ts";
import { writtenOut } from "./texts.ts";
import { callOnTimes, isZone } from "./times.ts";

/** Returns a number as the language has it: finite, and without a negative zero. */
function finite(number: number): number | undefined {
  if (!Number.isFinite(number)) return undefined;
  return number === 0 ? 0 : number;
}

export function compute(op: SumOp | ProductOp, left: Maybe, right: Maybe): Maybe {
  if (op === "+" && (typeof left === "string" || typeof right === "string")) return join(left, right);
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  switch (op) {
    case "+":
      return finite(left + right);
    case "-":
      return finite(left - right);
    case "*":
      return finite(left * right);
    case "/":
      return finite(left / right);
    case "%":
      return finite(left % right);
  }
}

function join(left: Maybe, right: Maybe): string | undefined {
  const first = cast("string", left);
  const second = cast("string", right);
  if (typeof first !== "string" || typeof second !== "string") return undefined;
  return first.length + second.length > LONGEST_MADE_STRING ? undefined : first + second;
}

export function negate(value: Maybe): Maybe {
  return typeof value === "number" ? finite(-value) : undefined;
}

export function cast(to: CastTarget, value: Maybe): Maybe {
  switch (to) {
    case "string":
      return typeof value === "object" || value === undefined ? undefined : String(value);
    case "number":
      return toNumber(value);
    case "bool":
      return toBool(value);
  }
}

const NUMBER_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu;

function toNumber(value: Maybe): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return NUMBER_TEXT.test(text) ? finite(Number(text)) : undefined;
}

function toBool(value: Maybe): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== "string") return undefined;
  const text = value.trim().toLowerCase();
  return text === "true" ? true : text === "false" ? false : undefined;
}

function ofItems(list: Maybe, compute: (items: readonly Value[]) => Maybe): Maybe {
  return Array.isArray(list) ? compute(list as readonly Value[]) : undefined;
}

/** Returns the items between two places; a negative one counts from the end. */
function slice(list: Maybe, from: Maybe, to: Maybe): Maybe {
  return ofItems(list, (items) => {
    const end = to === undefined ? items.length : to;
    if (!Number.isInteger(from) || !Number.isInteger(end)) return undefined;
    const [start, stop] = [from as number, end as number].map((at) => (at < 0 ? at + items.length : at));
    return items.filter((_, at) => at >= (start ?? 0) && at < (stop ?? 0));
  });
}

/** Returns the items in order: each is put before the first that is larger. */
function sorted(items: readonly Value[]): Value[] | undefined {
  if (new Set(items.map((item) => typeof item)).size > 1) return undefined;
  const inOrder: Value[] = [];
  for (const item of items) {
    if (orderOf(item, item) === undefined) return undefined;
    const at = inOrder.findIndex((other) => (orderOf(other, item) ?? 0) > 0);
    inOrder.splice(at === -1 ? inOrder.length : at, 0, item);
  }
  return inOrder;
}

function split(text: string, separator: string): string[] {
  if (separator === "") return Array.from(text);
  const parts: string[] = [];
  let rest = text;
  for (let at = rest.indexOf(separator); at !== -1; at = rest.indexOf(separator)) {
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + separator.length);
  }
  return [...parts, rest];
}

/** Calls a built-in function; `name` is case-insensitive. */
export function call(name: string, args: readonly Maybe[]): Maybe {
  const [first, second, third] = args;
  switch (name.toLowerCase()) {
    case "coalesce":
      return args.find((arg) => arg !== undefined);
    case "count":
      return Array.isArray(first) ? first.length : undefined;
    case "substring":
      return substring(first, second, args.length > 2 ? third : Infinity);
    case "starts":
      return ofTexts(first, second, (text, start) => text.startsWith(start));
    case "ends":
      return ofTexts(first, second, (text, end) => text.endsWith(end));
    case "phrases_in":
      return ofTextAndTexts(first, second, phrasesIn);
    case "words_in":
      return ofTextAndTexts(first, second, wordsIn);
    case "secrets_in":
      return ofTextAndTexts(first, second, secretsIn);
    case "written_in":
      return ofTextAndTexts(first, second, writtenIn);
    case "missing_sections":
      return ofTextAndTexts(first, second, missingSections);
    case "not_blank":
      return ofTextAndTexts("", first, (_, texts) => texts.filter((text) => text.trim() !== ""));
    case "mean_of_distinct":
      return Array.isArray(first) ? meanOfDistinct(first as readonly Value[]) : undefined;
    case "min":
    case "max":
      if (args.length === 1) return ofItems(first, (items) => aggregate(name, items));
      return ofNumbers(args, name.toLowerCase() === "min" ? Math.min : Math.max);
    case "sum":
    case "avg":
    case "median":
    case "distinct":
      return ofItems(first, (items) => aggregate(name, items));
    case "first":
      return ofItems(first, (items) => items[0]);
    case "last":
      return ofItems(first, (items) => items[items.length - 1]);
    case "slice":
      return slice(first, second, third);
    case "sort":
      return ofItems(first, sorted);
    case "reverse":
      return ofItems(first, (items) => items.map((_, at) => items[items.length - 1 - at] as Value));
    case "flatten":
      return ofItems(first, (items) =>
        items.reduce<Value[]>((all, item) => [...all, ...(Array.isArray(item) ? (item as Value[]) : [item])], []),
      );
    case "split":
      return ofTexts(first, second, (text, separator) => split(text, separator));
    case "join":
      return ofItems(first, (items) =>
        typeof second === "string" && items.every((item) => typeof item === "string")
          ? items.reduce<Maybe>((text, item, at) => join(text, `${at === 0 ? "" : second}${item}`), "")
          : undefined,
      );
    case "clamp":
      return isRefused(name, args) ? undefined : ofNumbers(args, middle);
    case "fixed":
      return isRefused(name, args) ? undefined : fixed(first, second);
    case "round":
      return isRefused(name, args) ? undefined : round(first, args.length > 1 ? second : 0);
    case "sqrt":
      return typeof first === "number" ? finite(Math.sqrt(first)) : undefined;
    case "pow":
      return ofNumbers(args, (number = NaN, power = NaN) => exactPower(number, power) ?? NaN, finite);
    case "log":
      return ofNumbers(args, (number = NaN, base) => exactLog(number, base) ?? NaN, finite);
    case "format":
      return formatted(args);
    case "replace":
    case "index_of":
    case "pad_left":
    case "pad_right":
    case "repeat":
      return callOnText(name.toLowerCase(), args);
    case "parse_date":
    case "parse_instant":
    case "parse_duration":
    case "days_between":
    case "start_of":
    case "end_of":
    case "year":
    case "month":
    case "day":
    case "weekday":
    case "week":
    case "date":
    case "hour":
    case "minute":
    case "instant":
    case "plus":
      return callOnTimes(name.toLowerCase(), args);
    default:
      return typeof first === "string" ? ofText(name.toLowerCase(), first) : ofNumber(name.toLowerCase(), first);
  }
}

/** Returns whether a built-in function fails for arguments of the right types, as for a string that cannot be folded. */
export function isRefused(name: string, args: readonly Maybe[]): boolean {
  const [text, list] = args;
  switch (name.toLowerCase()) {
    case "folded":
      return typeof text === "string" && fold(text) === undefined;
    case "phrases_in":
    case "words_in":
    case "secrets_in":
    case "written_in":
    case "missing_sections":
      return ofTextAndTexts(text, list, () => []) !== undefined && call(name, args) === undefined;
    case "clamp":
      return ofNumbers(args, (_, low, high) => (low > high ? 1 : 0)) === 1;
    case "fixed":
      return ofNumbers(args, (_, decimals) => (/^(?:1?\d|20)$/u.test(String(decimals)) ? 0 : 1)) === 1;
    case "round":
      return ofNumbers(args, (_, decimals = 0) => (/^-?(?:1?\d|20)$/u.test(String(decimals)) ? 0 : 1)) === 1;
    case "sqrt":
    case "pow":
    case "log":
      return ofNumbers(args, () => 1) === 1 && call(name, args) === undefined;
    case "format":
    case "replace":
    case "pad_left":
    case "pad_right":
    case "repeat":
      return areRight(name.toLowerCase(), args) && call(name, args) === undefined;
    case "parse_date":
    case "parse_instant":
    case "parse_duration":
      return typeof text === "string" && call(name, args) === undefined;
    case "date":
    case "hour":
    case "minute":
    case "instant":
    case "plus":
      return !args.includes(undefined) && !isZone(args.at(-1));
    default:
      return false;
  }
}

function ofText(name: string, text: string): Maybe {
  switch (name) {
    case "length":
      return [...text].length;
    case "upper":
      return text.toUpperCase();
    case "lower":
      return text.toLowerCase();
    case "trim":
      return text.trim();
    case "is_json":
      return isJson(text);
    case "folded":
      return fold(text);
    case "title":
      return titled(text);
    case "words":
      return text.split(/\s+/u).filter((word) => word !== "").length;
    default:
      return undefined;
  }
}

function ofNumber(name: string, number: Maybe): Maybe {
  if (typeof number !== "number") return undefined;
  switch (name) {
    case "abs":
      return Math.abs(number);
    case "floor":
      return finite(Math.floor(number));
    case "ceil":
      return finite(Math.ceil(number));
    default:
      return undefined;
  }
}

function ofTexts(a: Maybe, b: Maybe, test: (a: string, b: string) => boolean | readonly string[]): Maybe {
  return typeof a === "string" && typeof b === "string" ? test(a, b) : undefined;
}

function ofTextAndTexts(text: Maybe, list: Maybe, find: (text: string, list: string[]) => string[] | undefined): Maybe {
  if (typeof text !== "string" || !Array.isArray(list)) return undefined;
  const texts = (list as readonly Value[]).filter((item) => typeof item === "string");
  return texts.length === list.length ? find(text, texts) : undefined;
}

function ofNumbers(
  args: readonly Maybe[],
  pick: (...numbers: number[]) => number,
  made: (number: number) => Maybe = (number) => number,
): Maybe {
  const numbers = args.filter((arg) => typeof arg === "number");
  return numbers.length === args.length ? made(pick(...numbers)) : undefined;
}

/** Returns the second largest of three: a number within bounds. */
function middle(...numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[1] ?? NaN;
}

/** Returns a number with a fixed number of decimals: its digits are written out, cut, and counted up by hand. */
function fixed(number: Maybe, decimals: Maybe): Maybe {
  if (typeof number !== "number" || typeof decimals !== "number") return undefined;
  const [whole = "", fraction = ""] = writtenOut(Math.abs(number)).split(".");
  const digits = [...whole, ...fraction.padEnd(decimals + 1, "0")].map(Number);
  const kept = digits.slice(0, whole.length + decimals);
  if ((digits[whole.length + decimals] ?? 0) >= 5) {
    let at = kept.length - 1;
    while (at >= 0 && kept[at] === 9) kept[at--] = 0;
    if (at < 0) kept.unshift(1);
    else kept[at] = (kept[at] ?? 0) + 1;
  }
  const point = kept.length - decimals;
  const text = [...kept.slice(0, point), ...(decimals > 0 ? ["."] : []), ...kept.slice(point)].join("");
  return number < 0 && kept.some((digit) => digit > 0) ? `-${text}` : text;
}

/** Returns a number with so many decimals: that which `fixed` writes; places before the point are cut off and put back. */
function round(number: Maybe, decimals: Maybe): Maybe {
  if (typeof number !== "number" || typeof decimals !== "number") return undefined;
  if (decimals >= 0) return finite(Number(fixed(number, decimals)));
  const digits =
    writtenOut(Math.abs(number))
      .split(".")[0]
      ?.padStart(1 - decimals, "0") ?? "";
  const kept = BigInt(digits.slice(0, decimals)) + (Number(digits.at(decimals)) >= 5 ? 1n : 0n);
  return finite(Math.sign(number) * Number(kept * 10n ** BigInt(-decimals)));
}

/**
 * Returns a substring, counted in characters; a start before the first character counts as the first, and fractions are
 * cut off.
 */
function substring(text: Maybe, start: Maybe, length: Maybe): Maybe {
  if (typeof text !== "string" || typeof start !== "number" || typeof length !== "number") return undefined;
  const from = Math.max(0, Math.trunc(start));
  const count = Math.max(0, Math.trunc(length));
  return [...text].filter((_, index) => index >= from && index < from + count).join("");
}
