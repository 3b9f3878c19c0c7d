/**
 * Admits facts to working memory: turns data of the host into values by slot, or throws a FactError.
 *
 * Nothing is changed before everything has been checked; in an open program a type gets the slots of new fields last.
 */
import type { Expiry } from "../expiry.ts";
import type { Limits } from "../../base/limits.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import type { Maybe } from "../../base/value.ts";
import type { Changes, Shape } from "../../rete/fact.ts";
import type { FieldValues } from "../../rete/production.ts";
import { DeclaredType } from "./declared-type.ts";
import { FactError } from "../errors.ts";
import { quote } from "./field-type.ts";
import { refuseReserved, ValueCopier } from "./host-value.ts";
import { openChanges, openValues, readOpen } from "./open-type.ts";
import type { Schema } from "./schema.ts";
import type { Shapes } from "./shapes.ts";

/** `policy` may write facts of protected types: the program itself, and hosts that say so. */
export type Role = "policy";

export interface AdmissionOptions {
  /** Whether facts of engine-kept types may be written. */
  readonly byEngine?: boolean;
  readonly role?: Role | undefined;
  /** Whether fields stay missing that have a default: a restored fact keeps fields that were cleared. */
  readonly withoutDefaults?: boolean;
}

/** An admitted fact. The id is undefined for a type without keys. */
export interface Admitted {
  readonly shape: Shape;
  readonly values: Maybe[];
  readonly id: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const HOST: AdmissionOptions = {};

export class Admission {
  readonly #schema: Schema;
  readonly #shapes: Shapes;
  readonly #limits: Limits;
  readonly #expiry: Pick<Expiry, "isOver"> | undefined;
  readonly #copier: ValueCopier;
  /** The types whose facts only the engine, or only the policy role, may write. */
  readonly #guarded: Guarded;
  /** The declared types that were used so far. */
  readonly #declared = new Map<string, DeclaredType>();

  constructor(schema: Schema, shapes: Shapes, limits: Limits, expiry?: Pick<Expiry, "isOver">) {
    this.#expiry = expiry;
    this.#schema = schema;
    this.#shapes = shapes;
    this.#limits = limits;
    this.#copier = new ValueCopier(limits);
    this.#guarded = guardedTypes(schema);
  }

  /** The types that facts are admitted by. */
  get schema(): Schema {
    return this.#schema;
  }

  /** Returns whether a fact that was admitted has expired already, so that it never enters. */
  hasExpired({ shape, values }: Admitted): boolean {
    return this.#expiry?.isOver(shape, values) === true;
  }

  /** Admits a new fact. */
  admit(type: string, data: unknown, options: AdmissionOptions = HOST): Admitted {
    const declared = this.#typeNamed(type, options);
    const names = this.#checkedNames(type, data);
    if (declared === undefined) return this.#admitOpen(type, data as Fields);
    const values = declared.admit(data as Fields, names, options.withoutDefaults !== true);
    return { shape: declared.shape, values, id: declared.idOf(values) };
  }

  /** Admits a new fact of an action. */
  admitNamed(type: string, fields: FieldValues, options: AdmissionOptions = HOST): Admitted {
    const declared = this.#typeNamed(type, options);
    if (declared === undefined) {
      const record = recordOf(fields);
      this.#checkedNames(type, record);
      return this.#admitOpen(type, record);
    }
    this.#copier.begin();
    const values = declared.admitNamed(fields);
    return { shape: declared.shape, values, id: declared.idOf(values) };
  }

