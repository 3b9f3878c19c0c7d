/** The values of query parameters that a user types, read by the declared type of each parameter. */
import { type FactRef, type RuleSession, SessionError, type Value } from "../../index.ts";
import { subjectNamed } from "../subject.ts";
import type { Question } from "./answer.ts";

type Symbols = RuleSession["program"]["checked"]["symbols"];
type Type = ReturnType<Symbols["typeOfRef"]>;

/** Returns values for the parameters of a query; the session finds the facts of its variables. */
export function queryValues(
  session: RuleSession,
  query: string,
  bindings: Question["bindings"],
): Record<string, FactRef | Value> {
  const { queries } = session.program.checked.symbols;
  const params = queries.get(query)?.decl.params ?? [];
  return Object.fromEntries(
    Object.entries(bindings).map(([name, text]) => {
      const param = params.find((one) => one.name.name === name);
      if (param === undefined) return [name, text];
      const type = session.program.checked.symbols.typeOfRef(param.type);
      return [name, read(session, { query, name, type }, text)];
    }),
  );
}

interface Parameter {
  readonly query: string;
  readonly name: string;
  readonly type: Type;
}

function read(session: RuleSession, param: Parameter, text: string): Value {
  const { type } = param;
  switch (type.kind) {
    case "string":
    case "date":
    case "instant":
    case "duration":
    case "months":
      return text;
    case "union":
      return typeof type.options[0] !== "number" ? text : asNumber(param, text);
    case "number":
      return asNumber(param, text);
    case "bool":
      return text === "true" || text === "false" ? text === "true" : wrong(param, "true or false", text);
    case "fact":
      return subjectNamed(session, type.type, text) ?? text;
    case "list":
      return asJson(text, (value) => Array.isArray(value)) ?? wrong(param, 'a list in JSON, such as ["a", "b"]', text);
    case "record":
      return asJson(text, isObject) ?? wrong(param, 'an object in JSON, such as {"name": "Ann"}', text);
    case "any":
      return asJson(text, (value) => typeof value !== "object" || value !== null) ?? text;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

function asNumber(param: Parameter, text: string): number {
  return NUMBER.test(text) ? Number(text) : wrong(param, "a number", text);
}

/** Returns the value of a JSON text; undefined when it is none, or not of the right kind. */
function asJson(text: string, fits: (value: unknown) => boolean): Value | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}

function wrong({ query, name }: Parameter, expected: string, text: string): never {
  throw new SessionError("E407", `parameter "${name}" of query "${query}" must be ${expected}, found "${text}"`);
}
