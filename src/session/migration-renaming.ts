/**
 * Facts that get another id in a migration: references follow them, and so do the identities of matches.
 *
 * A reference can be part of a key. Then the fact that refers gets another id as well, and references to that follow in turn.
 */
import type { Steps } from "../base/slices.ts";
import type { Value } from "../base/value.ts";
import type { Mark } from "./agenda/marks.ts";
import type { FieldSchema, Schema } from "./admission/schema.ts";
import type { MigrationReport } from "./migration-report.ts";
import { withReferences } from "./migration-records.ts";
import { referenceFields } from "./migration-types.ts";
import type { FactSnapshot, SupportSnapshot } from "./snapshot.ts";

type Fields = Readonly<Record<string, Value>>;

/** The longest chain of keys that refer to each other; a longer one is a circle. */
const MAX_ROUNDS = 100;

export class Renaming {
  /** The new id of each fact that has another one, by the id before. */
  readonly renamed: Map<string, string> = new Map();
  readonly #schema: Schema;
  readonly #idFor: (type: string, fields: Fields) => string | undefined;
  readonly #references = new Map<string, readonly FieldSchema[]>();

  /** Takes a function that returns the id of a fact with these fields. */
  constructor(schema: Schema, idFor: (type: string, fields: Fields) => string | undefined) {
    this.#schema = schema;
    this.#idFor = idFor;
  }

  rename(before: string, now: string): void {
    this.renamed.set(before, now);
  }

  /**
   * Returns the facts with references that follow; `before` are their ids before. Refuses facts that would have the id of another,
   * and those whose keys refer to each other in a circle.
   */
  *follow(
    facts: readonly FactSnapshot[],
    before: readonly string[],
    report: MigrationReport,
  ): Steps<readonly FactSnapshot[]> {
    if (this.renamed.size === 0) return facts;
    let now = facts;
    // Each round begins with the references from before: a new id may be one that another fact had.
    for (let round = 0, isDone = false; !isDone; round++) {
      isDone = true;
      const next: FactSnapshot[] = [];
      for (const [at, fact] of facts.entries()) {
        const followed = this.#followed(fact);
        if (followed.id !== now[at]?.id) isDone = false;
        if (followed.id !== now[at]?.id && round >= MAX_ROUNDS)
          report.refused(fact.type, fact.id, "its key refers to itself");
        next.push(followed);
        yield;
      }
      for (const [at, { id }] of next.entries()) if (id !== before[at]) this.renamed.set(before[at] as string, id);
      now = next;
      if (round >= MAX_ROUNDS) break;
    }
    refuseSameIds(now, report);
    return yield* this.#withSupports(now);
  }

  /** Returns the marks of matches with the new ids. */
  *marks(marks: readonly Mark[]): Steps<readonly Mark[]> {
    if (this.renamed.size === 0) return marks;
    const renamed: Mark[] = [];
    for (const mark of marks) {
      renamed.push({ ...mark, identity: this.#identity(mark.identity) });
      yield;
    }
    return renamed;
  }

  #followed(fact: FactSnapshot): FactSnapshot {
    const references = this.#referencesOf(fact.type);
    let fields: Fields = fact.fields;
    let isKey = false;
    for (const { name, type, key } of references) {
      const value = fact.fields[name];
      if (value === undefined) continue;
      const followed = withReferences(this.#schema, type, value, this.renamed);
      if (followed === value) continue;
      fields = { ...fields, [name]: followed };
      isKey ||= key;
    }
    if (fields === fact.fields) return fact;
    return { ...fact, fields, id: isKey ? (this.#idFor(fact.type, fields) ?? fact.id) : fact.id };
  }

  *#withSupports(facts: readonly FactSnapshot[]): Steps<readonly FactSnapshot[]> {
    const made: FactSnapshot[] = [];
    for (const fact of facts) {
      const { logical } = fact;
      made.push(
        logical === undefined
          ? fact
          : { ...fact, logical: { ...logical, supports: logical.supports.map((one) => this.#support(one)) } },
      );
      yield;
    }
    return made;
  }

  #support({ rule, identity }: SupportSnapshot): SupportSnapshot {
    return { rule, identity: this.#identity(identity) };
  }

  /** Returns the identity of a match with the new ids. Identities are JSON: facts, then variables with facts or values. */
  #identity(identity: string): string {
    try {
      return JSON.stringify(this.#data(JSON.parse(identity)));
    } catch {
      return this.renamed.get(identity) ?? identity;
    }
  }

  #data(data: unknown): unknown {
    if (typeof data === "string") return this.renamed.get(data) ?? data;
    if (Array.isArray(data)) return data.map((item) => this.#data(item));
    if (typeof data !== "object" || data === null) return data;
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, this.#data(value)]));
  }

  #referencesOf(type: string): readonly FieldSchema[] {
    const known = this.#references.get(type);
    if (known !== undefined) return known;
    const references = referenceFields(this.#schema, type);
    this.#references.set(type, references);
    return references;
  }
}

function refuseSameIds(facts: readonly FactSnapshot[], report: MigrationReport): void {
  const ids = new Set<string>();
  for (const { id, type } of facts) {
    if (ids.has(id)) report.refused(type, id, "two facts would have this id");
    ids.add(id);
  }
}
