/** The facts that record the outcomes of gates: `GateResult(gate, subject, outcome)`. */
import { LateMap } from "../base/late.ts";
import type { GateAnswer, Outcome } from "../base/answers.ts";
import type { EngineFacts } from "../rete/at-rest.ts";
import { answerAt, type Valued } from "./answer.ts";
import type { GateNode } from "./gate.ts";
import type { Named } from "./named.ts";
import { bornBefore, textField } from "./text-field.ts";
import { codeOfOutcome, outcomeOf } from "./requirement.ts";

interface Result {
  readonly fact: string;
  /** When the subject was asserted: another fact with the same id is another subject. Undefined when that subject is gone. */
  readonly born: number | undefined;
  readonly outcome: Outcome;
}

const TYPE = "GateResult";

export class GateResults {
  readonly #gates: Named<GateNode>;
  readonly #results = new LateMap<string, Map<string, Result>>();
  #begun = false;
  /** The recorded outcomes in program order, subjects oldest first; a list that was returned is never changed. */
  #standing: Valued[] | undefined;
  /** The position of each result in the list; valid as long as the list is. */
  readonly #positions = new LateMap<Result, number>();

  constructor(gates: Named<GateNode>) {
    this.#gates = gates;
  }

  /** Records the outcomes that changed, and returns them; calls `seen` with every subject that was looked at. */
  judge(facts: EngineFacts, seen: (gate: string, subject: string) => void): GateAnswer[] {
    const changed: GateAnswer[] = [];
    const first = !this.#begun;
    if (first) this.#begin(facts);
    for (const gate of this.#gates.made()) {
      const { name } = gate.spec;
      const touched = gate.takeTouched();
      for (const subject of touched) seen(name, subject);
      const subjects = first ? [...this.#goneSubjects(gate, touched), ...gate.subjects()] : touched;
      for (const subject of subjects) {
        const answer = this.#look(gate, subject, facts);
        if (answer !== undefined) changed.push(answer);
      }
    }
    return changed;
  }

  /** Returns a function that yields the outcomes of this moment; each answer is computed when it is read. */
  standing(): () => readonly GateAnswer[] {
    const standing = (this.#standing ??= this.#list());
    const moment = standing[0]?.gate.moment.number ?? 0;
    return () => standing.map((one) => answerAt(one, moment));
  }

  /** Takes over the facts of a session that was restored, or continued with another program. */
  #begin(facts: EngineFacts): void {
    this.#begun = true;
    this.#standing = undefined;
    for (const fact of facts.all(TYPE)) {
      const gate = textField(fact, "gate");
      const outcome = textField(fact, "outcome") as Outcome;
      const subject = textField(fact, "subject");
      const node = this.#gates.get(gate);
      if (node === undefined) facts.retract(fact.id);
      else this.#subjects(gate).set(subject, { fact: fact.id, born: bornBefore(fact, node.born(subject)), outcome });
    }
  }

  /** Returns the subjects with a result that are gone; as later, they come first, and in the order in which they changed. */
  #goneSubjects(gate: GateNode, touched: readonly string[]): string[] {
    const known = this.#subjects(gate.spec.name);
    return [...new Set([...touched, ...known.keys()])].filter((subject) => gate.match(subject) === undefined);
  }

  /**
   * Records the outcome of a subject if it changed. A new outcome is a new fact, so that a rule about results fires for
   * each of them, whatever it reads.
   */
  #look(gate: GateNode, subject: string, facts: EngineFacts): GateAnswer | undefined {
    const subjects = this.#subjects(gate.spec.name);
    const known = subjects.get(subject);
    const code = gate.value(subject);
    if (code === undefined) {
      if (known !== undefined) facts.retract(known.fact);
      if (subjects.delete(subject)) this.#standing = undefined;
      return undefined;
    }
    const outcome = outcomeOf(code);
    const born = gate.born(subject);
    if (known?.outcome === outcome && known.born === born) return undefined;
    if (known !== undefined) facts.retract(known.fact);
    const about = gate.spec.subjectLevel === undefined ? {} : { subject };
    const fact = facts.insert(TYPE, { gate: gate.spec.name, ...about, outcome });
    const result = { fact, born, outcome };
    subjects.set(subject, result);
    this.#replace(known, result, { gate, subject, code });
    return answerAt({ gate, subject, code }, gate.moment.number);
  }

  /** Replaces one entry of the list. The list may have been returned, so a copy is changed. */
  #replace(before: Result | undefined, result: Result, now: Valued): void {
    const position = before !== undefined && before.born === result.born ? this.#positions.get(before) : undefined;
    if (this.#standing === undefined || before === undefined || position === undefined) {
      this.#standing = undefined;
      return;
    }
    this.#positions.delete(before);
    this.#positions.set(result, position);
    this.#standing = this.#standing.slice();
    this.#standing[position] = now;
  }

  #list(): Valued[] {
    this.#positions.clear();
    const list: Valued[] = [];
    for (const gate of this.#gates.made()) {
      const results = this.#subjects(gate.spec.name);
      for (const subject of gate.subjects()) {
        const result = results.get(subject);
        if (result === undefined) continue;
        this.#positions.set(result, list.length);
        list.push({ gate, subject, code: codeOfOutcome(result.outcome) });
      }
    }
    return list;
  }

  #subjects(gate: string): Map<string, Result> {
    const known = this.#results.get(gate);
    if (known !== undefined) return known;
    const made = new Map<string, Result>();
    this.#results.set(gate, made);
    return made;
  }
}
