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

/** Returns whether every part is contained; unknown when there is nothing to search, even for an empty list. */
export function containsAll(whole: Maybe, parts: Maybe): Truth {
  if (!Array.isArray(parts) || (typeof whole !== "string" && !Array.isArray(whole))) return undefined;
  let result: Truth = true;
  for (const part of parts as readonly Value[]) {
    const one = contains(whole, part);
    if (one === false) return false;
    if (one === undefined) result = undefined;
  }
  return result;
}
