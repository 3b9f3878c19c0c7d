/**
 * Answers queries through nodes that stand in the network once a query was asked, with indexes on what its tests compare with
 * parameters: an answer then costs what it finds, however many facts there are.
 */
import type { Value } from "../base/value.ts";
import type { StandingPlan } from "../plan/standing.ts";
import { unknownName } from "../session/errors.ts";
import type { SessionState } from "../session/state.ts";
import { queryArguments } from "./query-arguments.ts";
import type { QuerySignature, QuestionPlans } from "./question-plans.ts";
import { type QueryRow, rowsOf } from "./rows.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { RunningProgram } from "./running-program.ts";
import { type Answer, type Asker, StandingQuestion } from "./standing-question.ts";

export class StandingQueries {
  readonly #running: RunningProgram<RunnableProgram>;
  readonly #state: SessionState;
  /** Returns the plans of the program that runs now. */
  readonly #plans: () => QuestionPlans;
  /** The queries that were asked, by their plans. */
  readonly #asked = new Map<StandingPlan, StandingQuestion>();

  constructor(running: RunningProgram<RunnableProgram>, state: SessionState, plans: () => QuestionPlans) {
    this.#running = running;
    this.#state = state;
    this.#plans = plans;
  }

  query(name: string, args: Readonly<Record<string, unknown>>): QueryRow[] {
    const query = declaredQuery(this.#plans(), name);
    return this.#answer(query, queryArguments(this.#running.program.data().schema, query, args));
  }

  #answer(query: QuerySignature, values: ReadonlyMap<string, Value | null>): QueryRow[] {
    this.#state.activity.refuseWhileCommitting();
    const { failures } = this.#running.upToDate();
    const question = this.#questionOf(query);
    const asker = new OneAsker();
    let isUsable = false;
    try {
      const fact = question.ask(values, asker);
      const found = rowsOf(asker.answers);
      question.stop(fact);
      isUsable = !question.spec.calls || !failures.any; // what failed is reported now, and tried again by the next question
      return found;
    } finally {
      if (!isUsable) this.#drop(question);
    }
  }

  #questionOf({ name }: QuerySignature): StandingQuestion {
    const spec = this.#plans().query(name, "asked");
    const known = this.#asked.get(spec);
    if (known?.isLive === true) return known;
    for (const [plan, question] of this.#asked) if (!question.isLive) this.#asked.delete(plan);
    const { shapes, activity } = this.#state;
    const made = new StandingQuestion(spec, { assembly: this.#running.assembly, shapes, activity });
    this.#asked.set(spec, made);
    return made;
  }

  #drop(question: StandingQuestion): void {
    question.drop();
    this.#asked.delete(question.spec);
  }
}

/** Returns a query of the program; throws E213 when there is none. */
export function declaredQuery(plans: QuestionPlans, name: string): QuerySignature {
  const query = plans.find(name);
  if (query === undefined) throw unknownName("query", "queries", name, plans.names());
  return query;
}

/** Asks once: collects the answers. */
class OneAsker implements Asker {
  readonly answers: Set<Answer> = new Set();

  answerAdded(answer: Answer): void {
    this.answers.add(answer);
  }

  answerRemoved(answer: Answer): void {
    this.answers.delete(answer);
  }

  factsChanged(): void {
    // nothing changes while a question is answered
  }

  switchedOff(): void {
    // the question throws
  }
}
