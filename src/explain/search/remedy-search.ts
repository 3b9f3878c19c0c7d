/**
 * The search for remedies: the smallest changes of facts after which a rule matches, a gate opens or a guardian passes.
 *
 * Changes of one edit are tried first, then of two, then of three, until some of them help. Every change is tried in a
 * copy of the session before it is suggested. The callers propose the changes: see match.ts, open.ts and pass.ts.
 */
import { stoppedAfter } from "../../base/step-budget.ts";
import type { SessionPort } from "../../session/ports.ts";
import { unlessStopped } from "../read/budget.ts";
import { Chosen, type Fixed } from "../read/chosen.ts";
import type { ExplainContext } from "../read/context.ts";
import { World } from "../read/world.ts";
import { type Edit, type FactEdit, type Found, foundOf, type Remedy, remedyOf } from "./edit.ts";
import { Domain } from "./domain.ts";
import { editWords, marked } from "./edit-words.ts";
import type { Policy } from "./policy.ts";
import type { Reading } from "./reading.ts";
import { Repair } from "./repair.ts";
import type { State } from "./repair-state.ts";
import { withReferred } from "./referred-facts.ts";
import { singleEdits } from "./single-edits.ts";
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
  readonly policy: Policy;
  readonly reading: Reading;
  /** Returns the facts that decide the answer after a change; undefined when all may. */
  relevant(state: State): ReadonlySet<string> | undefined;
  /** Returns the answer of a copy of the session after a change; undefined when it has none. */
  ask(fork: SessionPort): Answer | undefined;
  /** Returns the change as a remedy if its answer reaches the goal; undefined when it does not help. */
  remedy(answer: Answer, change: Remedy): One | undefined;
  /**
   * Returns whether a state may be a remedy, without a copy of the session; without it each is tried in one copy that
   * is used again.
   */
  screen?(state: State): boolean;
  /** The type of the facts that the question is about; undefined when it is about one that exists. */
  readonly about?: string | undefined;
  /** Returns the location of edits: two changes at one location are one suggestion. */
  place(edits: readonly FactEdit[]): string;
}

export class RemedySearch<Answer, One extends Remedy> {
  /** Propose edits: without relabelling facts, and with it. */
  readonly #keeping: Repair;
  readonly #relabelling: Repair;
  /** True while facts may be relabelled. */
  #relabels = false;
  readonly #goal: Goal<Answer, One>;
  readonly #trials: Trials;
  /** The facts as they are; reading them does not count as reading them for the explanation. */
  readonly #world: World;
  readonly domain: Domain;
  readonly #tried = new Set<string>();
  /** The remedies by their location. */
  readonly #remedies = new Map<string, One>();

  constructor(context: ExplainContext, world: World, fixed: Fixed, goal: Goal<Answer, One>) {
    this.#goal = goal;
    this.#world = World.of(world.context, context.session);
    this.domain = new Domain(goal.reading, this.#world);
    this.#keeping = new Repair(world, fixed, goal.policy, this.domain, false);
    this.#relabelling = new Repair(world, fixed, goal.policy, this.domain, true);
    this.#trials = new Trials(context, world, goal);
  }

  /** Returns what proposes edits. */
  get repair(): Repair {
    return this.#relabels ? this.#relabelling : this.#keeping;
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
    let waiting: One | undefined;
    const stopped = unlessStopped(
      () => {
        waiting = this.#waiting();
        return this.#deepen(explore);
      },
      (words) => words,
    );
    const remedies = [...this.#remedies.values()].sort((a, b) => this.#disturbance(a) - this.#disturbance(b));
    return foundOf(waiting === undefined ? remedies : [waiting, ...remedies], stopped);
  }

  /** Returns the remedy to wait, which changes nothing; undefined when time alone does not help. */
  #waiting(): One | undefined {
    const found = this.#trials.waited((fork) => {
      const answer = this.#goal.ask(fork);
      return answer === undefined ? undefined : this.#goal.remedy(answer, { words: "", edits: [] }) && answer;
    });
    if (found === undefined) return undefined;
    const edits: readonly Edit[] = [{ op: "wait", until: found.until }];
    const words = editWords(this.domain, this.#goal.policy, this.#world);
    return this.#goal.remedy(found.answer, remedyOf(edits, words));
  }

