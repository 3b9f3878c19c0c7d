/**
 * The sentences of and, or, not, quorums and tested leaves, for everything that is built from them: tests of rules,
 * gates.
 */
import { not, type Truth } from "../../base/truth.ts";
import type { Draft, Reason } from "../read/draft.ts";
import { clauseOf, reasonsOf } from "./headline.ts";
import { seenWords } from "./step.ts";

/** Returns the draft of a leaf that was tested; `method` is the operator or check. */
export function tested(text: string, seen: readonly string[], method: string, outcome: Truth): Draft {
  const down = `Checks whether ${text} holds: a single test.`;
  return outcome === undefined
    ? {
        text,
        seen,
        down,
        up: sentence(seen, `${named(text)} is unknown`, ", so "),
        outcome,
        children: [],
      }
    : {
        text,
        seen,
        down,
        up: sentence(seen, `${named(text)} ${holds(outcome)}`, ", so "),
        method,
        outcome,
        children: [],
      };
}

/** Returns the draft of an `and`. With `strict`, one unknown part makes it unknown (`logic bochvar`). */
export function allOf(text: string, items: readonly Draft[], strict = false): Draft {
  const clouded = strict && items.some(isUnknown);
  const outcome = clouded ? undefined : items.some(isFalse) ? false : items.every(isTrue) ? true : undefined;
  const down = `${text} holds when ${items.length === 1 ? "its one part holds" : `${all(items.length)} hold`}.`;
  return operator(text, items, down, outcome, reasonsFor(items, outcome, clouded), () => {
    if (clouded) return cloudedWords(items);
    if (outcome === true) return items.length === 1 ? "this holds" : `${all(items.length)} hold`;
    return outcome === false ? failing(items.filter(isFalse)) : unknown(items.filter(isUnknown));
  });
}

export function anyOf(text: string, items: readonly Draft[], strict = false): Draft {
  const clouded = strict && items.some(isUnknown);
  const outcome = clouded ? undefined : items.some(isTrue) ? true : items.every(isFalse) ? false : undefined;
  const down = `${text} holds when one of its ${items.length} parts holds.`;
  return operator(text, items, down, outcome, reasonsFor(items, outcome, clouded), () => {
    if (clouded) return cloudedWords(items);
    if (outcome === true) return holding(items.filter(isTrue));
    return outcome === false ? none(items.length) : `none holds for certain: ${unknown(items.filter(isUnknown))}`;
  });
}

export function noneOf(text: string, item: Draft): Draft {
  const outcome = not(item.outcome);
  const negated = named(item.text);
  const down = `${text} holds when ${negated} does not hold.`;
  const how =
    item.outcome === undefined ? "and so is its negation" : item.outcome ? "which it must not" : "as required";
  return {
    text,
    seen: item.seen,
    down,
    up: `${clauseOf(item.up)}, ${how}.`,
    reasons: item.outcome === true ? ruledOut(text, reasonsOf(item)) : reasonsOf(item),
    outcome,
    children: [item],
  };
}

/** Returns the reasons that a negation does not hold. */
function ruledOut(text: string, reasons: readonly Reason[]): readonly Reason[] {
  const [only, second] = reasons;
  if (only !== undefined && second === undefined) return [{ words: `${only.words}, which ${text} rules out` }];
  return [...reasons, { words: `${text} rules this out` }];
}

/** Returns the draft of an `at least n of …` whose outcome is known already. */
export function atLeast(text: string, n: number, items: readonly Draft[], outcome: Truth, strict = false): Draft {
  const down = `${text} holds when ${n} of its ${items.length} parts hold.`;
  const clouded = strict && items.some(isUnknown);
  const tally = { words: tallyWords(n, items) };
  const deciding = reasonsFor(items, outcome, clouded);
  const reasons = clouded || outcome === true ? deciding : [tally, ...deciding];
  return operator(text, items, down, outcome, reasons, () => (clouded ? cloudedWords(items) : tally.words));
}

