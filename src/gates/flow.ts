/** A flow: its subjects, and the next stage of each. */
import type { FlowBranchName, Outcome } from "../base/answers.ts";
import type { FlowBranch } from "../base/judging.ts";
import type { Match } from "../rete/match.ts";
import type { MatchInput } from "../rete/node.ts";

interface FlowDecision {
  readonly gate: string;
  subject(match: Match): string;
  /** True when the subject of the gate depends on no field, so that it stays the same for a match. */
  readonly steady: boolean;
}

export interface FlowStage {
  readonly name: string;
  readonly final: boolean;
  /** The gate that decides, and its subject; undefined when the stage decides nothing. */
  readonly decide: FlowDecision | undefined;
  readonly branches: readonly FlowBranch[];
}

export interface FlowSpec {
  readonly name: string;
  readonly stages: readonly FlowStage[];
  /** The level of the subject's fact; undefined for a flow without `for`. */
  readonly subjectLevel: number | undefined;
}

/** Returns the first branch for an outcome; undefined when there is none. */
export function branchFor(stage: FlowStage, outcome: Outcome | undefined): FlowBranch | undefined {
  return stage.branches.find(({ on }) => on === "always" || on === "otherwise" || on === outcome);
}

/** Returns a branch as the program writes it, without its `goto`. */
export function branchName({ on }: FlowBranch): FlowBranchName {
  return on === "always" || on === "otherwise" ? on : `on ${on}`;
}

export function stageOf({ spec }: FlowNode, name: string): FlowStage | undefined {
  return spec.stages.find((stage) => stage.name === name);
}

/** Keeps the subjects of a flow. */
export class FlowNode implements MatchInput {
  readonly spec: FlowSpec;
  readonly #bySubject = new Map<string, Match>();
  /** Subjects that were added or removed since the last `takeTouched`. */
  #touched = new Set<string>();
  /** True when an update can change the subject of a gate without any notice: then every subject must be looked at. */
  readonly #unsteady: boolean;

  constructor(spec: FlowSpec) {
    this.spec = spec;
    this.#unsteady = spec.stages.some(({ decide }) => decide?.steady === false);
  }

  takeTouched(): Iterable<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return this.#unsteady ? new Set([...touched, ...this.#bySubject.keys()]) : touched;
  }

  /** Returns the subjects that were added or removed since the last `takeTouched`, in that order. */
  get touched(): readonly string[] {
    return [...this.#touched];
  }

  /** Replaces these subjects, for a session that was restored. */
  restoreTouched(subjects: readonly string[]): void {
    this.#touched = new Set(subjects);
  }

  get size(): number {
    return this.#bySubject.size;
  }

  /** Returns all subjects, oldest first. */
  subjects(): readonly (readonly [string, Match])[] {
    return this.inOrder(this.#bySubject.keys());
  }

  /** Returns those that are subjects of the flow, oldest first. */
  inOrder(subjects: Iterable<string>): readonly (readonly [string, Match])[] {
    const found: (readonly [string, Match])[] = [];
    for (const subject of subjects) {
      const match = this.#bySubject.get(subject);
      if (match !== undefined) found.push([subject, match]);
    }
    return found.sort(([, a], [, b]) => this.#order(a) - this.#order(b));
  }

  match(subject: string): Match | undefined {
    return this.#bySubject.get(subject);
  }

  /** Returns when the subject was asserted, which distinguishes it from an earlier subject with the same id. */
  born(subject: string): number | undefined {
    const match = this.#bySubject.get(subject);
    return match === undefined ? undefined : this.#order(match);
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#bySubject.values()].filter((match) => !ignore(match)).length;
  }

  leftAdded(match: Match): void {
    const key = this.#key(match);
    this.#bySubject.set(key, match);
    this.#touched.add(key);
  }

  leftRemoved(match: Match): void {
    const key = this.#key(match);
    this.#touched.add(key);
    if (this.#bySubject.get(key) === match) this.#bySubject.delete(key);
  }

  #key(match: Match): string {
    const { subjectLevel } = this.spec;
    return subjectLevel === undefined ? "" : (match.at(subjectLevel).fact?.id ?? "");
  }

  #order(match: Match): number {
    const { subjectLevel } = this.spec;
    return subjectLevel === undefined ? 0 : (match.at(subjectLevel).fact?.order ?? 0);
  }
}
