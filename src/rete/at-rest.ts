/**
 * The outcomes that are written when a run comes to rest: what gates, flows, guardians and pipelines conclude once nothing is left to fire.
 *
 * The implementation writes facts of types that only the engine may write, and only then, so rules never see states in between.
 */
import type { GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";

/** Facts of engine-kept types, as far as a keeper changes them. */
export interface EngineFacts {
  all(type: string): Iterable<Fact>;
  /** Gives the id of the new fact. */
  insert(type: string, fields: Readonly<Record<string, Maybe>>): string;
  retract(id: string): void;
}

/** Something that was reached. */
export type OutcomeEvent =
  | { readonly event: "gate"; readonly answer: GateAnswer }
  | { readonly event: "verdict"; readonly answer: VerdictAnswer };

export interface AtRestOutcomes {
  /**
   * Nothing is left to fire: writes the outcomes that differ from what was written last, and gives them. Asked again
   * until nothing differs, for one gate may look at the result of another.
   */
  judge(facts: EngineFacts): readonly OutcomeEvent[];
  /** All outcomes and flows stand: the decisions on requests that had none yet, each audited before it is given. */
  decide(): readonly PipelineDecision[];
  /** All outcomes stand: every flow that can goes on by one stage. False when none did. */
  move(facts: EngineFacts): boolean;
  /** The outcomes that were written last, in program order; what is given can be called later and still speaks of now. */
  standing(): () => readonly GateAnswer[];
  /** The verdicts that were written last, in program order. */
  verdicts(): readonly VerdictAnswer[];
  /** Flows in which no branch fits now, and subjects that cannot be judged. */
  stuck(): readonly Problem[];
  /** How often it can take to come to rest without anything firing, unless it never does. */
  maxRounds(): number;
  /** What moved last, in words. */
  last(): string;
}
