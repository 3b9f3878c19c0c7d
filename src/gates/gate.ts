/**
 * A gate: for each subject the values of its requirement, recomputed only from a changed leaf up to the root.
 *
 * All leaves are direct children of the subject, and each sends its value with its place in the requirement, so a
 * quorum over ten thousand conditions is as deep as one over two.
 */
import type { Match } from "../rete/match.ts";
import type { Moment } from "../rete/moment.ts";
import type { MatchInput } from "../rete/node.ts";
import type { Circuit } from "./circuit.ts";
import type { CallKey, ConditionNode, LeafWatcher } from "./condition.ts";
import { type Code, UNKNOWN } from "./requirement.ts";
import type { Logic, Requirement } from "../base/judging.ts";

interface GateLeaf {
  readonly condition: ConditionNode;
  /** The definition of a named condition, as written in the program. */
  readonly definition: string | undefined;
  readonly call: CallKey;
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

/** Hears of a subject. */
export type SubjectWatcher = (subject: string) => void;

/** The key of the only subject of a gate without `for`. */
const NO_SUBJECT = "";

export class GateNode implements MatchInput, LeafWatcher {
  readonly spec: GateSpec;
  readonly #circuit: Circuit;
  readonly #cells = new Map<Match, number[]>();
  readonly #bySubject = new Map<string, Match>();
  /** The subjects whose value is unknown. */
  readonly #undecided = new Set<Match>();
  /** Subjects that were added, removed or changed their value since the last `takeTouched`. */
  #touched = new Set<string>();
  /** Who hears of subjects that are added, removed or change their value: of one subject, or (undefined) of all. */
  #watchers: Map<string | undefined, Set<SubjectWatcher>> | undefined = undefined;

  /** The moment of the session. */
  readonly moment: Moment;

  /** Takes the circuit of its requirement, which all sessions of a program share. */
  constructor(spec: GateSpec, circuit: Circuit, moment: Moment) {
    this.spec = spec;
    this.moment = moment;
    this.#circuit = circuit;
  }

  /** Subscribes to all leaves. Call it once, after the subjects are added. */
  listen(): void {
    for (const [place, leaf] of this.#circuit.places.entries()) this.spec.leaves[leaf]?.condition.watch(this, place);
  }

  leave(): void {
    for (const { condition } of this.spec.leaves) condition.unwatch(this);
  }

  /** Returns the ids of the subjects, oldest first; one empty id for a gate without `for`. */
  subjects(): string[] {
    const ordered = [...this.#bySubject].map(([id, match]) => ({ id, order: this.#order(match) }));
    return ordered.sort((a, b) => a.order - b.order).map(({ id }) => id);
  }

  get size(): number {
    return this.#bySubject.size;
  }

  /** Returns whether the value of some subject is unknown. */
  get isUndecided(): boolean {
    return this.#undecided.size > 0;
  }

  match(subject: string): Match | undefined {
    return this.#bySubject.get(subject);
  }

  /** Returns the value for a subject; undefined when it is not a subject of this gate. */
  value(subject: string): Code | undefined {
    const match = this.#bySubject.get(subject);
    return match === undefined ? undefined : this.#root(match);
  }

  /** Returns when the subject was asserted, which distinguishes it from an earlier subject with the same id. */
  born(subject: string): number {
    return this.#order(this.#bySubject.get(subject));
  }

  /** Returns the value of a leaf for a subject. */
  leaf(match: Match, leaf: number): Code {
    return this.spec.leaves[leaf]?.condition.evidence(match)?.code ?? UNKNOWN;
  }

  /** Returns the subjects whose outcome may have changed since the last call, oldest first. */
  takeTouched(): string[] {
    const touched = [...this.#touched];
    this.#touched = new Set();
    if (touched.length < 2) return touched;
    const orders = new Map(touched.map((id) => [id, this.#order(this.#bySubject.get(id))]));
    return touched.sort((a, b) => (orders.get(a) ?? 0) - (orders.get(b) ?? 0));
  }

  /** Returns the subjects that `takeTouched` would return, in the order in which they changed. */
  get touched(): readonly string[] {
    return [...this.#touched];
  }

  /** Replaces the subjects that `takeTouched` returns, for a session that was restored. */
  restoreTouched(subjects: readonly string[]): void {
    this.#touched = new Set(subjects);
  }

  /** Calls the watcher whenever a subject, or (undefined) any subject, is added, removed or changes its value. */
  watchSubjects(subject: string | undefined, watcher: SubjectWatcher): void {
    this.#watchers ??= new Map();
    const watchers = this.#watchers.get(subject) ?? new Set();
    this.#watchers.set(subject, watchers.add(watcher));
  }

  unwatchSubjects(subject: string | undefined, watcher: SubjectWatcher): void {
    const watchers = this.#watchers?.get(subject);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watchers?.delete(subject);
    if (this.#watchers?.size === 0) this.#watchers = undefined;
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#cells.keys()].filter((match) => !ignore(match)).length;
  }

  leafChanged(subject: Match, place: number, code: Code): void {
    const cells = this.#cells.get(subject);
    if (cells === undefined || !this.#circuit.set(cells, place, code)) return;
    this.#noteValue(subject);
    this.#touch(this.#key(subject));
  }

  leftAdded(subject: Match): void {
    this.#cells.set(subject, this.#circuit.fresh());
    this.#noteValue(subject);
    const key = this.#key(subject);
    this.#bySubject.set(key, subject);
    this.#touch(key);
  }

  leftRemoved(subject: Match): void {
    const key = this.#key(subject);
    this.#cells.delete(subject);
    this.#undecided.delete(subject);
    if (this.#bySubject.get(key) === subject) this.#bySubject.delete(key);
    this.#touch(key);
  }

  #touch(subject: string): void {
    this.#touched.add(subject);
    if (this.#watchers === undefined) return;
    for (const watcher of this.#watchers.get(subject) ?? []) watcher(subject);
    for (const watcher of this.#watchers.get(undefined) ?? []) watcher(subject);
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
    const { subjectLevel } = this.spec;
    return subjectLevel === undefined ? NO_SUBJECT : (match.at(subjectLevel).fact?.id ?? NO_SUBJECT);
  }

  #order(match: Match | undefined): number {
    const { subjectLevel } = this.spec;
    return subjectLevel === undefined ? 0 : (match?.at(subjectLevel).fact?.order ?? 0);
  }
}
