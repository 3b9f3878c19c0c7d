/**
 * Functions that search a string or make another one of it. They count in characters from 0, as `length` and `substring` do,
 * know no language, and refuse a result of more than 100,000 characters.
 */
import type { Maybe } from "../../base/value.ts";
import { onText, onTexts } from "../arguments.ts";
import {
  type BuiltInFunction,
  integers,
  may,
  need,
  NUMBER,
  type PureFunction,
  type Refusal,
  STRING,
} from "../built-in.ts";

const MOST_CHARACTERS = 100_000;
const TEXT = need("text", STRING);
const PAD_PARAMS = [TEXT, need("length", NUMBER), may("with", STRING)];

export const EDIT_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "replace",
    signature: { params: [TEXT, need("part", STRING), need("by", STRING)], result: STRING },
    summary: "the string with another one in place of every `part`; unknown (E521) above 100,000 characters",
    example: { call: 'replace("1 234 567", " ", "")', gives: "1234567" },
    compute: (text, part, by) => limited(replaced(text, part, by)),
    refuses: ([text, part, by]) => tooLong(replaced(text, part, by)?.size),
    keepsText: true,
  },
  {
    name: "index_of",
    signature: { params: [TEXT, need("part", STRING)], result: NUMBER },
    summary: "where a string first occurs in another one, counted from 0; -1 when it does not",
    example: { call: 'index_of("a@b.org", "@")', gives: 1 },
    compute: onTexts((text, part) => {
      const at = text.indexOf(part);
      return at < 0 ? -1 : lengthOf(text.slice(0, at));
    }),
    results: integers(-1),
  },
  {
    name: "pad_left",
    signature: { params: PAD_PARAMS, result: STRING },
    summary:
      "the string, filled up to `length` characters at its beginning, with blanks unless `with` is given; unknown (E521) above 100,000",
    example: { call: 'pad_left("42", 5, "0")', gives: "00042" },
    compute: padded((text, filling) => filling + text),
    refuses: refusesPadding,
    keepsText: true,
  },
  {
    name: "pad_right",
    signature: { params: PAD_PARAMS, result: STRING },
    summary:
      "the string, filled up to `length` characters at its end, with blanks unless `with` is given; unknown (E521) above 100,000",
    example: { call: 'pad_right("ab", 4, ".")', gives: "ab.." },
    compute: padded((text, filling) => text + filling),
    refuses: refusesPadding,
    keepsText: true,
  },
  {
    name: "repeat",
    signature: { params: [TEXT, need("times", NUMBER)], result: STRING },
    summary: "the string so many times; unknown (E521) above 100,000 characters",
    example: { call: 'repeat("ab", 3)', gives: "ababab" },
    compute: (text, times) => limited(repeated(text, times)),
    refuses: refusesRepeat,
    keepsText: true,
  },
  {
    name: "title",
    signature: { params: [TEXT], result: STRING },
    summary: "the string with every word in lower case after a capital",
    example: { call: 'title("ADA lovelace-king")', gives: "Ada Lovelace-King" },
    compute: onText((text) => text.toLowerCase().replace(WORD, (word) => capitalised(word))),
    keepsText: true,
  },
];

// ---------------------------------------------------------------- sizes

/** A string that is made only when it is short enough. */
interface Sized {
  readonly size: number;
  readonly text: () => string;
}

function limited(made: Sized | undefined): string | undefined {
  return made === undefined || made.size > MOST_CHARACTERS ? undefined : made.text();
}

function tooLong(size: number | undefined): Refusal | undefined {
  if (size === undefined || size <= MOST_CHARACTERS) return undefined;
  return { how: "is longer than 100,000 characters", hint: "ask for a shorter string" };
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

// ---------------------------------------------------------------- computations

/** An empty part occurs nowhere. */
function replaced(text: Maybe, part: Maybe, by: Maybe): Sized | undefined {
  if (typeof text !== "string" || typeof part !== "string" || typeof by !== "string") return undefined;
  const pieces = part === "" ? [text] : text.split(part);
  const size = lengthOf(text) + (pieces.length - 1) * (lengthOf(by) - lengthOf(part));
  return { size, text: () => pieces.join(by) };
}

function repeated(text: Maybe, times: Maybe): Sized | undefined {
  if (typeof text !== "string" || typeof times !== "number" || !Number.isInteger(times) || times < 0) return undefined;
  return { size: text === "" ? 0 : lengthOf(text) * times, text: () => (text === "" ? "" : text.repeat(times)) };
}

function refusesRepeat([text, times]: readonly Maybe[]): Refusal | undefined {
  if (typeof text !== "string" || typeof times !== "number") return undefined;
  const made = repeated(text, times);
  return made === undefined
    ? { how: `cannot repeat a string ${times} times`, hint: "use an integer of 0 or more" }
    : tooLong(made.size);
}

/** Returns a function that fills a string up; one that is long enough stays as it is. */
function padded(join: (text: string, filling: string) => string): PureFunction {
  return (text, length, ...rest) => {
    const filler = rest.length === 0 ? " " : rest[0];
    if (typeof text !== "string" || typeof length !== "number" || typeof filler !== "string") return undefined;
    if (!isLength(length)) return undefined;
    const lacking = length - lengthOf(text);
    return lacking <= 0 || filler === "" ? text : join(text, fillingOf([...filler], lacking));
  };
}

function fillingOf(filler: readonly string[], length: number): string {
  let filling = "";
  for (let at = 0; at < length; at++) filling += filler[at % filler.length];
  return filling;
}

function isLength(length: number): boolean {
  return Number.isInteger(length) && length <= MOST_CHARACTERS;
}

function refusesPadding([text, length, ...rest]: readonly Maybe[]): Refusal | undefined {
  if (typeof text !== "string" || typeof length !== "number" || isLength(length)) return undefined;
  if (rest.length > 0 && typeof rest[0] !== "string") return undefined;
  return { how: `cannot fill a string up to ${length} characters`, hint: "use an integer of at most 100,000" };
}

/** A word begins with a letter, and goes on with letters, marks, digits and apostrophes. */
const WORD = /\p{L}[\p{L}\p{M}\p{N}'’]*/gu;

/** Returns a word in lower case with a capital; a letter that has two as a capital, such as "ß", keeps the second one in lower case. */
function capitalised(word: string): string {
  const [first = ""] = word;
  const [capital = "", ...more] = first.toUpperCase();
  return capital + more.join("").toLowerCase() + word.slice(first.length);
}
