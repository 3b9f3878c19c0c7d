/**
 * Headlines: one sentence under 200 characters that gives the outcome and the reasons that decided it.
 *
 * A headline has a head (who, and what happened) and reasons, the most decisive first. When all of it does not fit, long
 * values are shortened in the middle, then as many reasons as fit are given, and the others are counted. The steps below
 * the headline have every value and every reason.
 *
 * Invariant: no headline is longer than `MAX_HEADLINE`, whatever names and values it is made of.
 */
import type { Maybe } from "../../base/value.ts";
import type { Draft, Reason } from "../read/draft.ts";

/** The most characters of a headline, with its full stop. */
const MAX_HEADLINE = 199;

/** The most characters of a head that reasons follow. */
const MAX_HEAD = 110;

/** The lengths that values are shortened to, one after the other, until the first reason fits. */
const VALUE_LENGTHS = [64, 40, 28, 18, 12];

/** Line breaks and tabs, which a headline does not have. */
const BREAKS = /[\n\r\t]+/gu;

/** The noun for reasons that are left out, for one and for several: `and 2 more parts`. */
type ReasonNoun = readonly [one: string, many: string];

const REASONS: ReasonNoun = ["reason", "reasons"];

interface HeadlineOptions {
  readonly noun?: ReasonNoun;
  /** What must be said after the reasons. */
  readonly last?: string;
  /** What is not a reason but good to know: said only when there is room. */
  readonly notes?: readonly string[];
}

/** Returns a headline. Neither `head` nor the reasons have a full stop. */
export function headlineOf(
  head: string,
  reasons: readonly (Reason | string)[],
  { noun = REASONS, last = "", notes = [] }: HeadlineOptions = {},
): string {
  const said = inOrder(reasons);
  const ends = said.filter(({ note }) => note === true);
  const whole = said.filter(({ note }) => note !== true);
  let headline = withReasons(head, whole, [...ends, ...(last === "" ? [] : [{ words: last }])], noun);
  for (const note of notes) {
    const longer = `${clauseOf(headline)}; ${note}.`;
    if (longer.length > MAX_HEADLINE) break;
    headline = longer;
  }
  return headline;
}

function withReasons(head: string, reasons: readonly Reason[], ends: readonly Reason[], noun: ReasonNoun): string {
  const clauses = reasons.map(({ words }) => words);
  const whole = sentenceOf(head, clauses, ends.map(({ words }) => words).join("; "));
  if (whole.length <= MAX_HEADLINE) return whole;
  const briefer = reasons.map(briefWords);
  const last = ends.map(briefWords).join("; ");
  for (const length of VALUE_LENGTHS) {
    const [start, end] = [headWithin(head, length), shortened(last, length)];
    for (const form of [clauses, briefer]) {
      const shorter = form.map((clause) => shortened(clause, length));
      const fitting = mostFitting(start, shorter, end, noun);
      if (fitting !== undefined) return fitting;
    }
  }
  return withFirst(head, briefer, last, noun);
}

function briefWords({ words, brief }: Reason): string {
  return brief ?? words;
}

/** Returns a sentence as a headline: as it is when it is short enough, else with its values shortened. */
export function fitted(sentence: string): string {
  const line = sentence.replaceAll(BREAKS, " ").trim();
  if (line.length <= MAX_HEADLINE) return line;
  for (const length of VALUE_LENGTHS) {
    const shorter = shortened(line, length);
    if (shorter.length <= MAX_HEADLINE) return shorter;
  }
  return cut(line, MAX_HEADLINE);
}

/** Returns the reasons of a draft; for one without, its sentence. */
export function reasonsOf({ reasons, up }: Draft): readonly Reason[] {
  return reasons ?? [{ words: clauseOf(up) }];
}

/** Returns a sentence as a part of another one: without its full stop. */
export function clauseOf(sentence: string): string {
  return sentence.replace(/\.$/u, "");
}

/** The most characters of the variables in a head. */
const MAX_VARIABLES = 72;

/** Returns the variables of a match for a head, ` for p = Person p1, total = 12`; nothing when there are none. */
export function forVariables(variables: Readonly<Record<string, Maybe>>, value: (one: Maybe) => string): string {
  const all = Object.entries(variables).map(([name, one]) => `${name} = ${value(one)}`);
  return all.length === 0 ? "" : ` for ${listWithin(all, MAX_VARIABLES)}`;
}

/** Returns the items as a list that is at most `room` characters long; the items left out are counted. */
function listWithin(items: readonly string[], room: number): string {
  const whole = items.join(", ");
  if (whole.length <= room) return whole;
  const shorter = items.map((item) => shortened(item, 24));
  for (let count = shorter.length; count > 1; count--) {
    const left = shorter.length - count;
    const list = shorter.slice(0, count).join(", ") + (left === 0 ? "" : `, and ${left} more`);
    if (list.length <= room) return list;
  }
  const more = items.length > 1 ? `, and ${items.length - 1} more` : "";
  return cut(shorter[0] ?? "", room - more.length) + more;
}

// ---------------------------------------------------------------- reasons

/** Returns the distinct reasons, the minor ones last and only if no other says the same and more. */
function inOrder(reasons: readonly (Reason | string)[]): Reason[] {
  const all = reasons.map((reason) => (typeof reason === "string" ? { words: reason } : reason));
  const major = all.filter(({ minor }) => minor !== true);
  const minor = all.filter((one) => one.minor === true && !major.some(({ words }) => saysMore(words, one.words)));
  return [...new Map([...major, ...minor].map((one) => [one.words, one])).values()];
}

