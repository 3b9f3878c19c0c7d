/** Describes in plain words what the grammar expects where a statement failed. */
import type { Terminal } from "./recogniser.ts";

export interface Failure {
  /** The first token of the statement. */
  readonly start: number;
  /** The unexpected token, or the end of the text. */
  readonly at: number;
  readonly expected: readonly Terminal[];
}

/** Returns "expected a name or “(”", when the list is short enough to help. */
export function expectation(failure: Failure): string | undefined {
  const wanted = new Set<string>();
  const value = expectsValue(failure);
  if (value) wanted.add("a value");
  for (const terminal of failure.expected) {
    const words = describe(terminal, value);
    if (words !== undefined) wanted.add(words);
  }
  if (wanted.size === 0 || wanted.size > 6) return undefined;
  const list = [...wanted];
  const last = list.pop();
  return list.length === 0 ? `expected ${last}` : `expected ${list.join(", ")} or ${last}`;
}

function describe(terminal: Terminal, value: boolean): string | undefined {
  if ("literal" in terminal) return value && VALUE_LITERALS.has(terminal.literal) ? undefined : `"${terminal.literal}"`;
  if (terminal.type === "number") return value ? undefined : "a number";
  if (terminal.type === "text") return value ? undefined : "a string";
  if (terminal.type === "quantity") return "a duration such as 10m";
  if (UNSPOKEN.has(terminal.type)) return undefined;
  return value || terminal.type !== "word" ? undefined : "a name";
}

/** Tokens that are never what is missing: where they may stand, other values may as well. */
const UNSPOKEN: ReadonlySet<string> = new Set(["time", "amount", "wait"]);

/** Literals that begin a value; listing them would hide the rest. */
const VALUE_LITERALS = new Set([
  "-",
  "(",
  "[",
  "{",
  "true",
  "false",
  "not",
  "exists",
  "all",
  "any",
  "at",
  "cast",
  "gate",
  "guardian",
  "if",
]);

export function expectsValue(failure: Failure): boolean {
  return expects(failure, "true") && failure.expected.some((one) => "type" in one && one.type === "number");
}

export function expects(failure: Failure, literal: string): boolean {
  return failure.expected.some((one) => "literal" in one && one.literal === literal);
}
