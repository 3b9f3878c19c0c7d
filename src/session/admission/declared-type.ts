/** Lets in the facts of one declared type. Everything that does not depend on the fact is worked out once. */
import { keyedId, singleKeyedId } from "../../base/identity.ts";
import { nearest } from "../../base/nearest.ts";
import { type Maybe, same } from "../../base/value.ts";
import type { Changes, Shape } from "../../rete/fact.ts";
import type { FieldValues } from "../../rete/production.ts";
import { didYouMean, FactError } from "../errors.ts";
import { fit, quote } from "./field-type.ts";
import { refuseReserved, type ValueCopier } from "./host-value.ts";
import type { FieldSchema, Schema, SchemaType, TypeSchema } from "./schema.ts";

type Given = Readonly<Record<string, unknown>>;

interface Slotted {
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
  readonly #fields: ReadonlyMap<string, Slotted>;
  readonly #keys: readonly Slotted[];
  readonly #required: readonly Slotted[];
  /** The values of a fact for which nothing was given, with and without defaults. */
  readonly #defaults: readonly Maybe[];
  readonly #blank: readonly Maybe[];
  /** The fields in the order in which the last fact gave them: mostly the next fact gives them so too. */
  readonly #usual: Slotted[] = [];

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

  /** The values of a new fact by slot. */
  admit(given: Given, names: readonly string[], withDefaults: boolean): Maybe[] {
    const values = (withDefaults ? this.#defaults : this.#blank).slice();
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      this.#put(values, index, name, given[name]);
    }
    this.#refuseLacking(values);
    return values;
  }

  /** The same, where names and values are given beside each other. */
  admitNamed({ names, values: given }: FieldValues): Maybe[] {
    const values = this.#defaults.slice();
    for (let index = 0; index < names.length; index++) this.#put(values, index, names[index] as string, given[index]);
    this.#refuseLacking(values);
    return values;
  }

  /** Undefined for a type without keys. */
  idOf(values: readonly Maybe[]): string | undefined {
    const [first] = this.#keys;
    if (first === undefined) return undefined;
    if (this.#keys.length === 1) return singleKeyedId(this.#name, keyValue(first.where, values[first.slot]));
    return keyedId(
      this.#name,
      this.#keys.map(({ slot, where }) => keyValue(where, values[slot])),
    );
  }

  /** The id that the given fields speak of, others being left out; undefined when they do not say. */
  idFor(given: Given): string | undefined {
    const keys = this.#keys.map((one) => this.#read(one, given[one.field.name]) ?? one.field.default);
    if (keys.length === 0 || keys.includes(undefined)) return undefined;
    return keyedId(
      this.#name,
      keys.map((value) => keyValue(this.#name, value)),
    );
  }

  /** What is given and differs from the values of now. */
  changes(now: readonly Maybe[], given: Given): Changes {
    const names = Object.keys(given);
    return this.namedChanges(now, { names, values: names.map((name) => given[name]) });
  }

  /** The same, where names and values are given beside each other. */
  namedChanges(
    now: readonly Maybe[],
    { names, values: given }: { readonly names: readonly string[]; readonly values: readonly unknown[] },
  ): Changes {
    let slots: readonly number[] = [];
    let values: Maybe[] = [];
    for (let index = 0; index < names.length; index++) {
      const one = this.#field(names[index] as string);
      const value = this.#readQuickly(one, given[index]) ?? this.#cleared(one);
      if (same(value, now[one.slot])) continue;
      if (one.field.key) throw keyChanged(one.where);
      slots = slots.length === 0 ? [one.slot] : [...slots, one.slot];
      values = values.length === 0 ? [value] : [...values, value];
    }
    return { slots, values };
  }

  #put(values: Maybe[], index: number, name: string, given: unknown): void {
    const usual = this.#usual;
    let one = usual[index];
    if (one === undefined || one.name !== name) usual[index] = one = this.#field(name);
    const value = this.#readQuickly(one, given);
    if (value !== undefined) values[one.slot] = value;
  }

  #refuseLacking(values: readonly Maybe[]): void {
    const required = this.#required;
    for (let index = 0; index < required.length; index++) {
      if (values[(required[index] as Slotted).slot] === undefined) throw this.#lacking(values);
    }
  }

  /** Plain texts and numbers where they are wanted need no other look. */
  #readQuickly(one: Slotted, given: unknown): Maybe {
    const { kind } = one;
    if (typeof given === "number") {
      if (kind === "number" && Number.isFinite(given)) return given === 0 ? 0 : given;
    } else if (typeof given === "string") {
      if (kind === "string" && this.#copier.isGoodText(given)) return given;
    }
    return this.#read(one, given);
  }

  #read({ field, where }: Slotted, given: unknown): Maybe {
    const value = this.#copier.copy(where, given);
    return value === undefined ? undefined : fit(this.#schema, where, field.type, value);
  }

  /** A required field that is cleared falls back to its default, and cannot be cleared without one. */
  #cleared({ field }: Slotted): Maybe {
    if (field.optional && !field.key) return undefined;
    if (field.default === undefined) throw lacking(this.#name, [field.name]);
    return field.default;
  }

  #field(name: string): Slotted {
    const field = this.#fields.get(name);
    if (field !== undefined) return field;
    refuseReserved(name);
    const known = this.#fields.keys();
    const hint = didYouMean(nearest(name, known)) ?? `fields: ${[...this.#fields.keys()].join(", ")}`;
    throw new FactError("E401", `${this.#name} has no field ${quote(name)}`, hint);
  }

  #lacking(values: readonly Maybe[]): FactError {
    const missing = this.#required.filter(({ slot }) => values[slot] === undefined);
    return lacking(
      this.#name,
      missing.map(({ field }) => field.name),
    );
  }
}

function lacking(type: string, missing: readonly string[]): FactError {
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
