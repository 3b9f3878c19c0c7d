/**
 * Moves subjects through flows: the stage of each is a fact, `FlowStage(flow, subject, stage)`, which also names the stage
 * before, and the branch and the gate that led on from there.
 *
 * A subject moves by one stage at a time, when nothing is left to fire, so that rules see every stage that is reached.
 * A new stage is a new fact, so that a rule fires for each of them, whatever it reads.
 */
import { LateMap } from "../base/late.ts";
import { factLabel } from "../base/fact-label.ts";
import type { Fact } from "../rete/fact.ts";
import type { FlowAnswer, FlowProblem, Outcome } from "../base/answers.ts";
import type { FlowBranch } from "../base/judging.ts";
import type { EngineFacts } from "../rete/at-rest.ts";
import type { Match } from "../rete/match.ts";
import { branchFor, branchName, type FlowNode, type FlowStage, stageOf } from "./flow.ts";
import type { GateNode } from "./gate.ts";
import type { Named } from "./named.ts";
import { textField } from "./text-field.ts";
import { outcomeOf, UNKNOWN } from "./requirement.ts";

/** The stages of the subjects of one flow. */
class FlowState {
  readonly stages = new Map<string, CurrentStage>();
  /** Subjects that may move on, or may no longer be stuck. */
  readonly touched = new Set<string>();
  /** The subjects that wait for a question about a gate, by question; and the question of each subject. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #waitsFor = new Map<string, string>();
  /** Subjects for which no branch applied when they were last looked at. */
  readonly stuck = new Set<string>();

  wait(subject: string, question: string | undefined): void {
    const before = this.#waitsFor.get(subject);
    if (before === question) return;
    if (before !== undefined) {
      const others = this.#waiting.get(before);
      others?.delete(subject);
      if (others?.size === 0) this.#waiting.delete(before);
      this.#waitsFor.delete(subject);
    }
    if (question === undefined) return;
    this.#waitsFor.set(subject, question);
    const others = this.#waiting.get(question);
    if (others === undefined) this.#waiting.set(question, new Set([subject]));
    else others.add(subject);
  }

  answered(question: string): void {
    for (const subject of this.#waiting.get(question) ?? []) this.touched.add(subject);
  }
}

interface CurrentStage {
  readonly fact: string;
  readonly stage: string;
  /** When the subject was asserted: another fact with the same id is another subject. */
  readonly born: number | undefined;
}

/** The next stage of a subject, and how it gets there. */
type Move = Omit<FlowAnswer, "flow" | "subject" | "fact">;

const TYPE = "FlowStage";

export class FlowStages {
  readonly #flows: Named<FlowNode>;
  readonly #gates: Named<GateNode>;
  readonly #states = new LateMap<FlowNode, FlowState>();
  #begun = false;
  #last = "";

  constructor(flows: Named<FlowNode>, gates: Named<GateNode>) {
    this.#flows = flows;
    this.#gates = gates;
  }

  /** The flow that the last `move` changed last, in words; empty when it changed none. */
  get lastChanged(): string {
    return this.#last;
  }

