/** Where the search for edits stands: a world after some edits, and what was chosen in it. */
import type { Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import type { Edit } from "./edit.ts";
import type { Place } from "../read/evaluate.ts";
import { pathsIn, type Slot, slotOf } from "./guess.ts";
import type { PatternPart } from "../read/parts.ts";
import type { Chosen } from "../read/chosen.ts";
import type { World } from "../read/world.ts";

export interface State {
  readonly world: World;
  readonly chosen: Chosen;
  readonly edits: readonly Edit[];
}

/** The fact that bare names speak of. */
export interface Own {
  readonly part: PatternPart;
  readonly id: string;
}

/** How many edits are left after those that lead from one state to the next. */
export function left(from: State, to: State, budget: number): number {
  return budget - (to.edits.length - from.edits.length);
}

export function placeOf(state: State, own: Own | undefined): Place {
  const chosen = state.chosen.in(state.world);
  if (own === undefined) return { world: state.world, chosen, own: undefined };
  const fact = state.world.get(own.id);
  return {
    world: state.world,
    chosen: fact === undefined ? chosen : chosen.with(own.part, own.part.variable, { fact }),
    own: fact,
  };
}

export function slotsOf(expr: ast.Expr, place: Place): Slot[] {
  const slots = pathsIn(expr).map((path) => slotOf(path, place));
  return slots.filter((slot) => slot !== undefined);
}

export function withValue(state: State, { fact, field }: Slot, value: Value | null): State {
  const { [field]: from, ...others } = fact.fields;
  const fields = value === null ? others : { ...fact.fields, [field]: value };
  const world = state.world.changed(fact, { ...fact, fields });
  const edit: Edit = { op: "update", fact: fact.id, field, from, to: value };
  return { world, chosen: state.chosen.in(world), edits: [...state.edits, edit] };
}

export function withoutFact(state: State, fact: FactView): State {
  const world = state.world.changed(fact, undefined);
  return { world, chosen: state.chosen.in(world), edits: [...state.edits, { op: "retract", fact: fact.id }] };
}

export function isNew(fact: FactView, edit: Extract<Edit, { op: "assert" }>): boolean {
  return fact.type === edit.type && fact.fields === edit.fields;
}
