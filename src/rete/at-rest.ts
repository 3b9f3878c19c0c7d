/**
 * The outcomes that are written when nothing is left to fire: what gates, flows, guardians and pipelines conclude.
 *
 * The implementation writes facts of types that only the engine may write, and only then, so rules never see states in between.
 */
import type { FlowAnswer, GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";

/** Facts of engine-kept types, as far as outcomes change them. */
export interface EngineFacts {
  all(type: string): Iterable<Fact>;
  /** Inserts a fact and returns its id. */
  insert(type: string, fields: Readonly<Record<string, Maybe>>): string;
  retract(id: string): void;
}

/** An outcome or verdict that was reached. */
export type OutcomeEvent =
  | { readonly event: "gate"; readonly answer: GateAnswer }
  | { readonly event: "verdict"; readonly answer: VerdictAnswer };

/**
 * The subjects that gates, flows and guardians have not looked at since they changed, by name, in the order in which they changed, and
 * the requests that have no decision yet.
 */
export interface WaitingSubjects {
  readonly gates: Readonly<Record<string, readonly string[]>>;
  readonly flows: Readonly<Record<string, readonly string[]>>;
  readonly guardians: Readonly<Record<string, readonly string[]>>;
  /** All requests of a pipeline that is absent wait. */
  readonly pipelines: Readonly<Record<string, readonly string[]>>;
}

export interface AtRestOutcomes {
  /** Whether nothing in the program has outcomes: then nothing else here need be called. */
  readonly isEmpty: boolean;
  /**
   * Writes the outcomes and verdicts that differ from what was written last, and returns them. It is called when no rule is left
   * to fire, and again until nothing differs, because one gate may read the result of another.
   */
  judge(facts: EngineFacts): readonly OutcomeEvent[];
  /** Moves every flow that can move by one stage, when all outcomes are stable, and returns the new stages. */
  moveFlows(facts: EngineFacts): readonly FlowAnswer[];
  /** Decides the requests that had no decision yet, when all flows have stopped. Each is audited before it is returned. */
  decide(): readonly PipelineDecision[];
  /** Returns a function that lists the outcomes that are written now, in program order, with the facts of when it is called. */
  gates(): () => readonly GateAnswer[];
  /** Returns the verdicts that were written last, in program order. */
  verdicts(): readonly VerdictAnswer[];
  /** Returns a function that lists the outcomes of now, also those that are not written; what rules in doubt could change is unknown. */
  gatesNow(): () => readonly GateAnswer[];
  /** Returns the verdicts of now in the same way. */
  verdictsNow(): readonly VerdictAnswer[];
  /** Returns the flows in which no branch fits now, and the subjects that cannot be judged. */
  problems(): readonly Problem[];
  /** Returns how many rounds without a firing outcomes need at most to become stable, if they ever do. */
  maxRounds(): number;
  /** Returns what changed last, in words. */
  lastChanged(): string;
  /**
   * Returns the subjects that wait, so that a restored session writes in the same order and decides what is not decided yet.
   * Without outcomes that were written (`isJudged`), the order of the subjects of gates, flows and guardians changes nothing, and
   * they are left out. Undefined when that leaves nothing.
   */
  waiting(isJudged: boolean): WaitingSubjects | undefined;
  /** Lets the subjects wait that waited in the session of the snapshot, which had the same program. */
  restoreWaiting(subjects: WaitingSubjects): void;
}
