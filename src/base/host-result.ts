/** What functions of the host give: what can be used as a value, and words for what cannot. */

/** What a function was declared to give, as far as it can be told from a value at once. */
export type ResultKind = "text" | "number" | "bool" | "list" | "any";

const WANTED: Readonly<Record<ResultKind, string>> = {
  text: "a text",
  number: "a number",
  bool: "true or false",
  list: "a list",
  any: "a value",
};

/** Why it cannot be used, to stand behind the name of the function; undefined when it can. Nothing at all is a missing value. */
export function wrongResult(given: unknown, wanted: ResultKind): string | undefined {
  if (given === undefined || given === null || isUsable(given, wanted)) return undefined;
  abandon(given);
  return `gave ${described(given)} where ${WANTED[wanted]} is wanted`;
}

function isUsable(given: unknown, wanted: ResultKind): boolean {
  switch (typeof given) {
    case "boolean":
      return wanted === "bool" || wanted === "any";
    case "string":
      return wanted === "text" || wanted === "any";
    case "number":
      return (wanted === "number" || wanted === "any") && Number.isFinite(given);
    case "object":
      return Array.isArray(given) ? wanted === "list" || wanted === "any" : wanted === "any" && !isPromise(given);
    default:
      return false;
  }
}

function described(given: unknown): string {
  if (isPromise(given)) return "a promise, which is not waited for,";
  switch (typeof given) {
    case "boolean":
    case "number":
      return String(given);
    case "string":
      return `the text ${JSON.stringify(given.length > LONGEST ? `${given.slice(0, LONGEST)}…` : given)}`;
    case "object":
      return Array.isArray(given) ? "a list" : "an object";
    default:
      return `a ${typeof given}`;
  }
}

const LONGEST = 40;

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** A promise that nobody waits for is let go; its failure has nobody left to tell. */
export function abandon(given: unknown): void {
  if (isPromise(given)) given.then(undefined, () => undefined);
}

/** What somebody threw, in words. Anything can be thrown, also what cannot be turned into a text. */
export function thrownWords(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "something that cannot be told";
  }
}
