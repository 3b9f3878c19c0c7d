/** A session of a program: what the session room does, and what needs the compiler: questions and new programs. */
import { type Diagnostic, Report } from "../base/diagnostic.ts";
import { must } from "../base/invariant.ts";
import { nearest } from "../base/nearest.ts";
import type { Value } from "../base/value.ts";
import { Assembly } from "../compile/assemble.ts";
import { planQuery } from "../compile/planner.ts";
import { answerOf } from "../gates/answer.ts";
import type { GateNode } from "../gates/gate.ts";
import type { GuardianNode } from "../guardian/guardian.ts";
import { decideOne, type DecisionSite } from "../guardian/decisions.ts";
import type { GateAnswer, PipelineDecision, VerdictAnswer } from "../rete/keeper.ts";
import type { Production } from "../rete/production.ts";
import { didYouMean, SessionError } from "../session/errors.ts";
import type { FactView } from "../session/results.ts";
import { type FactRef, type NetworkSite, Session, type SessionParts } from "../session/session.ts";
import { factView } from "../session/views.ts";
import { Fact } from "../rete/fact.ts";
import { Judges } from "./judges.ts";
import type { OpenOptions, Program } from "./program.ts";

/** One answer of a query: its variables. */
export type QueryRow = Readonly<Record<string, FactView | Value | undefined>>;

/** The network that a session keeps through changes of its program. */
interface Holder {
  assembly: Assembly | undefined;
  readonly warnings: Map<string, Diagnostic>;
}

export class RuleSession extends Session {
  readonly #holder: Holder;
  readonly #openOptions: OpenOptions;
  #program: Program;

  constructor(program: Program, options: OpenOptions) {
    const holder: Holder = { assembly: undefined, warnings: new Map() };
    super(partsOf(program, options, holder), options);
    this.#holder = holder;
    this.#openOptions = options;
    this.#program = program;
  }

  get program(): Program {
    return this.#program;
  }

