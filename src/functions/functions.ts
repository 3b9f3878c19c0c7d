/** What the built-in functions, casts and text tests compute. A wrong argument gives unknown, never an exception. */
import type { Truth } from "../base/truth.ts";
import { fold, notFolded } from "../base/fold.ts";
import { isJson, meanOfDistinct, missingSections, phrasesIn, secretsIn, wordsIn, writtenIn } from "../base/phrases.ts";
import { equal, type Maybe, type Value } from "../base/value.ts";

/** A function that rules call. It receives the arguments of the call and must be pure. */
export type PureFunction = (...args: Maybe[]) => Maybe;

export const FUNCTIONS: ReadonlyMap<string, PureFunction> = new Map<string, PureFunction>([
  ["length", onText((text) => [...text].length)],
  ["substring", substring],
  ["upper", onText((text) => text.toUpperCase())],
  ["lower", onText((text) => text.toLowerCase())],
  ["trim", onText((text) => text.trim())],
  ["words", onText((text) => text.match(/\S+/gu)?.length ?? 0)],
  ["starts", onTexts((text, beginning) => text.startsWith(beginning))],
  ["ends", onTexts((text, ending) => text.endsWith(ending))],
  ["abs", onNumber(Math.abs)],
  ["round", onNumber((value) => Math.sign(value) * Math.round(Math.abs(value)))],
  ["floor", onNumber(Math.floor)],
  ["ceil", onNumber(Math.ceil)],
  ["min", onNumbers((values) => Math.min(...values))],
  ["max", onNumbers((values) => Math.max(...values))],
  ["count", (list) => (Array.isArray(list) ? list.length : undefined)],
  ["coalesce", (...values) => values.find((value) => value !== undefined)],
  ["phrases_in", onTextAndList(phrasesIn)],
  ["words_in", onTextAndList(wordsIn)],
  ["secrets_in", onTextAndList(secretsIn)],
  ["written_in", onTextAndList(writtenIn)],
  ["missing_sections", onTextAndList(missingSections)],
  ["is_json", onText(isJson)],
  ["folded", onText(fold)],
  ["not_blank", (list) => (isTexts(list) ? list.filter((text) => text.trim() !== "") : undefined)],
  ["mean_of_distinct", (rows) => (Array.isArray(rows) ? meanOfDistinct(rows as readonly Value[]) : undefined)],
]);

/** The functions that fold their arguments. */
const FOLDING: ReadonlySet<string> = new Set([
  "phrases_in",
  "words_in",
  "secrets_in",
  "written_in",
  "missing_sections",
  "folded",
]);

/** Why a built-in function has no result for values of the right types, as a predicate after its name; undefined: no reason. */
export function refusal(name: string, [text, list]: readonly Maybe[]): string | undefined {
  if (typeof text !== "string" || !FOLDING.has(name)) return undefined;
  if (name !== "folded" && !isTexts(list)) return undefined;
  return notFolded(text) ?? "cannot search for a phrase that is too long or cannot be normalised";
}

function onText(compute: (text: string) => Maybe): PureFunction {
  return (text) => (typeof text === "string" ? compute(text) : undefined);
}

function onTexts(compute: (a: string, b: string) => Value): PureFunction {
  return (a, b) => (typeof a === "string" && typeof b === "string" ? compute(a, b) : undefined);
}

/** A list with anything but texts in it is no list of phrases. */
function onTextAndList(find: (text: string, list: readonly string[]) => Maybe): PureFunction {
  return (text, list) => (typeof text === "string" && isTexts(list) ? find(text, list) : undefined);
}

function isTexts(list: Maybe): list is readonly string[] {
  return Array.isArray(list) && list.every((item) => typeof item === "string");
}

function onNumber(compute: (value: number) => number): PureFunction {
  return (value) => (typeof value === "number" ? finite(compute(value)) : undefined);
}

