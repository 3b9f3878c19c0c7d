/** A state of the search for edits: a world after some edits, and the bindings in it. */
import type { Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import type { FactEdit } from "./edit.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { pathsIn, type Slot, slotsOn } from "./guess.ts";
import type { PatternPart } from "../read/parts.ts";
import type { Chosen } from "../read/chosen.ts";
import type { World } from "../read/world.ts";

export interface State {
  readonly world: World;
  readonly chosen: Chosen;
  readonly edits: readonly FactEdit[];
}

/** The fact whose fields bare names mean, and its pattern. */
export interface OwnFact {
  readonly part: PatternPart;
  readonly id: string;
}

/** Returns how many edits are left after those between two states. */
export function editsLeft(from: State, to: State, budget: number): number {
  return budget - (to.edits.length - from.edits.length);
}

export function scopeOf(state: State, ownFact: OwnFact | undefined): EvaluationScope {
  const chosen = state.chosen.in(state.world);
  if (ownFact === undefined) return { world: state.world, chosen, ownFact: undefined };
  const fact = state.world.get(ownFact.id);
  return {
    world: state.world,
    chosen: fact === undefined ? chosen : chosen.with(ownFact.part, ownFact.part.variable, { fact }),
    ownFact: fact,
  };
}

export function slotsOf(expr: ast.Expr, scope: EvaluationScope): Slot[] {
  return pathsIn(expr).flatMap((path) => slotsOn(path, scope));
}

export function withValue(state: State, { fact, field }: Slot, value: Value | null): State {
  const { [field]: from, ...others } = fact.fields;
  const fields = value === null ? others : { ...fact.fields, [field]: value };
  const world = state.world.changed(fact, { ...fact, fields });
  const edit: FactEdit = { op: "update", fact: fact.id, field, from, to: value };
  return { world, chosen: state.chosen.in(world), edits: [...state.edits, edit] };
}

export function withoutFact(state: State, fact: FactView): State {
  const world = state.world.changed(fact, undefined);
  return { world, chosen: state.chosen.in(world), edits: [...state.edits, { op: "retract", fact: fact.id }] };
}

export function isNew(fact: FactView, edit: Extract<FactEdit, { op: "assert" }>): boolean {
  return fact.type === edit.type && fact.fields === edit.fields;
}

/** Returns edits after others, as one list: a field that both change has one edit, from its first value to its last. */
export function editsAfter(before: readonly FactEdit[], after: readonly FactEdit[]): readonly FactEdit[] {
  return after.reduce((edits: readonly FactEdit[], edit) => {
    const at = edits.findIndex(
      (one) => one.op === "update" && edit.op === "update" && one.fact === edit.fact && one.field === edit.field,
    );
    const earlier = edits[at];
    if (earlier?.op !== "update" || edit.op !== "update") return [...edits, edit];
    const rest = edits.filter((one) => one !== earlier);
    return (earlier.from ?? null) === edit.to ? rest : rest.toSpliced(at, 0, { ...earlier, to: edit.to });
  }, before);
}
