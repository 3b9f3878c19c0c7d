/** Lets in the facts of a type that nobody declared: any field, any value. */
import { type Maybe, same } from "../../base/value.ts";
import type { Changes, Shape } from "../../rete/fact.ts";
import { FactError } from "../errors.ts";
import { refuseReserved, type ValueCopier } from "./host-value.ts";

type Given = Readonly<Record<string, unknown>>;

/** The given values by field name, copied. The type gets no slots before everything has been read. */
export function readOpen(type: string, given: Given, copier: ValueCopier): ReadonlyMap<string, Maybe> {
  const fields = new Map<string, Maybe>();
  for (const name of Object.keys(given)) {
    refuseReserved(name);
    fields.set(name, copier.copy(`${type}.${name}`, given[name]));
  }
  return fields;
}

export function openValues(shape: Shape, fields: ReadonlyMap<string, Maybe>, limit: number): Maybe[] {
  makeSlots(shape, fields, limit);
  return shape.fields.map((name) => fields.get(name));
}

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

/** Different facts of an undeclared type may have different fields, but not without end. */
function makeSlots(shape: Shape, fields: ReadonlyMap<string, Maybe>, limit: number): void {
  let size = shape.fields.length;
  for (const name of fields.keys()) if (shape.find(name) === undefined) size += 1;
  if (size > limit) throw new FactError("E306", `facts of type ${shape.type} have more than ${limit} different fields`);
  for (const name of fields.keys()) shape.slot(name);
}
