/** Answers why, why not and what would help, from the checked program, the session and copies of it. */
import { LateMap } from "../base/late.ts";
import type { GateAnswer, PipelineDecision, VerdictAnswer } from "../base/answers.ts";
import { DEFAULT_BUDGETS } from "../base/limits.ts";
import { StepBudget } from "../base/step-budget.ts";
import type { Maybe } from "../base/value.ts";
import type { ExplainContext, QuestionArguments, RuleDoubt } from "../explain/read/context.ts";
import type { Found, Remedy } from "../explain/search/edit.ts";
import { wouldOpen } from "../explain/search/open.ts";
import { type VerdictRemedy, wouldPass } from "../explain/search/pass.ts";
import type { Explanation } from "../explain/tell/step.ts";
import { trace, type TraceEvent, type TraceLevel } from "../explain/tell/trace.ts";
import { type WhySubject, explain } from "../explain/tell/why.ts";
import { explainNot, type WhyNot } from "../explain/tell/why-not.ts";
import { namedFactIds } from "../plan/named-facts.ts";
import type { SessionCore } from "../session/core.ts";
import type { FactRef, PastFacts } from "../session/options.ts";
import type { SessionPort } from "../session/ports.ts";
import type { FactView, RunResult } from "../session/results.ts";
import { DEFAULT_LIMIT } from "../session/runner.ts";
import { type Snapshot, snapshotOf } from "../session/snapshot.ts";
import { factPlaces } from "./fact-places.ts";
import type { Judgements } from "./judgements.ts";
import type { OpenOptions, Program } from "./program.ts";
import type { QueryPort } from "./query-rows.ts";
import type { QueryRow } from "./rows.ts";
import { fittedArgument } from "./query-arguments.ts";
import type { RunningProgram } from "./running-program.ts";
import { hasSource, notHere } from "./saved/unexplained.ts";
import { standingPlans } from "./standing-plans.ts";
import { packAnswer, packRun } from "./pack.ts";
import type { ExplainPort } from "./explain-port.ts";
import type { Session } from "./session.ts";

/** A session with the parts that answer questions about it. */
export interface AskedSession {
  readonly session: SessionPort;
  readonly judgements: Judgements;
  readonly queries: QueryPort;
}

/** Opens a session of a program from a snapshot. */
export type Fork = (program: Program, from: Snapshot) => AskedSession;

/** What explanations use of a session, besides the session itself. */
export interface ExplainedParts {
  readonly options: OpenOptions;
  readonly core: SessionCore;
  readonly running: RunningProgram;
  readonly judgements: Judgements;
  readonly queries: QueryPort;
  /** Opens copies of the session, in which changes are tried. */
  readonly fork: Fork;
}

export class Explanations implements ExplainPort {
  readonly #session: Session;
  readonly #context: ExplainedParts;
  /** Copies of the session as it was after a change, as long as there is memory for them. */
  readonly #pastCopies = new LateMap<number, WeakRef<PastCopy>>();

  /** `session` is what the parts are composed to. */
  constructor(session: Session, context: ExplainedParts) {
    this.#session = session;
    this.#context = context;
  }

