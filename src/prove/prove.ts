/**
 * Compares the network with the brute-force matcher: random histories of changes, and after every change the matches of
 * every rule on both sides. The first difference ends it, and is shrunk.
 */
import { OutOfSteps, StepBudget } from "../base/step-budget.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { Beginning } from "./beginning.ts";
import type { Random } from "./choose.ts";
import type { GivenFact, History } from "./history.ts";
import { Pool, Vocabulary } from "./pool.ts";
import { randomHistory } from "./random-history.ts";
import { shrink } from "./shrink.ts";
import { type Difference, differenceIn, type Subject, type SubjectFact } from "./trial.ts";
import type { HostFunctions } from "./world.ts";
import { liveRules, sizesFor } from "./work.ts";

/** What {@link prove} works on. */
export interface ProofParts {
  /** The checked program. */
  readonly program: CheckedProgram;
  /** Opens a session of the program without facts. */
  open(): Subject;
  /** The facts that every case begins with. */
  readonly facts: readonly SubjectFact[];
  /**
   * Returns the facts that rules derive from these when they run. Some of them may be asserted in the middle of a case.
   */
  derive(facts: readonly SubjectFact[]): readonly GivenFact[];
  /** The functions of the host that both sides call, by name. Default: none, so that calls of declared functions are unknown. */
  readonly functions?: HostFunctions;
  /** The number of cases to try. */
  readonly cases: number;
  /**
   * Returns a source of random numbers for a case, counted from 1, so that a case does not depend on those before it.
   */
  random(oneCase: number): Random;
  /** The most facts that the brute-force matcher may read in all cases together. Default: no limit. */
  readonly steps?: number;
  /** Called before each case. */
  begin?(oneCase: number): void;
}

/** The result of {@link prove}. */
export interface Proof {
  /** The number of cases that were compared. */
  readonly cases: number;
  /** The number of changes in all cases together. */
  readonly changes: number;
  /** The number of rules that were compared. */
  readonly rules: number;
  /** How many facts of each type a case begins with, when not all could be used; undefined when all were. */
  readonly sample: number | undefined;
  /** The difference; undefined when there is none. */
  readonly found: FoundDifference | undefined;
  /** Why not all cases were tried: `stopped after 50,000,000 steps`. Absent when all were. */
  readonly stopped?: string;
}

/** A history after which network and brute-force matcher differ. */
export interface FoundDifference {
  /** The number of the case, counted from 1. */
  readonly case: number;
  /** The smallest history found that still differs. */
  readonly history: History;
  /** The rule that differs, and the matches that only one side has. */
  readonly difference: Difference;
}

/**
 * Compares the network with a brute-force matcher: makes random histories of changes, and after every change compares
 * the matches of every rule. Stops at the first difference and shrinks it.
 */
export function prove(parts: ProofParts): Proof {
  const { sample, room } = sizesFor(parts.program, countsOf(parts.facts));
  const beginning = new Beginning(parts.facts, sample);
  const vocabulary = new Vocabulary(parts.program);
  const derived = parts.derive(beginning.choose(parts.random(0)));
  const rules = liveRules(parts.program).length;
  const steps = new StepBudget(parts.steps ?? Infinity);
  const trial = { program: parts.program, open: () => parts.open(), steps, functions: parts.functions };
  let changes = 0;
  for (let oneCase = 1; oneCase <= parts.cases; oneCase++) {
    parts.begin?.(oneCase);
    const random = parts.random(oneCase);
    const facts = beginning.choose(random);
    const pool = new Pool(vocabulary, facts);
    const history = randomHistory({ pool, facts, derived, room }, random);
    const difference = unlessStopped(() => differenceIn(trial, history));
    if (typeof difference === "string") {
      return { cases: oneCase - 1, changes, rules, sample, found: undefined, stopped: difference };
    }
    changes += difference?.changes ?? history.changes.length;
    if (difference === undefined) continue;
    const smallest = shrink({ history, difference }, (smaller) => {
      const still = unlessStopped(() => differenceIn(trial, smaller));
      return typeof still === "string" ? undefined : still;
    });
    return { cases: oneCase, changes, rules, sample, found: { case: oneCase, ...smallest } };
  }
  return { cases: parts.cases, changes, rules, sample, found: undefined };
}

/** Returns the difference, or why the case could not be completed. */
function unlessStopped(work: () => Difference | undefined): Difference | string | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfSteps) return error.message;
    throw error;
  }
}

function countsOf(facts: readonly GivenFact[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of facts) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
