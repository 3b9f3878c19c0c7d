/**
 * Folds strings from untrusted authors, so that what looks alike compares equal. Every step is linear.
 *
 * `docs/guardian.md` lists what folding covers. There are two directions:
 *
 * - **Forbidden phrases** (`folded`, `searchable`) fold as much as possible: one hit too many is safe.
 * - **Required phrases** (`foldRequired`) fold less: marks stay, and a hidden character never counts as a blank, so that nothing
 *   counts as present that a reader does not see.
 *
 * One character can become eighteen. A long string that grows to more than four times its size, and one with half a surrogate
 * pair, is not folded: the result is undefined, which is unknown.
 */
import { cutMarks } from "./normal.ts";

/** Replaces hidden characters without width in a searchable string. It is no character and ends no word. */
export const UNSEEN = "\u0001";
/** Replaces hidden characters that may show as a gap. It is a blank or nothing, and ends a word. */
export const MAYBE_GAP = "\u0000";

/**
 * Blank in most fonts: braille blank, Hangul fillers, the note head without a head. Rare line ends, which
 * browsers show as nothing: vertical tab, form feed, U+0085, U+2028, U+2029.
 */
const BLANK = "\\v\\f\\u0085\\u2028\\u2029\\u115f\\u1160\\u2800\\u3164\\uffa0\\u{1d159}";
/** Shown as nothing, as a gap or as a box: control characters that are no white space, zero-width space, object replacement. */
const ODD =
  "\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u200b\\ufffc\\p{Co}\\p{Noncharacter_Code_Point}";
/** White space except U+0020, hyphens, dashes, underscores. */
const OTHER_GAP = "\\t-\\r\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000_\\p{Pd}";
const GAP = ` ${OTHER_GAP}`;

const ANY_HIDDEN = new RegExp(`[${BLANK}${ODD}\\p{Default_Ignorable_Code_Point}\\p{Cf}]`, "u");
const BLANKS = new RegExp(`[${BLANK}]+`, "gu");
const ODD_ONES = new RegExp(`[${ODD}]+`, "gu");
const NO_ROOM = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
/** Gaps other than a single blank, so that a string full of single blanks is not copied piece by piece. */
const GAPS = new RegExp(`[${OTHER_GAP}][${GAP}]*| [${GAP}]+`, "gu");
const GAPS_AND_HIDDEN = new RegExp(`[\\u0000\\u0001]?[${GAP}][${GAP}\\u0000\\u0001]*`, "gu");
/** A hidden place and the rest of the character before it: marks, and the vowels and finals of a Hangul syllable. */
// oxlint-disable-next-line no-control-regex -- these two stand for hidden characters
const HIDDEN_INSIDE = /[\u0000\u0001][\u0000\u0001\p{M}\u1160-\u11ff\ud7b0-\ud7ff]+/gu;
// oxlint-disable-next-line no-control-regex -- these two stand for hidden characters
export const HIDDEN_PLACES: RegExp = /[\u0000\u0001]+/gu;

const ANY_MARK = /\p{M}/u;
/** Marks that belong to no script, without the two that make other kana. */
const COMMON_MARKS = /[^\P{M}\P{sc=Inherited}\u3099\u309a]+/gu;
/** The Arabic tatweel, which only stretches words. */
const STRETCH = "\u0640";
/** Letters that mean the same without marks, and everything that is not a letter. */
const BARE = ["Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Coptic", "Hebrew", "Arabic", "Syriac"]
  .concat(["Han", "Hangul", "Common"])
  .map((script) => `\\p{sc=${script}}`)
  .join("");
const MARKS_ON_BARE = new RegExp(`(^|[${BARE}])\\p{M}+`, "gu");
/** Repeated marks. In other scripts marks are vowels and stay; a repeated one is drawn over itself. */
const REPEATED_MARKS = /(\p{M})\1+/gu;

/** Strings that need only lower case and single blanks, which most do. */
const PLAIN = /^[\t\n\r -~]*$/u;
const PLAIN_GAPS = /[\t-\r_-]+[\t-\r _-]*| [\t-\r _-]+/g;
/** The most growth of a string when it is normalised, which is limited for strings that become this long or longer. */
const MAX_GROWTH = 4;
const GROWTH_LIMITED_FROM = 1 << 20;

