/**
 * Looks for phrases in texts that somebody hostile may have written. Everything takes time in proportion to the text.
 *
 * Before phrases are compared both sides are folded: compatibility forms become plain ones (NFKC, so full-width letters
 * are letters), characters that nobody sees are dropped (zero-width blanks, soft hyphens, direction marks), upper and
 * lower case are one, and every run of blanks, hyphens and underscores is one blank.
 *
 * One character can become eighteen. A large text that grows to more than four times its size is not looked through: what is
 * asked about it is undefined, which is unknown.
 */
import { givesBearerToken } from "./bearer-token.ts";
import type { Value } from "./value.ts";

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0307]/gu;
/** Gaps that are not one blank already: a text full of single blanks is not copied piece by piece. */
const GAPS = /[^\S ][\s_\p{Pd}]*|[_\p{Pd}][\s_\p{Pd}]*| [\s_\p{Pd}]+/gu;
const MOST_GROWTH = 4;
const LARGE = 1 << 20;
/** Gaps of plain texts that are not one blank already. */
const PLAIN_GAPS = /[\t-\r_-]+[\t-\r _-]*| [\t-\r _-]+/g;
/** Most texts need no more than small letters and single blanks. */
// oxlint-disable-next-line no-control-regex -- plain characters are what is looked for
const PLAIN = /^[\u0000-\u007f]*$/u;

/** The text that was folded last: the checks of a draft all fold the same one. */
let lastText = "";
let lastFolded: string | undefined = "";

/** Undefined when the text grows too much. */
export function fold(text: string): string | undefined {
  if (text === lastText) return lastFolded;
  const folded = foldAnew(text);
  if (text.length > SHORT) {
    lastText = text;
    lastFolded = folded;
  }
  return folded;
}

const SHORT = 64;

function foldAnew(text: string): string | undefined {
  if (PLAIN.test(text)) return text.toLowerCase().replace(PLAIN_GAPS, " ");
  return seenOf(text)?.toUpperCase().toLowerCase().replaceAll("ς", "σ").replace(UNSEEN, "").replace(GAPS, " ");
}

/** In compatibility forms, without characters that nobody sees. */
function seenOf(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  const normal = text.normalize("NFKC");
  if (normal.length > LARGE && normal.length > MOST_GROWTH * text.length) return undefined;
  return normal.replace(UNSEEN, "");
}

/** The phrases that occur anywhere in the text, as they were given; blank ones are left out. */
export function phrasesIn(text: string, phrases: readonly string[]): string[] | undefined {
  return found(text, phrases, (folded, wanted) => indexOf(folded, wanted, 0) >= 0);
}

/** The phrases that occur as whole words. */
export function wordsIn(text: string, phrases: readonly string[]): string[] | undefined {
  return found(text, phrases, (folded, wanted) => someWord(folded, wanted, anywhere));
}

const anywhere = (): boolean => true;

function found(
  text: string,
  phrases: readonly string[],
  occurs: (folded: string, wanted: string) => boolean,
): string[] | undefined {
  const folded = fold(text);
  if (folded === undefined) return undefined;
  const those: string[] = [];
  for (const phrase of phrases) {
    const wanted = foldPhrase(phrase);
    if (wanted === undefined) return undefined;
    if (wanted !== "" && occurs(folded, wanted)) those.push(phrase);
  }
  return those;
}

/** The names that stand as whole words in front of `=` or `:` and a value, and `bearer` in front of a token. */
export function secretsIn(text: string, names: readonly string[]): string[] | undefined {
  const given = found(text, names, (folded, wanted) => someWord(folded, wanted, (end) => givesValue(folded, end)));
  if (given === undefined || fold(text)?.includes("bearer") !== true) return given;
  return givesBearerToken(seenOf(text) ?? "") ? [...given, "bearer token"] : given;
}

/**
 * The sections that are missing: one is there when the text contains its name as it is written, or has it as a heading of
 * the first or second level in any case. Blank names are left out.
 */
