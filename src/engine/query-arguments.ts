/** The arguments of a query, checked by the declared types of its parameters. */
import type { Value } from "../base/value.ts";
import { SessionError } from "../base/session-error.ts";
import { fit } from "../session/admission/field-type.ts";
import type { Schema } from "../session/admission/schema.ts";
import { plainArgument, unknownParameter } from "./plain-arguments.ts";
import type { QuerySignature } from "./question-plans.ts";

/** Returns values by name: the default of a parameter that is not given, and null for one that is given as null. Throws E205 for another name, E407 for a wrong type. */
export function queryArguments(
  schema: Schema,
  query: QuerySignature,
  args: Readonly<Record<string, unknown>>,
): Map<string, Value | null> {
  const names = query.params.map(({ name }) => name);
  if (typeof args !== "object" || (args as unknown) === null) throw notArguments(query.name, names);
  const values = defaultsOf(schema, query);
  for (const [name, value] of Object.entries(args)) {
    if (!names.includes(name)) throw unknownParameter(query.name, name, names);
    if (value !== undefined || !values.has(name)) values.set(name, fittedArgument(schema, query, name, value));
  }
  return values;
}

/** Returns the defaults of parameters, by name. */
function defaultsOf(schema: Schema, query: QuerySignature): Map<string, Value | null> {
  const values = new Map<string, Value | null>();
  for (const { name, default: value } of query.params) {
    if (value !== undefined) values.set(name, fittedArgument(schema, query, name, value));
  }
  return values;
}

/** Returns the value of a parameter: a reference as an id, whether it is given as a handle, an id or a key. */
export function fittedArgument(schema: Schema, query: QuerySignature, name: string, value: unknown): Value | null {
  const plain = plainArgument(value);
  const param = query.params.find((one) => one.name === name);
  if (plain === null || param === undefined) return plain;
  return fit(schema, `parameter "${name}" of query "${query.name}"`, param.type, plain);
}

function notArguments(query: string, names: readonly string[]): SessionError {
  const hint = names.length === 0 ? "this query has no parameters" : `its parameters: ${names.join(", ")}`;
  return new SessionError("E407", `the arguments of query "${query}" must be an object`, hint);
}
