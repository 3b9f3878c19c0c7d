/** Functions of a list. */
import { meanOfDistinct } from "../../base/phrases.ts";
import type { Value } from "../../base/value.ts";
import { isTexts } from "../arguments.ts";
import { ANY, type BuiltInFunction, integers, listOf, need, NUMBER, STRING } from "../built-in.ts";

export const LIST_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "count",
    signature: { params: [need("list", listOf(ANY))], result: NUMBER },
    summary: "the number of items",
    example: { call: 'count(["a", "b"])', gives: 2 },
    compute: (list) => (Array.isArray(list) ? list.length : undefined),
    counts: true,
    results: integers(0),
  },
  {
    name: "not_blank",
    signature: { params: [need("texts", listOf(STRING))], result: listOf(STRING) },
    summary: "the strings that are not blank",
    example: { call: 'not_blank(["a", " "])', gives: ["a"] },
    compute: (list) => (isTexts(list) ? list.filter((text) => text.trim() !== "") : undefined),
  },
  {
    name: "mean_of_distinct",
    signature: { params: [need("rows", listOf(ANY))], result: NUMBER },
    summary: "the mean of the last items of lists; lists that agree otherwise count once, with the lowest",
    example: { call: 'mean_of_distinct([["a", 1], ["a", 2], ["b", 3]])', gives: 2 },
    compute: (rows) => (Array.isArray(rows) ? meanOfDistinct(rows as readonly Value[]) : undefined),
  },
];
