/**
 * Makes random histories: retracts, updates, asserts retracted facts again, duplicates facts without a key, adds new
 * ones.
 */
import { below, oneOf, type Random } from "./choose.ts";
import type { Change, GivenFact, History, LabelledFact } from "./history.ts";
import type { Pool } from "./pool.ts";

const MAX_CHANGES = 16;

export interface Sources {
  readonly pool: Pool;
  /** The facts that the case begins with. */
  readonly facts: readonly GivenFact[];
  /** The facts that rules derive from them, which may be asserted in the middle. */
  readonly derived: readonly GivenFact[];
  /** The most facts of a type; new ones are added up to this number. */
  readonly room: number;
}

export function randomHistory(sources: Sources, random: Random): History {
  return new Author(sources, random).write();
}

class Author {
  readonly #sources: Sources;
  readonly #random: Random;
  readonly #live = new Map<number, LabelledFact>();
  readonly #gone: LabelledFact[] = [];
  #label = 0;

  constructor(sources: Sources, random: Random) {
    this.#sources = sources;
    this.#random = random;
  }

  write(): History {
    const facts = this.#beginning();
    const changes: Change[] = [];
    for (let count = 1 + below(this.#random, MAX_CHANGES); count > 0; count--) {
      const change = this.#change();
      if (change === undefined || (change.is === "assert" && !this.#hasRoom(change.fact.type))) continue;
      changes.push(change);
      this.#follow(change);
    }
    return { facts, changes };
  }

  #beginning(): LabelledFact[] {
    const labelled = this.#sources.facts.map((fact) => this.#labelled(fact));
    for (const fact of labelled) this.#live.set(fact.label, fact);
    return labelled;
  }

  #hasRoom(type: string): boolean {
    return [...this.#live.values()].filter((fact) => fact.type === type).length < this.#sources.room;
  }

  #labelled({ type, fields }: GivenFact): LabelledFact {
    this.#label += 1;
    return { type, fields, label: this.#label };
  }

  #change(): Change | undefined {
    const fact = oneOf(this.#random, [...this.#live.values()]);
    if (fact === undefined) return this.#comeBack() ?? this.#assertNew();
    switch (below(this.#random, 8)) {
      case 0:
      case 1:
        return { is: "retract", label: fact.label };
      case 2:
      case 3:
      case 4:
        return this.#update(fact);
      case 5:
        return this.#comeBack() ?? this.#update(fact);
      case 6:
        return this.#double(fact) ?? this.#assertNew();
      default:
        return this.#assertNew();
    }
  }

  #update(fact: LabelledFact): Change | undefined {
    const field = oneOf(this.#random, this.#sources.pool.changeableFields(fact));
    if (field === undefined) return undefined;
    const value = this.#sources.pool.value(fact.type, field, this.#random);
    return { is: "update", label: fact.label, field, value };
  }

  #comeBack(): Change | undefined {
    const fact = this.#gone.pop();
    return fact === undefined ? undefined : { is: "assert", fact: this.#labelled(fact) };
  }

  #double(fact: LabelledFact): Change | undefined {
    return this.#sources.pool.isKeyed(fact.type) ? undefined : { is: "assert", fact: this.#labelled(fact) };
  }

  #assertNew(): Change | undefined {
    const derived = below(this.#random, 2) === 0 ? oneOf(this.#random, this.#sources.derived) : undefined;
    const fact = derived ?? this.#sources.pool.fact(this.#random);
    return fact === undefined ? undefined : { is: "assert", fact: this.#labelled(fact) };
  }

  #follow(change: Change): void {
    if (change.is === "assert") this.#live.set(change.fact.label, change.fact);
    if (change.is !== "retract") return;
    const fact = this.#live.get(change.label);
    if (fact !== undefined) this.#gone.push(fact);
    this.#live.delete(change.label);
  }
}
