/** What running the tests of a program gives: plain data. */
import type { PureFunction } from "../../functions/built-in.ts";
import type { Outcome, Problem } from "../../base/answers.ts";

/** Options of {@link Program.test}. */
export interface TestOptions {
  /** Runs only the tests whose name contains this string. */
  readonly only?: string;
  /** Whether to measure {@link Coverage}. Default: false. */
  readonly coverage?: boolean;
  /** The host functions that rules call, by the names they were compiled with. */
  readonly functions?: Readonly<Record<string, PureFunction>>;
  /** Called after each test with its outcome. */
  readonly done?: (outcome: TestOutcome) => void;
}

interface Place {
  /** The file name. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1 in UTF-16 units. */
  readonly column: number;
}

/** The result of {@link Program.test}. */
export interface TestReport {
  /** The outcome of each test, in program order. */
  readonly tests: readonly TestOutcome[];
  /** The number of tests that passed. */
  readonly passed: number;
  /** The number of tests that failed. */
  readonly failed: number;
  /** What the tests never tried; undefined unless `coverage` was requested. */
  readonly coverage: Coverage | undefined;
}

/** The outcome of one test block, with its place. */
export interface TestOutcome extends Place {
  /** The name of the test. */
  readonly name: string;
  /** Whether all its expectations were met. */
  readonly passed: boolean;
  /** The number of expectations in the test. */
  readonly expectations: number;
  /** The expectations that were not met. */
  readonly failures: readonly TestFailure[];
  /** Problems that failed no expectation, such as a rule at its match limit. Absent when there are none. */
  readonly problems?: readonly Problem[];
}

/** An expectation that was not met, with its place. */
export interface TestFailure extends Place {
  /** The expectation as its author wrote it. */
  readonly expectation: string;
  /** What was expected, in words. */
  readonly expected: string;
  /** What happened instead, in words. */
  readonly got: string;
  /** Further lines that help: why a rule did not fire, or which facts there are. */
  readonly details: readonly string[];
}

/** What the test blocks of a program never tried. */
export interface Coverage {
  /** The number of rules in the program. */
  readonly rules: number;
  /** The names of the rules that no test fired, in program order. */
  readonly neverFired: readonly string[];
  /** The number of terms: single comparisons in the alpha nodes. */
  readonly terms: number;
  /** The terms that were never true, never false, or neither. */
  readonly halfTested: readonly TermCoverage[];
  /** The number of outcomes of all gates together: three for each gate. */
  readonly outcomes: number;
  /** The gate outcomes that no test reached, in program order. */
  readonly neverReached: readonly OutcomeCoverage[];
}

/** An outcome that a gate never had for any subject. */
export interface OutcomeCoverage {
  /** The name of the gate. */
  readonly gate: string;
  /** The outcome that was never reached. */
  readonly outcome: Outcome;
}

/** A term of an alpha node, and the values that it had in the tests. */
export interface TermCoverage {
  /** The fact type that the term tests. */
  readonly type: string;
  /** The term in canonical form, such as `.age >= 18`. */
  readonly term: string;
  /** The rules that use the term. */
  readonly rules: readonly string[];
  /** Whether the term was true for at least one fact. */
  readonly seenTrue: boolean;
  /** Whether the term was false for at least one fact. */
  readonly seenFalse: boolean;
}
