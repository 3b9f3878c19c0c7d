/** The outcomes of a gate as rows, one for each subject, kept up to date by the gate's node. */
import type { GateAnswer } from "../base/answers.ts";
import { frozen } from "../base/frozen.ts";
import { answerOf, snapshot } from "../gates/answer.ts";
import type { GateNode } from "../gates/gate.ts";
import type { LiveRow } from "./row-delta.ts";
import { RowSource, type TouchListener } from "./row-source.ts";

export class GateRows extends RowSource {
  readonly #find: () => GateNode;
  /** The only subject of interest; undefined: all subjects. */
  readonly #subject: string | undefined;
  readonly #hear = (subject: string): void => this.touch(subject);
  #gate: GateNode | undefined = undefined;

  /** Takes a function that returns the gate of the program that runs now, or throws. */
  constructor(key: string, find: () => GateNode, subject: string | undefined, listener: TouchListener) {
    super(key, listener);
    this.#find = find;
    this.#subject = subject;
  }

  attach(): void {
    const gate = this.#find();
    this.#gate = gate;
    gate.watchSubjects(this.#subject, this.#hear);
    for (const subject of this.#subject === undefined ? gate.subjects() : [this.#subject]) this.touch(subject);
  }

  detach(): void {
    this.#gate?.unwatchSubjects(this.#subject, this.#hear);
    this.#gate = undefined;
  }

  /** Compares the outcomes, and when the subjects came: what led to an outcome may change without it. */
  readonly isSame = (a: LiveRow<unknown>, b: LiveRow<unknown>): boolean =>
    (a.row as GateAnswer).outcome === (b.row as GateAnswer).outcome && a.order[0] === b.order[0];

  protected current(key: string): LiveRow<GateAnswer> | undefined {
    const gate = this.#gate;
    if (gate?.match(key) === undefined) return undefined;
    return frozen({ key, order: [gate.born(key)], row: snapshot(answerOf(gate, key)) });
  }
}
