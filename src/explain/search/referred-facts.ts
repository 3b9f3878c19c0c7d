/**
 * The facts that the values of a change refer to. A remedy refers only to facts that exist or that it adds itself, so a
 * change that takes over a reference to a missing fact adds that fact as well.
 */
import type { Value } from "../../base/value.ts";
import type { Domain } from "./domain.ts";
import type { FactEdit } from "./edit.ts";
import { factWithId, freshFact } from "./fresh-fact.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./repair-state.ts";

/** Returns the state with the missing facts that its edits refer to, added first; undefined when one cannot be added. */
export function withReferred(state: State, policy: Policy, domain: Domain): State | undefined {
  let complete = state;
  for (const { type, id } of state.edits.flatMap((edit) => referencesOf(edit, state, domain))) {
    if (complete.world.get(id) !== undefined) continue;
    const draft = policy.mayAdd(type) ? freshFact(type, complete.world, domain) : undefined;
    const fact = draft === undefined ? undefined : factWithId(id, draft, complete.world);
    if (fact === undefined) return undefined;
    const world = complete.world.changed(undefined, fact);
    const edits: FactEdit[] = [{ op: "assert", type, fields: fact.fields }, ...complete.edits];
    complete = { world, chosen: complete.chosen.in(world), edits };
  }
  return complete;
}

interface Reference {
  readonly type: string;
  readonly id: string;
}

function referencesOf(edit: FactEdit, { world }: State, domain: Domain): Reference[] {
  if (edit.op === "retract") return [];
  if (edit.op === "assert")
    return Object.entries(edit.fields).flatMap(([field, value]) => referenceOf(edit.type, field, value, domain));
  const type = world.get(edit.fact)?.type;
  return type === undefined || edit.to === null ? [] : referenceOf(type, edit.field, edit.to, domain);
}

function referenceOf(owner: string, field: string, value: Value, domain: Domain): Reference[] {
  const declared = domain.field(owner, field)?.type;
  return declared?.kind === "fact" && typeof value === "string" ? [{ type: declared.type, id: value }] : [];
}
