/** The rows of a query, or the facts of a type, kept up to date by nodes of the network. */
import { frozen } from "../base/frozen.ts";
import type { Value } from "../base/value.ts";
import { same } from "../base/value.ts";
import type { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { Production } from "../rete/production.ts";
import { bindingsOf } from "../session/views.ts";
import type { LiveRow } from "./row-delta.ts";
import { compareLists, orderOf, rowOf, type QueryRow } from "./rows.ts";
import { RowSource, type TouchListener } from "./row-source.ts";
import { tooManyAnswers } from "./query-rows.ts";
import type { Answer, Asker, StandingQuestion } from "./standing-question.ts";

/** A question with values for its parameters. */
export interface BoundQuestion {
  readonly question: StandingQuestion;
  readonly values: ReadonlyMap<string, Value | null>;
}

/** How a source gets its question. */
export interface QuestionSpec {
  /** Returns the question of the program that runs now. Throws when it has none. */
  readonly open: () => BoundQuestion;
  /** Gives a question back. */
  readonly close: (question: StandingQuestion) => void;
  /** Returns a row as the subscriber sees it. */
  readonly shown: (row: QueryRow) => unknown;
  /** Returns the limit of partial matches. */
  readonly limit: () => number;
}

export class QuestionSource extends RowSource implements Asker {
  readonly #spec: QuestionSpec;
  readonly #answers = new Map<string, Answer>();
  #asking: { readonly question: StandingQuestion; readonly fact: Fact } | undefined = undefined;
  #hasAlternatives = false;

  constructor(key: string, spec: QuestionSpec, listener: TouchListener) {
    super(key, listener);
    this.#spec = spec;
  }

  attach(): void {
    const { question, values } = this.#spec.open();
    this.#hasAlternatives = (question.spec.plan.rules[0]?.layouts.length ?? 1) > 1;
    try {
      this.#asking = { question, fact: question.ask(values, this) };
    } catch (error) {
      this.#answers.clear();
      this.#spec.close(question);
      throw error;
    }
  }

  detach(): void {
    this.#answers.clear();
    const asking = this.#asking;
    this.#asking = undefined;
    if (asking === undefined) return;
    asking.question.stop(asking.fact);
    this.#spec.close(asking.question);
  }

  readonly isSame = (a: LiveRow<unknown>, b: LiveRow<unknown>): boolean =>
    compareLists(a.order, b.order) === 0 && same(a.row as Value, b.row as Value);

  protected current(key: string): LiveRow<unknown> | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    const { alternative = 0 } = answer.production;
    const [, ...order] = orderOf(answer); // without the fact with the parameters
    if (alternative > 0) order.push(-1, alternative); // after rows of the same facts, before those with one more
    return frozen({ key, order, row: this.#spec.shown(rowOf(answer)) });
  }

  // ---------------------------------------------------------------- what the network says

  answerAdded(answer: Answer): void {
    answer.key = this.#keyOf(answer.production, answer.match);
    this.#answers.set(answer.key, answer);
    this.touch(answer.key);
  }

  answerRemoved(answer: Answer): void {
    if (this.#answers.get(answer.key) === answer) this.#answers.delete(answer.key);
    this.touch(answer.key);
  }

  factsChanged(production: Production, match: Match): void {
    this.touch(this.#keyOf(production, match));
  }

  switchedOff(pattern: string): void {
    const { code, message } = tooManyAnswers(pattern, this.#spec.limit());
    this.end({ code, message });
  }

  /** Returns what stays the same of a row: its facts and items. Where an `or` can find the same facts twice, also its variables. */
  #keyOf(production: Production, match: Match): string {
    const [, ...facts] = production.facts(match);
    const ids = facts.map(({ id }) => id);
    const items = production.items?.(match) ?? [];
    if (!this.#hasAlternatives) return JSON.stringify(items.length === 0 ? ids : [ids, items]);
    const bindings = bindingsOf({ production, match, fact: undefined });
    const named = Object.entries(bindings).sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify(items.length === 0 ? [ids, named] : [ids, named, items]);
  }
}
