/**
 * Questions about facts.
 *
 * A query of the program stands in the network once it was asked, with indexes on what its tests compare with parameters: an
 * answer then costs what it finds, however many facts there are. Other questions, and all questions of a session without
 * indexes, are assembled while they are answered.
 */
import type { Assembly } from "../assemble/assembly.ts";
import type { Maybe, Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { Plan } from "../plan/plan.ts";
import { planQuery, planQuestion, type Question } from "../plan/planner.ts";
import { unknownName } from "../session/errors.ts";
import type { SessionState } from "../session/state.ts";
import { nodeCounts } from "./node-counts.ts";
import { queryArguments } from "./query-arguments.ts";
import { type QueryPort, rows, tooManyAnswers } from "./query-rows.ts";
import { type QueryRow, rowsOf } from "./rows.ts";
import type { RunningProgram } from "./running-program.ts";
import { type Answer, type Asker, StandingQuestion } from "./standing-question.ts";
import { standingPlans } from "./standing-plans.ts";

/** How questions are answered. */
export interface QuestionOptions {
  readonly sharing: boolean;
  /** Off: every question is assembled by itself, and no index answers it. */
  readonly indexing: boolean;
}

export class Queries implements QueryPort {
  readonly #running: RunningProgram;
  readonly #state: SessionState;
  readonly #options: QuestionOptions;
  /** The queries that were asked, by their declarations. */
  readonly #asked = new Map<ast.QueryDecl, StandingQuestion>();

  constructor(running: RunningProgram, state: SessionState, options: QuestionOptions) {
    this.#running = running;
    this.#state = state;
    this.#options = options;
  }

  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    const query = this.declared(name);
    const values = queryArguments(this.#running.program, query, args);
    if (this.#options.indexing) return this.#answer(query, values);
    return this.#during(planQuery(this.#running.program.checked, query, values, this.#options), rows);
  }

  /** Returns the declaration of a query; throws E213 when there is none. */
  declared(name: string): ast.QueryDecl {
    const { queries } = this.#running.program.checked.symbols;
    const query = queries.get(name)?.decl;
    if (query === undefined) throw unknownName("query", "queries", name, queries.names());
    return query;
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

  /** Answers a query through the nodes that stand for it. */
  #answer(query: ast.QueryDecl, values: ReadonlyMap<string, Value | null>): QueryRow[] {
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
      if (!isUsable) this.#drop(query, question);
    }
  }

  #questionOf(query: ast.QueryDecl): StandingQuestion {
    const known = this.#asked.get(query);
    if (known?.isLive === true) return known;
    for (const [decl, question] of this.#asked) if (!question.isLive) this.#asked.delete(decl);
    const { program, assembly } = this.#running;
    const { shapes, activity } = this.#state;
    const spec = standingPlans(program.checked, this.#options.sharing).query(query, "asked");
    const made = new StandingQuestion(spec, { assembly, shapes, activity });
    this.#asked.set(query, made);
    return made;
  }

  #drop(query: ast.QueryDecl, question: StandingQuestion): void {
    question.drop();
    this.#asked.delete(query);
  }

  #during<Result>(plan: Plan, read: (assembly: Assembly, rule: string) => Result): Result {
    this.#state.activity.refuseWhileCommitting();
    const assembly = this.#running.upToDate();
    return assembly.during(plan, ([rule = ""]) => read(assembly, rule), tooManyAnswers);
  }
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

function callArguments(assembly: Assembly, rule: string): Maybe[][] {
  const [first] = assembly.network.matches(rule);
  if (first === undefined) return [];
  const { production, match, fact } = first;
  return production.actions.flatMap((action) => (action.kind === "effect" ? [action.args(match, fact)] : []));
}
