/** Arithmetic, casts and the functions of the language. A result that cannot be computed is undefined. */
import { fold } from "../base/fold.ts";
import { isJson, meanOfDistinct, missingSections, phrasesIn, secretsIn, wordsIn, writtenIn } from "../base/phrases.ts";
import type { Maybe, Value } from "../base/value.ts";
import type { CastTarget, ProductOp, SumOp } from "../language/ast.ts";

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
  return typeof first === "string" && typeof second === "string" ? first + second : undefined;
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
      return ofNumbers(args, Math.min);
    case "max":
      return ofNumbers(args, Math.max);
    case "clamp":
      return isRefused(name, args) ? undefined : ofNumbers(args, middle);
    case "fixed":
      return isRefused(name, args) ? undefined : fixed(first, second);
    default:
      return typeof first === "string" ? ofText(name.toLowerCase(), first) : ofNumber(name.toLowerCase(), first);
  }
}

/**
 * Returns whether a built-in function fails for arguments of the right types: strings that cannot be folded, reversed
 * bounds, and numbers of decimals that cannot be written.
 */
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
    case "round":
      return finite(Math.sign(number) * Math.round(Math.abs(number)));
    case "floor":
      return finite(Math.floor(number));
    case "ceil":
      return finite(Math.ceil(number));
    default:
      return undefined;
  }
}

function ofTexts(a: Maybe, b: Maybe, test: (a: string, b: string) => boolean): Maybe {
  return typeof a === "string" && typeof b === "string" ? test(a, b) : undefined;
}

function ofTextAndTexts(text: Maybe, list: Maybe, find: (text: string, list: string[]) => string[] | undefined): Maybe {
  if (typeof text !== "string" || !Array.isArray(list)) return undefined;
  const texts = (list as readonly Value[]).filter((item) => typeof item === "string");
  return texts.length === list.length ? find(text, texts) : undefined;
}

function ofNumbers(args: readonly Maybe[], pick: (...numbers: number[]) => number): Maybe {
  const numbers = args.filter((arg) => typeof arg === "number");
  return numbers.length === args.length ? pick(...numbers) : undefined;
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

/** Returns the digits of a number without an exponent: `0.00000012` for 1.2e-7. */
function writtenOut(number: number): string {
  const [digits = "", exponent] = String(number).split("e");
  if (exponent === undefined) return digits;
  const [whole = "", fraction = ""] = digits.split(".");
  const shift = Number(exponent);
  if (shift < 0) return `0.${"0".repeat(-shift - 1)}${whole}${fraction}`;
  return whole + fraction.padEnd(shift, "0");
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
