/** Questions about facts in a session of a saved plan: those of its queries. */
import type { SessionState } from "../../session/state.ts";
import { countedNodes, type QueryPort } from "../query-rows.ts";
import type { QuestionPlans } from "../question-plans.ts";
import type { QueryRow } from "../rows.ts";
import type { RunningProgram } from "../running-program.ts";
import { StandingQueries } from "../standing-queries.ts";
import type { SavedProgram } from "./program.ts";
import { notHere } from "./unexplained.ts";

export class SavedQueries implements QueryPort {
  readonly #running: RunningProgram<SavedProgram>;
  readonly #state: SessionState;
  readonly #plans: () => QuestionPlans;
  /** Made with the first query. */
  #standing: StandingQueries | undefined = undefined;

  constructor(running: RunningProgram<SavedProgram>, state: SessionState, plans: () => QuestionPlans) {
    this.#running = running;
    this.#state = state;
    this.#plans = plans;
  }

  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    this.#standing ??= new StandingQueries(this.#running, this.#state, this.#plans);
    return this.#standing.query(name, args);
  }

  ask(): never {
    throw notHere("a question that is not a query of the program");
  }

  argumentsOf(): never {
    throw notHere("a question that is not a query of the program");
  }

  nodeCounts(): ReadonlyMap<number, number> {
    return countedNodes(this.#running, this.#state.activity, this.#running.program.plan());
  }
}
