/**
 * Leads subjects through flows: the stage of each is a fact, `FlowStage(flow, subject, stage)`.
 *
 * A flow goes on by one stage at a time, when nothing is left to fire, so that rules see every stage that is reached.
 * Another stage is another fact, so that a rule fires for each of them, whatever it reads.
 */
import type { Fact } from "../rete/fact.ts";
import type { EngineFacts, FlowProblem, Outcome } from "../rete/keeper.ts";
import type { Match } from "../rete/match.ts";
import { branchFor, type FlowNode, type FlowStage } from "./flow.ts";
import type { GateNode } from "./gate.ts";
import { textField } from "./kept.ts";
import { outcomeOf, UNKNOWN } from "./requirement.ts";

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
  readonly #here = new Map<FlowNode, Map<string, Here>>();
  #begun = false;
  #last = "";

  constructor(flows: ReadonlyMap<string, FlowNode>, gates: ReadonlyMap<string, GateNode>) {
    this.#flows = flows;
    this.#gates = gates;
    for (const flow of flows.values()) this.#here.set(flow, new Map());
  }

  get last(): string {
    return this.#last;
  }

  /** False when no flow went on. */
  move(facts: EngineFacts): boolean {
    if (!this.#begun) this.#begin(facts);
    let moved = false;
    for (const flow of this.#flows.values()) {
      if (this.#forgetGone(flow, facts)) moved = true;
      for (const [subject, match] of flow.subjects()) if (this.#step(flow, subject, match, facts)) moved = true;
    }
    return moved;
  }

  stuck(): FlowProblem[] {
    return [...this.#flows.values()].flatMap((flow) =>
      flow.subjects().flatMap(([subject, match]) => this.#problem(flow, subject, match) ?? []),
    );
  }

  /** A stage that the flow no longer has is left for the first one. */
  #begin(facts: EngineFacts): void {
    this.#begun = true;
    for (const fact of facts.all(TYPE)) {
      const flow = this.#flows.get(textField(fact, "flow"));
      if (flow === undefined) facts.retract(fact.id);
      else this.#placesOf(flow).set(textField(fact, "subject"), restored(flow, fact));
    }
  }

  #placesOf(flow: FlowNode): Map<string, Here> {
    return this.#here.get(flow) ?? new Map();
  }

  #forgetGone(flow: FlowNode, facts: EngineFacts): boolean {
    const places = this.#placesOf(flow);
    const gone = [...places].filter(([subject, here]) => isGone(flow, subject, here));
    for (const [subject, { fact }] of gone) {
      facts.retract(fact);
      places.delete(subject);
    }
    return gone.length > 0;
  }

  #step(flow: FlowNode, subject: string, match: Match, facts: EngineFacts): boolean {
    const here = this.#placesOf(flow).get(subject);
    const next = this.#nextStage(flow, here, match);
    if (next === undefined) return false;
    const { name, subjectLevel } = flow.parts;
    if (here?.stage === next) return false;
    this.#last = `flow "${name}"`;
    if (here !== undefined) facts.retract(here.fact);
    const about = subjectLevel === undefined ? {} : { subject };
    const fact = facts.insert(TYPE, { flow: name, ...about, stage: next });
    this.#placesOf(flow).set(subject, { fact, stage: next, born: flow.born(subject) });
    return true;
  }

  #nextStage(flow: FlowNode, here: Here | undefined, match: Match): string | undefined {
    const stage = here === undefined ? undefined : stageOf(flow, here.stage);
    if (stage === undefined) return flow.parts.stages[0]?.name;
    return stage.final ? undefined : branchFor(stage, this.#outcome(stage, match))?.goto;
  }

  #problem(flow: FlowNode, subject: string, match: Match): FlowProblem | undefined {
    const here = this.#placesOf(flow).get(subject);
    const stage = here === undefined ? undefined : stageOf(flow, here.stage);
    if (stage === undefined || stage.final || stage.decide === undefined) return undefined;
    const outcome = this.#outcome(stage, match) ?? "hold";
    if (branchFor(stage, outcome) !== undefined) return undefined;
    const { name, subjectLevel } = flow.parts;
    const about = subjectLevel === undefined ? "" : ` for ${subject}`;
    return {
      code: "E540",
      flow: name,
      subject: subjectLevel === undefined ? null : subject,
      stage: stage.name,
      outcome,
      message: `no branch matched: flow "${name}" stays in stage "${stage.name}"${about}, where the outcome is ${outcome}`,
      hint: `add "on ${outcome} goto …" or "otherwise goto …" to the stage`,
    };
  }

  /** Undefined for a stage that decides nothing. Somebody who is not a subject of the gate is held. */
  #outcome({ decide }: FlowStage, match: Match): Outcome | undefined {
    if (decide === undefined) return undefined;
    return outcomeOf(this.#gates.get(decide.gate)?.value(decide.subject(match)) ?? UNKNOWN);
  }
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
