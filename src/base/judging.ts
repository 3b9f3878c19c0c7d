/**
 * The declarations of gates, flows and guardians as plain data: the planner writes them into a plan, and the nodes that
 * judge read them there.
 */
import type { Outcome } from "./answers.ts";

/** How unknown values combine: `bochvar` makes everything unknown that has an unknown part, `kleene` only what depends on it. */
export type Logic = "kleene" | "bochvar";

/**
 * The requirement of a gate: a tree of `all`, `any`, `not` and `at least` over numbered leaves, with the text of each
 * part.
 */
export type Requirement =
  | { readonly kind: "leaf"; readonly leaf: number; readonly text: string }
  | {
      readonly kind: "all" | "any" | "not" | "at least";
      /** How many of the items must be true; not used for `not`. */
      readonly min: number;
      readonly items: readonly Requirement[];
      readonly text: string;
    };

/** How the pieces of evidence of a condition become one value. */
export type Reading =
  /** A test on the subject alone: there is exactly one piece. */
  | {
      readonly kind: "test";
      /** True for `wait until t`, which is never false. */
      readonly waits?: true;
    }
  /** All pieces must agree. */
  | { readonly kind: "agree" }
  | { readonly kind: "any" }
  | { readonly kind: "every" }
  /** Only the newest piece counts. */
  | { readonly kind: "latest" }
  /** Only the newest piece of each group counts: all must agree, any or every one must be true. */
  | { readonly kind: "newest"; readonly over: "agree" | "any" | "every" }
  /** The only reading for which finding nothing is an answer, not unknown. */
  | { readonly kind: "exists"; readonly negated: boolean }
  /** `at least n of v: Type(…) : test`. Closed is `of all`: no further facts can come, so it can be false. */
  | { readonly kind: "quorum"; readonly min: number; readonly closed: boolean; readonly logic: Logic };

/** A reading of evidence whose value is used inside a test. */
export type EvidenceReading = Extract<Reading, { kind: "agree" | "any" | "every" | "latest" | "newest" }>;

/** The readings of conditions inside tests, by the name that an aggregate node has for each. */
export const EVIDENCE_READINGS: ReadonlyMap<string, EvidenceReading> = new Map<string, EvidenceReading>([
  ["evidence agree", { kind: "agree" }],
  ["evidence any", { kind: "any" }],
  ["evidence every", { kind: "every" }],
  ["evidence latest", { kind: "latest" }],
  ["evidence latest of each", { kind: "newest", over: "agree" }],
  ["evidence any latest of each", { kind: "newest", over: "any" }],
  ["evidence every latest of each", { kind: "newest", over: "every" }],
]);

/** A transition of a flow: the next stage for an outcome of the stage's gate. */
export interface FlowBranch {
  readonly on: Outcome | "otherwise" | "always";
  readonly goto: string;
}

/** What a subject waits for in its stage of a flow. */
export interface FlowStanding {
  readonly final: boolean;
  /** The gate that decides, and the id of its subject (null for a gate without `for`); undefined when none does. */
  readonly decides: { readonly gate: string; readonly about: string | null } | undefined;
  /** What the gate says now. */
  readonly outcome: Outcome | undefined;
  /** The branch that applies now; undefined when none does. */
  readonly branch: FlowBranch | undefined;
}

/** How thoroughly a guardian checks: there are no retries on the FAST track. */
export type Track = "FAST" | "QUALITY";

/** The risk level that a verdict reports when the check does not pass. */
export type Risk = "high" | "med" | "low";

/** The settings of a guardian's check besides its lines. */
export interface CheckRules {
  readonly name: string;
  /** The only track it runs on; undefined for both. */
  readonly track: Track | undefined;
  readonly risk: Risk;
  /** The action that is required when no retry is left; undefined for the actions of the line. */
  readonly exit: string | undefined;
  readonly neverRetry: boolean;
}