  /** Marks the subjects that wait for a gate's outcome about its subject, which may have changed. */
  gateTouched(gate: string, subject: string): void {
    for (const state of this.#states.values()) state.answered(questionOf(gate, subject));
  }

  /** Moves subjects by one stage, and returns the new stages. Looks only at subjects for which something changed. */
  move(facts: EngineFacts): FlowAnswer[] {
    this.#last = "";
    if (!this.#begun) this.#begin(facts);
    const moved: FlowAnswer[] = [];
    for (const flow of this.#flows.made()) {
      const { touched } = this.#stateOf(flow);
      // Those that changed come first, in that order, whichever gates were asked about them: a restored session does not know.
      const changed = flow.takeTouched();
      for (const subject of new Set([...changed, ...touched])) {
        touched.add(subject);
        this.#forgetGone(flow, subject, facts);
      }
      for (const [subject, match] of flow.inOrder(touched)) {
        const reached = this.#step(flow, subject, match, facts);
        if (reached === undefined) this.#rest(flow, subject, match);
        else moved.push(reached);
      }
    }
    return moved;
  }

  stuck(): FlowProblem[] {
    return this.#flows
      .made()
      .flatMap((flow) =>
        flow
          .inOrder(this.#stateOf(flow).stuck)
          .flatMap(([subject, match]) => this.#problem(flow, subject, match) ?? []),
      );
  }

  /** Returns the subjects that wait to be looked at, in the order in which they changed. */
  waiting(flow: FlowNode): readonly string[] {
    return [...new Set([...flow.touched, ...(this.#states.get(flow)?.touched ?? [])])];
  }

  /** Leaves the subject in its stage until the outcome that it waits for may have changed. */
  #rest(flow: FlowNode, subject: string, match: Match): void {
    const state = this.#stateOf(flow);
    state.touched.delete(subject);
    const current = state.stages.get(subject);
    const decide = current === undefined ? undefined : stageOf(flow, current.stage)?.decide;
    state.wait(subject, decide === undefined ? undefined : questionOf(decide.gate, decide.subject(match)));
    if (this.#problem(flow, subject, match) === undefined) state.stuck.delete(subject);
    else state.stuck.add(subject);
  }

  /**
   * Takes over the stages of a session that was restored, or continued with another program. A subject in a stage that
   * the flow no longer has begins at the first one.
   */
  #begin(facts: EngineFacts): void {
    this.#begun = true;
    for (const fact of facts.all(TYPE)) {
      const flow = this.#flows.get(textField(fact, "flow"));
      if (flow === undefined) facts.retract(fact.id);
      else this.#stateOf(flow).stages.set(textField(fact, "subject"), restored(flow, fact));
    }
    for (const flow of this.#flows.made()) {
      const { stages, touched } = this.#stateOf(flow);
      // Those that changed come first, in that order, as in a session that was not restored.
      for (const subject of [...flow.takeTouched(), ...stages.keys(), ...flow.subjects().map(([id]) => id)])
        touched.add(subject);
    }
  }

  #stateOf(flow: FlowNode): FlowState {
    let state = this.#states.get(flow);
    if (state === undefined) this.#states.set(flow, (state = new FlowState()));
    return state;
  }

  /** Removes the stage of a subject that is gone. */
  #forgetGone(flow: FlowNode, subject: string, facts: EngineFacts): void {
    const state = this.#stateOf(flow);
    const current = state.stages.get(subject);
    if (flow.match(subject) === undefined) {
      state.touched.delete(subject);
      state.stuck.delete(subject);
      state.wait(subject, undefined);
    }
    if (current === undefined || !isGone(flow, subject, current)) return;
    this.#last = `flow "${flow.spec.name}"`;
    facts.retract(current.fact);
    state.stages.delete(subject);
  }

  /** Moves a subject by one stage; returns undefined when it stays. */
  #step(flow: FlowNode, subject: string, match: Match, facts: EngineFacts): FlowAnswer | undefined {
    const { stages } = this.#stateOf(flow);
    const current = stages.get(subject);
    const move = this.#nextMove(flow, current, match);
    if (move === undefined || move.stage === current?.stage) return undefined;
    const { name, subjectLevel } = flow.spec;
    this.#last = `flow "${name}"`;
    if (current !== undefined) facts.retract(current.fact);
    const about = subjectLevel === undefined ? {} : { subject };
    const fact = facts.insert(TYPE, { flow: name, ...about, ...move });
    stages.set(subject, { fact, stage: move.stage, born: flow.born(subject) });
    return { flow: name, subject: about.subject ?? null, ...move, fact };
  }

  #nextMove(flow: FlowNode, current: CurrentStage | undefined, match: Match): Move | undefined {
    const stage = current === undefined ? undefined : stageOf(flow, current.stage);
    const [first] = flow.spec.stages;
    if (stage === undefined) return first === undefined ? undefined : { stage: first.name };
    if (stage.final) return undefined;
    const outcome = this.#outcome(stage, match);
    const branch = branchFor(stage, outcome);
    return branch === undefined ? undefined : moveBy(stage, branch, outcome, match);
  }

  #problem(flow: FlowNode, subject: string, match: Match): FlowProblem | undefined {
    const current = this.#stateOf(flow).stages.get(subject);
    const stage = current === undefined ? undefined : stageOf(flow, current.stage);
    if (stage === undefined || stage.final || stage.decide === undefined) return undefined;
    const outcome = this.#outcome(stage, match) ?? "hold";
    if (branchFor(stage, outcome) !== undefined) return undefined;
    const { name, subjectLevel } = flow.spec;
    const about = subjectLevel === undefined ? "" : ` for ${factLabel(subject)}`;
    return {
      code: "E540",
      flow: name,
      subject: subjectLevel === undefined ? null : subject,
      stage: stage.name,
      outcome,
      message: `flow "${name}" is stuck in stage "${stage.name}"${about}: no branch matches the outcome ${outcome}`,
      hint: `add "on ${outcome} goto …" or "otherwise goto …" to the stage`,
    };
  }

  /**
   * Returns the outcome that decides a stage; undefined when it decides nothing. Hold for anything that is not a
   * subject of the gate.
   */
  #outcome({ decide }: FlowStage, match: Match): Outcome | undefined {
    if (decide === undefined) return undefined;
    return outcomeOf(this.#gates.get(decide.gate)?.value(decide.subject(match)) ?? UNKNOWN);
  }
}

function questionOf(gate: string, subject: string): string {
  return JSON.stringify([gate, subject]);
}

/** Returns whether the subject is gone or was replaced by another with the same id, which begins at the first stage. */
function isGone(flow: FlowNode, subject: string, current: CurrentStage): boolean {
  return flow.match(subject) === undefined || current.born !== flow.born(subject);
}

/**
 * Returns a restored stage. A subject that was asserted after the stage is another subject than the one that reached
 * it.
 */
function restored(flow: FlowNode, fact: Fact): CurrentStage {
  const born = flow.born(textField(fact, "subject"));
  const isSame = born !== undefined && born <= fact.order;
  return { fact: fact.id, stage: textField(fact, "stage"), born: isSame ? born : undefined };
}

function moveBy(
  { name: from, decide }: FlowStage,
  branch: FlowBranch,
  outcome: Outcome | undefined,
  match: Match,
): Move {
  const move = { stage: branch.goto, from, branch: branchName(branch) };
  if (decide === undefined || outcome === undefined) return move;
  const about = decide.subject(match);
  return { ...move, gate: decide.gate, ...(about === "" ? {} : { about }), outcome };
}
