/** Converts the results of host functions to values, and describes those that cannot be used. */
import { type HostSignature, type HostType, isOfType, typeWords, valueInShort } from "./host-types.ts";
import { hostTimeText } from "./host-time.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { isTimeKind, readTime, type TimeKind, timeText } from "./time.ts";
import type { Maybe, Value } from "./value.ts";

const ANY: HostType = { kind: "any" };

/** Receives how a function failed, as a predicate, and a hint. */
export type Failed = (how: string, hint: string) => undefined;

/**
 * Returns the result as a value; undefined when the function returned nothing and its result is optional. Calls
 * `failed` when the result cannot be used.
 */
export function resultOf(returned: unknown, result: HostSignature["result"], failed: Failed): Maybe {
  const type = result === "argument" ? ANY : result;
  if (returned === undefined || returned === null) {
    const mayBeMissing = result === "argument" || result.optional === true;
    if (mayBeMissing) return undefined;
    const hint = "return a value, or declare the result with optional: true";
    return failed(`returned ${String(returned)}, expected ${typeWords(type)}`, hint);
  }
  if (isPromise(returned)) {
    abandon(returned);
    const hint = "functions are not awaited: fetch the value first and assert it as a fact";
    return failed(`returned a promise, expected ${typeWords(type)}`, hint);
  }
  const time = isTimeKind(type.kind) ? canonicalTime(type.kind, returned) : undefined;
  if (time !== undefined) return time;
  const value = typeof returned === "object" ? plainCopy(returned, 0, { left: DEFAULT_LIMITS.valueItems }) : returned;
  if (!isOfType(value, type)) {
    const hint = "return a value of the declared type, or change the signature";
    return failed(`returned ${described(returned)}, expected ${typeWords(type)}`, hint);
  }
  return value === 0 ? 0 : (value as Value); // there is no negative zero
}

/** Returns a time as its ISO 8601 text; undefined for what is none. */
function canonicalTime(kind: TimeKind, returned: unknown): string | undefined {
  const text = typeof returned === "object" && returned !== null ? hostTimeText(returned) : returned;
  const read = typeof text === "string" ? readTime(kind, text) : undefined;
  return read !== undefined && "value" in read ? timeText(kind, read.value) : undefined;
}

/**
 * Returns a frozen copy. Every property is read once, so that later changes by the host, and getters, cannot reach the
 * network.
 */
function plainCopy(returned: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof returned !== "object" || returned === null) return returned;
  if (depth >= DEFAULT_LIMITS.valueNesting) throw new Error("its result is nested too deeply");
  const entered = <Item>(item: Item): Item => {
    budget.left -= 1;
    if (budget.left < 0) throw new Error("its result contains too many values");
    return item;
  };
  if (Array.isArray(returned)) {
    return Object.freeze(Array.from(returned, (item: unknown) => present(plainCopy(entered(item), depth + 1, budget))));
  }
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(entered(returned))) {
    const value: unknown = (returned as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && value !== null)
      entries.push([name, present(plainCopy(entered(value), depth + 1, budget))]);
  }
  return Object.freeze(Object.fromEntries(entries));
}

function present(value: unknown): unknown {
  if (isOfType(value, ANY)) return value;
  throw new Error(`its result contains ${described(value)}`);
}

function described(returned: unknown): string {
  switch (typeof returned) {
    case "string":
      return `the string ${valueInShort(returned)}`;
    case "object":
      return Array.isArray(returned) ? "a list" : returned === null ? "null" : "an object";
    default:
      return valueInShort(returned);
  }
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Ignores the failure of a promise that nobody waits for. What is no real promise can throw when it is looked at, too. */
export function abandon(returned: unknown): void {
  try {
    if (isPromise(returned)) returned.then(undefined, () => undefined);
  } catch {
    // it fails, as a promise that is rejected does
  }
}

/** Returns the message of what was thrown. Anything can be thrown, even what cannot be converted to a string. */
export function thrownWords(error: unknown): string {
  try {
    const thrown: unknown = error instanceof Error ? error.message : error; // a message can be anything, too
    const words = String(thrown);
    return words.length > MAX_MESSAGE_LENGTH ? `${words.slice(0, MAX_MESSAGE_LENGTH)}…` : words;
  } catch {
    return "the thrown value has no message";
  }
}

const MAX_MESSAGE_LENGTH = 500;

/**
 * Returns whether what was thrown is an error of this class; false when the test itself throws, as for some proxies.
 */
export function isThrown<One>(error: unknown, type: abstract new (...args: never[]) => One): error is One {
  try {
    return error instanceof type;
  } catch {
    return false;
  }
}
