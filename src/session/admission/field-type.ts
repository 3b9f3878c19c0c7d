/** Checks that a copied value has the declared type of its field, and turns references into ids. */
import { keyedId } from "../../base/identity.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import { isTimeKind, readTime, type TimeKind, timeText } from "../../base/time.ts";
import type { Value } from "../../base/value.ts";
import { FactError } from "../errors.ts";
import { must, unreachable } from "../../base/invariant.ts";
import { fitItems, fitRecord } from "./record-values.ts";
import {
  describeType,
  type FieldSchema,
  holdsRecord,
  plainKeyOf,
  recordOf,
  type Schema,
  type SchemaType,
} from "./schema.ts";

/** Returns the value as it is stored; throws E407 when it does not have the type. */
export function fit(schema: Schema, where: string, wanted: SchemaType, value: Value): Value {
  switch (wanted.kind) {
    case "any":
      return value;
    case "string":
      return typeof value === "string" ? value : wrongType(where, wanted, value);
    case "number":
      return typeof value === "number" ? value : wrongType(where, wanted, value);
    case "bool":
      return typeof value === "boolean" ? value : wrongType(where, wanted, value);
    case "union":
      return isPlain(value, wanted.options) ? option(where, wanted.options, value) : wrongType(where, wanted, value);
    case "date":
    case "instant":
    case "duration":
      return time(where, wanted.kind, value);
    case "list":
      return list(schema, where, wanted, value);
    case "ref":
      return reference(schema, where, wanted.type, value);
    case "record":
      return record(schema, where, wanted, value);
    default:
      return unreachable(wanted);
  }
}

type Option = string | number;

/** Returns whether a value is of the kind of the options: all of them are strings, or all are numbers. */
function isPlain(value: Value, [first]: readonly Option[]): value is Option {
  return (typeof value === "string" || typeof value === "number") && typeof value === typeof first;
}

function option(where: string, options: readonly Option[], value: Option): Option {
  if (options.includes(value)) return value;
  const words = describeType({ kind: "union", options });
  const meant = nearest(
    String(value),
    options.filter((one) => typeof one === "string"),
  );
  const found = typeof value === "string" ? quote(value) : String(value);
  throw new FactError("E407", `${where} must be ${words}, found ${found}`, didYouMean(meant));
}

/** Returns the number of a time that is given as text. */
function time(where: string, kind: TimeKind, value: Value): number {
  if (typeof value !== "string") {
    const hint = `pass ISO 8601 text, such as "${TIME_EXAMPLES[kind]}"${typeof value === "number" ? "; a number does not say its unit" : ""}`;
    return wrongType(where, { kind }, value, hint);
  }
  const read = readTime(kind, value);
  if ("value" in read) return read.value;
  throw new FactError("E407", `${where} must be ${describeType({ kind })}, but ${quote(value)} ${read.fault}`);
}

const TIME_EXAMPLES: Readonly<Record<TimeKind, string>> = {
  date: "2026-11-16",
  instant: "2026-11-16T09:30:00Z",
  duration: "PT15M",
};

function list(schema: Schema, where: string, wanted: SchemaType & { kind: "list" }, value: Value): Value {
  if (!Array.isArray(value)) return wrongType(where, wanted, value);
  const items = value as readonly Value[];
  const fitted = holdsRecord(wanted.item)
    ? fitItems(items, (item, index) => fit(schema, `${where}[${index}]`, wanted.item, item))
    : items.map((item) => fit(schema, where, wanted.item, item));
  return fitted.every((item, index) => item === items[index]) ? value : Object.freeze(fitted);
}

function record(schema: Schema, where: string, wanted: SchemaType & { kind: "record" }, value: Value): Value {
  const declared = must(recordOf(schema, wanted), `the record ${wanted.name}`);
  if (typeof value !== "object" || Array.isArray(value)) {
    const hint = `pass an object with its fields: ${declared.fields.map(({ name }) => name).join(", ")}`;
    return wrongType(where, wanted, value, hint);
  }
  const given = value as Readonly<Record<string, Value>>;
  return fitRecord(where, declared, given, (at, field, inner) => fit(schema, at, field.type, inner));
}

/**
 * Returns the id that a reference stands for: it is an id, or a key where the type has one key. A string that begins with the
 * name of a declared type and `~` is an id.
 */
function reference(schema: Schema, where: string, type: string, value: Value): string {
  const wanted: SchemaType = { kind: "ref", type };
  if (typeof value === "string") {
    const found = typeOfId(value);
    if (found === type) return value;
    if (found !== undefined && schema.types.has(found)) {
      throw new FactError("E407", `${where} must be ${type}, found ${found}`);
    }
  }
  const key = plainKeyOf(schema, type);
  if (key !== undefined && isTimeKind(key.type.kind)) {
    return keyedId(type, [timeText(key.type.kind, time(where, key.type.kind, value))]);
  }
  if (key !== undefined && typeof value !== "object" && typeof value === keyKind(key)) return keyedId(type, [value]);
  return wrongType(where, wanted, value, `pass the id of a fact, such as "${type}~…"`);
}

/** Returns the type in an id; undefined when the string is no id. */
function typeOfId(id: string): string | undefined {
  const end = id.indexOf("~");
  return end <= 0 ? undefined : id.slice(0, end);
}

function keyKind(key: FieldSchema): "string" | "number" | "boolean" {
  if (key.type.kind === "number") return "number";
  if (key.type.kind === "union") return typeof key.type.options[0] === "number" ? "number" : "string";
  return key.type.kind === "bool" ? "boolean" : "string";
}

function wrongType(where: string, wanted: SchemaType, value: Value, hint?: string): never {
  throw new FactError("E407", `${where} must be ${describeType(wanted)}, found ${found(value)}`, hint);
}

function found(value: Value): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "number";
    case "boolean":
      return "bool";
    default:
      return Array.isArray(value) ? "list" : "object";
  }
}

const SHOWN = 60;

/** Returns a string in quotes, cut after 60 characters so that no message grows with the data. */
export function quote(text: string): string {
  return text.length > SHOWN ? `${JSON.stringify(text.slice(0, SHOWN))}…` : JSON.stringify(text);
}
