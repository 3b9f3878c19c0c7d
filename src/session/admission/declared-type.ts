/** Admits the facts of one declared type. What does not depend on the fact is computed once. */
import { idOfParts, keyPart } from "../../base/identity.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import { type TimeKind, timeText } from "../../base/time.ts";
import { type Maybe, same } from "../../base/value.ts";
import type { Changes, Shape } from "../../rete/fact.ts";
import type { FieldValues } from "../../rete/production.ts";
import { FactError } from "../errors.ts";
import { fit, quote } from "./field-type.ts";
import { refuseReserved, type ValueCopier } from "./host-value.ts";
import {
  type FieldSchema,
  holdsRecord,
  holdsTime,
  type Schema,
  type SchemaType,
  timeKindOf,
  type TypeSchema,
} from "./schema.ts";

type Fields = Readonly<Record<string, unknown>>;

interface SlottedField {
  readonly field: FieldSchema;
  readonly name: string;
  readonly kind: SchemaType["kind"];
  readonly slot: number;
  /** The kind of the times that it holds; undefined for most fields. */
  readonly time: TimeKind | undefined;
  /** Whether times are somewhere in its values. */
  readonly acceptsTimes: boolean;
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
  /** Whether further fields are ignored. */
  readonly #ignoresMore: boolean;
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
      time: timeKindOf(field.type),
      acceptsTimes: holdsTime(schema, field.type),
      where: `${type.name}.${field.name}`,
    }));
    this.shape = shape;
    this.#name = type.name;
    this.#ignoresMore = type.more === true;
    this.#schema = schema;
    this.#copier = copier;
    this.#fields = new Map(fields.map((one) => [one.field.name, one]));
    this.#keys = fields.filter(({ field }) => field.key);
    this.#required = fields.filter(({ field }) => field.key || !field.optional);
    this.#blank = shape.fields.map(() => undefined);
    this.#defaults = shape.fields.map((name) => storedDefault(schema, type.name, this.#fields.get(name)?.field));
  }

  /** Returns the values of a new fact by slot. */
  admit(fields: Fields, names: readonly string[], withDefaults: boolean): Maybe[] {
    const values = (withDefaults ? this.#defaults : this.#blank).slice();
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const one = this.#fieldAt(index, name);
      if (one !== undefined) this.#put(values, one, fields[name]);
    }
    this.#refuseMissing(values);
    return values;
  }

  /** Returns the values of a new fact of an action by slot. */
  admitNamed({ names, values: data }: FieldValues): Maybe[] {
    const values = this.#defaults.slice();
    for (let index = 0; index < names.length; index++) {
      const one = this.#fieldAt(index, names[index] as string);
      if (one !== undefined) this.#put(values, one, data[index]);
    }
    this.#refuseMissing(values);
    return values;
  }

  /** Returns the id of a fact with these values; undefined for a type without keys. */
  idOf(values: readonly Maybe[]): string | undefined {
    const [first] = this.#keys;
    if (first === undefined) return undefined;
    if (this.#keys.length === 1) return `${this.#name}~${keyPartOf(first, values[first.slot])}`;
    return idOfParts(
      this.#name,
      this.#keys.map((key) => keyPartOf(key, values[key.slot])),
    );
  }

  /** Returns the id of a fact with these fields; undefined when a key is missing, and for a type without keys. */
  idFor(fields: Fields): string | undefined {
    const keys = this.#keys.map((key) => ({ key, value: this.#read(key, fields[key.field.name]) }));
    if (keys.length === 0 || keys.some(({ value }) => value === undefined)) return undefined;
    return idOfParts(
      this.#name,
      keys.map(({ key, value }) => keyPartOf(key, value)),
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
      if (one === undefined) continue;
      const value = this.#readQuickly(one, data[index]) ?? this.#cleared(one);
      if (same(value, now[one.slot])) continue;
      if (one.field.key) throw keyChanged(one.where);
      slots = slots.length === 0 ? [one.slot] : [...slots, one.slot];
      values = values.length === 0 ? [value] : [...values, value];
    }
    return { slots, values };
  }

  /** Returns the field that a fact names at a place; undefined for one that is ignored. */
  #fieldAt(index: number, name: string): SlottedField | undefined {
    const last = this.#lastOrder[index];
    if (last !== undefined && last.name === name) return last;
    const one = this.#field(name);
    if (one !== undefined) this.#lastOrder[index] = one;
    return one;
  }

  #put(values: Maybe[], one: SlottedField, data: unknown): void {
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

  #read({ field, where, acceptsTimes }: SlottedField, data: unknown): Maybe {
    this.#copier.acceptsTimes = acceptsTimes;
    const value = this.#copier.copy(where, data);
    return value === undefined ? undefined : fit(this.#schema, where, field.type, value);
  }

  /** Returns the value of a field that is cleared: its default, if it is required. Throws E402 when it has none. */
  #cleared({ field }: SlottedField): Maybe {
    if (field.optional && !field.key) return undefined;
    if (field.default === undefined) throw missingError(this.#name, [field.name]);
    return storedDefault(this.#schema, this.#name, field);
  }

  /** Returns a field; undefined for one that is ignored. */
  #field(name: string): SlottedField | undefined {
    const field = this.#fields.get(name);
    if (field !== undefined) return field;
    refuseReserved(name);
    if (this.#ignoresMore) return undefined;
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

/** Returns the default of a field as it is stored. */
export function storedDefault(schema: Schema, type: string, field: FieldSchema | undefined): Maybe {
  if (field?.default === undefined || !(holdsTime(schema, field.type) || holdsRecord(field.type)))
    return field?.default;
  return fit(schema, `${type}.${field.name}`, field.type, field.default);
}

function keyPartOf({ where, kind, time }: SlottedField, value: Maybe): string {
  if (time !== undefined && typeof value === "number") return keyPart(timeText(time, value), false);
  if (kind === "ref" && typeof value === "string") return referencePart(where, value);
  if (value !== undefined && typeof value !== "object") return keyPart(value, false);
  throw new FactError("E407", `${where} is a key and cannot be a list or an object`);
}

/** A reference that can be no id of a fact is refused: with other keys it could stand for the id of another fact. */
function referencePart(where: string, id: string): string {
  const part = keyPart(id, true);
  if (!/[~_ ]/u.test(part)) return part;
  const hint = `write the key alone, or the id with ~, _ and spaces as %7E, %5F and %20`;
  throw new FactError("E407", `${where} is a key, and no fact has the id ${quote(id)}`, hint);
}

function keyChanged(where: string): FactError {
  const hint = "retract the fact and assert a new one";
  return new FactError("E412", `${where} is a key and cannot be updated`, hint);
}
