/**
 * Tells a bearer token in a text from the bearer of a letter, from what stands around the word.
 *
 * Behind `Authorization`, or behind `bearer` with `:` or `=`, anything is a token. Elsewhere the next word must look like one: a
 * real token is long, or mixes digits or capitals into its letters, or has marks that words do not have.
 */
import { HIDDEN_PLACES } from "./fold.ts";

/** Hidden characters may be between its letters. */
const BEARER = new RegExp(`(?<![\\p{L}\\p{N}])${[..."bearer"].join("[\\u0000\\u0001]?")}(?![\\p{L}\\p{N}])`, "giu");
const HEADER = /authorization["'`*\s]{0,4}[:=]?["'`*\s]{0,4}$/iu;
/** The word `token` may stand between; then quotes and marks, then what may be one. */
const BEHIND = /^(?:["'`*\s]{0,4}token(?![\p{L}\p{N}]))?(["'`*\s:=<]{1,8})([A-Za-z0-9._~+/=-]+)/iu;
/** Nothing further away is looked at, so that a text full of the word costs no more than its length. */
const NEAR = 120;

/** Looks through a string of `visible`. */
export function givesBearerToken(text: string): boolean {
  for (const { index, 0: word } of text.matchAll(BEARER)) {
    const end = index + word.length;
    const header = HEADER.test(text.slice(Math.max(0, index - NEAR), index).replace(HIDDEN_PLACES, ""));
    const behind = text.slice(end, end + NEAR);
    if (readings(behind).some((reading) => beginsWithToken(reading, header))) return true;
  }
  return false;
}

/** What is hidden may be a blank or nothing; right after the word it is a blank. */
function readings(behind: string): readonly string[] {
  const blanks = behind.replace(HIDDEN_PLACES, " ");
  return blanks === behind ? [behind] : [blanks, (blanks[0] ?? "") + behind.slice(1).replace(HIDDEN_PLACES, "")];
}

function beginsWithToken(behind: string, header: boolean): boolean {
  const [, marks = "", token = ""] = BEHIND.exec(behind) ?? [];
  if (token === "") return false;
  // `<token>` stands for one: only what looks like a token counts inside.
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
