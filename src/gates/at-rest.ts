/** Keeps the facts of gates and flows in step with the network, whenever nothing is left to fire. */
import type { FlowProblem, GateAnswer } from "../base/answers.ts";
import type { EngineFacts } from "../rete/at-rest.ts";
import type { FlowNode } from "./flow.ts";
import type { GateNode } from "./gate.ts";
import { GateResults } from "./results.ts";
import { FlowStages } from "./stages.ts";

export class GateOutcomes {
  readonly #gates: ReadonlyMap<string, GateNode>;
  readonly #flows: ReadonlyMap<string, FlowNode>;
  readonly #results: GateResults;
  readonly #stages: FlowStages;
  #last = "";

  /** Takes gates and flows, each in program order. */
  constructor(gates: ReadonlyMap<string, GateNode>, flows: ReadonlyMap<string, FlowNode>) {
    this.#gates = gates;
    this.#flows = flows;
    this.#results = new GateResults(gates);
    this.#stages = new FlowStages(flows, gates);
  }

  judge(facts: EngineFacts): readonly GateAnswer[] {
    const told = this.#results.judge(facts, (gate, subject) => this.#stages.gateTouched(gate, subject));
    const [first] = told;
    if (first !== undefined) this.#last = `gate "${first.gate}"`;
    return told;
  }

  move(facts: EngineFacts): boolean {
    const moved = this.#stages.move(facts);
    if (moved) this.#last = this.#stages.last;
    return moved;
  }

  standing(): () => readonly GateAnswer[] {
    return this.#results.standing();
  }

  stuck(): readonly FlowProblem[] {
    return this.#stages.stuck();
  }

  /**
   * Returns the most rounds that can be needed: a gate that reads another gate's result changes one round after it, and
   * a flow moves by one stage in each round.
   */
  maxRounds(): number {
    let rounds = 2;
    for (const gate of this.#gates.values()) rounds += gate.size;
    for (const flow of this.#flows.values()) rounds += flow.size * (flow.parts.stages.length + 1);
    return rounds;
  }

  last(): string {
    return this.#last;
  }
}