function tallyWords(n: number, items: readonly Draft[]): string {
  const sure = items.filter(isTrue).length;
  const open = items.filter(isUnknown).length;
  const unsure = open === 0 ? "" : `, ${open} ${open === 1 ? "is" : "are"} unknown`;
  return `${sure} of ${items.length} ${sure === 1 ? "holds" : "hold"}${unsure}, and ${n} ${n === 1 ? "is" : "are"} needed`;
}

/** Returns the reasons of the parts that decide: those with the outcome of the whole, or that cloud it. */
function reasonsFor(items: readonly Draft[], outcome: Truth, clouded: boolean): readonly Reason[] {
  const deciding = items.filter((item) => item.outcome === (clouded ? undefined : outcome));
  const reasons = deciding.flatMap((item) => reasonsOf(item));
  return clouded && deciding.length < items.length
    ? [...reasons, { words: BOCHVAR, brief: BOCHVAR_BRIEF, note: true }]
    : reasons;
}

/** Why a part that is known does not decide under `logic bochvar`. */
const BOCHVAR = "under Bochvar logic any unknown part makes the whole unknown";
const BOCHVAR_BRIEF = "Bochvar logic makes it unknown";

function cloudedWords(items: readonly Draft[]): string {
  return `${unknown(items.filter(isUnknown))}, and ${BOCHVAR}`;
}

function operator(
  text: string,
  children: readonly Draft[],
  down: string,
  outcome: Truth,
  reasons: readonly Reason[],
  conclusion: () => string,
): Draft {
  const seen = children.flatMap((child) => child.seen);
  return { text, seen, down, up: sentence(seen, conclusion(), "; "), reasons, outcome, children };
}

/** Returns the observations and the conclusion as one sentence. */
export function sentence(seen: readonly string[], conclusion: string, between: string): string {
  return seen.length === 0 ? `${conclusion}.` : `${seenWords(seen)}${between}${conclusion}.`;
}

/**
 * Returns a test as a name in a sentence, in quotes when it is a sentence itself: `p.email is missing holds` is none.
 */
function named(text: string): string {
  const bare = WRAPPED.test(text) ? text.slice(1, -1) : text;
  return SENTENCE.test(bare) ? `"${bare}"` : bare;
}

/** A test in parentheses of its own. */
const WRAPPED = /^\([^()]*\)$/u;

const SENTENCE = /^[^"]*\bis (?:present|missing)$|^(?:gate|guardian) \S.* (?:passes|holds|fails)$/u;

export function holds(outcome: boolean): string {
  return outcome ? "holds" : "does not hold";
}

function all(count: number): string {
  return count === 1 ? "its one part" : count === 2 ? "both" : `all ${count}`;
}

function none(count: number): string {
  return count === 2 ? "neither holds" : count === 1 ? "this does not hold" : `none of the ${count} holds`;
}

function holding(items: readonly Draft[]): string {
  return `${listWords(items.map(({ text }) => named(text)))} ${items.length === 1 ? "holds" : "hold"}`;
}

function failing(items: readonly Draft[]): string {
  return `${listWords(items.map(({ text }) => named(text)))} ${items.length === 1 ? "does" : "do"} not hold`;
}

function unknown(items: readonly Draft[]): string {
  return `${listWords(items.map(({ text }) => named(text)))} ${items.length === 1 ? "is" : "are"} unknown`;
}

const MAX_LISTED = 3;

/** Returns a list in words: `a, b and c`. */
function listWords(words: readonly string[]): string {
  if (words.length > MAX_LISTED)
    return `${words.slice(0, MAX_LISTED).join(", ")} and ${words.length - MAX_LISTED} more`;
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

const isTrue = ({ outcome }: Draft): boolean => outcome === true;
const isFalse = ({ outcome }: Draft): boolean => outcome === false;
const isUnknown = ({ outcome }: Draft): boolean => outcome === undefined;
