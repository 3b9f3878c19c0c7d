/**
 * Removes a logical fact by what it follows from: each match that supports it must lose a fact. Of these only facts go that
 * belong to the derivation: the only fact of the match, or one that shares a string with another fact of it or with what follows. A
 * limit or a table that the rule compares with stays.
 */
import type { FactView } from "../../session/results.ts";
import type { Policy } from "./policy.ts";
import { editsLeft, type State, withoutFact } from "./repair-state.ts";

/** The most rules between a fact that is given and one that follows from it. */
const MAX_DEPTH = 4;
/** The most matches that support a fact, and the most facts of one of them, that are looked at. */
const MAX_SUPPORTS = 3;
const MAX_FACTS = 8;

/** Yields states without a logical fact; none for a fact that does not follow from others. */
export function* withoutDerived(
  state: State,
  fact: FactView,
  policy: Policy,
  budget: number,
  depth: number = MAX_DEPTH,
): Iterable<State> {
  const supports = policy.supports?.(fact) ?? [];
  if (depth === 0 || supports.length === 0 || supports.length > MAX_SUPPORTS) return;
  const world = state.world.changed(fact, undefined);
  yield* withoutSupports(supports, 0, { ...state, world, chosen: state.chosen.in(world) }, fact, policy, budget, depth);
}

function* withoutSupports(
  supports: readonly (readonly string[])[],
  index: number,
  state: State,
  derived: FactView,
  policy: Policy,
  budget: number,
  depth: number,
): Iterable<State> {
  const support = supports[index];
  if (support === undefined) {
    yield state;
    return;
  }
  const facts = support.slice(0, MAX_FACTS).map((id) => state.world.get(id));
  const present = facts.filter((one) => one !== undefined);
  const rest = (next: State): Iterable<State> =>
    withoutSupports(supports, index + 1, next, derived, policy, editsLeft(state, next, budget), depth);
  if (present.length < facts.length)
    yield* rest(state); // another support has already lost that fact
  else if (budget > 0) {
    for (const one of present) {
      state.world.context.budget?.spend(1);
      if (policy.mayRemove(one) && belongs(one, derived, present)) yield* rest(withoutFact(state, one));
      else for (const next of withoutDerived(state, one, policy, budget, depth - 1)) yield* rest(next);
    }
  }
}

/** Returns whether a fact of a match is tied to what follows from the match, or to another fact of it. */
function belongs(fact: FactView, derived: FactView, facts: readonly FactView[]): boolean {
  if (facts.length === 1) return true;
  const strings = stringsOf(fact);
  return [derived, ...facts].some((other) => other !== fact && [...stringsOf(other)].some((one) => strings.has(one)));
}

/** Returns the id and the strings of a fact; references are ids. */
function stringsOf({ id, fields }: FactView): ReadonlySet<string> {
  return new Set([id, ...Object.values(fields).filter((value) => typeof value === "string")]);
}
