/** A session of a program: what the session room does, and what needs the compiler: questions and new programs. */
import type { Diagnostic } from "../base/diagnostic.ts";
import { must } from "../base/invariant.ts";
import { DEFAULT_BUDGETS } from "../base/limits.ts";
import { nearest } from "../base/nearest.ts";
import { StepBudget } from "../base/step-budget.ts";
import type { Maybe, Value } from "../base/value.ts";
import { Assembly } from "../assemble/assembly.ts";
import type { Plan } from "../plan/plan.ts";
import { namedFactIds, planQuery, planQuestion, type Question } from "../plan/planner.ts";
import type { Found, Remedy } from "../explain/search/edit.ts";
import { wouldOpen } from "../explain/search/open.ts";
import { type VerdictRemedy, wouldPass } from "../explain/search/pass.ts";
import type { WhyDecision } from "../explain/tell/decision.ts";
import type { WhyGate } from "../explain/tell/gate.ts";
import type { WhyVerdict } from "../explain/tell/verdict.ts";
import type { ExplainSite, Given, RuleDoubt } from "../explain/read/context.ts";
import type { Explanation } from "../explain/tell/step.ts";
import { trace, type TraceEvent, type TraceLevel } from "../explain/tell/trace.ts";
import { type Asked, explain } from "../explain/tell/why.ts";
import { explainNot, type WhyNot } from "../explain/tell/why-not.ts";
import { answerOf } from "../gates/answer.ts";
import type { GateNode } from "../gates/gate.ts";
import type { GuardianNode } from "../guardian/guardian.ts";
import type { PipelineNode } from "../guardian/pipeline.ts";
import { decideOne } from "../guardian/decisions.ts";
import type { GateAnswer, PipelineDecision, VerdictAnswer } from "../base/answers.ts";
import type { Bound } from "../rete/rule-matches.ts";
import { didYouMean, SessionError } from "../session/errors.ts";
import { LIMIT_HINT } from "../session/problems.ts";
import type { FactView, RunResult } from "../session/results.ts";
import { DEFAULT_LIMIT, Session } from "../session/session.ts";
import type { FactRef } from "../session/options.ts";
import { snapshotOf } from "../session/snapshot.ts";
import { factView } from "../session/views.ts";
import { Fact } from "../rete/fact.ts";
import { factPlaces } from "./fact-places.ts";
import { packAnswer, packRun } from "./pack.ts";
import { nodeCounts } from "./node-counts.ts";
import type { OpenOptions, Program } from "./program.ts";
import { noteFailure } from "./warnings.ts";
import { carriedBy, decisionContext, type Holder, partsOf } from "./session-parts.ts";

/** One answer of a query: its variables. */
export type QueryRow = Readonly<Record<string, FactView | Value | undefined>>;

export class RuleSession extends Session {
  readonly #holder: Holder;
  readonly #openOptions: OpenOptions;

  constructor(program: Program, options: OpenOptions) {
    const holder: Holder = { assembly: undefined, program, warnings: new Map(), carried: carriedBy(options.from) };
    super(partsOf(program, options, holder), options);
    this.#holder = holder;
    this.#openOptions = options;
  }

  get program(): Program {
    return this.#holder.program;
  }

