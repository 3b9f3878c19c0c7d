/**
 * Folds steps for people: an only step whose sentence is a part of the sentence above it is not shown again.
 *
 * The explanation itself, JSON and Links Notation keep every step: there is one for each node of the condition.
 */
import type { Explanation } from "../tell/step.ts";

/** Returns the steps to show below a step. The steps of a folded one take its place. */
export function stepsBelow({ children, upward_rationale }: Explanation): readonly Explanation[] {
  let below = children;
  for (;;) {
    const [only, second] = below;
    if (only === undefined || second !== undefined || !repeats(only, upward_rationale)) return below;
    below = only.children;
  }
}

/** Whether a sentence has all of a step's sentence, as whole words: "n is 1" is no part of "n is 12" or "n is 1.5". */
function repeats(step: Explanation, above: string): boolean {
  const sentence = step.upward_rationale.replace(/\.$/u, "");
  for (let at = above.indexOf(sentence); at !== -1; at = above.indexOf(sentence, at + 1)) {
    if (!WORD_BEFORE.test(above.slice(0, at)) && !WORD_AFTER.test(above.slice(at + sentence.length))) return true;
  }
  return false;
}

/** What comes before or after a part of a sentence when it cuts a word or number in two. */
const WORD_BEFORE = /[\p{L}\p{M}\p{N}_]$/u;
const WORD_AFTER = /^\.?[\p{L}\p{M}\p{N}_]/u;
