/** What gates, flows, guardians and pipelines say now, when the host asks them. */
import type { FlowAnswer, GateAnswer, PipelineDecision, VerdictAnswer } from "../base/answers.ts";
import type { FlowStanding } from "../base/judging.ts";
import { didYouMean, nearest } from "../base/nearest.ts";
import { answerOf } from "../gates/answer.ts";
import { branchFor, stageOf } from "../gates/flow.ts";
import type { GateNode } from "../gates/gate.ts";
import type { Named } from "../gates/named.ts";
import type { VerdictAccount } from "../guardian/account.ts";
import { type DecisionContext, decideOne } from "../guardian/decisions.ts";
import type { DecisionAccount } from "../guardian/pipeline.ts";
import type { GuardianNode } from "../guardian/guardian.ts";
import { SessionError, unknownName } from "../session/errors.ts";
import type { Inspector } from "../session/inspector.ts";
import type { FactRef } from "../session/options.ts";
import type { FactView } from "../session/results.ts";
import { stageAnswer } from "../session/stage-answer.ts";
import { idOf } from "../session/views.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { RunningProgram } from "./running-program.ts";

type Running = Pick<RunningProgram<RunnableProgram>, "upToDate">;

export class Judgements {
  readonly #running: Running;
  readonly #context: DecisionContext;
  readonly #inspector: Inspector;

  constructor(running: Running, context: DecisionContext, inspector: Inspector) {
    this.#running = running;
    this.#context = context;
    this.#inspector = inspector;
  }

  // ---------------------------------------------------------------- gates

