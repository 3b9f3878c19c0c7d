/**
 * The changes of a firing while its handlers are awaited: those of its actions, then those that its handlers make.
 *
 * Others change facts in the meantime. When they did, everything is staged again over the facts of now, so that the changes
 * are what they would be if the firing began after the others; what is then no longer possible fails the firing.
 */
import type { Activity } from "../activity.ts";
import type { Staging } from "./staging.ts";

/** Where the changes of a firing are staged now. */
export interface FiringChanges {
  current(): Staging;
}

export class AwaitedChanges implements FiringChanges {
  readonly #activity: Activity;
  readonly #newStaging: () => Staging;
  #staging: Staging;
  /** The number of commits that the staging has seen. */
  #seen: number;

  /** Takes the staging with the changes of the actions; `newStaging` stages them again. */
  constructor(activity: Activity, staging: Staging, newStaging: () => Staging) {
    this.#activity = activity;
    this.#newStaging = newStaging;
    this.#staging = staging;
    this.#staging.journal = [];
    this.#seen = activity.commits;
  }

  current(): Staging {
    const { commits } = this.#activity;
    if (commits === this.#seen) return this.#staging;
    const { journal = [] } = this.#staging;
    const staging = this.#newStaging();
    for (const wanted of journal) staging.repeat(wanted);
    staging.journal = journal;
    this.#staging = staging;
    this.#seen = commits;
    return staging;
  }
}
