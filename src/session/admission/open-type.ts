/** Admits the facts of an undeclared type: any field, any value. */
import { type Maybe, same } from "../../base/value.ts";
import type { Changes, Shape } from "../../rete/fact.ts";
import { FactError } from "../errors.ts";
import { refuseReserved, type ValueCopier } from "./host-value.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns copies of the values by field name. The type gets no slots before everything has been read. */
export function readOpen(type: string, fields: Fields, copier: ValueCopier): ReadonlyMap<string, Maybe> {
  const read = new Map<string, Maybe>();
  for (const name of Object.keys(fields)) {
    refuseReserved(name);
    read.set(name, copier.copy(`${type}.${name}`, fields[name]));
  }
  return read;
}

/** Returns the values of a new fact by slot. */
export function openValues(shape: Shape, fields: ReadonlyMap<string, Maybe>, limit: number): Maybe[] {
  makeSlots(shape, fields, limit);
  return shape.fields.map((name) => fields.get(name));
}

/** Returns the fields that differ from the values `now`. */
export function openChanges(
  shape: Shape,
  now: readonly Maybe[],
  fields: ReadonlyMap<string, Maybe>,
  limit: number,
): Changes {
  makeSlots(shape, fields, limit);
  const slots: number[] = [];
  const values: Maybe[] = [];
  for (const [name, value] of fields) {
    const slot = shape.slot(name);
    if (same(value, now[slot])) continue;
    slots.push(slot);
    values.push(value);
  }
  return { slots, values };
}

/** Makes slots for new fields. Facts of an undeclared type may have different fields, up to the limit together. */
function makeSlots(shape: Shape, fields: ReadonlyMap<string, Maybe>, limit: number): void {
  let size = shape.fields.length;
  for (const name of fields.keys()) if (shape.find(name) === undefined) size += 1;
  if (size > limit) throw new FactError("E306", `facts of type ${shape.type} have more than ${limit} different fields`);
  for (const name of fields.keys()) shape.slot(name);
}
