/** Admits the facts of one declared type. What does not depend on the fact is computed once. */
import { keyedId, singleKeyedId } from "../../base/identity.ts";
import { nearest } from "../../base/nearest.ts";
import { type Maybe, same } from "../../base/value.ts";
import type { Changes, Shape } from "../../rete/fact.ts";
import type { FieldValues } from "../../rete/production.ts";
import { didYouMean, FactError } from "../errors.ts";
import { fit, quote } from "./field-type.ts";
import { refuseReserved, type ValueCopier } from "./host-value.ts";
import type { FieldSchema, Schema, SchemaType, TypeSchema } from "./schema.ts";

type Fields = Readonly<Record<string, unknown>>;

interface SlottedField {
  readonly field: FieldSchema;
  readonly name: string;
  readonly kind: SchemaType["kind"];
  readonly slot: number;
  /** How messages call the field: `Person.age`. */
  readonly where: string;
}

export class DeclaredType {
  readonly shape: Shape;
  readonly #name: string;
  readonly #schema: Schema;
  readonly #copier: ValueCopier;
  readonly #fields: ReadonlyMap<string, SlottedField>;
  readonly #keys: readonly SlottedField[];
  readonly #required: readonly SlottedField[];
  /** The values of a fact without fields, with and without defaults. */
  readonly #defaults: readonly Maybe[];
  readonly #blank: readonly Maybe[];
  /** The fields in the order of the last fact, checked first for the next: facts of one source name them in the same order. */
  readonly #lastOrder: SlottedField[] = [];

  constructor(type: TypeSchema, schema: Schema, shape: Shape, copier: ValueCopier) {
    const fields = type.fields.map((field) => ({
      field,
      name: field.name,
      kind: field.type.kind,
      slot: shape.slot(field.name),
      where: `${type.name}.${field.name}`,
    }));
    this.shape = shape;
    this.#name = type.name;
    this.#schema = schema;
    this.#copier = copier;
    this.#fields = new Map(fields.map((one) => [one.field.name, one]));
    this.#keys = fields.filter(({ field }) => field.key);
    this.#required = fields.filter(({ field }) => field.key || !field.optional);
    this.#blank = shape.fields.map(() => undefined);
    this.#defaults = shape.fields.map((name) => this.#fields.get(name)?.field.default);
  }

  /** Returns the values of a new fact by slot. */
  admit(fields: Fields, names: readonly string[], withDefaults: boolean): Maybe[] {
    const values = (withDefaults ? this.#defaults : this.#blank).slice();
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      this.#put(values, index, name, fields[name]);
    }
    this.#refuseMissing(values);
    return values;
  }

  /** Returns the values of a new fact of an action by slot. */
  admitNamed({ names, values: data }: FieldValues): Maybe[] {
    const values = this.#defaults.slice();
    for (let index = 0; index < names.length; index++) this.#put(values, index, names[index] as string, data[index]);
    this.#refuseMissing(values);
    return values;
  }

  /** Returns the id of a fact with these values; undefined for a type without keys. */
  idOf(values: readonly Maybe[]): string | undefined {
    const [first] = this.#keys;
    if (first === undefined) return undefined;
    if (this.#keys.length === 1) return singleKeyedId(this.#name, keyValue(first.where, values[first.slot]));
    return keyedId(
      this.#name,
      this.#keys.map(({ slot, where }) => keyValue(where, values[slot])),
    );
  }

  /** Returns the id of a fact with these fields; undefined when a key is missing, and for a type without keys. */
  idFor(fields: Fields): string | undefined {
    const keys = this.#keys.map((one) => this.#read(one, fields[one.field.name]) ?? one.field.default);
    if (keys.length === 0 || keys.includes(undefined)) return undefined;
    return keyedId(
      this.#name,
      keys.map((value) => keyValue(this.#name, value)),
    );
  }

  /** Returns the fields that differ from the values `now`. */
  changes(now: readonly Maybe[], fields: Fields): Changes {
    const names = Object.keys(fields);
    return this.namedChanges(now, { names, values: names.map((name) => fields[name]) });
  }

  /** Returns the fields that differ from the values `now`, from a list of names and a list of values. */
  namedChanges(
    now: readonly Maybe[],
    { names, values: data }: { readonly names: readonly string[]; readonly values: readonly unknown[] },
  ): Changes {
    let slots: readonly number[] = [];
    let values: Maybe[] = [];
    for (let index = 0; index < names.length; index++) {
      const one = this.#field(names[index] as string);
      const value = this.#readQuickly(one, data[index]) ?? this.#cleared(one);
      if (same(value, now[one.slot])) continue;
      if (one.field.key) throw keyChanged(one.where);
      slots = slots.length === 0 ? [one.slot] : [...slots, one.slot];
      values = values.length === 0 ? [value] : [...values, value];
    }
    return { slots, values };
  }

  #put(values: Maybe[], index: number, name: string, data: unknown): void {
    const lastOrder = this.#lastOrder;
    let one = lastOrder[index];
    if (one === undefined || one.name !== name) lastOrder[index] = one = this.#field(name);
    const value = this.#readQuickly(one, data);
    if (value !== undefined) values[one.slot] = value;
  }

  #refuseMissing(values: readonly Maybe[]): void {
    const required = this.#required;
    for (let index = 0; index < required.length; index++) {
      if (values[(required[index] as SlottedField).slot] === undefined) throw this.#missingFields(values);
    }
  }

  /** Reads strings and numbers of the declared type directly, and everything else in full. */
  #readQuickly(one: SlottedField, data: unknown): Maybe {
    const { kind } = one;
    if (typeof data === "number") {
      if (kind === "number" && Number.isFinite(data)) return data === 0 ? 0 : data;
    } else if (typeof data === "string") {
      if (kind === "string" && this.#copier.isValidText(data)) return data;
    }
    return this.#read(one, data);
  }

  #read({ field, where }: SlottedField, data: unknown): Maybe {
    const value = this.#copier.copy(where, data);
    return value === undefined ? undefined : fit(this.#schema, where, field.type, value);
  }

  /** Returns the value of a field that is cleared: its default, if it is required. Throws E402 when it has none. */
  #cleared({ field }: SlottedField): Maybe {
    if (field.optional && !field.key) return undefined;
    if (field.default === undefined) throw missingError(this.#name, [field.name]);
    return field.default;
  }

  #field(name: string): SlottedField {
    const field = this.#fields.get(name);
    if (field !== undefined) return field;
    refuseReserved(name);
    const known = this.#fields.keys();
    const hint = didYouMean(nearest(name, known)) ?? `fields: ${[...this.#fields.keys()].join(", ")}`;
    throw new FactError("E401", `${this.#name} has no field ${quote(name)}`, hint);
  }

  #missingFields(values: readonly Maybe[]): FactError {
    const missing = this.#required.filter(({ slot }) => values[slot] === undefined);
    return missingError(
      this.#name,
      missing.map(({ field }) => field.name),
    );
  }
}

function missingError(type: string, missing: readonly string[]): FactError {
  const names = missing.map((name) => `"${name}"`).join(", ");
  const message = `${type} is missing the required ${missing.length === 1 ? "field" : "fields"} ${names}`;
  return new FactError("E402", message, "add a value, or declare the field optional (?) or with a default");
}

function keyValue(where: string, value: Maybe): string | number | boolean {
  if (value !== undefined && typeof value !== "object") return value;
  throw new FactError("E407", `${where} is a key and cannot be a list or an object`);
}

function keyChanged(where: string): FactError {
  const hint = "retract the fact and assert a new one";
  return new FactError("E412", `${where} is a key and cannot be updated`, hint);
}