function onNumbers(compute: (values: number[]) => number): PureFunction {
  return (...values) =>
    values.every((value): value is number => typeof value === "number") ? finite(compute(values)) : undefined;
}

/** Counted in characters from 0. */
function substring(text: Maybe, start: Maybe, ...rest: readonly Maybe[]): Maybe {
  const length = rest.length === 0 ? Infinity : rest[0]; // one that is given and missing is unknown
  if (typeof text !== "string" || typeof start !== "number" || typeof length !== "number") return undefined;
  const from = Math.max(0, Math.trunc(start));
  return [...text].slice(from, from + Math.max(0, Math.trunc(length))).join("");
}

/** A number that is not finite is unknown; there is no negative zero. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value + 0 : undefined;
}

export function cast(to: "number" | "string" | "bool", value: Maybe): Maybe {
  switch (to) {
    case "number":
      return toNumber(value);
    case "string":
      return toText(value);
    case "bool":
      return toBool(value);
  }
}

function toNumber(value: Maybe): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string" || !/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/u.test(value))
    return undefined;
  return finite(Number(value));
}

/** The text that `+` joins and (string) gives; lists and objects have none. */
export function toText(value: Maybe): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}

function toBool(value: Maybe): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== "string") return undefined;
  const folded = value.trim().toLowerCase();
  return folded === "true" ? true : folded === "false" ? false : undefined;
}

/** Kleene OR of `value == item`. */
export function isIn(value: Maybe, list: Maybe): Truth {
  if (!Array.isArray(list)) return undefined;
  let result: Truth = false;
  for (const item of list as readonly Value[]) {
    const one = equal(value, item);
    if (one === true) return true;
    if (one === undefined) result = undefined;
  }
  return result;
}

export function contains(whole: Maybe, part: Maybe): Truth {
  if (typeof whole === "string") return typeof part === "string" ? whole.includes(part) : undefined;
  return Array.isArray(whole) ? isIn(part, whole as readonly Value[]) : undefined;
}

export function containsAny(whole: Maybe, parts: Maybe): Truth {
  if (!Array.isArray(parts) || (typeof whole !== "string" && !Array.isArray(whole))) return undefined;
  let result: Truth = false;
  for (const part of parts as readonly Value[]) {
    const one = contains(whole, part);
    if (one === true) return true;
    if (one === undefined) result = undefined;
  }
  return result;
}

/** One step of a `like` pattern: a literal character, `_` for any one, `%` for any run. */
type LikeStep =
  { readonly kind: "one" } | { readonly kind: "run" } | { readonly kind: "literal"; readonly character: string };

export function likeSteps(pattern: string): readonly LikeStep[] {
  const steps: LikeStep[] = [];
  const characters = [...pattern];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? "";
    if (character === "\\" && index + 1 < characters.length) {
      index += 1;
      steps.push({ kind: "literal", character: characters[index] ?? "" });
    } else if (character === "%") steps.push({ kind: "run" });
    else if (character === "_") steps.push({ kind: "one" });
    else steps.push({ kind: "literal", character });
  }
  return steps;
}

/** Two pointers: on a mismatch go back to the last `%` and let it take one character more. Never exponential. */
export function like(text: string, steps: readonly LikeStep[]): boolean {
  const characters = [...text];
  let at = 0;
  let step = 0;
  let run = -1;
  let runAt = 0;
  while (at < characters.length) {
    const wanted = steps[step];
    if (
      wanted !== undefined &&
      (wanted.kind === "one" || (wanted.kind === "literal" && wanted.character === characters[at]))
    ) {
      at += 1;
      step += 1;
    } else if (wanted?.kind === "run") {
      run = step;
      runAt = at;
      step += 1;
    } else if (run >= 0) {
      runAt += 1;
      at = runAt;
      step = run + 1;
    } else return false;
  }
  while (steps[step]?.kind === "run") step += 1;
  return step === steps.length;
}
