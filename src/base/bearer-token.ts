/**
 * Distinguishes a bearer token in a text from the bearer of a letter, by what surrounds the word.
 *
 * After `Authorization`, or after `bearer` with `:` or `=`, anything is a token. Elsewhere the next word must look like
 * one: a real token is long, or mixes digits or capitals into its letters, or has characters that words do not have.
 */
import { HIDDEN_PLACES } from "./fold.ts";

/** The word `bearer`, also with hidden characters between its letters. */
const BEARER = new RegExp(`(?<![\\p{L}\\p{N}])${[..."bearer"].join("[\\u0000\\u0001]?")}(?![\\p{L}\\p{N}])`, "giu");
const HEADER = /authorization["'`*\s]{0,4}[:=]?["'`*\s]{0,4}$/iu;
/** The rest after the word: an optional `token`, quotes and punctuation, and a possible token. */
const AFTER_BEARER = /^(?:["'`*\s]{0,4}token(?![\p{L}\p{N}]))?(["'`*\s:=<]{1,8})([A-Za-z0-9._~+/=-]+)/iu;
/** The most characters after the word that are looked at, so that a text full of the word takes linear time. */
const MAX_CHARACTERS_AFTER = 120;

/** Returns whether a string that `visible` returned contains a bearer token. */
export function givesBearerToken(text: string): boolean {
  for (const { index, 0: word } of text.matchAll(BEARER)) {
    const end = index + word.length;
    const header = HEADER.test(text.slice(Math.max(0, index - MAX_CHARACTERS_AFTER), index).replace(HIDDEN_PLACES, ""));
    const rest = text.slice(end, end + MAX_CHARACTERS_AFTER);
    if (readings(rest).some((reading) => beginsWithToken(reading, header))) return true;
  }
  return false;
}

/** Returns both readings of the hidden characters, as blanks and as nothing; right after the word they are blanks. */
function readings(rest: string): readonly string[] {
  const blanks = rest.replace(HIDDEN_PLACES, " ");
  return blanks === rest ? [rest] : [blanks, (blanks[0] ?? "") + rest.slice(1).replace(HIDDEN_PLACES, "")];
}

function beginsWithToken(rest: string, header: boolean): boolean {
  const [, marks = "", token = ""] = AFTER_BEARER.exec(rest) ?? [];
  if (token === "") return false;
  // `<token>` is a placeholder: inside angle brackets, only what looks like a token counts.
  return ((header || /[:=]/u.test(marks)) && !marks.includes("<")) || looksLikeToken(token);
}

function looksLikeToken(word: string): boolean {
  const token = word.replace(/[./-]+$/u, "");
  const { length } = token;
  if (/\d/u.test(token)) return length >= 6 || (length >= 4 && /[a-z]/iu.test(token));
  if (length >= 8 && /[_~+]|[a-z]\.[a-z]|=$/iu.test(token)) return true;
  const turns = token.match(/[a-z](?=[A-Z])/gu)?.length ?? 0;
  return turns >= 2 || (turns === 1 && length >= 12) || length >= 20;
}
