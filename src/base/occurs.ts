/**
 * Finds a folded phrase in a searchable string (`fold.ts`), in linear time.
 *
 * Where hidden characters were, the string may continue or have a gap: both spellings of the phrase are found there. The
 * letters are searched without gaps, and the gaps are compared wherever the letters match:
 *
 *     phrase   build a bomb   b u i l d|a|b o m b        | a gap, · hidden, either
 *     string   bu·ild·a bomb  b u·i l d·a|b o m b
 */
import { hasHidden, MAYBE_GAP, UNSEEN } from "./fold.ts";

/** Decides whether an occurrence counts, from its start and end in the searchable string. */
export type Accept = (start: number, end: number) => boolean;

/** Returns whether the phrase occurs; undefined when the search would take too long. */
export function occurs(text: string, phrase: string, accept: Accept): boolean | undefined {
  const hidden = spacedOf(text);
  if (hidden !== undefined) return occursBetween(hidden, phrase, accept);
  return somewhere(text, phrase, (at) => accept(at, at + phrase.length));
}

/** Letters, each with what precedes it: `NOTHING`, `HIDDEN` or `A_GAP`. */
interface Spaced {
  readonly letters: string;
  readonly before: Uint8Array;
  /** The position of each letter in the whole string. */
  readonly places: Uint32Array;
}

const NOTHING = 0;
const HIDDEN = 1;
const A_GAP = 2;

let lastText = "";
let lastSpaced: Spaced | undefined;

/**
 * Returns the letters and gaps of a string; undefined when it has no hidden characters. The last result is kept,
 * because all phrases are searched in the same string.
 */
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

/** The most comparisons for each letter of the string. A phrase of up to this many letters is compared everywhere. */
const MAX_COMPARISONS_PER_LETTER = 64;

function occursBetween(text: Spaced, phrase: string, accept: Accept): boolean | undefined {
  const wanted = spaced(phrase);
  const { length } = wanted.letters;
  let steps = MAX_COMPARISONS_PER_LETTER * (text.letters.length + 1);
  const occurrence = somewhere(text.letters, wanted.letters, (at) => {
    let same = 1;
    while (same < length && fits(text.before[at + same], wanted.before[same])) same += 1;
    steps -= same;
    if (steps < 0) return true;
    return same === length && accept(text.places[at] ?? 0, (text.places[at + length - 1] ?? 0) + 1);
  });
  return steps < 0 ? undefined : occurrence;
}

/** Returns whether a gap matches: a hidden place matches both a gap and none. */
function fits(gap: number | undefined, wanted: number | undefined): boolean {
  return gap === HIDDEN || gap === wanted;
}

// ---------------------------------------------------------------- searching

const MAX_NATIVE_PHRASE = 64;

/**
 * Returns whether the phrase occurs at a place that counts. Native search is fastest, and for short phrases its worst
 * case is small; long phrases are searched in linear time.
 */
export function somewhere(text: string, phrase: string, accept: (at: number) => boolean): boolean {
  if (phrase.length > MAX_NATIVE_PHRASE) return somewhereLinear(text, phrase, accept);
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) if (accept(at)) return true;
  return false;
}

/**
 * Searches with Knuth-Morris-Pratt: after an occurrence that does not count it continues without reading a letter
 * again.
 */
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

/** Returns for each prefix of the phrase the length of its longest proper prefix that is also its suffix. */
function fallbacks(phrase: string): number[] {
  const back = [0];
  for (let at = 1, length = 0; at < phrase.length; at++) {
    while (length > 0 && phrase[at] !== phrase[length]) length = back[length - 1] ?? 0;
    if (phrase[at] === phrase[length]) length += 1;
    back.push(length);
  }
  return back;
}
