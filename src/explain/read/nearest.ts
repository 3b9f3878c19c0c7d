/**
 * The facts that are nearest to a pattern: those with the fewest failing tests. Of these, the ones that belong to the facts
 * chosen before, then the ones whose numbers come nearest.
 */
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import { truth } from "./evaluate.ts";
import { compareNearness, distanceOfAll, isJoin, type Nearness } from "./nearness.ts";
import type { PatternPart } from "./parts.ts";
import type { Chosen, Fixed } from "./chosen.ts";
import type { World } from "./world.ts";

export interface NearFact {
  readonly fact: FactView;
  /** The tests that are not true of it, in the order of the program. */
  readonly failing: readonly ast.Expr[];
  /** Those of them that are unknown, because a value is missing. */
  readonly unknown: ReadonlySet<ast.Expr>;
  readonly nearness: Nearness;
}

/** The most facts that are ever needed. They are cached, because one answer asks the same question several times. */
const MAX_NEAREST = 6;

interface CachedAnswer {
  readonly from: Chosen;
  readonly fixed: Fixed;
  readonly near: readonly NearFact[];
}

const cache = new WeakMap<World, Map<PatternPart, CachedAnswer>>();

/**
 * Returns up to `most` facts, nearest first; of two that are equally near, the one asserted earlier. A fact that another
 * variable has already comes after one that fails as many tests.
 */
export function nearest(
  part: PatternPart,
  world: World,
  from: Chosen,
  fixed: Fixed,
  most: number,
): readonly NearFact[] {
  let known = cache.get(world);
  if (known === undefined) cache.set(world, (known = new Map()));
  const last = known.get(part);
  if (last !== undefined && last.from === from && last.fixed === fixed) return last.near.slice(0, most);
  const near = findNearest(part, world, from, fixed, MAX_NEAREST);
  known.set(part, { from, fixed, near });
  return near.slice(0, most);
}

function findNearest(part: PatternPart, world: World, from: Chosen, fixed: Fixed, most: number): NearFact[] {
  const best: NearFact[] = [];
  const others = factsOf(from);
  for (const fact of facts(part, world, fixed)) {
    const limit = best.length < most ? Infinity : (best.at(-1)?.failing.length ?? Infinity);
    const near = nearFact(part, fact, world, from, others, limit);
    if (near === undefined) continue;
    const at = best.findIndex((other) => compareNearness(other.nearness, near.nearness) > 0);
    best.splice(at < 0 ? best.length : at, 0, near);
    if (best.length > most) best.pop();
  }
  return best;
}

/** The facts that were chosen before, and their variables. */
interface OtherFacts {
  readonly variables: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

function factsOf(chosen: Chosen): OtherFacts {
  const variables = new Set<string>();
  const ids = new Set<string>();
  for (const { name, bound } of chosen.entries()) {
    if (!("fact" in bound)) continue;
    ids.add(bound.fact.id);
    if (name !== null) variables.add(name);
  }
  return { variables, ids };
}

/** Returns the fact that the question fixes, or all of the type. */
function facts({ variable, type }: PatternPart, world: World, fixed: Fixed): readonly FactView[] {
  const wanted = variable === null ? undefined : fixed.get(variable);
  if (wanted === undefined) return world.ofType(type);
  const fact = "fact" in wanted ? world.one(wanted.fact.id) : undefined;
  return fact?.type === type ? [fact] : [];
}

/** Returns how near a fact is; undefined when more than `limit` tests are not true. */
function nearFact(
  part: PatternPart,
  fact: FactView,
  world: World,
  from: Chosen,
  { variables, ids }: OtherFacts,
  limit: number,
): NearFact | undefined {
  const scope = { world, chosen: from.with(part, part.variable, { fact }), ownFact: fact };
  const failing: ast.Expr[] = [];
  const unknown = new Set<ast.Expr>();
  for (const tests of [part.tests, part.early]) {
    for (const test of tests) {
      const held = truth(test, scope);
      if (held === true) continue;
      failing.push(test);
      if (held === undefined) unknown.add(test);
      if (failing.length > limit) return undefined;
    }
  }
  const joins = failing.filter((test) => isJoin(test, variables)).length;
  const isTaken = ids.has(fact.id) ? 1 : 0;
  return { fact, failing, unknown, nearness: [failing.length, joins, isTaken, distanceOfAll(failing, scope)] };
}
