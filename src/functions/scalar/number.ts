/** Functions of numbers. */
import { onNumber, onNumbers } from "../arguments.ts";
import { type BuiltInFunction, need, NUMBER } from "../built-in.ts";

const VALUE = need("number", NUMBER);

export const NUMBER_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "abs",
    signature: { params: [VALUE], result: NUMBER },
    summary: "the number without its sign",
    example: { call: "abs(-3)", gives: 3 },
    compute: onNumber(Math.abs),
  },
  {
    name: "round",
    signature: { params: [VALUE], result: NUMBER },
    summary: "the nearest integer; a half is rounded away from zero",
    example: { call: "round(-2.5)", gives: -3 },
    compute: onNumber((value) => Math.sign(value) * Math.round(Math.abs(value))),
  },
  {
    name: "floor",
    signature: { params: [VALUE], result: NUMBER },
    summary: "the largest integer that is not above the number",
    example: { call: "floor(2.7)", gives: 2 },
    compute: onNumber(Math.floor),
  },
  {
    name: "ceil",
    signature: { params: [VALUE], result: NUMBER },
    summary: "the smallest integer that is not below the number",
    example: { call: "ceil(2.2)", gives: 3 },
    compute: onNumber(Math.ceil),
  },
  {
    name: "min",
    signature: { params: [VALUE, VALUE], repeats: true, result: NUMBER },
    summary: "the smallest of two or more numbers",
    example: { call: "min(3, 1, 2)", gives: 1 },
    compute: onNumbers((values) => Math.min(...values)),
  },
  {
    name: "max",
    signature: { params: [VALUE, VALUE], repeats: true, result: NUMBER },
    summary: "the largest of two or more numbers",
    example: { call: "max(3, 1, 2)", gives: 3 },
    compute: onNumbers((values) => Math.max(...values)),
  },
];