  /** Admits changed fields, and returns those that differ from the values `now`. */
  admitChanges(type: string, now: readonly Maybe[], data: unknown, options: AdmissionOptions = HOST): Changes {
    const declared = this.#typeNamed(type, options);
    this.#checkedNames(type, data);
    if (declared !== undefined) return declared.changes(now, data as Fields);
    return openChanges(this.#shapes.of(type), now, readOpen(type, data as Fields, this.#copier), this.#limits.fields);
  }

  /** Admits changed fields of an action. */
  admitNamedChanges(
    type: string,
    now: readonly Maybe[],
    fields: FieldValues,
    options: AdmissionOptions = HOST,
  ): Changes {
    const declared = this.#typeNamed(type, options);
    if (declared === undefined) return this.admitChanges(type, now, recordOf(fields), options);
    this.#copier.begin();
    return declared.namedChanges(now, fields);
  }

  /** Returns the id of a fact with these fields; undefined for a type without keys. */
  idFor(type: string, data: unknown, options: AdmissionOptions = HOST): string | undefined {
    const declared = this.#typeNamed(type, options);
    if (declared === undefined) return undefined;
    this.#checkedNames(type, data);
    return declared.idFor(data as Fields);
  }

  /** Whether anybody may write facts of this type, in whatever role. */
  isUnguarded(type: string): boolean {
    return !this.#guarded.has(type);
  }

  /** Throws E214 for a type that the engine keeps, and E411 for a protected type without the policy role. */
  refuseGuarded(type: string, options: AdmissionOptions): void {
    const by = this.#guarded.get(type);
    if (by === undefined || options.byEngine === true || by === options.role) return;
    if (by === "policy") throw protectedType(type);
    const hint = "rules can match them but not change them";
    throw new FactError("E214", `facts of type ${type} are written by the engine`, hint);
  }

  /** Throws E306 for a fact with too many fields. */
  refuseManyFields(size: number): void {
    const limit = this.#limits.fields;
    if (size > limit) throw new FactError("E306", `this fact has ${size} fields; the limit is ${limit}`);
  }

  #typeNamed(type: string, options: AdmissionOptions): DeclaredType | undefined {
    if (typeof type !== "string") throw new FactError("E201", "the type of a fact must be a string");
    this.refuseGuarded(type, options);
    const declared = this.#declared.get(type) ?? this.#declare(type);
    if (declared === undefined) this.#refuseUnknownType(type);
    return declared;
  }

  /** Prepares a declared type when its first fact comes; returns undefined when it is not declared. */
  #declare(type: string): DeclaredType | undefined {
    const schema = this.#schema.types.get(type);
    if (schema === undefined) return undefined;
    const declared = new DeclaredType(schema, this.#schema, this.#shapes.of(type), this.#copier);
    this.#declared.set(type, declared);
    return declared;
  }

  #refuseUnknownType(type: string): void {
    if (this.#schema.open) {
      if (this.#shapes.find(type) !== undefined || isTypeName(type)) return;
      throw new FactError("E201", `invalid type name ${quote(type)}`, "use letters, digits and _");
    }
    const meant = nearest(type, this.#schema.types.keys());
    throw new FactError("E201", `unknown type ${quote(type)}`, didYouMean(meant));
  }

  /** Returns the names of the fields, and prepares to copy them; throws when they are no object, or too many. */
  #checkedNames(type: string, data: unknown): readonly string[] {
    if (typeof data !== "object" || data === null || Array.isArray(data)) {
      throw new FactError("E407", `the fields of ${type} must be an object`, 'such as { name: "Ann" }');
    }
    const names = Object.keys(data);
    this.refuseManyFields(names.length);
    this.#copier.begin();
    return names;
  }

  #admitOpen(type: string, fields: Fields): Admitted {
    const read = readOpen(type, fields, this.#copier);
    const shape = this.#shapes.of(type);
    return { shape, values: openValues(shape, read, this.#limits.fields), id: undefined };
  }
}

type Guarded = ReadonlyMap<string, "engine" | "policy">;

/** What `guardedTypes` found, once for each schema: all sessions of a program have the same one. */
const guardedBySchema = new WeakMap<Schema, Guarded>();

function guardedTypes(schema: Schema): Guarded {
  const known = guardedBySchema.get(schema);
  if (known !== undefined) return known;
  const guarded = new Map<string, "engine" | "policy">();
  guardedBySchema.set(schema, guarded);
  for (const type of schema.types.values()) {
    if (type.engineKept) guarded.set(type.name, "engine");
    else if (type.protected === true) guarded.set(type.name, "policy");
  }
  return guarded;
}

function protectedType(type: string): FactError {
  const hint = 'write it in the program or in a --policy file; in the library, pass { role: "policy" }';
  return new FactError("E411", `${type} is a protected type: only the program and policy facts can write it`, hint);
}

function recordOf({ names, values }: FieldValues): Fields {
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

/** Whether the language could have written this name: names from a host are not trusted. */
function isTypeName(type: string): boolean {
  refuseReserved(type);
  return /^[\p{L}_][\p{L}\p{N}\p{M}_'-]*$/u.test(type);
}
