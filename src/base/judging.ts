/**
 * What the author declares of gates, flows and guardians, as plain data: the planner writes it into a plan, and the nodes that
 * judge read it there.
 */
import type { Outcome } from "./answers.ts";

/** How unknown values combine: `bochvar` makes everything unknown that has an unknown part, `kleene` only what depends on it. */
export type Logic = "kleene" | "bochvar";

/** What a gate requires: a tree of `all`, `any`, `not` and `at least` over numbered leaves, with the author's text. */
export type Requirement =
  | { readonly kind: "leaf"; readonly leaf: number; readonly text: string }
  | {
      readonly kind: "all" | "any" | "not" | "at least";
      /** How many of the items must be true; of no meaning for `not`. */
      readonly min: number;
      readonly items: readonly Requirement[];
      readonly text: string;
    };

/** How the pieces of evidence that a condition finds become one value. */
export type Reading =
  /** A test on the subject alone: there is exactly one piece. */
  | { readonly kind: "test" }
  /** All pieces must say the same. */
  | { readonly kind: "agree" }
  | { readonly kind: "any" }
  | { readonly kind: "every" }
  /** Only the newest piece counts. */
  | { readonly kind: "latest" }
  /** The only closed question: nothing found is an answer. */
  | { readonly kind: "exists"; readonly negated: boolean }
  /** `at least n of v: Type(…) : test`. */
  | { readonly kind: "quorum"; readonly min: number; readonly logic: Logic };

/** Where a subject of a flow goes from a stage, by the outcome of the stage's gate. */
export interface FlowBranch {
  readonly on: Outcome | "otherwise" | "always";
  readonly goto: string;
}

/** How thoroughly a guardian checks: there are no retries on the FAST track. */
export type Track = "FAST" | "QUALITY";

/** The risk level that a verdict reports when the check does not pass. */
export type Risk = "high" | "med" | "low";

/** What a guardian's check says besides its lines. */
export interface CheckRules {
  readonly name: string;
  /** The only track it runs on; undefined for both. */
  readonly track: Track | undefined;
  readonly risk: Risk;
  /** What is required when no retry is left; undefined: what the line asks for. */
  readonly exit: string | undefined;
  readonly neverRetry: boolean;
}
