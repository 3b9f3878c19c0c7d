/**
 * The search for remedies: the smallest changes of facts after which a rule matches, a gate opens or a guardian passes.
 *
 * Changes of one edit are tried first, then of two, then of three, until some of them help. Every change is tried in a
 * copy of the session before it is suggested. The callers propose the changes: see match.ts, open.ts and pass.ts.
 */
import { stoppedAfter } from "../../base/step-budget.ts";
import type { SessionPort } from "../../session/ports.ts";
import { unlessStopped } from "../read/budget.ts";
import type { Fixed } from "../read/chosen.ts";
import type { ExplainContext } from "../read/context.ts";
import type { World } from "../read/world.ts";
import { type Edit, type Found, foundOf, type Remedy, remedyOf } from "./edit.ts";
import { Repair } from "./repair.ts";
import type { State } from "./repair-state.ts";
import { Trials } from "./trials.ts";

/** The most edits of one remedy. */
const MAX_EDITS = 3;
/** The most remedies that are suggested. */
const MAX_REMEDIES = 3;

/** The goal of a search. */
export interface Goal<Answer, One extends Remedy> {
  /** The most changes that are tried for each number of edits. */
  readonly maxTrials: number;
  /** The most facts that are copied for trials, unless three copies have more; without it there is no such limit. */
  readonly maxCopiedFacts?: number;
  /** Returns the facts that decide the answer after a change; undefined when all may. */
  relevant(state: State): ReadonlySet<string> | undefined;
  /** Returns the answer of a copy of the session after a change; undefined when it has none. */
  ask(fork: SessionPort): Answer | undefined;
  /** Returns the change as a remedy if its answer reaches the goal; undefined when it does not help. */
  remedy(answer: Answer, change: Remedy): One | undefined;
  /** Returns the location of edits: two changes at one location are one suggestion. */
  place(edits: readonly Edit[]): string;
}

export class RemedySearch<Answer, One extends Remedy> {
  /** Proposes edits. */
  readonly repair: Repair;
  readonly #goal: Goal<Answer, One>;
  readonly #trials: Trials;
  readonly #tried = new Set<string>();
  /** The remedies by their location. */
  readonly #remedies = new Map<string, One>();

  constructor(context: ExplainContext, world: World, fixed: Fixed, goal: Goal<Answer, One>) {
    this.#goal = goal;
    this.repair = new Repair(world, fixed);
    this.#trials = new Trials(context, world, goal);
  }

  /** Returns whether enough remedies were found, or enough changes tried with this number of edits. */
  get isDone(): boolean {
    return this.#remedies.size >= MAX_REMEDIES || this.#tried.size >= this.#goal.maxTrials;
  }

  /**
   * Returns the remedies. `explore` calls `tryChange` for changes of at most `maxEdits` edits, until the search is
   * done.
   */
  find(explore: (maxEdits: number) => void): Found<One> {
    const stopped = unlessStopped(
      () => this.#deepen(explore),
      (words) => words,
    );
    return foundOf([...this.#remedies.values()], stopped);
  }

  /** Explores one, two and three edits; returns why that ended before everything was tried, if it did. */
  #deepen(explore: (maxEdits: number) => void): string | undefined {
    let stopped: string | undefined;
    for (let maxEdits = 1; maxEdits <= MAX_EDITS && this.#remedies.size === 0; maxEdits++) {
      this.#tried.clear();
      explore(maxEdits);
      const { maxTrials } = this.#goal;
      if (this.#tried.size >= maxTrials && this.#remedies.size < MAX_REMEDIES)
        stopped = stoppedAfter(maxTrials, "trials");
    }
    return this.#trials.stopped ?? this.repair.stopped ?? stopped;
  }

  /**
   * Tries a change and returns its answer; undefined for a change that was tried before, or one at the location of a
   * remedy.
   */
  tryChange(state: State): { readonly answer: Answer | undefined } | undefined {
    const { edits, world } = state;
    const key = JSON.stringify(edits);
    const place = this.#goal.place(edits);
    if (this.isDone || this.#tried.has(key) || this.#remedies.has(place)) return undefined;
    this.#tried.add(key);
    const answer = this.#trials.ask(state, (fork) => this.#goal.ask(fork));
    if (answer === undefined) return { answer };
    const change = remedyOf(edits, (id) => world.get(id) !== undefined);
    const remedy = this.#goal.remedy(answer, change);
    if (remedy !== undefined) this.#remedies.set(place, remedy);
    return { answer };
  }
}
