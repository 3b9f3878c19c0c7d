/** The at-rest outcomes of a session: what its gates, flows, guardians and pipelines conclude when no rule is left to fire. */
import type { Assembly } from "../assemble/assembly.ts";
import { GateOutcomes } from "../gates/at-rest.ts";
import { decideAll, type DecisionContext } from "../guardian/decisions.ts";
import { VerdictOutcomes } from "../guardian/verdicts.ts";
import type { FlowAnswer, GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";
import type { EngineFacts, AtRestOutcomes, OutcomeEvent } from "../rete/at-rest.ts";

type Judging = Pick<Assembly, "judges" | "gates" | "flows" | "guardians" | "pipelines" | "refresh">;

export class SessionOutcomes implements AtRestOutcomes {
  readonly #assembly: Judging;
  readonly #context: DecisionContext;
  /** The outcomes of the program that runs now; made when they are first needed. */
  #gatesMade: GateOutcomes | undefined = undefined;
  #verdictsMade: VerdictOutcomes | undefined = undefined;
  #lastVerdict: string | undefined;

  constructor(assembly: Judging, context: DecisionContext) {
    this.#assembly = assembly;
    this.#context = context;
  }

  /** The judges are those of one program: a result from before a reload still lists its gates. */
  get #gates(): GateOutcomes {
    return (this.#gatesMade ??= new GateOutcomes(this.#assembly.gates, this.#assembly.flows));
  }

  get #verdicts(): VerdictOutcomes {
    return (this.#verdictsMade ??= new VerdictOutcomes(this.#assembly.guardians));
  }

  /** Begins again, with the gates, flows and guardians of another program. */
  programReplaced(): void {
    this.#gatesMade = undefined;
    this.#verdictsMade = undefined;
    this.#lastVerdict = undefined;
  }

  /** Forgets the outcomes, for a session that begins again with the same program. */
  reset(): void {
    if (!this.isEmpty) this.programReplaced();
  }

  get isEmpty(): boolean {
    return !this.#assembly.judges;
  }

  judge(facts: EngineFacts): readonly OutcomeEvent[] {
    this.#assembly.refresh();
    const gates = this.#gates.judge(facts);
    const verdicts = this.#verdicts.judge(facts);
    const [first] = verdicts;
    this.#lastVerdict = first === undefined ? undefined : `guardian "${first.guardian}"`;
    return [
      ...gates.map((answer) => ({ event: "gate", answer }) as const),
      ...verdicts.map((answer) => ({ event: "verdict", answer }) as const),
    ];
  }

  moveFlows(facts: EngineFacts): readonly FlowAnswer[] {
    this.#assembly.refresh();
    return this.#gates.moveFlows(facts);
  }

  decide(): readonly PipelineDecision[] {
    this.#assembly.refresh();
    return decideAll(this.#assembly.pipelines.made(), this.#context);
  }

  gates(): () => readonly GateAnswer[] {
    return this.#gates.answers();
  }

  verdicts(): readonly VerdictAnswer[] {
    return this.#verdicts.answers();
  }

  gatesNow(): () => readonly GateAnswer[] {
    this.#assembly.refresh();
    return this.#gates.answersNow();
  }

  verdictsNow(): readonly VerdictAnswer[] {
    this.#assembly.refresh();
    const guardians = this.#assembly.guardians.made();
    return guardians.flatMap((guardian) => guardian.subjects.ids().flatMap((id) => guardian.verdict(id) ?? []));
  }

  problems(): readonly Problem[] {
    if (this.isEmpty) return [];
    this.#assembly.refresh();
    return [...this.#gates.problems(), ...this.#verdicts.problems()];
  }

  maxRounds(): number {
    let rounds = this.#gates.maxRounds();
    for (const guardian of this.#assembly.guardians.made()) rounds += guardian.subjects.size;
    return rounds;
  }

  lastChanged(): string {
    return this.#lastVerdict ?? this.#gates.lastChanged();
  }
}
