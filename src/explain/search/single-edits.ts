/**
 * Every single edit over the small domains of a question: one fact more, one field with another value, one fact less.
 * It finds what the search along the condition misses, and gives up where there are many facts.
 */
import type { Value } from "../../base/value.ts";
import type { FactView } from "../../session/results.ts";
import { fieldOf } from "../read/field.ts";
import type { Domain } from "./domain.ts";
import type { FactEdit } from "./edit.ts";
import { factWithId, freshFact, withId } from "./fresh-fact.ts";
import type { Policy } from "./policy.ts";
import { type State, withoutFact, withValue } from "./repair-state.ts";

/** The most facts of the types that a question reads, and the most new facts of one type that are tried. */
const MAX_FACTS = 60;
const MAX_NEW_FACTS = 400;

/**
 * Yields the states: new facts first, then other values, then removals. With `relabels` only the changes that tie a fact
 * to another one.
 */
export function* singleEdits(start: State, policy: Policy, domain: Domain, relabels: boolean): Iterable<State> {
  const types = [...domain.reading.types].sort();
  const { world } = start;
  const count = types.reduce((sum, type) => sum + world.count(type), 0);
  if (count > MAX_FACTS) return;
  const facts = types.flatMap((type) => world.ofType(type));
  if (!relabels) for (const type of types) if (policy.mayAdd(type)) yield* added(type, start, domain);
  for (const fact of facts) yield* changed(fact, start, policy, domain, relabels);
  if (!relabels) for (const fact of facts) if (policy.mayRemove(fact)) yield withoutFact(start, fact);
}

function* changed(fact: FactView, start: State, policy: Policy, domain: Domain, relabels: boolean): Iterable<State> {
  for (const field of [...domain.reading.fields].sort()) {
    const declared = domain.field(fact.type, field);
    const now = fieldOf(fact, field);
    if (declared === undefined && now === undefined) continue;
    const isLabel = declared?.type.kind === "fact" || policy.isLabel?.(fact.type, field) === true;
    if (isLabel !== relabels || !policy.mayChange(fact, field)) continue;
    for (const value of domain.candidates(fact.type, field)) {
      if (value !== now) yield withValue(start, { fact, field }, value);
    }
    if (now !== undefined && declared?.optional === true) yield withValue(start, { fact, field }, null);
  }
}

function* added(type: string, start: State, domain: Domain): Iterable<State> {
  const draft = freshFact(type, start.world, domain);
  const declared = start.world.context.program.symbols.type(type);
  if (draft === undefined || declared === undefined) return;
  const choices = [...declared.fields.values()]
    .filter(({ name }) => domain.reading.fields.has(name))
    .map((field): Choice => {
      const values = domain.candidates(type, field.name);
      const known = fieldOf(draft, field.name);
      const all = known === undefined || values.includes(known) ? values : [...values, known];
      return { name: field.name, values: field.optional ? [...all, undefined] : all };
    });
  let count = 0;
  for (const id of domain.missing(type)) {
    const named = factWithId(id, draft, start.world);
    if (named === undefined) continue;
    const others = choices
      .filter(({ name }) => domain.field(type, name)?.key !== true)
      .map(({ name, values }) => ({ name, values: missingFirst(values) }));
    for (const chosen of combinations(others)) {
      count += 1;
      if (count > MAX_NEW_FACTS) return;
      yield withFact({ ...named, fields: withFields(named, chosen) }, start);
    }
  }
  for (const chosen of combinations(choices)) {
    count += 1;
    if (count > MAX_NEW_FACTS) return;
    const fact = withId({ ...draft, fields: withFields(draft, chosen) }, start.world);
    if (start.world.get(fact.id) === undefined) yield withFact(fact, start);
  }
}

/** Returns the values, and first of all that there is none, if that is one of them. */
function missingFirst(values: Choice["values"]): Choice["values"] {
  return values.includes(undefined) ? [undefined, ...values.filter((value) => value !== undefined)] : values;
}

function withFields(
  { fields }: FactView,
  chosen: readonly [string, Value | undefined][],
): Readonly<Record<string, Value>> {
  const set = chosen.filter((one): one is [string, Value] => one[1] !== undefined);
  return { ...fields, ...Object.fromEntries(set) };
}

function withFact(fact: FactView, start: State): State {
  const world = start.world.changed(undefined, fact);
  const edit: FactEdit = { op: "assert", type: fact.type, fields: fact.fields };
  return { world, chosen: start.chosen.in(world), edits: [...start.edits, edit] };
}

interface Choice {
  readonly name: string;
  readonly values: readonly (Value | undefined)[];
}

/** Yields all choices of one value for each field; the last field changes first. */
function* combinations([first, ...rest]: readonly Choice[]): Iterable<[string, Value | undefined][]> {
  if (first === undefined) {
    yield [];
    return;
  }
  for (const value of first.values) {
    for (const others of combinations(rest)) yield [[first.name, value], ...others];
  }
}
