/** What running the tests of a program gives: plain data. */
import type { PureFunction } from "../../functions/functions.ts";
import type { Outcome, Problem } from "../../base/answers.ts";

export interface TestOptions {
  /** Only tests whose name contains this text. */
  readonly only?: string;
  /** Also find out what the tests never tried. */
  readonly coverage?: boolean;
  /** Functions that rules call, by the names they were compiled with. */
  readonly functions?: Readonly<Record<string, PureFunction>>;
  /** Is told of each test when it has run. */
  readonly done?: (outcome: TestOutcome) => void;
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface TestReport {
  readonly tests: readonly TestOutcome[];
  readonly passed: number;
  readonly failed: number;
  readonly coverage: Coverage | undefined;
}

export interface TestOutcome extends Place {
  readonly name: string;
  readonly passed: boolean;
  /** How many expectations the test has. */
  readonly expectations: number;
  readonly failures: readonly TestFailure[];
  /** What went wrong without failing an expectation, such as a rule at its match limit; left out when there is nothing. */
  readonly problems?: readonly Problem[];
}

export interface TestFailure extends Place {
  /** The expectation as its author wrote it. */
  readonly expectation: string;
  readonly expected: string;
  readonly got: string;
  /** What there is to know besides: why a rule did not fire, which facts there are. */
  readonly details: readonly string[];
}

export interface Coverage {
  readonly rules: number;
  /** In program order. */
  readonly neverFired: readonly string[];
  readonly terms: number;
  /** Terms of alpha nodes that were never true, never false, or neither. */
  readonly halfTested: readonly TermCoverage[];
  /** How many outcomes the gates have, three each. */
  readonly outcomes: number;
  /** In program order. */
  readonly neverReached: readonly OutcomeCoverage[];
}

/** An outcome that a gate never had for any subject. */
export interface OutcomeCoverage {
  readonly gate: string;
  readonly outcome: Outcome;
}

export interface TermCoverage {
  readonly type: string;
  /** In canonical words. */
  readonly term: string;
  readonly rules: readonly string[];
  readonly seenTrue: boolean;
  readonly seenFalse: boolean;
}
