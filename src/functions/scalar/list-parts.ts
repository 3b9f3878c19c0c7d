/** Functions that take lists apart and put them in order. */
import { LONGEST_MADE_STRING } from "../../base/limits.ts";
import { compareText, deepText, type Maybe, type Value } from "../../base/value.ts";
import { isTexts, onTexts } from "../arguments.ts";
import { ANY, type BuiltInFunction, listOf, may, need, NUMBER, STRING } from "../built-in.ts";

const LIST = need("list", listOf(ANY));

export const LIST_PART_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "first",
    signature: { params: [LIST], result: ANY, gives: "item" },
    summary: "the first item; unknown for an empty list",
    example: { call: "first([3, 1, 2])", gives: 3 },
    compute: onList((items) => items[0]),
  },
  {
    name: "last",
    signature: { params: [LIST], result: ANY, gives: "item" },
    summary: "the last item; unknown for an empty list",
    example: { call: "last([3, 1, 2])", gives: 2 },
    compute: onList((items) => items.at(-1)),
  },
  {
    name: "slice",
    signature: {
      params: [LIST, need("from", NUMBER), may("to", NUMBER)],
      result: listOf(ANY),
      gives: "first",
    },
    summary: "the items from one place up to another, which is left out; a negative place counts from the end",
    example: { call: "slice([3, 1, 2, 4], 1, -1)", gives: [1, 2] },
    compute: (list, from, to) => {
      if (!Array.isArray(list) || !isPlace(from) || (to !== undefined && !isPlace(to))) return undefined;
      return (list as readonly Value[]).slice(from, to);
    },
  },
  {
    name: "sort",
    signature: { params: [LIST], result: listOf(ANY), gives: "first" },
    summary: "the items in order, numbers or strings; unknown for others and for both",
    example: { call: "sort([3, 1, 2])", gives: [1, 2, 3] },
    compute: onList(sorted),
    orders: true,
    settles: true,
  },
  {
    name: "reverse",
    signature: { params: [LIST], result: listOf(ANY), gives: "first" },
    summary: "the items from the last to the first",
    example: { call: "reverse([3, 1, 2])", gives: [2, 1, 3] },
    compute: onList((items) => items.toReversed()),
  },
  {
    name: "flatten",
    signature: { params: [LIST], result: listOf(ANY) },
    summary: "the items of the lists in a list, and what is no list as it is",
    example: { call: "flatten([[3, 1], [], [2]])", gives: [3, 1, 2] },
    compute: onList((items) => items.flat()),
  },
  {
    name: "distinct",
    signature: { params: [LIST], result: listOf(ANY), gives: "first" },
    summary: "the items without repetitions",
    example: { call: 'distinct(["b", "a", "b"])', gives: ["b", "a"] },
    compute: onList(distinct),
    yields: true,
    settles: true,
  },
  {
    name: "split",
    signature: { params: [need("text", STRING), need("separator", STRING)], result: listOf(STRING) },
    summary: 'the parts of a string between separators; "" splits it into characters',
    example: { call: 'split("a-b", "-")', gives: ["a", "b"] },
    compute: onTexts((text, separator) => (separator === "" ? [...text] : text.split(separator))),
  },
  {
    name: "join",
    signature: { params: [need("list", listOf(STRING)), need("separator", STRING)], result: STRING },
    summary: "the strings of a list as one, with a separator between them; unknown (E521) above 1,048,576 characters",
    example: { call: 'join(["a", "b"], "-")', gives: "a-b" },
    compute: (list, separator) => {
      const size = joinedSize(list, separator);
      if (size === undefined || size > LONGEST_MADE_STRING) return undefined;
      return (list as readonly string[]).join(separator as string);
    },
    refuses: ([list, separator]) => {
      const size = joinedSize(list, separator);
      if (size === undefined || size <= LONGEST_MADE_STRING) return undefined;
      return { how: "gives a string of more than 1,048,576 characters", hint: "join fewer or shorter strings" };
    },
  },
];

/** Returns the length of joined strings without joining them. */
function joinedSize(list: Maybe, separator: Maybe): number | undefined {
  if (!isTexts(list) || typeof separator !== "string") return undefined;
  return list.reduce((size, text) => size + text.length, separator.length * Math.max(0, list.length - 1));
}

function onList(compute: (items: readonly Value[]) => Maybe): BuiltInFunction["compute"] {
  return (list) => (Array.isArray(list) ? compute(list as readonly Value[]) : undefined);
}

function isPlace(value: Maybe): value is number {
  return Number.isInteger(value);
}

/** Returns numbers by size, or strings by code point; undefined for anything else. */
function sorted(items: readonly Value[]): readonly Value[] | undefined {
  if (items.every((item) => typeof item === "number")) return items.toSorted((a, b) => a - b);
  return isTexts(items) ? items.toSorted(compareText) : undefined;
}

function distinct(items: readonly Value[]): readonly Value[] {
  const seen = new Map<string, Value>();
  for (const item of items) {
    const text = deepText(item);
    if (!seen.has(text)) seen.set(text, item);
  }
  return [...seen.values()];
}
