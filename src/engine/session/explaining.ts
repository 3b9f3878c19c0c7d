/** Why a session did something or did not, and what would change it. {@link Session} implements it. */
import type { FlowAnswer, GateAnswer, PipelineDecision, VerdictAnswer } from "../../base/answers.ts";
import type { QuestionArguments } from "../../explain/read/context.ts";
import type { Found, Remedy } from "../../explain/search/edit.ts";
import type { VerdictRemedy } from "../../explain/search/pass.ts";
import type { WhyDecision } from "../../explain/tell/decision.ts";
import type { WhyGate } from "../../explain/tell/gate.ts";
import type { WhyFlow } from "../../explain/tell/stage.ts";
import type { Explanation } from "../../explain/tell/step.ts";
import type { TraceEvent, TraceLevel } from "../../explain/tell/trace.ts";
import type { WhyVerdict } from "../../explain/tell/verdict.ts";
import type { WhySubject } from "../../explain/tell/why.ts";
import type { WhyNot } from "../../explain/tell/why-not.ts";
import type { FactRef } from "../../session/options.ts";
import type { RunResult } from "../../session/results.ts";

export interface SessionExplanations {
  /**
   * Explains something that happened, as a tree of steps in the words of the rules:
   *
   * - a firing or one of its effects: why the rule fired;
   * - the answer of a gate, guardian or pipeline, or the fact of a gate result or verdict: why it says so;
   * - the stage of a flow, or its `FlowStage` fact: the gates and branches that led there, and why it stays;
   * - a fact, given by its handle, view or id: where it comes from; or, when it was withdrawn, who withdrew it.
   *
   * A firing is explained with the facts as they were when it fired, a move of a flow with those when it was made.
   *
   * @throws {@link SessionError} E550 when the firing is no longer remembered, E532 when there is no such fact.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string, age: number) rule "adult" { when p: Person(age >= 18) then log(p.id) }').session();
   * session.assert("Person", { id: "p1", age: 30 });
   * const [first] = session.run().fired;
   * if (first !== undefined) console.log(textTree(session.why(first)));
   * ```
   */
  why(asked: FlowAnswer): WhyFlow;
  why(asked: GateAnswer): WhyGate;
  why(asked: VerdictAnswer): WhyVerdict;
  why(asked: PipelineDecision): WhyDecision;
  why(asked: WhySubject): Explanation;

  /**
   * Explains why a rule does not fire, or why a query has no answer, and suggests the smallest changes that would help.
   * Each suggestion is verified on a copy of the session. Call it between runs.
   *
   * @param ruleOrQuery - The name of the rule or query.
   * @param given - Facts for some of its variables (by id, label or key), or values for the parameters of a query.
   * @throws {@link SessionError} E207 when there is neither a rule nor a query of this name, E205 when it has no such variable
   *   or parameter, E407 when a value does not have the type of its parameter.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string, age: number) rule "adult" { when p: Person(age >= 18) then log(p.id) }').session();
   * session.assert("Person", { id: "p1", age: 12 });
   * const answer = session.whyNot("adult", { p: "Person~p1" });
   * answer.hindrance; // => "no match"
   * answer.remedies[0]?.edits; // => [{ op: "update", fact: "Person~p1", field: "age", from: 12, to: 18 }]
   * ```
   */
  whyNot(ruleOrQuery: string, given?: QuestionArguments): WhyNot;

  /**
   * Returns the smallest changes of facts after which a gate would pass, at most three edits each. Each is verified on
   * a copy of the session, without firing rules. The list is empty for a gate that passes, and when none was found.
   * Call it between runs.
   *
   * @throws {@link SessionError} E213, E541 as {@link Session.gate}.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Release(#id: string)
   *   type Approval(#release: string)
   *   gate "deploy" for r: Release { require exists Approval(release == r.id) }`).session();
   * session.assert("Release", { id: "r1" });
   * session.wouldOpen("deploy").map((remedy) => remedy.edits[0]); // => [{ op: "assert", type: "Approval", fields: { release: "r1" } }]
   * ```
   */
  wouldOpen(gate: string, subject?: FactRef): Remedy[];

  /**
   * Returns the same changes as {@link Session.wouldOpen}, and in `stopped` why the search ended before everything
   * was tried.
   */
  searchOpen(gate: string, subject?: FactRef): Found<Remedy>;

  /**
   * Returns the smallest changes of facts after which a guardian would judge differently, at most three edits each,
   * with the verdict that follows. Each is verified on a copy of the session. The list is empty for a draft that
   * passes, and when none was found. Call it between runs.
   *
   * @throws {@link SessionError} E213, E541 as {@link Session.verdict}.
   */
  wouldPass(guardian: string, subject?: FactRef): VerdictRemedy[];

  /**
   * Returns the same changes as {@link Session.wouldPass}, and in `stopped` why the search ended before everything
   * was tried.
   */
  searchPass(guardian: string, subject?: FactRef): Found<VerdictRemedy>;

  /**
   * Calls `tell` with an explanation of each firing, gate outcome, stage of a flow, verdict and decision as it happens.
   *
   * @returns A function that ends the trace.
   */
  trace(level: TraceLevel, tell: (event: TraceEvent) => void): () => void;

  /**
   * Returns a decision pack: the result of a run, or one answer of a gate, guardian or pipeline, with the program, the
   * facts and the explanations, as canonical JSON with hashes. {@link verifyPack} checks it later.
   *
   * @throws {@link SessionError} E550 when the facts of the run are no longer known, E551 when repeating the run gives
   *   another result.
   */
  pack(result: RunResult | GateAnswer | VerdictAnswer | PipelineDecision): string;
}
