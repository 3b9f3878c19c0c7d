/**
 * A gate: for each subject the values of its requirement, recomputed only on the way from a changed leaf to the root.
 *
 * Leaves stand beside each other below the subject, and each hands its value over with its place in the requirement, so
 * a quorum over ten thousand conditions is as deep as one over two.
 */
import type { Match } from "../rete/match.ts";
import type { MatchInput } from "../rete/node.ts";
import { Circuit } from "./circuit.ts";
import type { ConditionNode, LeafWatcher } from "./condition.ts";
import { type Code, UNKNOWN } from "./requirement.ts";
import type { Logic, Requirement } from "../base/judging.ts";

interface GateLeaf {
  readonly condition: ConditionNode;
  /** What a named condition stands for, in the author's words. */
  readonly definition: string | undefined;
}

export interface GateSpec {
  readonly name: string;
  readonly logic: Logic;
  readonly requirement: Requirement;
  readonly leaves: readonly GateLeaf[];
  /** The type of the subjects; undefined for a gate without `for`. */
  readonly subjectType: string | undefined;
  /** The level of the subject's fact; undefined for a gate without `for`. */
  readonly subjectLevel: number | undefined;
}

/** The key of the only subject of a gate without `for`. */
const NOBODY = "";

export class GateNode implements MatchInput, LeafWatcher {
  readonly parts: GateSpec;
  readonly #circuit: Circuit;
  readonly #cells = new Map<Match, number[]>();
  readonly #bySubject = new Map<string, Match>();
  /** The subjects whose value is unknown. */
  readonly #undecided = new Set<Match>();
  /** Subjects that came, went, or have another value since they were last taken. */
  #touched = new Set<string>();

  constructor(parts: GateSpec) {
    this.parts = parts;
    this.#circuit = new Circuit(parts.requirement, parts.logic);
  }

  /** To be called once, when the subjects are there: hears of all leaves from here on. */
  listen(): void {
    for (const [place, leaf] of this.#circuit.places.entries()) this.parts.leaves[leaf]?.condition.watch(this, place);
  }

  leave(): void {
    for (const { condition } of this.parts.leaves) condition.unwatch(this);
  }

  /** The ids of the subjects, the oldest first; an empty one for a gate without `for`. */
  subjects(): string[] {
    const ordered = [...this.#bySubject].map(([id, match]) => ({ id, order: this.#order(match) }));
    return ordered.sort((a, b) => a.order - b.order).map(({ id }) => id);
  }

  get size(): number {
    return this.#bySubject.size;
  }

  /** Whether the value of some subject is unknown. */
  get isUndecided(): boolean {
    return this.#undecided.size > 0;
  }

  match(subject: string): Match | undefined {
    return this.#bySubject.get(subject);
  }

  /** The value for a subject; undefined when it is not one of this gate's. */
  value(subject: string): Code | undefined {
    const match = this.#bySubject.get(subject);
    return match === undefined ? undefined : this.#root(match);
  }

  /** Tells a subject from another one that had the same id. */
  born(subject: string): number {
    return this.#order(this.#bySubject.get(subject));
  }

  /** The value of a leaf for a subject. */
  leaf(match: Match, leaf: number): Code {
    return this.parts.leaves[leaf]?.condition.evidence(match)?.code ?? UNKNOWN;
  }

  /** The subjects that may have another outcome than the last time this was asked, the oldest first. */
  takeTouched(): string[] {
    const touched = [...this.#touched];
    this.#touched = new Set();
    if (touched.length < 2) return touched;
    const orders = new Map(touched.map((id) => [id, this.#order(this.#bySubject.get(id))]));
    return touched.sort((a, b) => (orders.get(a) ?? 0) - (orders.get(b) ?? 0));
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#cells.keys()].filter((match) => !ignore(match)).length;
  }

  leafChanged(subject: Match, place: number, code: Code): void {
    const cells = this.#cells.get(subject);
    if (cells === undefined || !this.#circuit.set(cells, place, code)) return;
    this.#noteValue(subject);
    this.#touched.add(this.#key(subject));
  }

  leftAdded(subject: Match): void {
    this.#cells.set(subject, this.#circuit.fresh());
    this.#noteValue(subject);
    const key = this.#key(subject);
    this.#bySubject.set(key, subject);
    this.#touched.add(key);
  }

  leftRemoved(subject: Match): void {
    const key = this.#key(subject);
    this.#cells.delete(subject);
    this.#undecided.delete(subject);
    if (this.#bySubject.get(key) === subject) this.#bySubject.delete(key);
    this.#touched.add(key);
  }

  #noteValue(subject: Match): void {
    if (this.#root(subject) === UNKNOWN) this.#undecided.add(subject);
    else this.#undecided.delete(subject);
  }

  #root(match: Match): Code {
    const cells = this.#cells.get(match);
    return cells === undefined ? UNKNOWN : this.#circuit.root(cells);
  }

  #key(match: Match): string {
    const { subjectLevel } = this.parts;
    return subjectLevel === undefined ? NOBODY : (match.at(subjectLevel).fact?.id ?? NOBODY);
  }

  #order(match: Match | undefined): number {
    const { subjectLevel } = this.parts;
    return subjectLevel === undefined ? 0 : (match?.at(subjectLevel).fact?.order ?? 0);
  }
}
