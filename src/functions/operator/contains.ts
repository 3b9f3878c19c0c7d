/** `in`, `contains`, `contains any` and `contains all`. */
import type { Truth } from "../../base/truth.ts";
import { equal, type Maybe, type Value } from "../../base/value.ts";

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

/** From so many comparisons on, the items that are searched become a set. */
const SET_FROM = 1024;

/**
 * Returns the items of a list as a set where many parts are searched in it, and all items and parts are plain: only then one is equal to
 * another exactly when a set finds it, and nothing is unknown.
 */
function plainSet(whole: string | readonly Value[], parts: readonly Value[]): ReadonlySet<Value> | undefined {
  if (typeof whole === "string" || whole.length * parts.length < SET_FROM) return undefined;
  return whole.every(isPlain) && parts.every(isPlain) ? new Set(whole) : undefined;
}

function isPlain(value: Value): boolean {
  return typeof value !== "object";
}

export function containsAny(whole: Maybe, parts: Maybe): Truth {
  if (!Array.isArray(parts) || (typeof whole !== "string" && !Array.isArray(whole))) return undefined;
  const set = plainSet(whole as string | readonly Value[], parts as readonly Value[]);
  if (set !== undefined) return (parts as readonly Value[]).some((part) => set.has(part));
  let result: Truth = false;
  for (const part of parts as readonly Value[]) {
    const one = contains(whole, part);
    if (one === true) return true;
    if (one === undefined) result = undefined;
  }
  return result;
}

/** Returns whether every part is contained; unknown when there is nothing to search, even for an empty list. */
export function containsAll(whole: Maybe, parts: Maybe): Truth {
  if (!Array.isArray(parts) || (typeof whole !== "string" && !Array.isArray(whole))) return undefined;
  const set = plainSet(whole as string | readonly Value[], parts as readonly Value[]);
  if (set !== undefined) return (parts as readonly Value[]).every((part) => set.has(part));
  let result: Truth = true;
  for (const part of parts as readonly Value[]) {
    const one = contains(whole, part);
    if (one === false) return false;
    if (one === undefined) result = undefined;
  }
  return result;
}