/**
 * Returns the string as `folded` returns it: without hidden characters, and with blanks for those that show as blanks.
 */
export function fold(text: string): string | undefined {
  if (text === lastText && (lastResult === undefined || !hasHidden(lastResult))) return lastResult;
  return finish(visible(text, { blank: " ", odd: "", noRoom: "" }));
}

/** Returns why a string is not folded, as a predicate; undefined when it is. */
export function notFolded(text: string): string | undefined {
  if (!text.isWellFormed()) return "cannot process a string with an unpaired surrogate";
  if (searchable(text) !== undefined) return undefined;
  return `cannot process a string of ${text.length} characters that grows more than fourfold when normalised`;
}

/** The string that was made searchable last, and its result, kept because all checks of a draft search the same one. */
let lastText = "";
let lastResult: string | undefined = "";
const CACHE_LONGER_THAN = 64;

/** Returns the folded string with `UNSEEN` or `MAYBE_GAP` in place of each run of hidden characters. */
export function searchable(text: string): string | undefined {
  if (text === lastText) return lastResult;
  const result = finish(visible(text));
  if (text.length > CACHE_LONGER_THAN) {
    lastText = text;
    lastResult = result;
  }
  return result;
}

export function hasHidden(text: string): boolean {
  return text.includes(UNSEEN) || text.includes(MAYBE_GAP);
}

/** The replacements of hidden characters, by kind. */
interface Replacement {
  readonly blank: string;
  readonly odd: string;
  readonly noRoom: string;
}

const PLACES: Replacement = { blank: MAYBE_GAP, odd: MAYBE_GAP, noRoom: UNSEEN };

/** Returns the compatibility form without marks, with hidden characters replaced; upper and lower case stay. */
export function visible(text: string, { blank, odd, noRoom }: Replacement = PLACES): string | undefined {
  if (PLAIN.test(text)) return text;
  if (!text.isWellFormed()) return undefined;
  const hides = ANY_HIDDEN.test(text);
  const shown = hides ? text.replace(ODD_ONES, odd).replace(BLANKS, blank).replace(NO_ROOM, noRoom) : text;
  const normal = cutMarks(shown).normalize("NFKD");
  if (normal.length > GROWTH_LIMITED_FROM && normal.length > MAX_GROWTH * text.length) return undefined;
  return withoutMarks(hasHidden(normal) ? normal.replace(HIDDEN_INSIDE, hiddenLast) : normal).normalize("NFC");
}

/** Moves a hidden place inside a character to its end. */
function hiddenLast(run: string): string {
  return run.replace(HIDDEN_PLACES, "") + (run.includes(MAYBE_GAP) ? MAYBE_GAP : UNSEEN);
}

function withoutMarks(text: string): string {
  const some = text.replaceAll(STRETCH, "").replace(COMMON_MARKS, "");
  if (!ANY_MARK.test(some)) return some;
  return cutMarks(some.replace(MARKS_ON_BARE, "$1").replace(REPEATED_MARKS, "$1"));
}

function finish(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (PLAIN.test(text)) return text.toLowerCase().replace(PLAIN_GAPS, " ");
  return inOneCase(text).replace(hasHidden(text) ? GAPS_AND_HIDDEN : GAPS, " ");
}

function inOneCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ").replaceAll("ß", "ss");
}

const DROPPED = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0307]/gu;

/** Folds a phrase that must be present: compatibility form, lower case and single blanks, nothing more. */
export function foldRequired(text: string): string | undefined {
  if (PLAIN.test(text)) return text.toLowerCase().replace(PLAIN_GAPS, " ");
  if (!text.isWellFormed()) return undefined;
  const normal = cutMarks(text).normalize("NFKC");
  if (normal.length > GROWTH_LIMITED_FROM && normal.length > MAX_GROWTH * text.length) return undefined;
  return inOneCase(normal.replace(DROPPED, "")).replace(DROPPED, "").replace(GAPS, " ");
}
