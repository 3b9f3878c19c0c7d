/** New facts that could help, with a value in every required field and a free id. */
import { keyedId, keylessId } from "../../base/identity.ts";
import type { Value } from "../../base/value.ts";
import type { FactView } from "../../session/results.ts";
import { plainGuess } from "./guess.ts";
import { type World } from "../read/world.ts";
import { fieldOf } from "../read/field.ts";

/**
 * Returns whether a suggestion may change facts of this type: not those that the engine writes or the program protects.
 */
export function isEditable(type: string, world: World): boolean {
  const declared = world.context.program.symbols.type(type);
  return declared?.engineKept !== true && declared?.protected !== true;
}

/** Returns a fact of a type with a value in every required field; undefined when a suggestion may not add one. */
export function freshFact(type: string, world: World): FactView | undefined {
  const declared = world.context.program.symbols.type(type);
  if (!isEditable(type, world)) return undefined;
  const fields: Record<string, Value> = {};
  for (const field of declared?.fields.values() ?? []) {
    if (field.key) fields[field.name] = freeKey(field.type.kind === "number", type, field.name, world);
    else if (!field.optional && !field.hasDefault) fields[field.name] = plainGuess(field.type, { world });
  }
  return { id: `${type}~@new`, type, fields };
}

function freeKey(isNumber: boolean, type: string, field: string, world: World): Value {
  for (let n = 1; ; n++) {
    const key = isNumber ? n : `new-${n}`;
    if (world.having(type, field, key).length === 0) return key;
  }
}

/** Returns the fact with the id that its key gives it. */
export function withId(fact: FactView, world: World): FactView {
  const declared = [...(world.context.program.symbols.type(fact.type)?.fields.values() ?? [])];
  const keys = declared.filter((field) => field.key).map((field) => fieldOf(fact, field.name));
  if (keys.length > 0) return { ...fact, id: keyedId(fact.type, keys as string[]) };
  for (let n = 1_000_000_000; ; n++) {
    const id = keylessId(fact.type, n);
    if (world.get(id) === undefined) return { ...fact, id };
  }
}