  gate(name: string, subject?: FactRef): GateAnswer {
    const gate = named(this.#running.upToDate().gates, "gate", name);
    if (subject !== undefined && gate.spec.subjectLevel !== undefined) {
      const id = idOf(subject);
      if (gate.match(id) === undefined) throw notASubject(name, gate, id, this.#doubtOf("gate", name));
      return answerOf(gate, id);
    }
    const [only, ...others] = gate.subjects();
    if (only === undefined || others.length > 0) throw notOneSubject(name, gate, this.#doubtOf("gate", name));
    return answerOf(gate, only);
  }

  gates(name?: string): GateAnswer[] {
    const asked = oneOrAll(this.#running.upToDate().gates, "gate", name);
    return asked.flatMap((gate) => gate.subjects().map((subject) => answerOf(gate, subject)));
  }

  /** Returns what a gate says about a subject (null: the gate has none); undefined when it does not ask about it. */
  answerAbout(name: string, subject: string | null): GateAnswer | undefined {
    const gate = this.#running.upToDate().gates.get(name);
    return gate?.match(subject ?? "") === undefined ? undefined : answerOf(gate, subject ?? "");
  }

  // ---------------------------------------------------------------- flows

  flow(name: string, subject?: FactRef): FlowAnswer {
    const flow = named(this.#running.upToDate().flows, "flow", name);
    const subjects = flow.subjects().map(([id]) => id);
    const id = subject === undefined ? undefined : idOf(subject);
    const isSubject = id === undefined || flow.spec.subjectLevel === undefined || subjects.includes(id);
    if (!isSubject) throw notInFlow(name, id, subjects, this.#doubtOf("flow", name));
    const answers = this.flows(name);
    const found =
      id === undefined || flow.spec.subjectLevel === undefined ? answers : answers.filter((one) => one.subject === id);
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) return only;
    if (only !== undefined)
      throw new SessionError("E541", `flow "${name}" has ${found.length} subjects`, "pass the id of one of them");
    const whom = id === undefined ? "no subject" : `"${id}"`;
    const not = id === undefined ? "has a stage" : "has no stage";
    throw new SessionError("E541", `${whom} ${not} in flow "${name}" yet`, "stages are reached when the session runs");
  }

  flows(name?: string): FlowAnswer[] {
    const asked = oneOrAll(this.#running.upToDate().flows, "flow", name);
    const stages = new Map(this.#inspector.facts("FlowStage").map((fact) => [stageKey(fact.fields), fact]));
    return asked.flatMap((flow) =>
      flow.subjects().flatMap(([id]) => {
        const subject = flow.spec.subjectLevel === undefined ? {} : { subject: id };
        const fact = stages.get(stageKey({ flow: flow.spec.name, ...subject }));
        return fact === undefined || this.#isOfEarlier(fact, flow.born(id)) ? [] : [stageAnswer(fact)];
      }),
    );
  }

  /** Returns whether a stage is that of an earlier subject with the same id: it came before the subject. */
  #isOfEarlier(stage: FactView, born: number | undefined): boolean {
    return (this.#inspector.placed(stage)?.order ?? 0) < (born ?? 0);
  }

  /** Returns what a subject (null: the flow has none) waits for in a stage; undefined when it is not there. */
  standing(name: string, subject: string | null, stage: string): FlowStanding | undefined {
    const flow = this.#running.upToDate().flows.get(name);
    const match = flow?.match(subject ?? "");
    const found = flow === undefined ? undefined : stageOf(flow, stage);
    if (match === undefined || found === undefined) return undefined;
    const { final, decide } = found;
    const about = decide?.subject(match);
    const decides =
      decide === undefined ? undefined : { gate: decide.gate, about: about === "" ? null : (about ?? null) };
    const outcome =
      decides === undefined ? undefined : (this.answerAbout(decides.gate, decides.about)?.outcome ?? "hold");
    return { final, decides, outcome, branch: final ? undefined : branchFor(found, outcome) };
  }

  // ---------------------------------------------------------------- guardians

  verdict(name: string, subject?: FactRef): VerdictAnswer {
    const guardian = named(this.#running.upToDate().guardians, "guardian", name);
    const id = subject === undefined ? onlySubject(name, guardian) : idOf(subject);
    const verdict = guardian.verdict(id);
    if (verdict !== undefined) return verdict;
    const meant = didYouMean(nearest(id, guardian.subjects.ids()));
    const about = `pass the id of a fact of type ${guardian.spec.subjectType} that matches its "for"`;
    const hint = this.#doubtOf("guardian", name) ?? meant ?? about;
    throw new SessionError("E541", `"${id}" is not a subject of guardian "${name}"`, hint);
  }

  verdicts(name?: string): VerdictAnswer[] {
    const asked = oneOrAll(this.#running.upToDate().guardians, "guardian", name);
    return asked.flatMap((guardian) => guardian.subjects.ids().flatMap((id) => guardian.verdict(id) ?? []));
  }

  get guardians(): readonly string[] {
    return [...this.#running.upToDate().guardians.keys()];
  }

  /** Returns how a guardian judges a subject; undefined when it is not one of its subjects. */
  account(name: string, subject: string): VerdictAccount | undefined {
    return this.#running.upToDate().guardians.get(name)?.account(subject);
  }

  // ---------------------------------------------------------------- pipelines

  decide(name: string, subject: FactRef): PipelineDecision {
    const pipeline = named(this.#running.upToDate().pipelines, "pipeline", name);
    const id = idOf(subject);
    const decision = decideOne(pipeline, id, this.#context);
    if (decision !== undefined) return decision;
    const meant = didYouMean(nearest(id, pipeline.subjects.ids()));
    const about = `pass the id of a fact of type ${pipeline.spec.subjectType} that matches its "for"`;
    const hint = this.#doubtOf("pipeline", name) ?? meant ?? about;
    throw new SessionError("E541", `"${id}" is not a subject of pipeline "${name}"`, hint);
  }

  decisions(name?: string): PipelineDecision[] {
    const asked = oneOrAll(this.#running.upToDate().pipelines, "pipeline", name);
    const { now } = this.#context;
    return asked.flatMap((pipeline) => pipeline.subjects.ids().flatMap((id) => pipeline.decide(id, now) ?? []));
  }

  /** Returns what a pipeline would decide about a subject, without a clock and without an audit. */
  wouldDecide(name: string, subject: string): DecisionAccount | undefined {
    return this.#running
      .upToDate()
      .pipelines.get(name)
      ?.account(subject, () => 0);
  }

  /** Returns why subjects may be missing. */
  #doubtOf(kind: string, name: string): string | undefined {
    return this.#running.upToDate().uncertainty({ rule: `${kind} "${name}"` });
  }
}

function stageKey({ flow, subject }: FactView["fields"]): string {
  return JSON.stringify([flow, subject]);
}

function notInFlow(name: string, id: string, subjects: readonly string[], doubt: string | undefined): SessionError {
  const hint = doubt ?? didYouMean(nearest(id, subjects)) ?? `pass the id of a fact that matches its "for"`;
  return new SessionError("E541", `"${id}" is not a subject of flow "${name}"`, hint);
}

function named<Node>(nodes: Named<Node>, kind: string, name: string): Node {
  const node = nodes.get(name);
  if (node !== undefined) return node;
  throw unknownName(kind, `${kind}s`, name, nodes.keys());
}

function oneOrAll<Node>(nodes: Named<Node>, kind: string, name: string | undefined): readonly Node[] {
  return name === undefined ? nodes.made() : [named(nodes, kind, name)];
}

function onlySubject(name: string, { subjects, spec }: GuardianNode): string {
  const [only, ...others] = subjects.ids();
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new SessionError("E541", `guardian "${name}" has no subject: no ${spec.subjectType} matches its "for"`);
  const hint = "pass the id of one of them";
  throw new SessionError("E541", `guardian "${name}" has ${others.length + 1} subjects`, hint);
}

function notASubject(name: string, gate: GateNode, id: string, doubt: string | undefined): SessionError {
  const meant = didYouMean(nearest(id, gate.subjects()));
  const hint = doubt ?? meant ?? `pass the id of a fact of type ${gate.spec.subjectType} that matches its "for"`;
  return new SessionError("E541", `"${id}" is not a subject of gate "${name}"`, hint);
}

/** `doubt`: why subjects may be missing. */
function notOneSubject(name: string, gate: GateNode, doubt: string | undefined): SessionError {
  const count = gate.size;
  const type = gate.spec.subjectType;
  if (count === 0)
    return new SessionError("E541", `gate "${name}" has no subject: no ${type} matches its "for"`, doubt);
  return new SessionError("E541", `gate "${name}" has ${count} subjects`, "pass the id of one of them");
}
