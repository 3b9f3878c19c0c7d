/**
 * The facts that record the verdicts of guardians: `Verdict(guardian, subject, verdict, reasons, …)`.
 *
 * A new verdict is a new fact, so that a rule about verdicts fires for each of them, whatever it reads.
 */
import { LateMap } from "../base/late.ts";
import { factLabel } from "../base/fact-label.ts";
import { same, type Value } from "../base/value.ts";
import type { Named } from "../gates/named.ts";
import { bornBefore, textField } from "../gates/text-field.ts";
import type { Fact } from "../rete/fact.ts";
import type { GuardianProblem, VerdictAnswer } from "../base/answers.ts";
import type { EngineFacts } from "../rete/at-rest.ts";
import type { GuardianNode } from "./guardian.ts";

interface Written {
  readonly fact: string;
  readonly fields: Fields;
  /** When the subject was asserted: another fact with the same id is another subject. Undefined when that subject is gone. */
  readonly born: number | undefined;
}

type Fields = Readonly<Record<string, Value>>;

const TYPE = "Verdict";

export class VerdictOutcomes {
  readonly #guardians: Named<GuardianNode>;
  readonly #written = new LateMap<string, Map<string, Written>>();
  readonly #answers = new LateMap<string, Map<string, VerdictAnswer>>();
  /** The answers in order; undefined until the list is made again. */
  #list: readonly VerdictAnswer[] | undefined;
  /** The position of each answer in the list; valid as long as the list is. */
  readonly #positions = new LateMap<VerdictAnswer, number>();
  /** The subjects that could not be judged, by guardian. */
  readonly #faults = new LateMap<GuardianNode, Set<string>>();
  #begun = false;

  constructor(guardians: Named<GuardianNode>) {
    this.#guardians = guardians;
  }

  /** Records the verdicts that changed, and returns them. */
  judge(facts: EngineFacts): VerdictAnswer[] {
    const changed: VerdictAnswer[] = [];
    const first = !this.#begun;
    if (first) this.#begin(facts);
    for (const guardian of this.#guardians.made()) {
      const touched = guardian.takeTouched();
      const all = first ? [...this.#gone(guardian, touched), ...guardian.subjects.ids()] : touched;
      for (const subject of all) {
        const answer = this.#look(guardian, subject, facts);
        if (answer !== undefined) changed.push(answer);
      }
    }
    return changed;
  }

  /** Returns the recorded verdicts in program order, subjects oldest first; the returned list is never changed. */
  answers(): readonly VerdictAnswer[] {
    return (this.#list ??= this.#newList());
  }

  #newList(): readonly VerdictAnswer[] {
    const list = this.#guardians.made().flatMap((guardian) => {
      const answers = this.#answers.get(guardian.spec.name);
      return guardian.subjects.ids().flatMap((subject) => answers?.get(subject) ?? []);
    });
    this.#positions.clear();
    for (const [position, answer] of list.entries()) this.#positions.set(answer, position);
    return list;
  }

  #replace(before: VerdictAnswer | undefined, now: VerdictAnswer): void {
    const position = before === undefined ? undefined : this.#positions.get(before);
    if (this.#list === undefined || before === undefined || position === undefined) {
      this.#list = undefined;
      return;
    }
    this.#positions.delete(before);
    this.#positions.set(now, position);
    this.#list = this.#list.with(position, now);
  }

  problems(): GuardianProblem[] {
    return [...this.#faults].flatMap(([node, subjects]) =>
      node.subjects.inOrder(subjects).flatMap((subject): GuardianProblem[] => {
        const fault = node.fault(subject);
        if (fault === undefined) return [];
        const guardian = node.spec.name;
        const message = `guardian "${guardian}" cannot judge ${factLabel(subject)}: ${fault.message}`;
        return [{ code: "E543", guardian, subject, message, hint: fault.hint }];
      }),
    );
  }

  /** Takes over the facts of a session that was restored, or continued with another program. */
  #begin(facts: EngineFacts): void {
    this.#begun = true;
    for (const fact of facts.all(TYPE)) {
      const name = textField(fact, "guardian");
      const guardian = this.#guardians.get(name);
      if (guardian === undefined) {
        facts.retract(fact.id);
        continue;
      }
      const subject = textField(fact, "subject");
      const born = bornBefore(fact, guardian.subjects.born(subject));
      mapIn(this.#written, name).set(subject, { fact: fact.id, fields: fieldsOf(fact), born });
    }
  }

  /** Returns the subjects with a verdict that are gone; as later, they come first, and in the order in which they changed. */
  #gone(guardian: GuardianNode, touched: readonly string[]): string[] {
    const written = mapIn(this.#written, guardian.spec.name);
    return [...new Set([...touched, ...written.keys()])].filter((id) => guardian.subjects.match(id) === undefined);
  }

  #look(guardian: GuardianNode, subject: string, facts: EngineFacts): VerdictAnswer | undefined {
    const { name } = guardian.spec;
    const written = mapIn(this.#written, name);
    const answers = mapIn(this.#answers, name);
    const known = written.get(subject);
    const answer = guardian.verdict(subject);
    this.#noteFault(guardian, subject);
    if (answer === undefined) {
      this.#list = undefined;
      if (known !== undefined) facts.retract(known.fact);
      written.delete(subject);
      answers.delete(subject);
      return undefined;
    }
    const born = guardian.subjects.born(subject);
    this.#replace(known?.born === born ? answers.get(subject) : undefined, answer);
    answers.set(subject, answer);
    const fields = factFields(answer);
    if (known !== undefined && same(known.fields, fields) && known.born === born) return undefined;
    if (known !== undefined) facts.retract(known.fact);
    written.set(subject, { fact: facts.insert(TYPE, fields), fields, born });
    return answer;
  }

  #noteFault(guardian: GuardianNode, subject: string): void {
    const known = this.#faults.get(guardian);
    if (guardian.fault(subject) === undefined) known?.delete(subject);
    else if (known === undefined) this.#faults.set(guardian, new Set([subject]));
    else known.add(subject);
  }
}

/**
 * Returns the fields of the fact. Warnings and sentences are left out: they change with every value, and a reaction must not
 * fire again because a sentence reads differently.
 */
function factFields({ warnings, sentences, ...fields }: VerdictAnswer): Fields {
  void warnings;
  void sentences;
  return fields;
}

function fieldsOf(fact: Fact): Fields {
  const { fields } = fact.shape;
  const entries = fields.map((field, slot) => [field, fact.values[slot]] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Value] => entry[1] !== undefined));
}

function mapIn<Inner>(maps: LateMap<string, Map<string, Inner>>, name: string): Map<string, Inner> {
  const known = maps.get(name);
  if (known !== undefined) return known;
  const made = new Map<string, Inner>();
  maps.set(name, made);
  return made;
}
