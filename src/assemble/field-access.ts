/** Reads fields: how many levels up a fact is is known when a test is compiled, so reading is a walk of fixed length. */
import type { Maybe, Value } from "../base/value.ts";
import type { PlanExpr } from "../plan/plan.ts";
import { type Fact, valueOutside } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { Evaluate, Scope } from "./scope.ts";

type FindFact = (match: Match | undefined, fact: Fact | undefined) => Fact | undefined;

/** Compiles the finding of the fact of a level. */
export function factAt(level: number, scope: Scope): FindFact {
  if (level === scope.factLevel) return (_, fact) => fact;
  const up = scope.matchLevel - level;
  if (up === 0) return (match) => match?.fact;
  if (up === 1) return (match) => match?.parent?.fact;
  return (match) => climb(match, up)?.fact;
}

/** Returns the match so many levels up. */
export function climb(match: Match | undefined, up: number): Match | undefined {
  let found = match;
  for (let step = 0; step < up; step++) found = found?.parent;
  return found;
}

type Field = Pick<Extract<PlanExpr, { op: "field" }>, "level" | "field" | "type" | "timesAsText">;

/** Compiles the reading of a field of the fact of a level. */
export function readField({ level, field, type, timesAsText }: Field, scope: Scope): Evaluate {
  if (type !== undefined) return readSlot(level, scope.shapes.of(type).slot(field), scope);
  const find = factAt(level, scope);
  return (match, beside) => fieldOfAny(find(match, beside), field, timesAsText);
}

/** Returns a field of a fact of any type. */
export function fieldOfAny(fact: Fact | undefined, field: string, timesAsText: true | undefined): Maybe {
  const slot = fact?.shape.find(field);
  if (fact === undefined || slot === undefined) return undefined;
  return timesAsText === true ? valueOutside(fact, slot) : fact.values[slot];
}

/** Compiles the reading of a slot. Written out for up to 3 levels up, where most fields are read: nothing is called more often. */
function readSlot(level: number, slot: number, scope: Scope): Evaluate {
  if (level === scope.factLevel) return (_, fact) => fact?.values[slot];
  const up = scope.matchLevel - level;
  if (up === 0) return (match) => match?.fact?.values[slot];
  if (up === 1) return (match) => match?.parent?.fact?.values[slot];
  if (up === 2) return (match) => match?.parent?.parent?.fact?.values[slot];
  if (up === 3) return (match) => match?.parent?.parent?.parent?.fact?.values[slot];
  return (match) => climb(match, up)?.fact?.values[slot];
}

/** Returns a property of an object; undefined for anything else. */
export function property(value: Value, field: string): Maybe {
  if (Array.isArray(value) || !Object.hasOwn(value as object, field)) return undefined;
  return (value as Readonly<Record<string, Value>>)[field];
}
