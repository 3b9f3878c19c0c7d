/** Functions of numbers. */
import { onNumber, onNumbers } from "../arguments.ts";
import { type BuiltInFunction, integers, need, NUMBER } from "../built-in.ts";
import { EXTREME_OF_LIST, largest, smallest } from "./list-totals.ts";

const VALUE = need("number", NUMBER);

export const NUMBER_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "abs",
    signature: { params: [VALUE], result: NUMBER },
    summary: "the number without its sign",
    example: { call: "abs(-3)", gives: 3 },
    compute: onNumber(Math.abs),
    results: { least: 0, most: Infinity, whole: false },
  },
  {
    name: "floor",
    signature: { params: [VALUE], result: NUMBER },
    summary: "the largest integer that is not above the number",
    example: { call: "floor(2.7)", gives: 2 },
    compute: onNumber(Math.floor),
    results: integers(),
  },
  {
    name: "ceil",
    signature: { params: [VALUE], result: NUMBER },
    summary: "the smallest integer that is not below the number",
    example: { call: "ceil(2.2)", gives: 3 },
    compute: onNumber(Math.ceil),
    results: integers(),
  },
  {
    name: "min",
    signature: { params: [VALUE, VALUE], repeats: true, result: NUMBER },
    summary: "the smallest of two or more numbers, or of the numbers or strings in one list",
    example: { call: "min(3, 1, 2)", gives: 1 },
    compute: smallest(onNumbers((values) => Math.min(...values))),
    ofList: EXTREME_OF_LIST,
    orders: true,
  },
  {
    name: "max",
    signature: { params: [VALUE, VALUE], repeats: true, result: NUMBER },
    summary: "the largest of two or more numbers, or of the numbers or strings in one list",
    example: { call: "max(3, 1, 2)", gives: 3 },
    compute: largest(onNumbers((values) => Math.max(...values))),
    ofList: EXTREME_OF_LIST,
    orders: true,
  },
];
