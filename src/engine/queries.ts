/**
 * Questions about facts in a session of a compiled program.
 *
 * A query of the program stands in the network once it was asked. Other questions, and all questions of a session without
 * indexes, are assembled while they are answered.
 */
import { must } from "../base/invariant.ts";
import type { Assembly } from "../assemble/assembly.ts";
import type { Maybe } from "../base/value.ts";
import { planQuery, planQuestion, type Question } from "../plan/planner.ts";
import type { SessionState } from "../session/state.ts";
import { answered, countedNodes, type QueryPort, rows } from "./query-rows.ts";
import { queryArguments } from "./query-arguments.ts";
import type { QuestionPlans } from "./question-plans.ts";
import type { QueryRow } from "./rows.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { RunningProgram } from "./running-program.ts";
import { hasSource, notHere } from "./saved/unexplained.ts";
import { declaredQuery, StandingQueries } from "./standing-queries.ts";

/** How questions are answered. */
export interface QuestionOptions {
  readonly sharing: boolean;
  /** Off: every question is assembled by itself, and no index answers it. */
  readonly indexing: boolean;
}

export class Queries implements QueryPort {
  readonly #running: RunningProgram;
  readonly #state: SessionState;
  readonly #plans: () => QuestionPlans;
  readonly #options: QuestionOptions;
  /** Made with the first query. */
  #standing: StandingQueries | undefined = undefined;

  constructor(running: RunningProgram, state: SessionState, plans: () => QuestionPlans, options: QuestionOptions) {
    this.#running = running;
    this.#state = state;
    this.#plans = plans;
    this.#options = options;
  }

  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    if (this.#options.indexing || !hasSource(this.#running.program)) {
      this.#standing ??= new StandingQueries(this.#running, this.#state, this.#plans);
      return this.#standing.query(name, args);
    }
    const { program } = this.#running;
    const values = queryArguments(program.data().schema, declaredQuery(this.#plans(), name), args);
    const { decl } = must(program.checked.symbols.queries.get(name), "a query that was found is declared");
    return this.#answered(planQuery(program.checked, decl, values, this.#options), rows);
  }

  ask(question: Question): QueryRow[] {
    this.#refuseWithoutSource();
    return this.#answered(planQuestion(this.#running.program.checked, question), rows);
  }

  argumentsOf(question: Question): Maybe[][] {
    this.#refuseWithoutSource();
    return this.#answered(planQuestion(this.#running.program.checked, question), callArguments);
  }

  nodeCounts(): ReadonlyMap<number, number> {
    const { program } = this.#running;
    const plan = hasSource(program) ? program.network() : (program as RunnableProgram).plan(true);
    return countedNodes(this.#running, this.#state.activity, plan);
  }

  #refuseWithoutSource(): void {
    if (!hasSource(this.#running.program)) throw notHere("a question that is not a query of the program");
  }

  #answered<Result>(plan: ReturnType<typeof planQuestion>, read: (assembly: Assembly, rule: string) => Result): Result {
    return answered(this.#running, this.#state.activity, plan, read);
  }
}

function callArguments(assembly: Assembly, rule: string): Maybe[][] {
  const [first] = assembly.network.matches(rule);
  if (first === undefined) return [];
  const { production, match, fact } = first;
  return production.actions.flatMap((action) => (action.kind === "effect" ? [action.args(match, fact)] : []));
}
