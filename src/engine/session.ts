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
import type { ExplainContext, Given, RuleDoubt } from "../explain/read/context.ts";
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
import { didYouMean, SessionError, unknownName } from "../session/errors.ts";
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

/** One answer of a query: the value of each variable. Facts are views. */
export type QueryRow = Readonly<Record<string, FactView | Value | undefined>>;

/**
 * A session of a program: everything of {@link Session}, and what needs the program itself: gates, guardians,
 * pipelines, queries, explanations and reloading. {@link Program.session} opens one.
 */
export class RuleSession extends Session {
  readonly #holder: Holder;
  readonly #openOptions: OpenOptions;

  /**
   * Creates a session. Use {@link Program.session} instead.
   *
   * @internal
   */
  constructor(program: Program, options: OpenOptions) {
    const holder: Holder = { assembly: undefined, program, warnings: new Map(), carried: carriedBy(options.from) };
    super(partsOf(program, options, holder), options);
    this.#holder = holder;
    this.#openOptions = options;
  }

  /** The program that the session runs now. */
  get program(): Program {
    return this.#holder.program;
  }

  /**
   * Warnings that came up while rules were tested: divisions by zero (W501) and host functions that failed (E521), each
   * once per rule.
   */
  get warnings(): readonly Diagnostic[] {
    const { failures } = must(this.#holder.assembly, "a session has a network");
    if (failures.any) for (const problem of failures.problems()) noteFailure(this.#holder, problem.rules, problem);
    return [...this.#holder.warnings.values()];
  }

  /**
   * Continues with another program and the same facts. Rules that both programs have keep their memories and do not
   * fire again for what they have fired. Facts that the source of the new program states are not asserted.
   *
   * @throws {@link SessionError} E530 during a run or a batch.
   *
   * @example
   * ```ts
   * const program = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }');
   * const session = program.session();
   * session.assert("Person", { id: "p1" });
   * session.run();
   * session.reload(program.extend('rule "count" { when p: Person then log("one more") }'));
   * session.run().fired.map((fired) => fired.rule); // => ["count"]
   * ```
   */
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
   * Returns why the facts of a type, or what a rule reads, may be incomplete: a rule that they depend on was switched
   * off, failed, or has not fired yet. Returns undefined when they are complete. `rule` may also be `gate "g"`,
   * `guardian "d"` or `pipeline "p"`.
   */
  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined {
    return this.#assembly().uncertainty(of);
  }

  /**
   * Returns what a gate says about a subject now, also before a run. `missing` and `tree` are computed when they are
   * first read, from the facts at that moment.
   *
   * @param name - The name of the gate.
   * @param subject - The subject: its handle, view or id. Optional when the gate has exactly one subject, or no `for`.
   * @throws {@link SessionError} E213 when there is no such gate, E541 when the fact is not one of its subjects.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Release(#id: string)
   *   type TestRun(release: string, failed: number)
   *   condition tests_ok(r: Release) : t.failed == 0 from t: TestRun(t.release == r.id)
   *   gate "deploy" for r: Release { require tests_ok(r) }`).session();
   * session.assert("Release", { id: "r1" });
   * session.gate("deploy", "Release~r1").outcome; // => "hold"
   * session.assert("TestRun", { release: "r1", failed: 0 });
   * session.gate("deploy", "Release~r1").outcome; // => "pass"
   * ```
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

  /**
   * Returns what a gate says about each of its subjects now, oldest subject first; without a name, for all gates in
   * program order.
   *
   * @throws {@link SessionError} E213 when there is no such gate.
   */
  gates(name?: string): GateAnswer[] {
    const all = this.#assembly().gates;
    const wanted = name === undefined ? [...all.values()] : [this.#gateNamed(name)];
    return wanted.flatMap((gate) => gate.subjects().map((subject) => answerOf(gate, subject)));
  }

  /**
   * Returns what a guardian says about a subject now, also before a run.
   *
   * @param name - The name of the guardian.
   * @param subject - The subject: its handle, view or id. Optional when the guardian has exactly one subject.
   * @throws {@link SessionError} E213 when there is no such guardian, E541 when the fact is not one of its subjects.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Draft(#id: string, text: string?, attempt: number = 0)
   *   guardian "answer" for d: Draft {
   *     check contract { need d.text is present as "no_draft_answer" do REGENERATE_DRAFT }
   *   }`).session();
   * const draft = session.assert("Draft", { id: "d1" });
   * const { verdict, reasons } = session.verdict("answer", draft);
   * [verdict, reasons]; // => ["RETRY", ["no_draft_answer"]]
   * ```
   */
  verdict(name: string, subject?: FactRef): VerdictAnswer {
    const guardian = this.#guardianNamed(name);
    const id = subject === undefined ? onlySubject(name, guardian) : typeof subject === "string" ? subject : subject.id;
    const verdict = guardian.verdict(id);
    if (verdict !== undefined) return verdict;
    const meant = didYouMean(nearest(id, guardian.subjects.ids()));
    const doubt = this.uncertainty({ rule: `guardian "${name}"` });
    const hint = doubt ?? meant ?? `pass the id of a fact of type ${guardian.parts.subjectType} that matches its "for"`;
    throw new SessionError("E541", `"${id}" is not a subject of guardian "${name}"`, hint);
  }

  /**
   * Returns what a guardian says about each of its subjects now, oldest subject first; without a name, for all
   * guardians in program order.
   *
   * @throws {@link SessionError} E213 when there is no such guardian.
   */
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
   * Lets a pipeline decide about a request now, even if it has decided before. If the pipeline says `audit to`, the
   * decision is written before it is returned; when it cannot be written, the decision is ERROR (E544).
   *
   * @throws {@link SessionError} E213 when there is no such pipeline, E541 when the fact is not one of its requests.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Request(#id: string, content: string?)
   *   pipeline "request" for q: Request {
   *     step safety BLOCK "nothing to read" when q.content is missing
   *     otherwise FORWARD "assistant"
   *   }`).session();
   * const request = session.assert("Request", { id: "q1" });
   * const { decision, value } = session.decide("request", request);
   * [decision, value]; // => ["BLOCK", "nothing to read"]
   * ```
   */
  decide(name: string, subject: FactRef): PipelineDecision {
    const pipeline = this.#pipelineNamed(name);
    const id = typeof subject === "string" ? subject : subject.id;
    const decision = decideOne(pipeline, id, decisionContext(this.#openOptions));
    if (decision !== undefined) return decision;
    const meant = didYouMean(nearest(id, pipeline.subjects.ids()));
    const doubt = this.uncertainty({ rule: `pipeline "${name}"` });
    const hint = doubt ?? meant ?? `pass the id of a fact of type ${pipeline.parts.subjectType} that matches its "for"`;
    throw new SessionError("E541", `"${id}" is not a subject of pipeline "${name}"`, hint);
  }

  /**
   * Returns what a pipeline would decide about each of its requests now, oldest first; without a name, for all
   * pipelines. Nothing is decided: nothing is audited, and no listener is called.
   *
   * @throws {@link SessionError} E213 when there is no such pipeline.
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
    if (pipeline === undefined) throw unknownName("pipeline", "pipelines", name, pipelines.keys());
    return pipeline;
  }

  #guardianNamed(name: string): GuardianNode {
    const { guardians } = this.#assembly();
    const guardian = guardians.get(name);
    if (guardian === undefined) throw unknownName("guardian", "guardians", name, guardians.keys());
    return guardian;
  }

  #gateNamed(name: string): GateNode {
    const { gates } = this.#assembly();
    const gate = gates.get(name);
    if (gate === undefined) throw unknownName("gate", "gates", name, gates.keys());
    return gate;
  }

  /**
   * Returns the answers of a query now: one row of variables for each match, in the order of the facts.
   *
   * @param name - The name of the query.
   * @param args - Values for its parameters, by name. A handle or view stands for the id of its fact.
   * @throws {@link SessionError} E213 when there is no such query, E511 when it would make too many partial matches.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Person(#id: string, age: number)
   *   query adults(min: number) { p: Person(age >= min) }`).session();
   * session.assert("Person", { id: "p1", age: 30 });
   * session.query("adults", { min: 18 }).map(({ p }) => p); // => [{ id: "Person~p1", type: "Person", fields: { id: "p1", age: 30 } }]
   * ```
   */
  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    const { checked } = this.#holder.program;
    const query = checked.symbols.queries.get(name)?.decl;
    if (query === undefined) throw unknownName("query", "queries", name, checked.symbols.queries.names());
    const given = new Map(Object.entries(args).map(([key, value]) => [key, asValue(value)]));
    const plan = planQuery(checked, query, given, { sharing: this.#openOptions.sharing ?? true });
    return this.#during(plan, rows);
  }

  /**
   * Answers a question that is not part of the program, as `expect` does in a test block.
   *
   * @internal
   */
  ask(question: Question): QueryRow[] {
    return this.#during(planQuestion(this.#holder.program.checked, question), rows);
  }

  /**
   * Returns, for each node of {@link Program.network} by its id, how many facts pass it or how many matches it holds.
   * It builds each node again to count, so it is meant for pictures and debugging.
   */
  nodeCounts(): ReadonlyMap<number, number> {
    const count = (assembly: Assembly, rule: string): number => [...assembly.network.matches(rule)].length;
    const isOff = (rule: string): boolean => this.#doubt(rule).own !== undefined;
    return nodeCounts(this.#holder.program.network(), (plan) => this.#during(plan, count), isOff);
  }

  /**
   * Returns the arguments that the actions of a question without patterns would have.
   *
   * @internal
   */
  argumentsOf(question: Question): Maybe[][] {
    return this.#during(planQuestion(this.#holder.program.checked, question), callArguments);
  }

  #during<Result>(plan: Plan, read: (assembly: Assembly, rule: string) => Result): Result {
    this.refuseWhileCommitting();
    const assembly = this.#assembly();
    return assembly.during(plan, ([rule = ""]) => read(assembly, rule), tooManyAnswers);
  }

  /** The host functions that rules call, by name. */
  get functions(): NonNullable<OpenOptions["functions"]> {
    return this.#openOptions.functions ?? {};
  }

  // ---------------------------------------------------------------- why

  /**
   * Explains something that happened, as a tree of steps in the words of the rules:
   *
   * - a firing or one of its effects: why the rule fired;
   * - the answer of a gate, guardian or pipeline, or the fact of a gate result or verdict: why it says so;
   * - a fact, given by its handle, view or id: where it comes from.
   *
   * A firing is explained with the facts as they were when it fired.
   *
   * @throws {@link SessionError} E550 when the firing is no longer remembered, E532 when there is no such fact.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string, age: number) rule "adult" { when p: Person(age >= 18) then log(p.id) }').session();
   * session.assert("Person", { id: "p1", age: 30 });
   * const [first] = session.run().fired;
   * if (first !== undefined) console.log(textTree(session.why(first)));
   * ```
   */
  why(asked: GateAnswer): WhyGate;
  why(asked: VerdictAnswer): WhyVerdict;
  why(asked: PipelineDecision): WhyDecision;
  why(asked: Asked): Explanation;
  why(asked: Asked): Explanation {
    return explain(this.#explainSite(), asked);
  }

  /**
   * Explains why a rule does not fire, or why a query has no answer, and suggests the smallest changes that would help.
   * Each suggestion is verified on a copy of the session. Call it between runs.
   *
   * @param ruleOrQuery - The name of the rule or query.
   * @param given - Facts for some of its variables, or values for the parameters of a query.
   * @throws {@link SessionError} E207 when there is neither a rule nor a query of this name.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string, age: number) rule "adult" { when p: Person(age >= 18) then log(p.id) }').session();
   * session.assert("Person", { id: "p1", age: 12 });
   * const answer = session.whyNot("adult", { p: "Person~p1" });
   * answer.hindrance; // => "no match"
   * answer.remedies[0]?.edits; // => [{ op: "update", fact: "Person~p1", field: "age", from: 12, to: 18 }]
   * ```
   */
  whyNot(ruleOrQuery: string, given: Given = {}): WhyNot {
    return explainNot(this.#explainSite(), ruleOrQuery, given);
  }

  /**
   * Returns the smallest changes of facts after which a gate would pass, at most three edits each. Each is verified on
   * a copy of the session, without firing rules. The list is empty for a gate that passes, and when none was found.
   * Call it between runs.
   *
   * @throws {@link SessionError} E213, E541 as {@link RuleSession.gate}.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Release(#id: string)
   *   type Approval(#release: string)
   *   gate "deploy" for r: Release { require exists Approval(release == r.id) }`).session();
   * session.assert("Release", { id: "r1" });
   * session.wouldOpen("deploy").map((remedy) => remedy.edits[0]); // => [{ op: "assert", type: "Approval", fields: { release: "r1" } }]
   * ```
   */
  wouldOpen(gate: string, subject?: FactRef): Remedy[] {
    return this.searchOpen(gate, subject).remedies;
  }

  /**
   * Returns the same changes as {@link RuleSession.wouldOpen}, and in `stopped` why the search ended before everything
   * was tried.
   */
  searchOpen(gate: string, subject?: FactRef): Found<Remedy> {
    const answer = this.gate(gate, subject);
    return this.#isInDoubt(`gate "${gate}"`) ? { remedies: [] } : wouldOpen(this.#explainSite(), answer);
  }

  /**
   * Returns the smallest changes of facts after which a guardian would judge differently, at most three edits each,
   * with the verdict that follows. Each is verified on a copy of the session. The list is empty for a draft that
   * passes, and when none was found. Call it between runs.
   *
   * @throws {@link SessionError} E213, E541 as {@link RuleSession.verdict}.
   */
  wouldPass(guardian: string, subject?: FactRef): VerdictRemedy[] {
    return this.searchPass(guardian, subject).remedies;
  }

  /**
   * Returns the same changes as {@link RuleSession.wouldPass}, and in `stopped` why the search ended before everything
   * was tried.
   */
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

  /**
   * Calls `tell` with an explanation of each firing, gate outcome, verdict and decision as it happens.
   *
   * @returns A function that ends the trace.
   */
  trace(level: TraceLevel, tell: (event: TraceEvent) => void): () => void {
    return trace(this, level, (asked: Asked) => this.why(asked), tell);
  }

  /**
   * Returns a decision pack: the result of a run, or one answer of a gate, guardian or pipeline, with the program, the
   * facts and the explanations, as canonical JSON with hashes. {@link verifyPack} checks it later.
   *
   * @throws {@link SessionError} E550 when the facts of the run are no longer known, E551 when repeating the run gives
   *   another result.
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

  #explainSite(): ExplainContext {
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
    throw new SessionError("E541", `guardian "${name}" has no subject: no ${parts.subjectType} matches its "for"`);
  const hint = "pass the id of one of them";
  throw new SessionError("E541", `guardian "${name}" has ${others.length + 1} subjects`, hint);
}

function tooManyAnswers(pattern: string, limit: number): SessionError {
  const message = `the query exceeds the limit of ${limit} partial matches at ${pattern}`;
  return new SessionError("E511", message, LIMIT_HINT);
}

function notASubject(name: string, gate: GateNode, id: string, doubt: string | undefined): SessionError {
  const meant = didYouMean(nearest(id, gate.subjects()));
  const hint = doubt ?? meant ?? `pass the id of a fact of type ${gate.parts.subjectType} that matches its "for"`;
  return new SessionError("E541", `"${id}" is not a subject of gate "${name}"`, hint);
}

/** `doubt`: why subjects may be missing. */
function notOneSubject(name: string, gate: GateNode, doubt: string | undefined): SessionError {
  const count = gate.size;
  const type = gate.parts.subjectType;
  if (count === 0)
    return new SessionError("E541", `gate "${name}" has no subject: no ${type} matches its "for"`, doubt);
  return new SessionError("E541", `gate "${name}" has ${count} subjects`, "pass the id of one of them");
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
