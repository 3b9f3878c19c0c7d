/** A session of a program: what the session room does, and what needs the compiler: questions and new programs. */
import { type Diagnostic, Report } from "../base/diagnostic.ts";
import { must } from "../base/invariant.ts";
import { nearest } from "../base/nearest.ts";
import type { Maybe, Value } from "../base/value.ts";
import { Assembly } from "../compile/assemble.ts";
import type { Plan } from "../compile/plan.ts";
import { planQuery, planQuestion, type Question } from "../compile/planner.ts";
import type { Production } from "../rete/production.ts";
import { SessionError } from "../session/errors.ts";
import type { FactView } from "../session/results.ts";
import { type NetworkSite, Session, type SessionParts } from "../session/session.ts";
import { factView } from "../session/views.ts";
import { Fact } from "../rete/fact.ts";
import { nodeCounts } from "./node-counts.ts";
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
    return this.#during(plan, rows);
  }

  /** Answers a question that is no part of the program: what `expect` asks in a test. */
  ask(question: Question): QueryRow[] {
    return this.#during(planQuestion(this.#program.checked, question), rows);
  }

  /** For each node of `program.network()`, by its id: how many facts pass it, or how many matches it holds. */
  nodeCounts(): ReadonlyMap<number, number> {
    const count = (assembly: Assembly, productions: ReadonlyMap<string, Production>): number =>
      Array.from(productions.keys()).reduce((sum, name) => sum + [...assembly.network.matches(name)].length, 0);
    return nodeCounts(this.#program.network(), (plan) => this.#during(plan, count));
  }

  /** The arguments that the calls of a question without elements would have. */
  argumentsOf(question: Question): Maybe[][] {
    return this.#during(planQuestion(this.#program.checked, question), callArguments);
  }

  #during<Result>(
    plan: Plan,
    read: (assembly: Assembly, productions: ReadonlyMap<string, Production>) => Result,
  ): Result {
    const assembly = must(this.#holder.assembly, "a session has a network");
    return assembly.during(plan, (productions) => read(assembly, productions));
  }
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

function callArguments(assembly: Assembly, productions: ReadonlyMap<string, Production>): Maybe[][] {
  const [production] = productions.values();
  const [match] = production === undefined ? [] : assembly.network.matches(production.name);
  if (production === undefined || match === undefined) return [];
  return production.actions.flatMap((action) => (action.kind === "effect" ? [action.args(match)] : []));
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
      });
      return apply(holder.assembly);
    },
    rebuildNetwork: () => apply(must(holder.assembly, "a session has a network")),
  };
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
