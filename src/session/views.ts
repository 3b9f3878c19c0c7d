/** Facts and matches as the host sees them. */
import { timeTexts } from "../base/time.ts";
import type { Maybe, Value } from "../base/value.ts";
import { Fact, type Shape } from "../rete/fact.ts";
import type { Bound } from "../rete/rule-matches.ts";
import { FactError } from "./errors.ts";
import type { FactRef } from "./options.ts";
import type { FactView, MatchView } from "./results.ts";

/** Returns the id of a fact that is given by its id, handle or view; throws E407 for anything else. */
export function idOf(fact: FactRef): string {
  if (typeof fact === "string") return fact;
  const id: unknown = (fact as Exclude<FactRef, string> | undefined | null)?.id;
  if (typeof id === "string") return id;
  throw new FactError("E407", "a fact must be given by its id, its handle or its view", 'such as "Order~o1"');
}

export function fieldsOf(shape: Shape, values: readonly Maybe[]): Record<string, Value> {
  const fields: Record<string, Value> = {};
  const names = shape.fields;
  const { times } = shape;
  for (let slot = 0; slot < names.length; slot++) {
    const kind = times?.[slot];
    const value = kind === undefined ? values[slot] : timeTexts(kind, values[slot]);
    const name = names[slot];
    if (value !== undefined && name !== undefined) fields[name] = value;
  }
  return fields;
}

export function factView(fact: {
  readonly id: string;
  readonly shape: Shape;
  readonly values: readonly Maybe[];
}): FactView {
  return { id: fact.id, type: fact.shape.type, fields: fieldsOf(fact.shape, fact.values) };
}

/** Returns the variables of a match, with facts as ids. */
export function bindingsOf({ production, match, fact }: Bound): Record<string, Maybe> {
  const bindings: Record<string, Maybe> = {};
  for (const binding of production.bindings) {
    const bound = binding.read(match, fact);
    bindings[binding.name] = bound instanceof Fact ? bound.id : bound;
  }
  return bindings;
}

/** Returns the variables of a match, with facts as views. */
export function matchView({ production, match, fact }: Bound): MatchView {
  const bindings: Record<string, FactView | Maybe> = {};
  for (const binding of production.bindings) {
    const bound = binding.read(match, fact);
    bindings[binding.name] = bound instanceof Fact ? factView(bound) : bound;
  }
  return { bindings };
}
