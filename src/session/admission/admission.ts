/**
 * The door of working memory: host data comes in, values in slots come out, or a FactError.
 *
 * Nothing is changed before everything has been checked; in an open program a type gets the slots of new fields last.
 */
import type { Limits } from "../../base/limits.ts";
import { nearest } from "../../base/nearest.ts";
import type { Maybe } from "../../base/value.ts";
import type { Changes, Shape } from "../../rete/fact.ts";
import type { FieldValues } from "../../rete/production.ts";
import { DeclaredType } from "./declared-type.ts";
import { didYouMean, FactError } from "../errors.ts";
import { quote } from "./field-type.ts";
import { refuseReserved, ValueCopier } from "./host-value.ts";
import { openChanges, openValues, readOpen } from "./open-type.ts";
import type { Schema } from "./schema.ts";
import type { Shapes } from "./shapes.ts";

/** `policy` may write facts of protected types: the program itself, and hosts that say so. */
export type Role = "policy";

export interface AdmissionOptions {
  /** Facts of engine-kept types may be written. */
  readonly byEngine?: boolean;
  readonly role?: Role | undefined;
  /** A restored fact does not get defaults again for fields that were cleared. */
  readonly withoutDefaults?: boolean;
}

/** Values that were let in; the id is missing for a type without keys. */
export interface Admitted {
  readonly shape: Shape;
  readonly values: Maybe[];
  readonly id: string | undefined;
}

type Given = Readonly<Record<string, unknown>>;

const HOST: AdmissionOptions = {};

export class Admission {
  readonly #schema: Schema;
  readonly #shapes: Shapes;
  readonly #limits: Limits;
  readonly #copier: ValueCopier;
  /** Types whose facts not everybody may write. */
  readonly #guarded: ReadonlyMap<string, "engine" | "policy">;
  readonly #declared: ReadonlyMap<string, DeclaredType>;
  /** The names of the fields that were given last. */
  #names: readonly string[] = [];

  constructor(schema: Schema, shapes: Shapes, limits: Limits) {
    this.#schema = schema;
    this.#shapes = shapes;
    this.#limits = limits;
    this.#copier = new ValueCopier(limits);
    shapes.declare(schema);
    this.#guarded = guardedTypes(schema);
    this.#declared = new Map(
      [...schema.types.values()].map((type) => [
        type.name,
        new DeclaredType(type, schema, shapes.of(type.name), this.#copier),
      ]),
    );
  }

  /** The values of a new fact. */
  admit(type: string, data: unknown, how: AdmissionOptions = HOST): Admitted {
    const declared = this.#typeNamed(type, how);
    const given = this.#fieldsOf(type, data);
    if (declared === undefined) return this.#admitOpen(type, given);
    const values = declared.admit(given, this.#names, how.withoutDefaults !== true);
    return { shape: declared.shape, values, id: declared.idOf(values) };
  }

  /** The same for the fields that an action wants. */
  admitNamed(type: string, fields: FieldValues, how: AdmissionOptions = HOST): Admitted {
    const declared = this.#typeNamed(type, how);
    if (declared === undefined) return this.#admitOpen(type, this.#fieldsOf(type, recordOf(fields)));
    this.#copier.begin();
    const values = declared.admitNamed(fields);
    return { shape: declared.shape, values, id: declared.idOf(values) };
  }

  /** The changes that an update makes to the values of a fact: only those that differ. */
  admitChanges(type: string, now: readonly Maybe[], data: unknown, how: AdmissionOptions = HOST): Changes {
    const declared = this.#typeNamed(type, how);
    const given = this.#fieldsOf(type, data);
    if (declared !== undefined) return declared.changes(now, given);
    return openChanges(this.#shapes.of(type), now, readOpen(type, given, this.#copier), this.#limits.fields);
  }

  /** The same for the fields that an action wants. */
  admitNamedChanges(type: string, now: readonly Maybe[], fields: FieldValues, how: AdmissionOptions = HOST): Changes {
    const declared = this.#typeNamed(type, how);
    if (declared === undefined) return this.admitChanges(type, now, recordOf(fields), how);
    this.#copier.begin();
    return declared.namedChanges(now, fields);
  }

  /** The id that these fields give; undefined for a type without keys. Used by `upsert`. */
  idFor(type: string, data: unknown, how: AdmissionOptions = HOST): string | undefined {
    return this.#typeNamed(type, how)?.idFor(this.#fieldsOf(type, data));
  }

  /** Whether anybody may write facts of this type, in whatever role. */
  isUnguarded(type: string): boolean {
    return !this.#guarded.has(type);
  }

  /** Rules and hosts cannot write what the engine keeps; a host needs the policy role for what the program protects. */
  refuseGuarded(type: string, how: AdmissionOptions): void {
    const by = this.#guarded.get(type);
    if (by === undefined || how.byEngine === true || by === how.role) return;
    if (by === "policy") throw protectedType(type);
    const hint = "rules can match them but not change them";
    throw new FactError("E214", `facts of type ${type} are written by the engine`, hint);
  }

  refuseManyFields(size: number): void {
    const limit = this.#limits.fields;
    if (size > limit) throw new FactError("E306", `this fact has ${size} fields; the limit is ${limit}`);
  }

  #typeNamed(type: string, how: AdmissionOptions): DeclaredType | undefined {
    if (typeof type !== "string") throw new FactError("E201", "the type of a fact must be a string");
    this.refuseGuarded(type, how);
    const declared = this.#declared.get(type);
    if (declared === undefined) this.#refuseUnknownType(type);
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

  #fieldsOf(type: string, data: unknown): Given {
    if (typeof data !== "object" || data === null || Array.isArray(data)) {
      throw new FactError("E407", `the fields of ${type} must be an object`, 'such as { name: "Ann" }');
    }
    this.#names = Object.keys(data);
    this.refuseManyFields(this.#names.length);
    this.#copier.begin();
    return data as Given;
  }

  #admitOpen(type: string, given: Given): Admitted {
    const fields = readOpen(type, given, this.#copier);
    const shape = this.#shapes.of(type);
    return { shape, values: openValues(shape, fields, this.#limits.fields), id: undefined };
  }
}

function guardedTypes(schema: Schema): Map<string, "engine" | "policy"> {
  const guarded = new Map<string, "engine" | "policy">();
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

function recordOf({ names, values }: FieldValues): Given {
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

/** A name that the language could have written; texts from outside are not trusted to be one. */
function isTypeName(type: string): boolean {
  refuseReserved(type);
  return /^[\p{L}_][\p{L}\p{N}\p{M}_'-]*$/u.test(type);
}
