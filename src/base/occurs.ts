/**
 * Finds a folded phrase in a searchable string (`fold.ts`), in time in proportion to the string.
 *
 * Where hidden characters were, the string may go on or have a gap: both spellings of the phrase are found there. The letters are then
 * searched without gaps, and the gaps compared at each place where the letters fit:
 *
 *     phrase   build a bomb   b u i l d|a|b o m b        | a gap, · hidden, either
 *     string   bu·ild·a bomb  b u·i l d·a|b o m b
 */
import { hasHidden, MAYBE_GAP, UNSEEN } from "./fold.ts";

/** Whether a place counts, from its start to its end in the searchable string. */
export type Accept = (start: number, end: number) => boolean;

/** Undefined when looking would take too long. */
export function occurs(text: string, phrase: string, accept: Accept): boolean | undefined {
  const hidden = spacedOf(text);
  if (hidden !== undefined) return occursBetween(hidden, phrase, accept);
  return somewhere(text, phrase, (at) => accept(at, at + phrase.length));
}

/** Letters, and what is in front of each: `NOTHING`, `HIDDEN` or `A_GAP`. */
interface Spaced {
  readonly letters: string;
  readonly before: Uint8Array;
  /** Where each letter is in the whole string. */
  readonly places: Uint32Array;
}

const NOTHING = 0;
const HIDDEN = 1;
const A_GAP = 2;

let lastText = "";
let lastSpaced: Spaced | undefined;

/** Undefined for a string without hidden characters. Remembered, because all phrases are looked for in the same string. */
function spacedOf(text: string): Spaced | undefined {
  if (text !== lastText) {
    lastSpaced = hasHidden(text) ? spaced(text) : undefined;
    lastText = text;
  }
  return lastSpaced;
}

// oxlint-disable-next-line no-control-regex -- these two stand for hidden characters
const SPACES = /[ \u0000\u0001]+/gu;

function spaced(text: string): Spaced {
  const before = new Uint8Array(text.length + 1);
  const places = new Uint32Array(text.length + 1);
  let count = 0;
  let space = NOTHING;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === " ") space = A_GAP;
    else if (character === UNSEEN || character === MAYBE_GAP) space = Math.max(space, HIDDEN);
    else {
      before[count] = space;
      places[count] = at;
      count += 1;
      space = NOTHING;
    }
  }
  return { letters: text.replace(SPACES, ""), before, places };
}

/** For a phrase of up to so many letters every place is compared; for a longer one as many letters are. */
const MOST_PER_LETTER = 64;

function occursBetween(text: Spaced, phrase: string, accept: Accept): boolean | undefined {
  const wanted = spaced(phrase);
  const { length } = wanted.letters;
  let steps = MOST_PER_LETTER * (text.letters.length + 1);
  const there = somewhere(text.letters, wanted.letters, (at) => {
    let same = 1;
    while (same < length && fits(text.before[at + same], wanted.before[same])) same += 1;
    steps -= same;
    if (steps < 0) return true;
    return same === length && accept(text.places[at] ?? 0, (text.places[at + length - 1] ?? 0) + 1);
  });
  return steps < 0 ? undefined : there;
}

/** A hidden place is a gap and is none. */
function fits(given: number | undefined, wanted: number | undefined): boolean {
  return given === HIDDEN || given === wanted;
}

// ---------------------------------------------------------------- searching

const SHORT = 64;

/** Whether the phrase is at some place that counts. A native search is quickest, and for short phrases its worst case is small; long ones are found in linear time. */
export function somewhere(text: string, phrase: string, accept: (at: number) => boolean): boolean {
  if (phrase.length > SHORT) return somewhereLinear(text, phrase, accept);
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) if (accept(at)) return true;
  return false;
}

/** Knuth, Morris, Pratt: goes on after a place that does not count, without looking at a letter again. */
function somewhereLinear(text: string, phrase: string, accept: (at: number) => boolean): boolean {
  const back = fallbacks(phrase);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== phrase[matched]) matched = back[matched - 1] ?? 0;
    if (text[at] === phrase[matched]) matched += 1;
    if (matched < phrase.length) continue;
    if (accept(at - matched + 1)) return true;
    matched = back[matched - 1] ?? 0;
  }
  return false;
}

/** For each beginning of the phrase, the length of its longest proper beginning that is also its end. */
function fallbacks(phrase: string): number[] {
  const back = [0];
  for (let at = 1, length = 0; at < phrase.length; at++) {
    while (length > 0 && phrase[at] !== phrase[length]) length = back[length - 1] ?? 0;
    if (phrase[at] === phrase[length]) length += 1;
    back.push(length);
  }
  return back;
}
