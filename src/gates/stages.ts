/**
 * Leads subjects through flows: the stage of each is a fact, `FlowStage(flow, subject, stage)`.
 *
 * A flow goes on by one stage at a time, when nothing is left to fire, so that rules see every stage that is reached.
 * Another stage is another fact, so that a rule fires for each of them, whatever it reads.
 */
import { factLabel } from "../base/fact-label.ts";
import { must } from "../base/invariant.ts";
import type { Fact } from "../rete/fact.ts";
import type { FlowProblem, Outcome } from "../base/answers.ts";
import type { EngineFacts } from "../rete/at-rest.ts";
import type { Match } from "../rete/match.ts";
import { branchFor, type FlowNode, type FlowStage } from "./flow.ts";
import type { GateNode } from "./gate.ts";
import { textField } from "./text-field.ts";
import { outcomeOf, UNKNOWN } from "./requirement.ts";

/** What is kept of one flow. */
class Places {
  readonly here = new Map<string, Here>();
  /** Subjects that may go on, or may no longer be stuck. */
  readonly touched = new Set<string>();
  /** Who waits for what a gate says about somebody, and the other way round. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #waitsFor = new Map<string, string>();
  /** Subjects that no branch fits, when they were last looked at. */
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

interface Here {
  readonly fact: string;
  readonly stage: string;
  /** When the subject was asserted: another fact with the same id is another subject. */
  readonly born: number | undefined;
}

const TYPE = "FlowStage";

export class FlowStages {
  readonly #flows: ReadonlyMap<string, FlowNode>;
  readonly #gates: ReadonlyMap<string, GateNode>;
  readonly #places = new Map<FlowNode, Places>();
  #begun = false;
  #last = "";

  constructor(flows: ReadonlyMap<string, FlowNode>, gates: ReadonlyMap<string, GateNode>) {
    this.#flows = flows;
    this.#gates = gates;
    for (const flow of flows.values()) this.#places.set(flow, new Places());
  }

  get last(): string {
    return this.#last;
  }

  /** A gate may say something else about a subject of its own. */
  gateTouched(gate: string, subject: string): void {
    for (const places of this.#places.values()) places.answered(questionOf(gate, subject));
  }

  /** False when no flow went on. Only subjects are looked at for which something changed. */
  move(facts: EngineFacts): boolean {
    if (!this.#begun) this.#begin(facts);
    let moved = false;
    for (const flow of this.#flows.values()) {
      const { touched } = this.#placesOf(flow);
      for (const subject of flow.takeTouched()) touched.add(subject);
      for (const subject of touched) if (this.#forgetGone(flow, subject, facts)) moved = true;
      for (const [subject, match] of flow.inOrder(touched)) {
        if (this.#step(flow, subject, match, facts)) moved = true;
        else this.#rest(flow, subject, match);
      }
    }
    return moved;
  }

  stuck(): FlowProblem[] {
    return [...this.#flows.values()].flatMap((flow) =>
      flow.inOrder(this.#placesOf(flow).stuck).flatMap(([subject, match]) => this.#problem(flow, subject, match) ?? []),
    );
  }

  /** The subject stays where it is until something changes. */
  #rest(flow: FlowNode, subject: string, match: Match): void {
    const places = this.#placesOf(flow);
    places.touched.delete(subject);
    const here = places.here.get(subject);
    const decide = here === undefined ? undefined : stageOf(flow, here.stage)?.decide;
    places.wait(subject, decide === undefined ? undefined : questionOf(decide.gate, decide.subject(match)));
    if (this.#problem(flow, subject, match) === undefined) places.stuck.delete(subject);
    else places.stuck.add(subject);
  }

  /** A stage that the flow no longer has is left for the first one. */
  #begin(facts: EngineFacts): void {
    this.#begun = true;
    for (const fact of facts.all(TYPE)) {
      const flow = this.#flows.get(textField(fact, "flow"));
      if (flow === undefined) facts.retract(fact.id);
      else this.#placesOf(flow).here.set(textField(fact, "subject"), restored(flow, fact));
    }
    for (const flow of this.#flows.values()) {
      const { here, touched } = this.#placesOf(flow);
      for (const subject of [...here.keys(), ...flow.subjects().map(([id]) => id)]) touched.add(subject);
    }
  }

  #placesOf(flow: FlowNode): Places {
    return must(this.#places.get(flow), "every flow has its places");
  }

  /** False when the subject is still there, or was never anywhere. */
  #forgetGone(flow: FlowNode, subject: string, facts: EngineFacts): boolean {
    const places = this.#placesOf(flow);
    const here = places.here.get(subject);
    if (flow.match(subject) === undefined) {
      places.touched.delete(subject);
      places.stuck.delete(subject);
      places.wait(subject, undefined);
    }
    if (here === undefined || !isGone(flow, subject, here)) return false;
    facts.retract(here.fact);
    places.here.delete(subject);
    return true;
  }

  #step(flow: FlowNode, subject: string, match: Match, facts: EngineFacts): boolean {
    const { here: places } = this.#placesOf(flow);
    const here = places.get(subject);
    const next = this.#nextStage(flow, here, match);
    if (next === undefined) return false;
    const { name, subjectLevel } = flow.parts;
    if (here?.stage === next) return false;
    this.#last = `flow "${name}"`;
    if (here !== undefined) facts.retract(here.fact);
    const about = subjectLevel === undefined ? {} : { subject };
    const fact = facts.insert(TYPE, { flow: name, ...about, stage: next });
    places.set(subject, { fact, stage: next, born: flow.born(subject) });
    return true;
  }

  #nextStage(flow: FlowNode, here: Here | undefined, match: Match): string | undefined {
    const stage = here === undefined ? undefined : stageOf(flow, here.stage);
    if (stage === undefined) return flow.parts.stages[0]?.name;
    return stage.final ? undefined : branchFor(stage, this.#outcome(stage, match))?.goto;
  }

  #problem(flow: FlowNode, subject: string, match: Match): FlowProblem | undefined {
    const here = this.#placesOf(flow).here.get(subject);
    const stage = here === undefined ? undefined : stageOf(flow, here.stage);
    if (stage === undefined || stage.final || stage.decide === undefined) return undefined;
    const outcome = this.#outcome(stage, match) ?? "hold";
    if (branchFor(stage, outcome) !== undefined) return undefined;
    const { name, subjectLevel } = flow.parts;
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

  /** Undefined for a stage that decides nothing. Somebody who is not a subject of the gate is held. */
  #outcome({ decide }: FlowStage, match: Match): Outcome | undefined {
    if (decide === undefined) return undefined;
    return outcomeOf(this.#gates.get(decide.gate)?.value(decide.subject(match)) ?? UNKNOWN);
  }
}

function questionOf(gate: string, subject: string): string {
  return JSON.stringify([gate, subject]);
}

/** Whoever went and came again begins at the first stage, also when nobody looked in between. */
function isGone(flow: FlowNode, subject: string, here: Here): boolean {
  return flow.match(subject) === undefined || here.born !== flow.born(subject);
}

/** A subject that is younger than its stage came after the one that reached it. */
function restored(flow: FlowNode, fact: Fact): Here {
  const born = flow.born(textField(fact, "subject"));
  const isSame = born !== undefined && born <= fact.order;
  return { fact: fact.id, stage: textField(fact, "stage"), born: isSame ? born : undefined };
}

function stageOf(flow: FlowNode, name: string): FlowStage | undefined {
  return flow.parts.stages.find((stage) => stage.name === name);
}
