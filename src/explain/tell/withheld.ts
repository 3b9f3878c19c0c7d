/**
 * Takes an answer that an `after` blocked out of the explanation of its decision: a step whose own test reads the field
 * that becomes the answer would show it as a value.
 */
import type { Draft, Reason } from "../read/draft.ts";
import { seenValue, valueWords } from "../read/words.ts";

const WITHHELD = "(withheld)";

/** Returns a function that replaces an answer, as a value, by `(withheld)`. */
export function withholding(answer: string): (words: string) => string {
  const forms = [...new Set([valueWords(answer), seenValue(answer)])];
  return (words) => forms.reduce((text, form) => text.replaceAll(form, WITHHELD), words);
}

/** Returns a draft and all below it without the answer. */
export function withheldIn(draft: Draft, hide: (words: string) => string): Draft {
  return {
    ...draft,
    seen: draft.seen.map(hide),
    down: hide(draft.down),
    up: hide(draft.up),
    ...(draft.reasons === undefined ? {} : { reasons: draft.reasons.map((reason) => withheldReason(reason, hide)) }),
    children: draft.children.map((child) => withheldIn(child, hide)),
  };
}

export function withheldReason(reason: Reason, hide: (words: string) => string): Reason {
  const { words, brief } = reason;
  return { ...reason, words: hide(words), ...(brief === undefined ? {} : { brief: hide(brief) }) };
}
