/**
 * Migrates facts to the types of another program, as data: nothing of a session changes before all facts are known to fit.
 *
 * Facts of types that did not change are passed on as they are. Of the others, new fields are filled, fields that are gone are
 * dropped, and what does not fit then is converted by a function of the host, or counted and refused (E537).
 */
import { abandon, isThrown, thrownWords } from "../base/host-result.ts";
import { keylessId } from "../base/identity.ts";
import type { Limits } from "../base/limits.ts";
import { didYouMean, nearest } from "../base/nearest.ts";
import type { Steps } from "../base/slices.ts";
import { same, type Value } from "../base/value.ts";
import { Admission, type Admitted } from "./admission/admission.ts";
import { type FieldSchema, holdsRecord, type Schema } from "./admission/schema.ts";
import { declaredLayouts, Shapes } from "./admission/shapes.ts";
import { SessionError } from "./errors.ts";
import { type Migration, MigrationReport } from "./migration-report.ts";
import { isFilled, type RecordNotes, withoutGoneFields } from "./migration-records.ts";
import { type TypeChange, typeChange } from "./migration-types.ts";
import { Renaming } from "./migration-renaming.ts";
import { isPromise } from "./promise.ts";
import type { FactSnapshot, Snapshot } from "./snapshot.ts";
import { keylessNumber } from "./snapshot-format.ts";
import { fieldsOf } from "./views.ts";
import type { XupleSpace, XuplesSnapshot } from "./xuples.ts";

type Fields = Readonly<Record<string, Value>>;
type Changed = Exclude<TypeChange, { readonly is: "same" }>;

/**
 * Converts a fact of a type whose declaration changed: takes its fields as they were and its id, and returns all fields of
 * the new fact, or null to remove it. A reference is written as the id from before; it follows a fact that gets another id.
 */
export type Migrate = (old: Readonly<Record<string, Value>>, id: string) => Readonly<Record<string, unknown>> | null;

/** The functions that convert facts, by type. Types whose declaration did not change need none, and theirs is not called. */
export type Migrations = Readonly<Record<string, Migrate>>;

/** The program that facts are migrated to. */
export interface MigrationTarget {
  readonly schema: Schema;
  readonly limits: Limits;
  readonly xupleSpaces: readonly XupleSpace[];
}

/** The parts of a snapshot that a migration changes. */
export type MigratedParts = Pick<Snapshot, "facts" | "matches" | "xuples" | "counters">;

/** Migrated facts, and what was done. */
export interface Migrated {
  readonly parts: MigratedParts;
  readonly migration: Migration;
  readonly renamed: ReadonlyMap<string, string>;
}

/** Migrates the facts of a snapshot, one step for each. Throws E537 when some do not fit. */
export function* migrated(
  snapshot: MigratedParts & Pick<Snapshot, "types">,
  target: MigrationTarget,
  migrations: Migrations,
): Steps<Migrated> {
  refuseOthers(migrations);
  return yield* new FactMigration(snapshot, target, migrations).run();
}

/** Throws E209 for what is not a function. */
function refuseOthers(migrations: Migrations): void {
  for (const [name, migrate] of Object.entries(migrations)) {
    if (typeof migrate === "function") continue;
    throw new SessionError("E209", `migrate: "${name}" is not a function`, `${name}(old) { return { ...old } }`);
  }
}

/** Throws E201 for a function of a type that no program has: its name is misspelt. */
export function refuseUnknownTypes(migrations: Migrations, known: ReadonlySet<string>): void {
  for (const name of Object.keys(migrations)) {
    if (known.has(name)) continue;
    throw new SessionError("E201", `migrate: unknown type "${name}"`, didYouMean(nearest(name, known)));
  }
}

class FactMigration {
  readonly #snapshot: MigratedParts & Pick<Snapshot, "types">;
  readonly #target: MigrationTarget;
  readonly #migrations: Migrations;
  /** Checks facts without the slots of any session. */
  readonly #admission: Admission;
  readonly #changes = new Map<string, TypeChange>();
  readonly #report = new MigrationReport();
  readonly #keyless: Record<string, number>;
  readonly #renaming: Renaming;

  constructor(snapshot: MigratedParts & Pick<Snapshot, "types">, target: MigrationTarget, migrations: Migrations) {
    this.#snapshot = snapshot;
    this.#target = target;
    this.#migrations = migrations;
    this.#admission = new Admission(target.schema, new Shapes(declaredLayouts(target.schema)), target.limits);
    this.#keyless = { ...snapshot.counters.keyless };
    this.#renaming = new Renaming(target.schema, (type, fields) => this.#admission.idFor(type, fields, ENGINE));
  }

