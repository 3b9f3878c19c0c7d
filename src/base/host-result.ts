/** What functions of the host return: what can be used as a value, and words for what cannot. */
import { type HostSignature, type HostType, isOfType, typeWords, valueInShort } from "./host-types.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { Maybe, Value } from "./value.ts";

const ANY: HostType = { kind: "any" };

/** Hears how a function failed, in words that follow its name, and what to do about it. */
export type Failed = (how: string, hint: string) => undefined;

/** The value that a function returned; undefined when it returned nothing, and may. `failed` hears why it cannot be used. */
export function resultOf(given: unknown, result: HostSignature["result"], failed: Failed): Maybe {
  const type = result === "argument" ? ANY : result;
  if (given === undefined || given === null) {
    const mayBeMissing = result === "argument" || result.optional === true;
    if (mayBeMissing) return undefined;
    const hint = "return a value, or declare the result with optional: true";
    return failed(`returned ${String(given)}, expected ${typeWords(type)}`, hint);
  }
  if (isPromise(given)) {
    abandon(given);
    const hint = "functions are not awaited: fetch the value first and assert it as a fact";
    return failed(`returned a promise, expected ${typeWords(type)}`, hint);
  }
  const value = typeof given === "object" ? plainCopy(given, 0, { left: DEFAULT_LIMITS.valueItems }) : given;
  if (!isOfType(value, type)) {
    const hint = "return a value of the declared type, or change the signature";
    return failed(`returned ${described(given)}, expected ${typeWords(type)}`, hint);
  }
  return value === 0 ? 0 : (value as Value); // there is no negative zero
}

/** Every property is read once, here, and frozen: nothing that the host does later, and no getter, reaches into the network. */
function plainCopy(given: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof given !== "object" || given === null) return given;
  if (depth >= DEFAULT_LIMITS.valueNesting) throw new Error("its result is nested too deeply");
  const entered = <Item>(item: Item): Item => {
    budget.left -= 1;
    if (budget.left < 0) throw new Error("its result contains too many values");
    return item;
  };
  if (Array.isArray(given)) {
    return Object.freeze(Array.from(given, (item: unknown) => present(plainCopy(entered(item), depth + 1, budget))));
  }
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(entered(given))) {
    const value: unknown = (given as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && value !== null)
      entries.push([name, present(plainCopy(entered(value), depth + 1, budget))]);
  }
  return Object.freeze(Object.fromEntries(entries));
}

function present(value: unknown): unknown {
  if (isOfType(value, ANY)) return value;
  throw new Error(`its result contains ${described(value)}`);
}

function described(given: unknown): string {
  switch (typeof given) {
    case "string":
      return `the string ${valueInShort(given)}`;
    case "object":
      return Array.isArray(given) ? "a list" : given === null ? "null" : "an object";
    default:
      return valueInShort(given);
  }
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Nobody waits for the promise, so its failure is not reported either. */
export function abandon(given: unknown): void {
  if (isPromise(given)) given.then(undefined, () => undefined);
}

/** The message of what was thrown. Anything can be thrown, also what cannot be turned into a string. */
export function thrownWords(error: unknown): string {
  try {
    const thrown: unknown = error instanceof Error ? error.message : error; // a message can be anything, too
    const words = String(thrown);
    return words.length > LONGEST_MESSAGE ? `${words.slice(0, LONGEST_MESSAGE)}…` : words;
  } catch {
    return "the thrown value has no message";
  }
}

const LONGEST_MESSAGE = 500;

/** Whether what was thrown is an error of this class. Asking a proxy can throw, and then it is not. */
export function isThrown<One>(error: unknown, type: abstract new (...args: never[]) => One): error is One {
  try {
    return error instanceof type;
  } catch {
    return false;
  }
}
