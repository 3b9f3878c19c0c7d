/** A flow: which subjects it has, and where one goes from a stage. */
import type { Outcome } from "../rete/keeper.ts";
import type { Match } from "../rete/match.ts";
import type { MatchInput } from "../rete/node.ts";

export interface FlowBranch {
  readonly on: Outcome | "otherwise" | "always";
  readonly goto: string;
}

export interface FlowStage {
  readonly name: string;
  readonly final: boolean;
  /** The gate that is asked, and about whom; undefined when nothing is decided. */
  readonly decide: { readonly gate: string; subject(match: Match): string } | undefined;
  readonly branches: readonly FlowBranch[];
}

export interface FlowParts {
  readonly name: string;
  readonly stages: readonly FlowStage[];
  /** The level of the subject's fact; undefined for a flow without `for`. */
  readonly subjectLevel: number | undefined;
}

/** The first branch that fits; undefined when none does. */
export function branchFor(stage: FlowStage, outcome: Outcome | undefined): FlowBranch | undefined {
  return stage.branches.find(({ on }) => on === "always" || on === "otherwise" || on === outcome);
}

/** Keeps the subjects of a flow. */
export class FlowNode implements MatchInput {
  readonly parts: FlowParts;
  readonly #bySubject = new Map<string, Match>();

  constructor(parts: FlowParts) {
    this.parts = parts;
  }

  get size(): number {
    return this.#bySubject.size;
  }

  /** The oldest first. */
  subjects(): readonly (readonly [string, Match])[] {
    return [...this.#bySubject].sort(([, a], [, b]) => this.#order(a) - this.#order(b));
  }

  match(subject: string): Match | undefined {
    return this.#bySubject.get(subject);
  }

  /** Tells a subject from another one that had the same id. */
  born(subject: string): number | undefined {
    const match = this.#bySubject.get(subject);
    return match === undefined ? undefined : this.#order(match);
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#bySubject.values()].filter((match) => !ignore(match)).length;
  }

  leftAdded(match: Match): void {
    this.#bySubject.set(this.#key(match), match);
  }

  leftRemoved(match: Match): void {
    const key = this.#key(match);
    if (this.#bySubject.get(key) === match) this.#bySubject.delete(key);
  }

  #key(match: Match): string {
    const { subjectLevel } = this.parts;
    return subjectLevel === undefined ? "" : (match.at(subjectLevel).fact?.id ?? "");
  }

  #order(match: Match): number {
    const { subjectLevel } = this.parts;
    return subjectLevel === undefined ? 0 : (match.at(subjectLevel).fact?.order ?? 0);
  }
}