  /** What was noticed while rules were tested; each thing once for each rule. */
  get warnings(): readonly Diagnostic[] {
    return [...this.#holder.warnings.values()];
  }

  /** Goes on with another program: rules that are in both keep their memories and have fired what they have fired. */
  reload(program: Program): void {
    this.replaceProgram(partsOf(program, this.#openOptions, this.#holder), new Set());
    this.#program = program;
  }

  /**
   * What a gate says now, also before a run. The subject may be left out when there is only one. `missing` and `tree` are
   * worked out when they are first read, from the facts of that moment.
   */
  gate(name: string, subject?: FactRef): GateAnswer {
    const gate = this.#gateNamed(name);
    if (subject !== undefined && gate.parts.subjectLevel !== undefined) {
      const id = typeof subject === "string" ? subject : subject.id;
      if (gate.match(id) === undefined) throw notASubject(name, gate, id);
      return answerOf(gate, id);
    }
    const [only, ...others] = gate.subjects();
    if (only === undefined || others.length > 0) throw notOneSubject(name, gate);
    return answerOf(gate, only);
  }

  /** What a gate says about all its subjects now, the oldest first; all gates when none is named. */
  gates(name?: string): GateAnswer[] {
    const all = must(this.#holder.assembly, "a session has a network").gates;
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
    const hint = meant ?? `it judges facts of type ${guardian.parts.subjectType} that pass its "for"`;
    throw new SessionError("E541", `"${id}" is not a subject of guardian "${name}"`, hint);
  }

  /** What a guardian says about all its subjects now, the oldest first; all guardians when none is named. */
  verdicts(name?: string): VerdictAnswer[] {
    const all = must(this.#holder.assembly, "a session has a network").guardians;
    const wanted = name === undefined ? [...all.values()] : [this.#guardianNamed(name)];
    return wanted.flatMap((guardian) => guardian.subjects.ids().flatMap((id) => guardian.verdict(id) ?? []));
  }

  /** The names of the guardians, in program order. */
  get guardians(): readonly string[] {
    return [...must(this.#holder.assembly, "a session has a network").guardians.keys()];
  }

  /**
   * Lets a pipeline decide about a request now, once more if it has already. The decision is audited before it is
   * returned.
   */
  decide(name: string, subject: FactRef): PipelineDecision {
    const { pipelines } = must(this.#holder.assembly, "a session has a network");
    const pipeline = pipelines.get(name);
    if (pipeline === undefined)
      throw new SessionError("E213", `there is no pipeline "${name}"`, didYouMean(nearest(name, pipelines.keys())));
    const id = typeof subject === "string" ? subject : subject.id;
    const decision = decideOne(pipeline, id, decisionSite(this.#openOptions));
    if (decision !== undefined) return decision;
    const meant = didYouMean(nearest(id, pipeline.subjects.ids()));
    const hint = meant ?? `it decides about facts of type ${pipeline.parts.subjectType} that pass its "for"`;
    throw new SessionError("E541", `"${id}" is not a subject of pipeline "${name}"`, hint);
  }

  #guardianNamed(name: string): GuardianNode {
    const { guardians } = must(this.#holder.assembly, "a session has a network");
    const guardian = guardians.get(name);
    if (guardian === undefined)
      throw new SessionError("E213", `there is no guardian "${name}"`, didYouMean(nearest(name, guardians.keys())));
    return guardian;
  }

  #gateNamed(name: string): GateNode {
    const { gates } = must(this.#holder.assembly, "a session has a network");
    const gate = gates.get(name);
    if (gate === undefined)
      throw new SessionError("E213", `there is no gate "${name}"`, didYouMean(nearest(name, gates.keys())));
    return gate;
  }

  /** What a query of the program finds now, each answer once for every way it is found. */
  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    const { checked } = this.#program;
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
    const assembly = must(this.#holder.assembly, "a session has a network");
    return assembly.during(plan, (productions) => rows(assembly, productions));
  }
}

function onlySubject(name: string, { subjects, parts }: GuardianNode): string {
  const [only, ...others] = subjects.ids();
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new SessionError("E541", `guardian "${name}" has no subject: there is no such ${parts.subjectType}`);
  const hint = "say which one is meant, by its id";
  throw new SessionError("E541", `guardian "${name}" has ${others.length + 1} subjects`, hint);
}

function notASubject(name: string, gate: GateNode, id: string): SessionError {
  const meant = didYouMean(nearest(id, gate.subjects()));
  const hint = meant ?? `it is asked about facts of type ${gate.parts.subjectType} that pass its "for"`;
  return new SessionError("E541", `"${id}" is not a subject of gate "${name}"`, hint);
}

function notOneSubject(name: string, gate: GateNode): SessionError {
  const count = gate.size;
  const type = gate.parts.subjectType;
  if (count === 0) return new SessionError("E541", `gate "${name}" has no subject: there is no such ${type}`);
  return new SessionError("E541", `gate "${name}" has ${count} subjects`, "say which one is meant, by its id");
}

/** A handle or a view of a fact stands for its id. */
function asValue(value: unknown): Value | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "object" && "id" in value && typeof value.id === "string") return value.id;
  return value as Value;
}

function rows(assembly: Assembly, productions: ReadonlyMap<string, Production>): QueryRow[] {
  const [production] = productions.values();
  if (production === undefined) return [];
  const found = [...assembly.network.matches(production.name)];
  const key = (match: (typeof found)[number]): number[] => production.facts(match).map((fact) => fact.order);
  return found
    .map((match) => ({ match, order: key(match) }))
    .sort((a, b) => compareLists(a.order, b.order))
    .map(({ match }) =>
      Object.fromEntries(production.bindings.map((binding) => [binding.name, viewOf(binding.read(match))])),
    );
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

function partsOf(program: Program, options: OpenOptions, holder: Holder): SessionParts {
  const sharing = options.sharing ?? true;
  const plan = program.plan(sharing);
  const productions = new Map<string, Production>();
  const apply = (assembly: Assembly): Assembly["network"] => {
    for (const [name, production] of assembly.apply(plan)) productions.set(name, production);
    return assembly.network;
  };
  return {
    ...program.data(),
    productions,
    buildNetwork: (site) => {
      holder.assembly = new Assembly({
        shapes: site.shapes,
        facts: site.facts,
        listener: site.listener,
        functions: new Map(Object.entries(options.functions ?? {})),
        matchLimit: program.limits.liveMatches,
        overflow: overflowOf(site, program.limits.liveMatches),
        dividedByZero: (rules, fact) => noteDivision(program, holder.warnings, rules, fact),
        indexing: options.indexing ?? true,
        sharing,
        deadline: deadlineOf(options),
      });
      return apply(holder.assembly);
    },
    rebuildNetwork: () => apply(must(holder.assembly, "a session has a network")),
    keeper: () => {
      return new Judges(must(holder.assembly, "a session has a network"), decisionSite(options));
    },
  };
}

function decisionSite({ now, audit }: OpenOptions): DecisionSite {
  return { now: now ?? (() => performance.now()), audit };
}

function deadlineOf({ checkDeadline, now }: OpenOptions): { ms: number; now: () => number } | undefined {
  return checkDeadline === undefined ? undefined : { ms: checkDeadline, now: now ?? (() => performance.now()) };
}

function noteDivision(
  program: Program,
  warnings: Map<string, Diagnostic>,
  rules: readonly string[],
  fact: Fact | undefined,
): void {
  for (const rule of rules) {
    const declared = program.checked.symbols.rules.get(rule);
    if (warnings.has(rule) || declared === undefined) continue;
    const report = new Report(declared.source);
    const seen = fact === undefined ? "" : `, seen with ${fact.id}`;
    const hint = "test that the divisor is not 0 first";
    report.warning("W501", declared.span, `a division by zero in rule "${rule}" is unknown${seen}`, hint);
    for (const diagnostic of report.diagnostics) warnings.set(rule, diagnostic);
  }
}

function overflowOf(site: NetworkSite, limit: number): (rules: readonly string[], pattern: string) => void {
  return (rules, pattern) => site.overflowed({ rules, pattern, limit });
}
