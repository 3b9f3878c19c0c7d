/** New facts that could help, with a value in every required field and a free id. */
import { isTimeKind, timeText } from "../../base/time.ts";
import type { Type } from "../../language/check/types.ts";
import { idOfParts, keyPart, keylessId } from "../../base/identity.ts";
import type { Value } from "../../base/value.ts";
import { isNumeric } from "../../language/check/types.ts";
import type { FactView } from "../../session/results.ts";
import { fieldOf } from "../read/field.ts";
import type { World } from "../read/world.ts";
import { type Domain, PLACEHOLDER } from "./domain.ts";

/** Returns a fact of a type with a value in every required field; undefined when one of them has nothing to refer to. */
export function freshFact(type: string, world: World, domain: Domain): FactView | undefined {
  const declared = world.context.program.symbols.type(type);
  const fields: Record<string, Value> = {};
  for (const field of declared?.fields.values() ?? []) {
    if (!field.key && (field.optional || field.hasDefault)) continue;
    const value = field.key ? freeKey(type, field.name, world, domain) : domain.plain(field.type, world);
    if (value === undefined) return undefined;
    fields[field.name] = value;
  }
  return { id: `${type}${DRAFT}`, type, fields };
}

/** The end of the id of a fact whose key is not known yet. */
const DRAFT = "~@new";

/** Returns whether a value is the id of a fact that is being made: nothing can refer to it. */
export function isDraft(value: Value): boolean {
  return typeof value === "string" && value.endsWith(DRAFT);
}

/** Returns the new fact of a type with the keys in an id, for a fact that others refer to; undefined without such keys. */
export function factWithId(id: string, draft: FactView, world: World): FactView | undefined {
  const { type } = draft;
  const declared = [...(world.context.program.symbols.type(type)?.fields.values() ?? [])].filter(({ key }) => key);
  const parts = id.slice(type.length + 1).split("_");
  if (declared.length === 0 || parts.length !== declared.length) return undefined;
  const keys = declared.map((field, index): [string, Value] => {
    const text = (parts[index] ?? "").replace(/%([0-9A-F]{2})/gu, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    return [field.name, isNumeric(field.type) ? Number(text) : field.type.kind === "bool" ? text === "true" : text];
  });
  const fact = withId({ ...draft, fields: { ...draft.fields, ...Object.fromEntries(keys) } }, world);
  return fact.id === id ? fact : undefined;
}

/** Returns a key that no fact of the type has. */
function freeKey(type: string, field: string, world: World, domain: Domain): Value | undefined {
  const declared = domain.field(type, field)?.type;
  const isFree = (key: Value): boolean => world.having(type, field, key).length === 0;
  if (declared?.kind === "union") return declared.options.find(isFree);
  if (declared?.kind === "fact") return world.ofType(declared.type).find(({ id }) => isFree(id))?.id;
  for (let n = 1; ; n++) {
    const key = numberedKey(declared, n);
    if (isFree(key)) return key;
  }
}

/** Returns the n-th of many different keys of a type. */
function numberedKey(type: Type | undefined, n: number): Value {
  if (type?.kind === "number") return n;
  if (type !== undefined && isTimeKind(type.kind)) return timeText(type.kind, n);
  return n === 1 ? PLACEHOLDER : `${PLACEHOLDER}${n}`;
}

/** Returns the fact with the id that its key gives it. */
export function withId(fact: FactView, world: World): FactView {
  const declared = [...(world.context.program.symbols.type(fact.type)?.fields.values() ?? [])];
  const keys = declared.filter((field) => field.key);
  const parts = keys.map(({ name, type }) => keyPart(fieldOf(fact, name) as string, type.kind === "fact"));
  if (parts.length > 0) return { ...fact, id: idOfParts(fact.type, parts) };
  for (let n = 1_000_000_000; ; n++) {
    const id = keylessId(fact.type, n);
    if (world.get(id) === undefined) return { ...fact, id };
  }
}
