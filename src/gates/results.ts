/** The facts that keep the outcomes of gates: `GateResult(gate, subject, outcome)`. */
import type { EngineFacts, GateAnswer, Outcome } from "../rete/keeper.ts";
import { answerOf } from "./answer.ts";
import type { GateNode } from "./gate.ts";
import { textField } from "./kept.ts";
import { type Code, codeOfOutcome, outcomeOf } from "./requirement.ts";

interface Result {
  readonly fact: string;
  /** When the subject was asserted: another fact with the same id is another subject. Undefined when not known. */
  readonly born: number | undefined;
  outcome: Outcome;
}

/** An outcome as it was written. */
interface Standing {
  readonly gate: GateNode;
  readonly subject: string;
  readonly code: Code;
}

const TYPE = "GateResult";

export class GateResults {
  readonly #gates: ReadonlyMap<string, GateNode>;
  readonly #results = new Map<string, Map<string, Result>>();
  #begun = false;
  /** In program order, subjects the oldest first; never changed once it was given out. */
  #standing: Standing[] | undefined;
  /** Where each result stands in the list; valid as long as the list is. */
  readonly #positions = new Map<Result, number>();

  constructor(gates: ReadonlyMap<string, GateNode>) {
    this.#gates = gates;
  }

  /** Writes what differs, and gives it. */
  judge(facts: EngineFacts): GateAnswer[] {
    const told: GateAnswer[] = [];
    const first = !this.#begun;
    if (first) this.#begin(facts);
    for (const [name, gate] of this.#gates) {
      const touched = gate.takeTouched();
      const subjects = first ? [...gate.subjects(), ...this.#goneSubjects(name, gate)] : touched;
      for (const subject of subjects) {
        const answer = this.#look(gate, subject, facts);
        if (answer !== undefined) told.push(answer);
      }
    }
    return told;
  }

  /** The outcomes of now, to be read at any time: only what is asked for is worked out. */
  standing(): () => readonly GateAnswer[] {
    const standing = (this.#standing ??= this.#list());
    return () => standing.map(({ gate, subject, code }) => answerOf(gate, subject, code));
  }

  /** Facts of a session that was restored, or went on with another program. */
  #begin(facts: EngineFacts): void {
    this.#begun = true;
    for (const fact of facts.all(TYPE)) {
      const gate = textField(fact, "gate");
      const outcome = textField(fact, "outcome") as Outcome;
      const subjects = this.#subjects(gate);
      if (!this.#gates.has(gate)) facts.retract(fact.id);
      else subjects.set(textField(fact, "subject"), { fact: fact.id, born: undefined, outcome });
    }
  }

  #goneSubjects(name: string, gate: GateNode): string[] {
    return [...this.#subjects(name).keys()].filter((subject) => gate.match(subject) === undefined);
  }

  #look(gate: GateNode, subject: string, facts: EngineFacts): GateAnswer | undefined {
    const { name, subjectLevel } = gate.parts;
    const subjects = this.#subjects(name);
    const code = gate.value(subject);
    const born = gate.born(subject);
    const before = subjects.get(subject);
    const another = before?.born !== undefined && before.born !== born;
    if (code === undefined || another) {
      if (before !== undefined) facts.retract(before.fact);
      if (subjects.delete(subject)) this.#standing = undefined;
      if (code === undefined) return undefined;
    }
    const known = another ? undefined : before;
    const outcome = outcomeOf(code);
    if (known?.outcome === outcome) return undefined;
    if (known === undefined) {
      const about = subjectLevel === undefined ? {} : { subject };
      const fact = facts.insert(TYPE, { gate: name, ...about, outcome });
      subjects.set(subject, { fact, born, outcome });
      this.#standing = undefined;
    } else {
      facts.update(known.fact, { outcome });
      known.outcome = outcome;
      this.#replace(known, { gate, subject, code });
    }
    return answerOf(gate, subject, code);
  }

  /** A list that was given out stays as it is: the next one is a copy. */
  #replace(result: Result, now: Standing): void {
    const position = this.#positions.get(result);
    if (this.#standing === undefined || position === undefined) return;
    this.#standing = this.#standing.slice();
    this.#standing[position] = now;
  }

  #list(): Standing[] {
    this.#positions.clear();
    const list: Standing[] = [];
    for (const [name, gate] of this.#gates) {
      const results = this.#subjects(name);
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
