/** The facts that a case begins with: all of them, or a few of each type together with the facts they refer to. */
import { type Random, sampleOf } from "./choose.ts";
import type { SubjectFact } from "./trial.ts";

export class Beginning {
  readonly #facts: readonly SubjectFact[];
  readonly #size: number | undefined;
  readonly #byType: ReadonlyMap<string, readonly SubjectFact[]>;
  readonly #byId: ReadonlyMap<string, SubjectFact>;

  /** Takes the number of facts of each type that are used (`size`); undefined for all. */
  constructor(facts: readonly SubjectFact[], size: number | undefined) {
    this.#facts = facts;
    this.#size = size;
    this.#byType = size === undefined ? new Map() : byType(facts);
    this.#byId = size === undefined ? new Map() : new Map(facts.map((fact) => [fact.id, fact]));
  }

  choose(random: Random): readonly SubjectFact[] {
    const size = this.#size;
    if (size === undefined) return this.#facts;
    const half = Math.ceil(size / 2);
    const chosen = new Map<string, SubjectFact[]>();
    for (const [type, facts] of this.#byType) chosen.set(type, sampleOf(random, facts, half));
    for (const facts of chosen.values()) for (const fact of facts) this.#addReferred(fact, chosen, size);
    for (const [type, facts] of chosen) this.#fillUp(facts, sampleOf(random, this.#byType.get(type) ?? [], size), size);
    return [...chosen.values()].flat();
  }

  #addReferred(fact: SubjectFact, chosen: ReadonlyMap<string, SubjectFact[]>, size: number): void {
    for (const value of Object.values(fact.fields)) {
      const referred = typeof value === "string" ? this.#byId.get(value) : undefined;
      const facts = referred === undefined ? undefined : chosen.get(referred.type);
      if (referred !== undefined && facts !== undefined) this.#fillUp(facts, [referred], size);
    }
  }

  #fillUp(facts: SubjectFact[], more: readonly SubjectFact[], size: number): void {
    for (const fact of more) if (facts.length < size && !facts.includes(fact)) facts.push(fact);
  }
}

function byType(facts: readonly SubjectFact[]): Map<string, SubjectFact[]> {
  const groups = new Map<string, SubjectFact[]>();
  for (const fact of facts) {
    const group = groups.get(fact.type);
    if (group === undefined) groups.set(fact.type, [fact]);
    else group.push(fact);
  }
  return groups;
}