  why(asked: WhySubject): Explanation {
    this.#refuseWithoutSource("why()");
    return explain(this.#explainContext(), asked);
  }

  whyNot(ruleOrQuery: string, given: QuestionArguments): WhyNot {
    this.#refuseWithoutSource("whyNot()");
    return explainNot(this.#explainContext(), ruleOrQuery, this.#fitted(ruleOrQuery, given));
  }

  /** Returns the arguments of a question with the parameters of a query checked by their types. */
  #fitted(ruleOrQuery: string, given: QuestionArguments): QuestionArguments {
    const { program } = this.#context.running;
    const { rules, queries } = program.checked.symbols;
    const isQuery = rules.get(ruleOrQuery) === undefined && queries.get(ruleOrQuery) !== undefined;
    const query = isQuery ? standingPlans(program.checked, true).find(ruleOrQuery) : undefined;
    if (query === undefined) return given;
    const defaults = query.params.flatMap(({ name, default: value }) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const fitted = Object.entries({ ...Object.fromEntries(defaults), ...given }).flatMap(([name, value]) => {
      if (!query.params.some((param) => param.name === name)) return [[name, value] as const];
      const plain = fittedArgument(program.data().schema, query, name, value);
      return plain === null ? [] : [[name, plain] as const];
    });
    return Object.fromEntries(fitted);
  }

  searchOpen(gate: string, subject?: FactRef): Found<Remedy> {
    this.#refuseWithoutSource("wouldOpen()");
    const answer = this.#context.judgements.gate(gate, subject);
    return this.#isInDoubt(`gate "${gate}"`) ? { remedies: [] } : wouldOpen(this.#explainContext(), answer);
  }

  searchPass(guardian: string, subject?: FactRef): Found<VerdictRemedy> {
    this.#refuseWithoutSource("wouldPass()");
    const { judgements } = this.#context;
    const { subject: id } = judgements.verdict(guardian, subject);
    const account = judgements.account(guardian, id);
    if (account === undefined || this.#isInDoubt(`guardian "${guardian}"`)) return { remedies: [] };
    return wouldPass(this.#explainContext(), account);
  }

  trace(level: TraceLevel, tell: (event: TraceEvent) => void): () => void {
    this.#refuseWithoutSource("trace()");
    return trace(this.#session, level, (asked: WhySubject) => this.why(asked), tell);
  }

  pack(result: RunResult | GateAnswer | VerdictAnswer | PipelineDecision): string {
    this.#refuseWithoutSource("pack()");
    const { strategy = "breadth", limit = DEFAULT_LIMIT } = this.#context.options;
    const options = { strategy, limit };
    return "fired" in result ? packRun(this.#session, result, options) : packAnswer(this.#session, result, options);
  }

  /** Throws E561 when the session has continued with a program that was loaded from a saved plan. */
  #refuseWithoutSource(what: string): void {
    if (!hasSource(this.#context.running.program)) throw notHere(what);
  }

  /** Whether a judge may depend on a rule in doubt: then no change of facts makes it certain. */
  #isInDoubt(judge: string): boolean {
    return this.#context.running.upToDate().uncertainty({ rule: judge }) !== undefined;
  }

  #explainContext(): ExplainContext {
    const { core, running, judgements, queries, options } = this.#context;
    const { program } = running;
    const opened = new WeakMap<SessionPort, AskedSession>([
      [this.#session, { session: this.#session, judgements, queries }],
    ]);
    const fork = (from: Snapshot): SessionPort => {
      const copy = this.#context.fork(program, from);
      opened.set(copy.session, copy);
      return copy.session;
    };
    const budget = new StepBudget(options.explainSteps ?? DEFAULT_BUDGETS.explainSteps);
    return {
      program: program.checked,
      functions: new Map(Object.entries(options.functions ?? {})),
      namedFacts: namedFactIds(program.checked),
      session: this.#session,
      history: core.inspector,
      budget,
      fork: () => fork(core.snapshots.copy()),
      forkOf: (facts) =>
        fork(
          snapshotOf(facts, core.inspector.numbers, { ...core.snapshots.doubts(), ...clockOf(core.inspector.clock) }),
        ),
      forkPast: (past) => {
        const copy = this.#pastCopy(program, past, budget);
        opened.set(copy.session, copy);
        return copy.session;
      },
      answers: (session, query, given) => answersOf(program, opened.get(session)?.queries, query, given),
      gate: (name, subject, session = this.#session) => opened.get(session)?.judgements.answerAbout(name, subject),
      flow: (name, subject, stage) => judgements.standing(name, subject, stage),
      verdict: (name, subject, session = this.#session) => opened.get(session)?.judgements.account(name, subject),
      decision: (name, subject) => judgements.wouldDecide(name, subject),
      doubt: (rule) => doubtOf(running, rule),
      place: (id) => placeOf(program, id),
    };
  }

  /** Returns a copy of the session as it was after a change. The past does not change, so copies are used again. */
  #pastCopy(program: Program, past: PastFacts, budget: StepBudget): AskedSession {
    const known = this.#pastCopies.get(past.change)?.deref();
    if (known?.program === program) return known.copy;
    const { core } = this.#context;
    const facts = past.all();
    budget.spend(facts.length);
    const copy = this.#context.fork(
      program,
      snapshotOf(facts, core.inspector.numbers, { ...core.snapshots.doubtsDuringRun(), ...clockOf(past.clock) }),
    );
    this.#pastCopies.delete(past.change);
    this.#pastCopies.set(past.change, new WeakRef({ program, copy }));
    const [oldest] = this.#pastCopies.keys();
    if (this.#pastCopies.size > MAX_PAST_COPIES && oldest !== undefined) this.#pastCopies.delete(oldest);
    return copy;
  }
}

function clockOf(clock: string | undefined): Pick<Snapshot, "clock"> {
  return clock === undefined ? {} : { clock };
}

interface PastCopy {
  readonly program: Program;
  readonly copy: AskedSession;
}

const MAX_PAST_COPIES = 8;

function doubtOf(running: RunningProgram, rule: string): RuleDoubt {
  const assembly = running.upToDate();
  const own = assembly.whySwitchedOff(rule);
  return { own, reads: own === undefined ? assembly.uncertainReads(rule) : undefined };
}

/** Returns the answers of a query, with values for those of its parameters that are given; facts as ids. */
function answersOf(
  { checked }: Program,
  queries: QueryPort | undefined,
  query: string,
  given: QuestionArguments,
): Readonly<Record<string, Maybe>>[] {
  const params = checked.symbols.queries.get(query)?.decl.params ?? [];
  const args = Object.fromEntries(params.map(({ name }) => [name.name, given[name.name]]));
  const answers = queries?.query(query, args) ?? [];
  return answers.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, bound]) => [name, isView(bound) ? bound.id : bound])),
  );
}

function isView(bound: QueryRow[string]): bound is FactView {
  return typeof bound === "object" && "id" in bound && "fields" in bound && "type" in bound;
}

const placesOf = new WeakMap<Program, ReturnType<typeof factPlaces>>();

/** Returns where the program states a fact, as `rules.tsd:6`. */
function placeOf(program: Program, id: string): string | undefined {
  let places = placesOf.get(program);
  if (places === undefined) placesOf.set(program, (places = factPlaces(program)));
  const place = places.get(id);
  return place === undefined ? undefined : `${place.file}:${place.line}`;
}
