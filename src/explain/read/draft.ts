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
  /** The operator or check of a leaf that was tested. */
  readonly method?: string;
  readonly outcome: Truth;
  readonly children: readonly Draft[];
  /** True when the step is not explained any further. */
  readonly bound?: boolean;
}
