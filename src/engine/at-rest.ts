/** The at-rest outcomes of a session: what its gates, flows, guardians and pipelines conclude when no rule is left to fire. */
import type { Assembly } from "../assemble/assembly.ts";
import { GateOutcomes } from "../gates/at-rest.ts";
import type { Named } from "../gates/named.ts";
import { decideAll, type DecisionContext } from "../guardian/decisions.ts";
import { VerdictOutcomes } from "../guardian/verdicts.ts";
import type { FlowAnswer, GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";
import type { EngineFacts, AtRestOutcomes, OutcomeEvent, WaitingSubjects } from "../rete/at-rest.ts";

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

  waiting(isJudged: boolean): WaitingSubjects | undefined {
    const pipelines = this.#waitingRequests();
    if (isJudged) return { ...this.#waitingSubjects(), pipelines };
    return Object.keys(pipelines).length === 0 ? undefined : { gates: {}, flows: {}, guardians: {}, pipelines };
  }

  #waitingSubjects(): Omit<WaitingSubjects, "pipelines"> {
    const { gates, flows, guardians } = this.#assembly;
    return {
      gates: byName(gates.made(), (gate) => [gate.size, gate.touched]),
      flows: byName(flows.made(), (flow) => [flow.size, this.#gates.waitingIn(flow)]),
      guardians: byName(guardians.made(), (guardian) => [guardian.subjects.size, guardian.waiting]),
    };
  }

  #waitingRequests(): SubjectsByName {
    const pipelines = this.#assembly.pipelines.made();
    return Object.fromEntries(
      pipelines.flatMap(({ spec, waiting }) => (waiting === undefined ? [] : [[spec.name, waiting]])),
    );
  }

  restoreWaiting(subjects: WaitingSubjects): void {
    const { gates, flows, guardians, pipelines } = this.#assembly;
    eachNamed(subjects.gates, gates, (gate, waiting) => gate.restoreTouched(waiting));
    eachNamed(subjects.flows, flows, (flow, waiting) => flow.restoreTouched(waiting));
    eachNamed(subjects.guardians, guardians, (guardian, waiting) => guardian.restoreWaiting(waiting));
    eachNamed(subjects.pipelines, pipelines, (pipeline, waiting) => pipeline.restoreWaiting(waiting));
  }
}

type SubjectsByName = WaitingSubjects["gates"];

/** Lists the subjects that wait; leaves out what has no subject at all, as if it was not made. */
function byName<Node extends { readonly spec: { readonly name: string } }>(
  nodes: readonly Node[],
  subjectsOf: (node: Node) => readonly [size: number, waiting: readonly string[]],
): SubjectsByName {
  const entries = nodes.map((node) => [node.spec.name, ...subjectsOf(node)] as const);
  return Object.fromEntries(
    entries.flatMap(([name, size, waiting]) => (size + waiting.length === 0 ? [] : [[name, waiting]])),
  );
}

/** Calls `restore` for every judge that the program has. */
function eachNamed<Node>(
  subjects: SubjectsByName,
  judges: Named<Node>,
  restore: (node: Node, subjects: readonly string[]) => void,
): void {
  for (const [name, waiting] of Object.entries(subjects)) {
    const node = judges.get(name);
    if (node !== undefined) restore(node, waiting);
  }
}