  /** What was noticed while rules were tested: divisions by zero, and functions that failed; each once for each rule. */
  get warnings(): readonly Diagnostic[] {
    const { failures } = must(this.#holder.assembly, "a session has a network");
    if (failures.any) for (const problem of failures.problems()) noteFailure(this.#holder, problem.rules, problem);
    return [...this.#holder.warnings.values()];
  }

  /** Goes on with another program: rules that are in both keep their memories and have fired what they have fired. */
  reload(program: Program): void {
    this.replaceProgram(partsOf(program, this.#openOptions, this.#holder), new Set());
  }

  /** With everything unknown that depends on a rule in doubt. */
  #assembly(): Assembly {
    const assembly = must(this.#holder.assembly, "a session has a network");
    if (!this.isCommitting) assembly.refresh();
    return assembly;
  }

  /**
   * Why facts of a type, or what a rule, `gate "g"` or the like reads, cannot be relied on: a rule that they may depend on was
   * switched off. Undefined when they can.
   */
  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined {
    return this.#assembly().uncertainty(of);
  }

  /**
   * What a gate says now, also before a run. The subject may be left out when there is only one. `missing` and `tree` are
   * worked out when they are first read, from the facts of that moment.
   */
  gate(name: string, subject?: FactRef): GateAnswer {
    const gate = this.#gateNamed(name);
    if (subject !== undefined && gate.parts.subjectLevel !== undefined) {
      const id = typeof subject === "string" ? subject : subject.id;
      if (gate.match(id) === undefined) throw notASubject(name, gate, id, this.uncertainty({ rule: `gate "${name}"` }));
      return answerOf(gate, id);
    }
    const [only, ...others] = gate.subjects();
    if (only === undefined || others.length > 0)
      throw notOneSubject(name, gate, this.uncertainty({ rule: `gate "${name}"` }));
    return answerOf(gate, only);
  }

  /** What a gate says about all its subjects now, the oldest first; all gates when none is named. */
  gates(name?: string): GateAnswer[] {
    const all = this.#assembly().gates;
    const wanted = name === undefined ? [...all.values()] : [this.#gateNamed(name)];
    return wanted.flatMap((gate) => gate.subjects().map((subject) => answerOf(gate, subject)));
  }

  /** What a guardian says now, also before a run. The subject may be left out when there is only one. */
  verdict(name: string, subject?: FactRef): VerdictAnswer {
    const guardian = this.#guardianNamed(name);
    const id = subject === undefined ? onlySubject(name, guardian) : typeof subject === "string" ? subject : subject.id;
    const verdict = guardian.verdict(id);
    if (verdict !== undefined) return verdict;
    const meant = didYouMean(nearest(id, guardian.subjects.ids()));
    const doubt = this.uncertainty({ rule: `guardian "${name}"` });
    const hint = doubt ?? meant ?? `it judges facts of type ${guardian.parts.subjectType} that pass its "for"`;
    throw new SessionError("E541", `"${id}" is not a subject of guardian "${name}"`, hint);
  }

  /** What a guardian says about all its subjects now, the oldest first; all guardians when none is named. */
  verdicts(name?: string): VerdictAnswer[] {
    const all = this.#assembly().guardians;
    const wanted = name === undefined ? [...all.values()] : [this.#guardianNamed(name)];
    return wanted.flatMap((guardian) => guardian.subjects.ids().flatMap((id) => guardian.verdict(id) ?? []));
  }

  /** The names of the guardians, in program order. */
  get guardians(): readonly string[] {
    return [...this.#assembly().guardians.keys()];
  }

  /**
   * Lets a pipeline decide about a request now, once more if it has already. The decision is audited before it is
   * returned.
   */
  decide(name: string, subject: FactRef): PipelineDecision {
    const pipeline = this.#pipelineNamed(name);
    const id = typeof subject === "string" ? subject : subject.id;
    const decision = decideOne(pipeline, id, decisionContext(this.#openOptions));
    if (decision !== undefined) return decision;
    const meant = didYouMean(nearest(id, pipeline.subjects.ids()));
    const doubt = this.uncertainty({ rule: `pipeline "${name}"` });
    const hint = doubt ?? meant ?? `it decides about facts of type ${pipeline.parts.subjectType} that pass its "for"`;
    throw new SessionError("E541", `"${id}" is not a subject of pipeline "${name}"`, hint);
  }

  /**
   * What a pipeline would decide about all its requests now, the oldest first; all pipelines when none is named. Nothing is
   * decided: nothing is audited, and nobody hears of it.
   */
  decisions(name?: string): PipelineDecision[] {
    const { pipelines } = this.#assembly();
    const wanted = name === undefined ? [...pipelines.values()] : [this.#pipelineNamed(name)];
    const { now } = decisionContext(this.#openOptions);
    return wanted.flatMap((pipeline) => pipeline.subjects.ids().flatMap((id) => pipeline.decide(id, now) ?? []));
  }

  #pipelineNamed(name: string): PipelineNode {
    const { pipelines } = this.#assembly();
    const pipeline = pipelines.get(name);
    if (pipeline === undefined)
      throw new SessionError("E213", `there is no pipeline "${name}"`, didYouMean(nearest(name, pipelines.keys())));
    return pipeline;
  }

  #guardianNamed(name: string): GuardianNode {
    const { guardians } = this.#assembly();
    const guardian = guardians.get(name);
    if (guardian === undefined)
      throw new SessionError("E213", `there is no guardian "${name}"`, didYouMean(nearest(name, guardians.keys())));
    return guardian;
  }

  #gateNamed(name: string): GateNode {
    const { gates } = this.#assembly();
    const gate = gates.get(name);
    if (gate === undefined)
      throw new SessionError("E213", `there is no gate "${name}"`, didYouMean(nearest(name, gates.keys())));
    return gate;
  }

  /** What a query of the program finds now, each answer once for every way it is found. */
  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    const { checked } = this.#holder.program;
    const query = checked.symbols.queries.get(name)?.decl;
    if (query === undefined) {
      const meant = nearest(name, checked.symbols.queries.names());
      throw new SessionError(
        "E213",
        `there is no query "${name}"`,
        meant === undefined ? undefined : `did you mean "${meant}"?`,
      );
    }
    const given = new Map(Object.entries(args).map(([key, value]) => [key, asValue(value)]));
    const plan = planQuery(checked, query, given, { sharing: this.#openOptions.sharing ?? true });
    return this.#during(plan, rows);
  }

  /** Answers a question that is no part of the program: what `expect` asks in a test. */
  ask(question: Question): QueryRow[] {
    return this.#during(planQuestion(this.#holder.program.checked, question), rows);
  }

  /** For each node of `program.network()`, by its id: how many facts pass it, or how many matches it holds. */
  nodeCounts(): ReadonlyMap<number, number> {
    const count = (assembly: Assembly, rule: string): number => [...assembly.network.matches(rule)].length;
    const isOff = (rule: string): boolean => this.#doubt(rule).own !== undefined;
    return nodeCounts(this.#holder.program.network(), (plan) => this.#during(plan, count), isOff);
  }

  /** The arguments that the calls of a question without elements would have. */
  argumentsOf(question: Question): Maybe[][] {
    return this.#during(planQuestion(this.#holder.program.checked, question), callArguments);
  }

  #during<Result>(plan: Plan, read: (assembly: Assembly, rule: string) => Result): Result {
    this.refuseWhileCommitting();
    const assembly = this.#assembly();
    return assembly.during(plan, ([rule = ""]) => read(assembly, rule), tooManyAnswers);
  }

  /** The functions of the host that rules call. */
  get functions(): NonNullable<OpenOptions["functions"]> {
    return this.#openOptions.functions ?? {};
  }

  // ---------------------------------------------------------------- why

  /**
   * Why a rule fired (a firing or one of its effects), why a gate, guardian or pipeline says what it says (its answer, or the
   * fact of a result or verdict), or where a fact (its handle, view or id) comes from.
   */
  why(asked: GateAnswer): WhyGate;
  why(asked: VerdictAnswer): WhyVerdict;
  why(asked: PipelineDecision): WhyDecision;
  why(asked: Asked): Explanation;
  why(asked: Asked): Explanation {
    return explain(this.#explainSite(), asked);
  }

  /**
   * Why a rule does not fire, in general or for some of its variables: `{ p: "Person~p4" }`. Also why a query finds nothing,
   * for its parameters.
   */
  whyNot(ruleOrQuery: string, given: Given = {}): WhyNot {
    return explainNot(this.#explainSite(), ruleOrQuery, given);
  }

  /**
   * The smallest changes of facts after which a gate would pass, each tried in a copy of the session; at most three edits.
   * Asked between runs. None for a gate that passes; otherwise an empty list means that none was found.
   */
  wouldOpen(gate: string, subject?: FactRef): Remedy[] {
    return this.searchOpen(gate, subject).remedies;
  }

  /** The same, and `stopped` when the search ended before everything was tried: there may be more, or smaller changes. */
  searchOpen(gate: string, subject?: FactRef): Found<Remedy> {
    const answer = this.gate(gate, subject);
    return this.#isInDoubt(`gate "${gate}"`) ? { remedies: [] } : wouldOpen(this.#explainSite(), answer);
  }

  /**
   * The smallest changes of facts after which a guardian would judge otherwise, each tried in a copy of the session and told
   * with the verdict that follows; at most three edits. Asked between runs. None for a draft that passes.
   */
  wouldPass(guardian: string, subject?: FactRef): VerdictRemedy[] {
    return this.searchPass(guardian, subject).remedies;
  }

  /** The same, and `stopped` when the search ended before everything was tried. */
  searchPass(guardian: string, subject?: FactRef): Found<VerdictRemedy> {
    const { subject: id } = this.verdict(guardian, subject);
    const account = this.#guardianNamed(guardian).account(id);
    if (account === undefined || this.#isInDoubt(`guardian "${guardian}"`)) return { remedies: [] };
    return wouldPass(this.#explainSite(), account);
  }

  /** No change of facts makes a judge see again that may depend on a rule which was switched off. */
  #isInDoubt(judge: string): boolean {
    return this.uncertainty({ rule: judge }) !== undefined;
  }

  /** Tells why things happen as they happen. Gives a function that ends the trace. */
  trace(level: TraceLevel, tell: (event: TraceEvent) => void): () => void {
    return trace(this, level, (asked: Asked) => this.why(asked), tell);
  }

  /**
   * The result of a run, or what one gate, guardian or pipeline says now, with the program, facts and reasons, as canonical
   * JSON that shows every later change.
   */
  pack(result: RunResult | GateAnswer | VerdictAnswer | PipelineDecision): string {
    const { strategy = "breadth", limit = DEFAULT_LIMIT } = this.#openOptions;
    const options = { strategy, limit };
    return "fired" in result ? packRun(this, result, options) : packAnswer(this, result, options);
  }

  #answer(name: string, subject: string | null): GateAnswer | undefined {
    const gate = this.#assembly().gates.get(name);
    return gate?.match(subject ?? "") === undefined ? undefined : answerOf(gate, subject ?? "");
  }

  #guardian(name: string): GuardianNode | undefined {
    return this.#assembly().guardians.get(name);
  }

  #pipeline(name: string): PipelineNode | undefined {
    return this.#assembly().pipelines.get(name);
  }

  #doubt(rule: string): RuleDoubt {
    const own = this.#assembly().whySwitchedOff(rule);
    return { own, reads: own === undefined ? this.#assembly().uncertainReads(rule) : undefined };
  }

  #explainSite(): ExplainSite {
    const program = this.#holder.program;
    const { functions } = this;
    return {
      program: program.checked,
      functions: new Map(Object.entries(functions)),
      namedFacts: namedFactIds(program.checked),
      session: this,
      budget: new StepBudget(this.#openOptions.explainSteps ?? DEFAULT_BUDGETS.explainSteps),
      fork: () => program.session({ functions, history: 0, from: this.snapshot() }),
      forkOf: (facts) =>
        program.session({ functions, history: 0, from: snapshotOf(facts, this.numbers, this.doubts()) }),
      answers: (session, query, given) => (session instanceof RuleSession ? answersOf(session, query, given) : []),
      gate: (name, subject, fork = this) => (fork instanceof RuleSession ? fork.#answer(name, subject) : undefined),
      verdict: (name, subject, fork = this) =>
        fork instanceof RuleSession ? fork.#guardian(name)?.account(subject) : undefined,
      decision: (name, subject) => this.#pipeline(name)?.decide(subject, () => 0),
      doubt: (rule) => this.#doubt(rule),
      place: (id) => placeOf(program, id),
    };
  }
}

/** The answers of a query that takes what is given of its parameters; facts as ids. */
function answersOf(session: RuleSession, query: string, given: Given): Readonly<Record<string, Maybe>>[] {
  const params = session.program.checked.symbols.queries.get(query)?.decl.params ?? [];
  const args = params.map(({ name }) => [name.name, given[name.name]]);
  return session
    .query(query, Object.fromEntries(args) as Given)
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, bound]) => [name, isView(bound) ? bound.id : bound])),
    );
}

function isView(bound: QueryRow[string]): bound is FactView {
  return typeof bound === "object" && "id" in bound && "fields" in bound && "type" in bound;
}

const placesOf = new WeakMap<Program, ReturnType<typeof factPlaces>>();

function placeOf(program: Program, id: string): string | undefined {
  let places = placesOf.get(program);
  if (places === undefined) placesOf.set(program, (places = factPlaces(program)));
  const place = places.get(id);
  return place === undefined ? undefined : `${place.file}:${place.line}`;
}

function onlySubject(name: string, { subjects, parts }: GuardianNode): string {
  const [only, ...others] = subjects.ids();
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new SessionError("E541", `guardian "${name}" has no subject: there is no such ${parts.subjectType}`);
  const hint = "say which one is meant, by its id";
  throw new SessionError("E541", `guardian "${name}" has ${others.length + 1} subjects`, hint);
}

function tooManyAnswers(pattern: string, limit: number): SessionError {
  const message = `the question makes more than ${limit} partial matches, at ${pattern}`;
  return new SessionError("E511", message, LIMIT_HINT);
}

function notASubject(name: string, gate: GateNode, id: string, doubt: string | undefined): SessionError {
  const meant = didYouMean(nearest(id, gate.subjects()));
  const hint = doubt ?? meant ?? `it is asked about facts of type ${gate.parts.subjectType} that pass its "for"`;
  return new SessionError("E541", `"${id}" is not a subject of gate "${name}"`, hint);
}

/** `doubt`: why subjects may be missing. */
function notOneSubject(name: string, gate: GateNode, doubt: string | undefined): SessionError {
  const count = gate.size;
  const type = gate.parts.subjectType;
  if (count === 0) return new SessionError("E541", `gate "${name}" has no subject: there is no such ${type}`, doubt);
  return new SessionError("E541", `gate "${name}" has ${count} subjects`, "say which one is meant, by its id");
}

/** A handle or a view of a fact stands for its id. */
function asValue(value: unknown): Value | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "object" && "id" in value && typeof value.id === "string") return value.id;
  return value as Value;
}

function rows(assembly: Assembly, rule: string): QueryRow[] {
  return [...assembly.network.matches(rule)]
    .map((bound) => ({ bound, order: bound.production.facts(bound.match, bound.fact).map((fact) => fact.order) }))
    .sort((a, b) => compareLists(a.order, b.order))
    .map(({ bound }) => rowOf(bound));
}

function rowOf({ production, match, fact }: Bound): QueryRow {
  return Object.fromEntries(production.bindings.map((binding) => [binding.name, viewOf(binding.read(match, fact))]));
}

function callArguments(assembly: Assembly, rule: string): Maybe[][] {
  const [first] = assembly.network.matches(rule);
  if (first === undefined) return [];
  const { production, match, fact } = first;
  return production.actions.flatMap((action) => (action.kind === "effect" ? [action.args(match, fact)] : []));
}

function viewOf(bound: Fact | Value | undefined): FactView | Value | undefined {
  return bound instanceof Fact ? factView(bound) : bound;
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