  *run(): Steps<Migrated> {
    const { counters, matches } = this.#snapshot;
    const facts: FactSnapshot[] = [];
    const before: string[] = [];
    for (const fact of this.#snapshot.facts) {
      const migratedFact = this.#fact(fact);
      if (migratedFact !== undefined) {
        facts.push(migratedFact);
        before.push(fact.id);
      }
      yield;
    }
    const xuples: XuplesSnapshot[] = [];
    for (const space of this.#snapshot.xuples) {
      const kept = this.#space(space);
      if (kept !== undefined) xuples.push(kept);
      yield;
    }
    this.#report.refuseAffected();
    const followed = yield* this.#renaming.follow(facts, before, this.#report);
    this.#report.refuseAffected();
    const { renamed } = this.#renaming;
    const parts = {
      facts: followed,
      matches: yield* this.#renaming.marks(matches),
      xuples,
      counters: { ...counters, keyless: this.#keyless },
    };
    return { parts, migration: this.#report.result(renamed), renamed };
  }

  /** Returns the fact as it is now; undefined when it is removed or refused. */
  #fact(fact: FactSnapshot): FactSnapshot | undefined {
    const { id, type } = fact;
    const change = this.#changeOf(type);
    if (change.is === "same") return fact;
    const made = this.#fields(change, type, fact.fields, id);
    if (made === undefined) return undefined;
    const next = made.id ?? this.#keylessIdOf(fact);
    if (next === id) return { ...fact, fields: made.fields };
    if (made.isConverted) {
      this.#renaming.rename(id, next);
      return { ...fact, id: next, fields: made.fields };
    }
    const [before, now] = change.is === "gone" ? [] : (change.keys ?? []);
    const reason =
      before === undefined ? "its id does not fit the key of its type" : `its key was ${before}, and is ${now}`;
    this.#report.refused(type, id, reason);
    return undefined;
  }

  /** Returns the id of a fact without keys: it keeps its own, or gets the next number. */
  #keylessIdOf(fact: FactSnapshot): string {
    if (keylessNumber(fact) !== undefined) return fact.id;
    const number = (this.#keyless[fact.type] ?? 0) + 1;
    // Only a converted fact gets the number; any other is refused because its id would change.
    if (this.#converts(fact.type)) this.#keyless[fact.type] = number;
    return keylessId(fact.type, number);
  }

  #space(saved: XuplesSnapshot): XuplesSnapshot | undefined {
    const { space, entries } = saved;
    if (!this.#target.xupleSpaces.some(({ name }) => name === space)) {
      if (entries.length > 0) this.#report.spaceGone(space, entries.length);
      return undefined;
    }
    const kept = entries.flatMap((entry) => {
      const change = this.#changeOf(entry.type);
      if (change.is === "same") return [entry];
      const made = this.#fields(change, entry.type, entry.fields, `${space} #${entry.n}`);
      return made === undefined ? [] : [{ ...entry, fields: made.fields }];
    });
    return { ...saved, entries: kept };
  }

  /** Returns the fields and the id of a fact of a type that changed; undefined when it is removed or refused. */
  #fields(change: Changed, type: string, fields: Fields, id: string): MadeFields | undefined {
    if (this.#converts(type) && change.is !== "unknown") return this.#convert(type, fields, id);
    if (change.is === "gone") return this.#refuse(type, id, `the new program has no type ${type}`);
    const adapted = this.#adapt(change, type, fields);
    const admitted = this.#admit(type, adapted.fields, true);
    const reason = admitted instanceof SessionError ? admitted.message : this.#misfit(admitted, adapted, type);
    if (reason === undefined && !(admitted instanceof SessionError)) {
      for (const note of adapted.notes) note();
      return { fields: { ...adapted.fields, ...adapted.records }, id: admitted.id, isConverted: false };
    }
    if (this.#converts(type)) return this.#convert(type, fields, id);
    return this.#refuse(type, id, reason ?? "");
  }

  /** Fills the fields that are new, and leaves out those that are gone. The fields are in declared order, so that errors are about the first. */
  #adapt(change: Exclude<Changed, { is: "gone" }>, type: string, fields: Fields): Adapted {
    const { now, added } = change;
    if (now === undefined) return { fields, notes: [], records: {} };
    const known = new Map(now.fields.map((field, place) => [field.name, { field, place }]));
    const kept: [string, Value][] = [];
    const notes: (() => void)[] = [];
    for (const [name, value] of Object.entries(fields)) {
      const field = known.get(name)?.field;
      if (field === undefined) notes.push(() => this.#report.dropped(type, name));
      else kept.push([name, this.#adaptRecords(type, field, value, notes)]);
    }
    for (const { name, default: value, optional } of added) {
      if (Object.hasOwn(fields, name)) continue;
      if (value !== undefined) kept.push([name, value]);
      if (value !== undefined || optional) notes.push(() => this.#report.filled(type, name, value));
    }
    kept.sort(([a], [b]) => (known.get(a)?.place ?? 0) - (known.get(b)?.place ?? 0));
    return { fields: Object.fromEntries(kept), notes, records: {} };
  }

  /** Leaves out what is gone from the records of a value. */
  #adaptRecords(type: string, field: FieldSchema, value: Value, notes: (() => void)[]): Value {
    if (!holdsRecord(field.type)) return value;
    const dropped: RecordNotes = new Map();
    const kept = withoutGoneFields(this.#target.schema, field.type, value, field.name, dropped);
    for (const where of dropped.keys()) notes.push(() => this.#report.dropped(type, where));
    return kept;
  }

  /**
   * Returns why an admitted fact is not the fact that was saved: a value would be read as another one. What was filled in records is
   * noted.
   */
  #misfit({ shape, values }: Admitted, adapted: Adapted, type: string): string | undefined {
    const admitted = fieldsOf(shape, values);
    for (const [name, value] of Object.entries(adapted.fields)) {
      const now = admitted[name];
      if (same(now, value)) continue;
      const field = this.#target.schema.types.get(type)?.fields.find((one) => one.name === name);
      const filled: RecordNotes = new Map();
      const fits =
        now !== undefined &&
        field !== undefined &&
        isFilled(this.#target.schema, field.type, [value, now], name, filled);
      if (!fits) return `${type}.${name} has another type`;
      adapted.records[name] = now;
      for (const [where, given] of filled) adapted.notes.push(() => this.#report.filled(type, where, given));
    }
    return undefined;
  }

  #convert(type: string, fields: Fields, id: string): MadeFields | undefined {
    const given = this.#call(type, fields, id);
    if (given === null) {
      this.#report.removed(type);
      return undefined;
    }
    if (isThrown(given, SessionError)) return this.#refuse(type, id, given.message, given.cause);
    const admitted = this.#admitGiven(type, given);
    if (admitted instanceof SessionError) return this.#refuse(type, id, admitted.message);
    this.#report.converted(type);
    return { fields: fieldsOf(admitted.shape, admitted.values), id: admitted.id, isConverted: true };
  }

  #call(type: string, fields: Fields, id: string): unknown {
    try {
      const given: unknown = this.#migrations[type]?.({ ...fields }, id);
      if (given === undefined) return new SessionError("E537", `migrate.${type} returned nothing`);
      if (!isPromise(given)) return given;
      abandon(given);
      return new SessionError("E537", `migrate.${type} returned a promise`);
    } catch (error) {
      return failedMigration(type, error);
    }
  }

  /** Admits what a function of the host returned. It may throw when it is read, as a proxy can. */
  #admitGiven(type: string, given: unknown): Admitted | SessionError {
    try {
      return this.#admit(type, given, false);
    } catch (error) {
      return failedMigration(type, error);
    }
  }

  #admit(type: string, fields: unknown, withoutDefaults: boolean): Admitted | SessionError {
    try {
      return this.#admission.admit(type, fields, { ...ENGINE, withoutDefaults });
    } catch (error) {
      if (isThrown(error, SessionError)) return error;
      throw error;
    }
  }

  #refuse(type: string, id: string, reason: string, cause?: unknown): undefined {
    this.#report.refused(type, id, reason, cause);
    return undefined;
  }

  #converts(type: string): boolean {
    return Object.hasOwn(this.#migrations, type);
  }

  #changeOf(type: string): TypeChange {
    const known = this.#changes.get(type);
    if (known !== undefined) return known;
    const change = typeChange(type, this.#snapshot.types, this.#target.schema);
    this.#changes.set(type, change);
    return change;
  }
}

/** Returns the error of a function that threw, or whose result throws when it is read. */
function failedMigration(type: string, error: unknown): SessionError {
  return new SessionError("E537", `migrate.${type} failed: ${thrownWords(error)}`, undefined, error);
}

/** A migration also moves facts that only the engine or the policy role writes. */
const ENGINE = { byEngine: true } as const;

interface MadeFields {
  readonly fields: Fields;
  /** Undefined for a type without keys. */
  readonly id: string | undefined;
  readonly isConverted: boolean;
}

interface Adapted {
  readonly fields: Fields;
  /** Notes what was done, once it is known that the fact fits. */
  readonly notes: (() => void)[];
  /** The fields in whose records something was filled. */
  readonly records: Record<string, Value>;
}
