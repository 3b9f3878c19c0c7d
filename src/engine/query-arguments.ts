/** The arguments of a query, checked by the declared types of its parameters. */
import type { Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import { fit } from "../session/admission/field-type.ts";
import type { Program } from "./program.ts";
import { plainArgument, unknownParameter } from "./plain-arguments.ts";
import { schemaType } from "./schema.ts";

/** Returns values by name; null for a parameter that is left out. Throws E205 for another name, E407 for a wrong type. */
export function queryArguments(
  program: Program,
  query: ast.QueryDecl,
  args: Readonly<Record<string, unknown>>,
): Map<string, Value | null> {
  const names = query.params.map(({ name }) => name.name);
  const values = new Map<string, Value | null>();
  for (const [name, value] of Object.entries(args)) {
    if (!names.includes(name)) throw unknownParameter(query.name.name, name, names);
    values.set(name, fittedArgument(program, query, name, value));
  }
  return values;
}

/** Returns the value of a parameter: a reference as an id, whether it is given as a handle, an id or a key. */
export function fittedArgument(program: Program, query: ast.QueryDecl, name: string, value: unknown): Value | null {
  const plain = plainArgument(value);
  const param = query.params.find((one) => one.name.name === name);
  if (plain === null || param === undefined) return plain;
  const type = schemaType(program.checked.symbols.typeOfRef(param.type));
  return fit(program.data().schema, `parameter "${name}" of query "${query.name.name}"`, type, plain);
}