export function missingSections(text: string, sections: readonly string[]): string[] {
  const wanted = sections.filter((section) => section.trim() !== "" && !text.includes(section.trim()));
  if (wanted.length === 0) return [];
  const headings = new Set(headingsOf(text));
  return wanted.filter((section) => !headings.has(foldPhrase(section)));
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The mean over rows whose last item is a number: rows that are alike otherwise count once, by the smallest number. */
export function meanOfDistinct(rows: readonly Value[]): number | undefined {
  const smallest = new Map<string, number>();
  for (const row of rows) {
    const number: unknown = Array.isArray(row) ? row.at(-1) : undefined;
    if (typeof number !== "number") return undefined;
    const key = keyOf(row as readonly Value[]);
    smallest.set(key, Math.min(number, smallest.get(key) ?? number));
  }
  if (smallest.size === 0) return undefined;
  let sum = 0;
  for (const number of smallest.values()) sum += number;
  return sum / smallest.size;
}

/** Equal for rows that are equal without their last items. */
function keyOf(row: readonly Value[]): string {
  let key = "";
  for (let index = 0; index < row.length - 1; index++) {
    const item = row[index];
    key += typeof item === "string" ? `${item.length}"${item}` : `${JSON.stringify(item)},`;
  }
  return key;
}

// ---------------------------------------------------------------- finding

const foldedPhrases = new Map<string, string | undefined>();
const REMEMBERED = 1000;

/** Phrases are few and come again and again. */
function foldPhrase(phrase: string): string | undefined {
  const known = foldedPhrases.get(phrase);
  if (known !== undefined) return known;
  const folded = foldAnew(phrase)?.trim();
  if (foldedPhrases.size >= REMEMBERED) foldedPhrases.clear();
  if (phrase.length <= SHORT) foldedPhrases.set(phrase, folded);
  return folded;
}

/** Whether the phrase stands somewhere as whole words, such that what comes behind is as wanted. */
function someWord(text: string, phrase: string, behind: (end: number) => boolean): boolean {
  for (let at = indexOf(text, phrase, 0); at >= 0; at = indexOf(text, phrase, at + 1)) {
    const end = at + phrase.length;
    if (!isWordBefore(text, at) && !isWordAt(text, end) && behind(end)) return true;
  }
  return false;
}

const WORD = /[\p{L}\p{N}]/u;

function isWordAt(text: string, at: number): boolean {
  return at < text.length && WORD.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

function isWordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const unit = text.charCodeAt(at - 1);
  const low = unit >= 0xdc00 && unit <= 0xdfff && at > 1;
  return isWordAt(text, low ? at - 2 : at - 1);
}

/** `= value`, `: value`, also with the name in quotes. Runs of blanks are one blank here. */
function givesValue(text: string, end: number): boolean {
  const at = skip(text, end, "\"'`* ", 4);
  if (text[at] !== "=" && text[at] !== ":") return false;
  return skip(text, at + 1, "=:> \"'`*", 8) < text.length;
}

function skip(text: string, from: number, characters: string, most: number): number {
  let at = from;
  while (at < text.length && at - from < most && characters.includes(text[at] ?? "")) at += 1;
  return at;
}

/** A native search is quickest, and for short phrases its worst case is small; long ones are found in linear time. */
function indexOf(text: string, phrase: string, from: number): number {
  return phrase.length <= SHORT ? text.indexOf(phrase, from) : linearIndexOf(text, phrase, from);
}

/** Knuth, Morris, Pratt. */
function linearIndexOf(text: string, phrase: string, from: number): number {
  const back = fallbacks(phrase);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    while (matched > 0 && text[at] !== phrase[matched]) matched = back[matched - 1] ?? 0;
    if (text[at] === phrase[matched]) matched += 1;
    if (matched === phrase.length) return at - matched + 1;
  }
  return -1;
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

/** `# Summary`, `## Next steps ##`: folded, without the marks. */
function headingsOf(text: string): (string | undefined)[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/u).flatMap((line) => {
    const marks = /^ {0,3}#{1,2}(?=[ \t])/u.exec(line)?.[0];
    if (marks === undefined) return [];
    return [foldPhrase(withoutClosing(line.slice(marks.length).trim()))];
  });
}

function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 0 && (heading[end - 1] === "#" || heading[end - 1] === ":")) end -= 1;
  return heading.slice(0, end).trim();
}
