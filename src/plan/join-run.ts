/**
 * Plans a run of patterns in the order in which they are joined. Each test is planned with the first pattern with which everything that
 * it reads is known. Then facts and variables are put in written order: only the nodes know in which order patterns were joined.
 */
import { must } from "../base/invariant.ts";
import { type ChosenOrder, chosenOrder, type SharedJoins } from "./join-order.ts";
import type { PatternRun, RunTest } from "./pattern-run.ts";
import { filterBy, type MovedTest, planPattern } from "./patterns.ts";
import type { PatternFact, RuleBuilder } from "./rule-builder.ts";

/** Chooses the order of a run that is planned next. */
export function bestOrder(builder: RuleBuilder, run: PatternRun): ChosenOrder {
  return chosenOrder(run, new JoinsOfOthers(builder, run));
}

/** Plans a run in an order other than the written one. */
export function planRun(builder: RuleBuilder, run: PatternRun, order: readonly number[]): void {
  const { length: before } = builder.order;
  const progress = Progress.beginning(run);
  for (const test of progress.takeReady()) filterBy(builder, test.test);
  for (const pattern of order) progress.plan(builder, run, pattern);
  const names = run.patterns.flatMap(({ variable }) => variable ?? []);
  const places = run.patterns.map((_, pattern) => before + order.indexOf(pattern));
  builder.arrange([...Array.from({ length: before }).keys(), ...places], names);
}

/** How far a run is planned: the facts of its patterns, and the tests that wait for others. */
class Progress {
  readonly #facts: Map<number, PatternFact>;
  readonly #waiting: Set<RunTest>;

  private constructor(facts: Map<number, PatternFact>, waiting: Set<RunTest>) {
    this.#facts = facts;
    this.#waiting = waiting;
  }

  static beginning({ tests }: PatternRun): Progress {
    return new Progress(new Map(), new Set(tests));
  }

  copy(): Progress {
    return new Progress(new Map(this.#facts), new Set(this.#waiting));
  }

  /** Returns the tests that read nothing which is not known, with a further pattern if there is one; they wait no longer. */
  takeReady(pattern?: number): RunTest[] {
    const isKnown = (one: number): boolean => one === pattern || this.#facts.has(one);
    const ready = [...this.#waiting].filter(({ of }) => [...of].every(isKnown));
    for (const test of ready) this.#waiting.delete(test);
    return ready;
  }

  plan(builder: RuleBuilder, { patterns }: PatternRun, pattern: number): void {
    const ready = this.takeReady(pattern);
    const own = ready.filter(({ home }) => home === pattern);
    const moved = ready
      .filter(({ home }) => home !== pattern)
      .map(({ test, home }): MovedTest => ({ test, fact: home === undefined ? undefined : this.#facts.get(home) }));
    const { variable, type } = must(patterns[pattern], "a pattern of the run");
    const fact = planPattern(builder, { variable, type, tests: own.map(({ test }) => test), moved });
    this.#facts.set(pattern, fact);
  }
}

/** Finds out which joins other rules have, by planning them without adding a node. */
class JoinsOfOthers implements SharedJoins {
  readonly #run: PatternRun;
  /** The run so far, as other rules have it; undefined when none has. */
  #chain: { readonly builder: RuleBuilder; readonly progress: Progress } | undefined;

  constructor(builder: RuleBuilder, run: PatternRun) {
    this.#run = run;
    this.#chain = { builder, progress: Progress.beginning(run) };
  }

  has(pattern: number): boolean {
    return this.#after(pattern) !== undefined;
  }

  take(pattern: number): void {
    this.#chain = this.#after(pattern);
  }

  #after(pattern: number): { readonly builder: RuleBuilder; readonly progress: Progress } | undefined {
    if (this.#chain === undefined) return undefined;
    const builder = this.#chain.builder.branch();
    const progress = this.#chain.progress.copy();
    const isThere = builder.context.table.hasAll(() => progress.plan(builder, this.#run, pattern));
    return isThere ? { builder, progress } : undefined;
  }
}
