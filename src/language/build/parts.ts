/** Shared by all builders: lists that grow, words, and the span from the first part to the last. */
import type { Span } from "../../base/span.ts";
import type { Lexeme } from "../lexer.ts";

/** The children of a construct, in the order of the grammar: tokens, nodes, lists of them, null. */
// oxlint-disable-next-line typescript/no-explicit-any -- the grammar file decides the order
export type Parts = any[];

export const first = (d: Parts): unknown => d[0];
export const second = (d: Parts): unknown => d[1];
export const emptyList = (): unknown[] => [];
/** Starts a list. */
export const listOf = (d: Parts): unknown[] => [d[0]];
export const listOfSecond = (d: Parts): unknown[] => [d[1]];
/** Adds to a list after a comma. */
export const listAnd = (d: Parts): unknown[] => push(d[0], d[2]);
/** Adds to a list of elements or actions, with or without a comma. */
export const listAndElement = (d: Parts): unknown[] => push(d[0], d[2]);
/** Adds an element that ends in a closing parenthesis to elements of which the last does so, too. */
export const listAndPattern = (d: Parts): unknown[] => push(d[0], d[2]);
/** Adds a string and a value to the parts of a template. */
export const templatePart = (d: Parts): unknown[] => {
  push(d[0], d[1]);
  return push(d[0], d[2]);
};
/** Adds all items of a list to a list after a comma. */
export const listAndAll = (d: Parts): unknown[] => {
  for (const item of d[2]) d[0].push(item);
  return d[0];
};
/** Adds to a list. */
export const pushed = (d: Parts): unknown[] => push(d[0], d[1]);
/** Adds an operator and an operand to a list. */
export const listAndOp = (d: Parts): unknown[] => {
  d[0].push(typeof d[1] === "string" ? d[1] : d[1].text);
  return push(d[0], d[2]);
};
/** Returns the text of one of several literals, in lower case. */
export const op = (d: Parts): string => d[0][0].text;
/** Returns one of several literals as a token, where it may be the first or the last of a construct. */
export const word = (d: Parts): Lexeme => d[0][0];

function push(list: unknown[], item: unknown): unknown[] {
  list.push(item);
  return list;
}

/** The functions whose first child is the list they extend; deferred.ts builds these in a loop. */
export const SPINES: ReadonlySet<unknown> = new Set([
  listAnd,
  listAndElement,
  listAndPattern,
  templatePart,
  listAndAll,
  pushed,
  listAndOp,
]);

/** Rejects one of two readings that the grammar alone would allow. */
export type Refusal = WordRefusal | EndRefusal;

/** Rejects a reading when one of its parts is one of these words and nothing else, or begins with one of those. */
interface WordRefusal {
  readonly part: number;
  readonly words: ReadonlySet<string>;
  readonly beginnings?: ReadonlySet<string>;
  /** The token that must follow the beginning; any when it is left out. */
  readonly followedBy?: string;
  /** The part that allows the reading when it is not empty. */
  readonly unless?: number;
}

/** Rejects a reading when a part ends in what could have taken the part after it: that belongs to the nearest. */
export interface EndRefusal {
  readonly part: number;
  /** The part that follows; the reading is allowed when it is empty. */
  readonly next: number;
  /** Builds what could have taken it. */
  readonly end: unknown;
  /** Builds one that has its own already. */
  readonly complete: unknown;
}

/** The content of brackets, with the span of the brackets. */
export interface Enclosed {
  readonly items: readonly unknown[];
  readonly span: Span;
}

/** Returns the span from the first to the last token or node among the parts. */
export function span(parts: Parts): Span {
  return { start: startOf(parts) ?? 0, end: endOf(parts) ?? 0 };
}

function startOf(part: unknown): number | undefined {
  if (Array.isArray(part)) {
    for (const inner of part) {
      const found = startOf(inner);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return bounds(part)?.start;
}

function endOf(part: unknown): number | undefined {
  if (Array.isArray(part)) {
    for (let index = part.length - 1; index >= 0; index--) {
      const found = endOf(part[index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return bounds(part)?.end;
}

function bounds(part: unknown): Span | undefined {
  if (typeof part !== "object" || part === null) return undefined;
  if ("span" in part) return part.span as Span;
  return "start" in part ? (part as Lexeme) : undefined;
}