/** Returns whether a clause says what another does: `n is 4, which is at least 3` says more than `n is 4 (over 4 facts)`. */
function saysMore(clause: string, other: string): boolean {
  return clause.startsWith(`${other.replace(/ \(over [\d,]+ facts?\)$/u, "")},`);
}

/** Returns a head whose values have at most `length` characters, fewer when it would not fit: it must keep the outcome. */
function headWithin(head: string, length: number): string {
  for (const shorter of VALUE_LENGTHS.filter((one) => one <= length)) {
    const fitting = shortened(head, shorter);
    if (fitting.length <= MAX_HEAD) return fitting;
  }
  return cut(shortened(head, length), MAX_HEAD);
}

function sentenceOf(head: string, clauses: readonly string[], last: string): string {
  const reasons = [...clauses, ...(last === "" ? [] : [last])];
  return `${head}${reasons.length === 0 ? "" : `: ${reasons.join("; ")}`}.`.replaceAll(BREAKS, " ");
}

/** Returns the headline with as many reasons as fit; undefined when not even one does. */
function mostFitting(head: string, clauses: readonly string[], last: string, noun: ReasonNoun): string | undefined {
  for (let count = clauses.length; count >= Math.min(1, clauses.length); count--) {
    const words = sentenceOf(head, withMore(clauses, count, noun), last);
    if (words.length <= MAX_HEADLINE) return words;
  }
  return undefined;
}

function withMore(clauses: readonly string[], count: number, [one, many]: ReasonNoun): string[] {
  const left = clauses.length - count;
  return [...clauses.slice(0, count), ...(left === 0 ? [] : [`and ${left} more ${left === 1 ? one : many}`])];
}

/** Returns the headline with the first reason, cut in the middle to the room that is left. */
function withFirst(head: string, clauses: readonly string[], last: string, noun: ReasonNoun): string {
  const [length = 0] = VALUE_LENGTHS.slice(-1);
  const start = headWithin(head, length);
  const [first = "", ...others] = withMore(
    clauses.map((clause) => shortened(clause, length)),
    Math.min(1, clauses.length),
    noun,
  );
  const end = cutBetweenWords(shortened(last, length), MAX_HEADLINE - MAX_HEAD - MAX_MORE - MIN_REASON);
  const room = MAX_HEADLINE - sentenceOf(start, ["", ...others], end).length;
  return sentenceOf(start, first === "" ? others : [cutBetweenWords(first, room), ...others], end);
}

/** The room that is kept for `; and 12 more parts` and the first reason. */
const MAX_MORE = 32;
const MIN_REASON = 24;

// ---------------------------------------------------------------- values

/** A string in quotes, or anything between blanks: a name, a number, the key of a fact. */
const PIECES = /"(?:\\.|[^"\\])*"|[^\s"]+/gu;

/** A list in brackets without a list inside. */
const LISTS = /\[[^[\]]*\]/gu;

/** Returns a clause in which no value is longer than `length`: long strings lose their middle, long lists their end. */
function shortened(clause: string, length: number): string {
  const pieces = clause.replaceAll(BREAKS, " ").replaceAll(PIECES, (piece) => shorterPiece(piece, length));
  return pieces.replaceAll(LISTS, (list) => shorterList(list, length));
}

function shorterPiece(piece: string, length: number): string {
  if (piece.length <= length) return piece;
  return piece.startsWith('"') ? `"${cut(piece.slice(1, -1), length - 2)}"` : cut(piece, length);
}

/** Returns a list with the items that fit: `["a", "b", …]`. */
function shorterList(list: string, length: number): string {
  if (list.length <= length) return list;
  const items = list.slice(1, -1).match(ITEMS) ?? [];
  const kept: string[] = [];
  for (const item of items) {
    if ([...kept, item, "…"].join(", ").length + 2 > length) break;
    kept.push(item);
  }
  return `[${[...kept, "…"].join(", ")}]`;
}

const ITEMS = /(?:"(?:\\.|[^"\\])*"|[^",\s])(?:"(?:\\.|[^"\\])*"|[^",])*/gu;

/** Returns a text of at most `length` characters: its beginning and its end, with `…` for what is between. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : endsWithin(text, length).join("…");
}

/** Returns the same without half words, where a word ends near the cut. */
function cutBetweenWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const [start, end] = endsWithin(text, length);
  const [half = ""] = /\S+$/u.exec(start) ?? [];
  const [rest = ""] = /^\S+/u.exec(end) ?? [];
  const isNear = (word: string, side: string): boolean => word.length < Math.min(MAX_WORD, side.length);
  const before = isNear(half, start) ? start.slice(0, start.length - half.length) : start;
  return `${before}…${isNear(rest, end) ? end.slice(rest.length) : end}`;
}

/** The most characters that are given up so that no half word is left. */
const MAX_WORD = 16;

/** Returns the beginning and the end of a text, which are with a mark between them at most `length` long. */
function endsWithin(text: string, length: number): [start: string, end: string] {
  const units: readonly string[] = text.match(UNITS) ?? [];
  const room = Math.max(0, length - 1);
  const end = take(units.toReversed(), Math.floor(room / 3)).toReversed();
  const start = take(units, room - end.join("").length);
  return [start.join("").trimEnd(), end.join("").trimStart()];
}

/** Characters, and escapes in strings, which stay whole. */
const UNITS = /\\u[0-9a-fA-F]{4}|\\.|[\s\S]/gu;

/** Returns the first units that are together at most `room` long. */
function take(units: readonly string[], room: number): string[] {
  const taken: string[] = [];
  let length = 0;
  for (const unit of units) {
    length += unit.length;
    if (length > room) break;
    taken.push(unit);
  }
  return taken;
}
