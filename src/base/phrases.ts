/**
 * Searches phrases in strings from untrusted authors. Both sides are folded before they are compared (`fold.ts`). For a
 * string that cannot be searched the result is undefined, which is unknown: never "nothing found".
 */
import { givesBearerToken } from "./bearer-token.ts";
import { fold, foldRequired, MAYBE_GAP, searchable, UNSEEN, visible } from "./fold.ts";
import { occurs, somewhere, type Accept } from "./occurs.ts";
import type { Value } from "./value.ts";

/** Returns the phrases that occur anywhere in the text, as passed in; blank ones are left out. */
export function phrasesIn(text: string, phrases: readonly string[]): string[] | undefined {
  return found(text, phrases, () => () => true);
}

/** Returns the phrases that occur as whole words. */
export function wordsIn(text: string, phrases: readonly string[]): string[] | undefined {
  return found(text, phrases, isWord);
}

/** Returns the names that occur as whole words before `=` or `:` and a value, and `bearer` before a token. */
export function secretsIn(text: string, names: readonly string[]): string[] | undefined {
  const secrets = found(text, names, (searched) => {
    const word = isWord(searched);
    return (start, end) => word(start, end) && givesValue(searched, end);
  });
  if (secrets === undefined || phrasesIn(text, ["bearer"])?.length !== 1) return secrets;
  return givesBearerToken(visible(text) ?? "") ? [...secrets, "bearer token"] : secrets;
}

function found(
  text: string,
  phrases: readonly string[],
  accepting: (searched: string) => Accept,
): string[] | undefined {
  const searched = searchable(text);
  if (searched === undefined) return undefined;
  const accept = accepting(searched);
  const occurring: string[] = [];
  for (const phrase of phrases) {
    const one = occursIn(text, searched, phrase, accept);
    if (one === undefined) return undefined;
    if (one) occurring.push(phrase);
  }
  return occurring;
}

/** Returns whether a phrase occurs. A phrase that folds to nothing, such as `--`, is searched as written. */
function occursIn(text: string, searched: string, phrase: string, accept: Accept): boolean | undefined {
  const wanted = foldPhrase(phrase);
  if (wanted === undefined) return undefined;
  if (wanted !== "") return occurs(searched, wanted, accept);
  return phrase.trim() !== "" && text.includes(phrase);
}

/**
 * Returns the phrases that a reader sees in the text. They are folded less, because here a hit counts in favour of the
 * text.
 */
export function writtenIn(text: string, phrases: readonly string[]): string[] | undefined {
  const searched = foldRequired(text);
  const wanted = phrases.map((phrase) => foldRequired(phrase)?.trim());
  if (searched === undefined || wanted.includes(undefined)) return undefined;
  return phrases.filter((phrase, index) => {
    const folded = wanted[index] ?? "";
    if (folded !== "") return somewhere(searched, folded, () => true);
    return phrase.trim() !== "" && text.includes(phrase);
  });
}

/**
 * Returns the sections that are missing. A section is present when the text contains its name as written, or has it as
 * a heading of the first or second level in any case. Blank names are left out.
 */
export function missingSections(text: string, sections: readonly string[]): string[] | undefined {
  const wanted = sections.filter((section) => section.trim() !== "" && !text.includes(section.trim()));
  if (wanted.length === 0) return [];
  const headings = new Set(headingsOf(text));
  const names = wanted.map((section) => foldRequired(section)?.trim());
  const missing = wanted.filter((_, index) => !names[index] || !headings.has(names[index]));
  const unclear = headings.has(undefined) || names.includes(undefined);
  return missing.length > 0 && unclear ? undefined : missing;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the mean over rows whose last item is a number. Rows that are equal otherwise count once, with the smallest
 * number.
 */
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

/** Returns a key that is equal for rows that are equal without their last items. */
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
const MAX_CACHED_PHRASES = 1000;
const MAX_CACHED_LENGTH = 64;

/** Returns the folded phrase from a cache: phrases are few and repeat. */
function foldPhrase(phrase: string): string | undefined {
  const known = foldedPhrases.get(phrase);
  if (known !== undefined) return known;
  const folded = fold(phrase)?.trim();
  if (foldedPhrases.size >= MAX_CACHED_PHRASES) foldedPhrases.clear();
  if (phrase.length <= MAX_CACHED_LENGTH) foldedPhrases.set(phrase, folded);
  return folded;
}

/** Returns a test that neither a letter nor a digit continues the word before or after it. */
function isWord(text: string): Accept {
  return (start, end) => !isWordBefore(text, start) && !isWordAt(text, end);
}

const WORD = /[\p{L}\p{N}]/u;

function isWordAt(text: string, at: number): boolean {
  const seen = text[at] === UNSEEN ? at + 1 : at;
  return seen < text.length && WORD.test(String.fromCodePoint(text.codePointAt(seen) ?? 0));
}

function isWordBefore(text: string, at: number): boolean {
  const end = text[at - 1] === UNSEEN ? at - 1 : at;
  if (end === 0) return false;
  const unit = text.charCodeAt(end - 1);
  const low = unit >= 0xdc00 && unit <= 0xdfff && end > 1;
  return WORD.test(String.fromCodePoint(text.codePointAt(low ? end - 2 : end - 1) ?? 0));
}

/** Returns whether `= value` or `: value` follows, also after a quote. Runs of blanks are one blank here. */
function givesValue(text: string, end: number): boolean {
  const at = skip(text, end, "\"'`* ", 4);
  if (text[at] !== "=" && text[at] !== ":") return false;
  return skip(text, at + 1, "=:> \"'`*", 8) < text.length;
}

/** Returns the position after at most `most` of the characters; hidden ones do not count. */
function skip(text: string, from: number, characters: string, most: number): number {
  let skipped = 0;
  let at = from;
  for (; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === UNSEEN || character === MAYBE_GAP) continue;
    if (skipped === most || !characters.includes(character)) break;
    skipped += 1;
  }
  return at;
}

/** Returns the headings, `# Summary` or `## Next steps ##`, folded and without the marks. */
function headingsOf(text: string): (string | undefined)[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/u).flatMap((line) => {
    const marks = /^ {0,3}#{1,2}(?=[ \t])/u.exec(line)?.[0];
    if (marks === undefined) return [];
    return [foldRequired(withoutClosing(line.slice(marks.length).trim()))?.trim()];
  });
}

function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 0 && (heading[end - 1] === "#" || heading[end - 1] === ":")) end -= 1;
  return heading.slice(0, end).trim();
}
