/**
 * Checks the values of records: objects with the declared fields. All mistakes of a value are found at once.
 *
 * A stored record has its fields in declared order, with defaults filled in and nothing else. A time in it is ISO 8601 text, as
 * outside the engine: the expression that reads the field makes it a number.
 */
import { didYouMean, nearest } from "../../base/nearest.ts";
import { timeTexts } from "../../base/time.ts";
import type { Value } from "../../base/value.ts";
import { FactError } from "../errors.ts";
import { type FieldSchema, type RecordSchema, timeKindOf } from "./schema.ts";

/** Where in the value of a field something is: names of fields, and places in lists. */
type ValuePath = readonly (string | number)[];

/** A mistake inside a value. */
export interface ValueMistake {
  readonly error: FactError;
  readonly path: ValuePath;
}

type Fields = Readonly<Record<string, Value>>;

/** Returns the value of a field as it is stored; throws when it does not have its type. */
type Fit = (where: string, field: FieldSchema, value: Value) => Value;

/** Returns the record as it is stored; throws all of its mistakes as one. */
export function fitRecord(where: string, record: RecordSchema, given: Fields, fit: Fit): Value {
  const mistakes: ValueMistake[] = [];
  const stored: [string, Value][] = [];
  for (const field of record.fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : field.default;
    if (value === undefined) continue;
    attempt(mistakes, field.name, () =>
      stored.push([field.name, storedIn(field, fit(`${where}.${field.name}`, field, value))]),
    );
  }
  mistakes.push(...unknownFields(where, record, given), ...missingFields(where, record, given));
  throwAll(mistakes);
  return Object.freeze(Object.fromEntries(stored));
}

/** Returns the items of a list as they are stored; throws all of their mistakes as one. */
export function fitItems(items: readonly Value[], fit: (item: Value, index: number) => Value): Value[] {
  const mistakes: ValueMistake[] = [];
  const stored: Value[] = [];
  for (const [index, item] of items.entries()) attempt(mistakes, index, () => stored.push(fit(item, index)));
  throwAll(mistakes);
  return stored;
}

function storedIn({ type }: FieldSchema, fitted: Value): Value {
  const kind = timeKindOf(type);
  return kind === undefined ? fitted : (timeTexts(kind, fitted) ?? fitted);
}

function unknownFields(where: string, { name, fields, more }: RecordSchema, given: Fields): ValueMistake[] {
  if (more) return [];
  const known = fields.map((field) => field.name);
  return Object.keys(given)
    .filter((one) => !known.includes(one))
    .map((one) => {
      const hint = didYouMean(nearest(one, known)) ?? `fields: ${known.join(", ")}`;
      const message = `${where} is ${name}, which has no field ${JSON.stringify(one.slice(0, SHOWN))}`;
      return { error: new FactError("E401", message, hint), path: [one] };
    });
}

/** A mistyped field is one mistake: the field it was meant to be does not count as missing too. */
function missingFields(where: string, { name, fields }: RecordSchema, given: Fields): ValueMistake[] {
  const known = fields.map((field) => field.name);
  const meant = new Set(Object.keys(given).map((one) => (known.includes(one) ? one : nearest(one, known))));
  const missing = fields.filter((field) => !field.optional && field.default === undefined && !meant.has(field.name));
  if (missing.length === 0) return [];
  const names = missing.map((field) => `"${field.name}"`).join(", ");
  const message = `${where} is ${name}, and lacks the required ${missing.length === 1 ? "field" : "fields"} ${names}`;
  const hint = "add a value, or declare the field optional (?) or with a default";
  return [{ error: new FactError("E402", message, hint), path: [] }];
}

const SHOWN = 60;

function attempt(mistakes: ValueMistake[], step: string | number, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof FactError)) throw error;
    for (const { error: inner, path } of mistakesOf(error)) mistakes.push({ error: inner, path: [step, ...path] });
  }
}

// ---------------------------------------------------------------- several mistakes

const parts = new WeakMap<FactError, readonly ValueMistake[]>();

/** Returns the mistakes that an error stands for: itself, or those inside a record or list. */
export function mistakesOf(error: FactError): readonly ValueMistake[] {
  return parts.get(error) ?? [{ error, path: [] }];
}

/** Throws one error for several mistakes: it has the code and the hint of the first, and names the others. */
function throwAll(mistakes: readonly ValueMistake[]): void {
  const [first, ...others] = mistakes;
  if (first === undefined) return;
  const shown = others.slice(0, MOST_SHOWN).map(({ error }) => error.message);
  if (others.length > MOST_SHOWN) shown.push(`${others.length - MOST_SHOWN} more`);
  const { code, message, hint } = first.error;
  const all = new FactError(code, [message, ...shown].join("; "), hint);
  parts.set(all, mistakes);
  throw all;
}

const MOST_SHOWN = 9;
