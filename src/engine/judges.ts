/** All that judges in a session, as the one keeper that the session asks: gates and flows, guardians, pipelines. */
import type { Assembly } from "../assemble/assembly.ts";
import { GateOutcomes } from "../gates/at-rest.ts";
import { decideAll, type DecisionContext } from "../guardian/decisions.ts";
import type { PipelineNode } from "../guardian/pipeline.ts";
import { VerdictOutcomes } from "../guardian/verdicts.ts";
import type { GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";
import type { EngineFacts, AtRestOutcomes, OutcomeEvent } from "../rete/at-rest.ts";

type Judging = Pick<Assembly, "gates" | "flows" | "guardians" | "pipelines" | "refresh">;

export class Judges implements AtRestOutcomes {
  readonly #gates: GateOutcomes;
  readonly #guardians: Assembly["guardians"];
  readonly #verdicts: VerdictOutcomes;
  readonly #pipelines: readonly PipelineNode[];
  readonly #site: DecisionContext;
  /** Before anything is asked: what depends on a rule in doubt becomes unknown. */
  readonly #refresh: () => void;
  #lastVerdict: string | undefined;

  constructor(judging: Judging, site: DecisionContext) {
    const { gates, flows, guardians, pipelines } = judging;
    this.#refresh = () => judging.refresh();
    this.#gates = new GateOutcomes(new Map(gates), new Map(flows));
    this.#guardians = new Map(guardians);
    this.#verdicts = new VerdictOutcomes(this.#guardians);
    this.#pipelines = [...pipelines.values()];
    this.#site = site;
  }

  judge(facts: EngineFacts): readonly OutcomeEvent[] {
    this.#refresh();
    const gates = this.#gates.judge(facts);
    const verdicts = this.#verdicts.judge(facts);
    const [first] = verdicts;
    this.#lastVerdict = first === undefined ? undefined : `guardian "${first.guardian}"`;
    return [
      ...gates.map((answer) => ({ event: "gate", answer }) as const),
      ...verdicts.map((answer) => ({ event: "verdict", answer }) as const),
    ];
  }

  move(facts: EngineFacts): boolean {
    this.#refresh();
    return this.#gates.move(facts);
  }

  decide(): readonly PipelineDecision[] {
    this.#refresh();
    return decideAll(this.#pipelines, this.#site);
  }

  standing(): () => readonly GateAnswer[] {
    return this.#gates.standing();
  }

  verdicts(): readonly VerdictAnswer[] {
    return this.#verdicts.standing();
  }

  stuck(): readonly Problem[] {
    this.#refresh();
    return [...this.#gates.stuck(), ...this.#verdicts.problems()];
  }

  maxRounds(): number {
    let rounds = this.#gates.maxRounds();
    for (const guardian of this.#guardians.values()) rounds += guardian.subjects.size;
    return rounds;
  }

  last(): string {
    return this.#lastVerdict ?? this.#gates.last();
  }
}
