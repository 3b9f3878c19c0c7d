/** Keeps the facts of gates and flows in step with the network, whenever nothing is left to fire. */
import type { FlowAnswer, FlowProblem, GateAnswer } from "../base/answers.ts";
import type { EngineFacts } from "../rete/at-rest.ts";
import { answerAt } from "./answer.ts";
import type { FlowNode } from "./flow.ts";
import type { GateNode } from "./gate.ts";
import type { Named } from "./named.ts";
import { GateResults } from "./results.ts";
import { FlowStages } from "./stages.ts";

export class GateOutcomes {
  readonly #gates: Named<GateNode>;
  readonly #flows: Named<FlowNode>;
  readonly #results: GateResults;
  readonly #stages: FlowStages;
  #lastChanged = "";

  /** Takes gates and flows, each in program order. */
  constructor(gates: Named<GateNode>, flows: Named<FlowNode>) {
    this.#gates = gates;
    this.#flows = flows;
    this.#results = new GateResults(gates);
    this.#stages = new FlowStages(flows, gates);
  }

  /** Writes the outcomes that differ, and returns them. */
  judge(facts: EngineFacts): readonly GateAnswer[] {
    const changed = this.#results.judge(facts, (gate, subject) => this.#stages.gateTouched(gate, subject));
    const [first] = changed;
    if (first !== undefined) this.#lastChanged = `gate "${first.gate}"`;
    return changed;
  }

  /** Moves every flow that can move by one stage, and returns the new stages. */
  moveFlows(facts: EngineFacts): readonly FlowAnswer[] {
    const moved = this.#stages.move(facts);
    const { lastChanged } = this.#stages;
    if (lastChanged !== "") this.#lastChanged = lastChanged;
    return moved;
  }

  /** Returns the outcomes that were written last, when called: in program order. */
  answers(): () => readonly GateAnswer[] {
    return this.#results.standing();
  }

  /** Returns the outcomes of now, when called: in program order. */
  answersNow(): () => readonly GateAnswer[] {
    const now = this.#gates
      .made()
      .flatMap((gate) => gate.subjects().map((subject) => ({ gate, subject, code: gate.value(subject) })));
    const moment = now[0]?.gate.moment.number ?? 0;
    return () => now.map((one) => answerAt(one, moment));
  }

  /** Returns the subjects that a flow has not looked at since they changed, in the order in which they changed. */
  waitingIn(flow: FlowNode): readonly string[] {
    return this.#stages.waiting(flow);
  }

  /** Returns the flows in which no branch fits. */
  problems(): readonly FlowProblem[] {
    return this.#stages.stuck();
  }

  /**
   * Returns the most rounds that can be needed: a gate that reads another gate's result changes one round after it, and
   * a flow moves by one stage in each round.
   */
  maxRounds(): number {
    let rounds = 2;
    for (const gate of this.#gates.made()) rounds += gate.size;
    for (const flow of this.#flows.made()) rounds += flow.size * (flow.spec.stages.length + 1);
    return rounds;
  }

  /** Returns the gate or flow that changed last, in words. */
  lastChanged(): string {
    return this.#lastChanged;
  }
}
