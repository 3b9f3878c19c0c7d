/**
 * The outcomes that are written when a run comes to rest: what gates, flows, guardians and pipelines conclude once nothing is left to fire.
 *
 * The implementation writes facts of types that only the engine may write, and only then, so rules never see states in between.
 */
import type { GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";

/** Changes facts of types that only the engine writes. */
export interface EngineFacts {
  all(type: string): Iterable<Fact>;
  /** Returns the id of the new fact. */
  insert(type: string, fields: Readonly<Record<string, Maybe>>): string;
  retract(id: string): void;
}

/** An outcome or verdict that was reached. */
export type OutcomeEvent =
  | { readonly event: "gate"; readonly answer: GateAnswer }
  | { readonly event: "verdict"; readonly answer: VerdictAnswer };

export interface AtRestOutcomes {
  /** Whether nothing in the program has outcomes: then nothing else here need be called. */
  readonly isEmpty: boolean;
  /**
   * Nothing is left to fire: writes the outcomes that differ from what was written last, and gives them. Asked again
   * until nothing differs, for one gate may look at the result of another.
   */
  judge(facts: EngineFacts): readonly OutcomeEvent[];
  /** Returns the decisions on requests that had none yet, each audited first. Called when all outcomes and flows are settled. */
  decide(): readonly PipelineDecision[];
  /** Moves every flow that can move by one stage; returns false when none did. Called when all outcomes are settled. */
  move(facts: EngineFacts): boolean;
  /** Returns a function that yields the outcomes written last, in program order, as of the time of this call. */
  standing(): () => readonly GateAnswer[];
  /** Returns the verdicts written last, in program order. */
  verdicts(): readonly VerdictAnswer[];
  /** Returns flows in which no branch applies, and subjects that cannot be judged. */
  stuck(): readonly Problem[];
  /** Returns the most rounds that settling can take without a firing; more means that it never ends. */
  maxRounds(): number;
  /** Returns what changed last, in words. */
  last(): string;
}
