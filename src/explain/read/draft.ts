/** The steps of an explanation while they are drafted, from the leaves up. */
import type { Truth } from "../../base/truth.ts";

/** A step without its id and depth. */
export interface Draft {
  /** The text in the program. */
  readonly text: string;
  /** The observations. */
  readonly seen: readonly string[];
  readonly down: string;
  readonly up: string;
  /** What decided the outcome, for a headline. Absent when `up` says it as shortly as possible. */
  readonly reasons?: readonly Reason[];
  /** The operator or check of a leaf that was tested. */
  readonly method?: string;
  readonly outcome: Truth;
  readonly children: readonly Draft[];
  /** True when the step is not explained any further. */
  readonly bound?: boolean;
}

/** A reason of an outcome: a clause that is true by itself, without a full stop. */
export interface Reason {
  readonly words: string;
  /** The same in fewer words, for a headline that has no room for all of them. */
  readonly brief?: string;
  /** True when the author wrote it as a sentence: nothing is put before it. */
  readonly whole?: boolean;
  /** True when the reason comes after all others: it joins facts, or repeats what the headline begins with. */
  readonly minor?: boolean;
  /** True for what must be said after the reasons, and is none itself: it is neither counted nor left out. */
  readonly note?: boolean;
}
