/** Questions about facts: queries of the program, and questions that are no part of it. Each is assembled while it is answered. */
import type { Assembly } from "../assemble/assembly.ts";
import type { Maybe, Value } from "../base/value.ts";
import type { Plan } from "../plan/plan.ts";
import { planQuery, planQuestion, type Question } from "../plan/planner.ts";
import { Fact } from "../rete/fact.ts";
import type { Bound } from "../rete/rule-matches.ts";
import type { Activity } from "../session/activity.ts";
import { SessionError, unknownName } from "../session/errors.ts";
import { LIMIT_HINT } from "../session/problems.ts";
import type { FactView } from "../session/results.ts";
import { factView } from "../session/views.ts";
import { nodeCounts } from "./node-counts.ts";
import { queryArguments } from "./query-arguments.ts";
import type { RunningProgram } from "./running-program.ts";

/** One answer of a query: the value of each variable. Facts are views. */
export type QueryRow = Readonly<Record<string, FactView | Value | undefined>>;

export class Queries {
  readonly #running: RunningProgram;
  readonly #activity: Activity;
  readonly #sharing: boolean;

  constructor(running: RunningProgram, activity: Activity, sharing: boolean) {
    this.#running = running;
    this.#activity = activity;
    this.#sharing = sharing;
  }

  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    const { checked } = this.#running.program;
    const { queries } = checked.symbols;
    const query = queries.get(name)?.decl;
    if (query === undefined) throw unknownName("query", "queries", name, queries.names());
    const values = queryArguments(this.#running.program, query, args);
    return this.#during(planQuery(checked, query, values, { sharing: this.#sharing }), rows);
  }

  ask(question: Question): QueryRow[] {
    return this.#during(planQuestion(this.#running.program.checked, question), rows);
  }

  argumentsOf(question: Question): Maybe[][] {
    return this.#during(planQuestion(this.#running.program.checked, question), callArguments);
  }

  nodeCounts(): ReadonlyMap<number, number> {
    const count = (assembly: Assembly, rule: string): number => [...assembly.network.matches(rule)].length;
    const isOff = (rule: string): boolean => this.#running.upToDate().whySwitchedOff(rule) !== undefined;
    return nodeCounts(this.#running.program.network(), (plan) => this.#during(plan, count), isOff);
  }

  #during<Result>(plan: Plan, read: (assembly: Assembly, rule: string) => Result): Result {
    this.#activity.refuseWhileCommitting();
    const assembly = this.#running.upToDate();
    return assembly.during(plan, ([rule = ""]) => read(assembly, rule), tooManyAnswers);
  }
}

function tooManyAnswers(pattern: string, limit: number): SessionError {
  const message = `the query exceeds the limit of ${limit} partial matches at ${pattern}`;
  return new SessionError("E511", message, LIMIT_HINT);
}

/** Returns one row for each match, in the order of the facts. */
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