  /**
   * Returns how many facts a remedy changes: what is missing is added before what is there is changed. Another fact of
   * the kind that the question is about comes last.
   */
  #disturbance({ edits }: Remedy): number {
    const changed = new Set(edits.map((edit) => (edit.op === "assert" || edit.op === "wait" ? "" : edit.fact)));
    changed.delete("");
    const another = edits.some((edit) => edit.op === "assert" && edit.type === this.#goal.about);
    return changed.size + (another ? MAX_EDITS : 0);
  }

  /** Explores one, two and three edits; returns why that ended before everything was tried, if it did. */
  #deepen(explore: (maxEdits: number) => void): string | undefined {
    let stopped: string | undefined;
    for (let maxEdits = 1; maxEdits <= MAX_EDITS && this.#remedies.size === 0; maxEdits++) {
      this.#tried.clear();
      this.#exploreAll(explore, maxEdits);
      const { maxTrials } = this.#goal;
      if (this.#tried.size >= maxTrials && this.#remedies.size < MAX_REMEDIES)
        stopped = stoppedAfter(maxTrials, "trials");
    }
    return this.#trials.stopped ?? this.#keeping.stopped ?? this.#relabelling.stopped ?? stopped;
  }

  /**
   * Explores changes that leave facts tied to what they are tied to; without a remedy also the others and, for one edit,
   * every edit of the facts that the question reads.
   */
  #exploreAll(explore: (maxEdits: number) => void, maxEdits: number): void {
    this.#relabels = false;
    explore(maxEdits);
    if (this.#remedies.size > 0) return;
    if (maxEdits === 1) this.#sweep(false);
    if (this.#remedies.size > 0) return;
    this.#relabels = true;
    explore(maxEdits);
    if (maxEdits === 1 && this.#remedies.size === 0) this.#sweep(true);
  }

  /** Tries every single edit over small domains. */
  #sweep(relabels: boolean): void {
    const goal = this.#goal;
    const start = { world: this.#world, chosen: Chosen.nothing, edits: [] };
    for (const state of singleEdits(start, goal.policy, this.domain, relabels)) {
      if (this.#remedies.size >= MAX_REMEDIES) return;
      const isPromising = goal.screen?.(state) ?? this.#trials.screen(state, (fork) => this.#isRemedy(fork, state));
      if (isPromising) this.tryChange(state);
    }
  }

  #isRemedy(fork: SessionPort, { edits }: State): boolean {
    const answer = this.#goal.ask(fork);
    return answer !== undefined && this.#goal.remedy(answer, { words: "", edits }) !== undefined;
  }

  /**
   * Tries a change, with the facts that its new values refer to, and returns its answer; undefined for a change that was tried
   * before, one at the location of a remedy, or one that refers to a fact that cannot be added.
   */
  tryChange(proposed: State): { readonly answer: Answer | undefined } | undefined {
    const state = withReferred(proposed, this.#goal.policy, this.domain);
    if (state === undefined || state.edits.length > MAX_EDITS) return undefined;
    const edits = marked(state.edits, this.domain);
    const key = JSON.stringify(edits);
    const place = this.#goal.place(edits);
    if (this.isDone || this.#tried.has(key) || this.#remedies.has(place)) return undefined;
    this.#tried.add(key);
    const answer = this.#trials.ask(state, (fork) => this.#goal.ask(fork));
    if (answer === undefined) return { answer };
    const change = this.told(state);
    const remedy = this.#goal.remedy(answer, change);
    if (remedy !== undefined) this.#remedies.set(place, remedy);
    return { answer };
  }

  /** Returns the change of a state in words. */
  told(state: State): Remedy {
    const edits = marked(state.edits, this.domain);
    return remedyOf(edits, editWords(this.domain, this.#goal.policy, state.world));
  }
}
