/** Functions of a string. */
import type { Maybe } from "../../base/value.ts";
import { isJson } from "../../base/phrases.ts";
import { onText, onTexts } from "../arguments.ts";
import { BOOL, type BuiltInFunction, integers, may, need, NUMBER, STRING } from "../built-in.ts";

const TEXT = need("text", STRING);

export const TEXT_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "length",
    signature: { params: [TEXT], result: NUMBER },
    summary: "the number of characters",
    example: { call: 'length("naïve")', gives: 5 },
    compute: onText((text) => [...text].length),
    results: integers(0),
  },
  {
    name: "substring",
    signature: { params: [TEXT, need("start", NUMBER), may("length", NUMBER)], result: STRING },
    summary: "the part of a string from `start`, counted from 0, at most `length` characters",
    example: { call: 'substring("invoice", 2, 3)', gives: "voi" },
    compute: substring,
    keepsText: true,
  },
  {
    name: "upper",
    signature: { params: [TEXT], result: STRING },
    summary: "the string in upper case",
    example: { call: 'upper("eu-1")', gives: "EU-1" },
    compute: onText((text) => text.toUpperCase()),
    keepsText: true,
    settles: true,
  },
  {
    name: "lower",
    signature: { params: [TEXT], result: STRING },
    summary: "the string in lower case",
    example: { call: 'lower("EU-1")', gives: "eu-1" },
    compute: onText((text) => text.toLowerCase()),
    keepsText: true,
    settles: true,
  },
  {
    name: "trim",
    signature: { params: [TEXT], result: STRING },
    summary: "the string without white space at both ends",
    example: { call: 'trim("  x ")', gives: "x" },
    compute: onText((text) => text.trim()),
    keepsText: true,
    settles: true,
  },
  {
    name: "words",
    signature: { params: [TEXT], result: NUMBER },
    summary: "the number of words",
    example: { call: 'words("two words")', gives: 2 },
    compute: onText((text) => text.match(/\S+/gu)?.length ?? 0),
    results: integers(0),
  },
  {
    name: "starts",
    signature: { params: [TEXT, need("beginning", STRING)], result: BOOL },
    summary: "whether the string begins with another one",
    example: { call: 'starts("invoice", "in")', gives: true },
    compute: onTexts((text, beginning) => text.startsWith(beginning)),
  },
  {
    name: "ends",
    signature: { params: [TEXT, need("ending", STRING)], result: BOOL },
    summary: "whether the string ends with another one",
    example: { call: 'ends("invoice", "in")', gives: false },
    compute: onTexts((text, ending) => text.endsWith(ending)),
  },
  {
    name: "is_json",
    signature: { params: [TEXT], result: BOOL },
    summary: "whether the string is JSON",
    example: { call: 'is_json("[1, 2]")', gives: true },
    compute: onText(isJson),
  },
];

/** Counts in characters from 0. A length that is given and missing is unknown. */
function substring(text: Maybe, start: Maybe, ...rest: readonly Maybe[]): Maybe {
  const length = rest.length === 0 ? Infinity : rest[0];
  if (typeof text !== "string" || typeof start !== "number" || typeof length !== "number") return undefined;
  const from = Math.max(0, Math.trunc(start));
  return [...text].slice(from, from + Math.max(0, Math.trunc(length))).join("");
}
