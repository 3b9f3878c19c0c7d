/** The facts that are nearest to a pattern: those with the fewest failing tests. */
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import { truth } from "./evaluate.ts";
import type { PatternPart } from "./parts.ts";
import type { Chosen, Fixed } from "./chosen.ts";
import type { World } from "./world.ts";

export interface NearFact {
  readonly fact: FactView;
  /** The tests that are not true of it, in the order of the program. */
  readonly failing: readonly ast.Expr[];
}

/** The most facts that are ever needed. They are cached, because one answer asks the same question several times. */
const MAX_NEAREST = 6;

interface CachedAnswer {
  readonly from: Chosen;
  readonly fixed: Fixed;
  readonly near: readonly NearFact[];
}

const cache = new WeakMap<World, Map<PatternPart, CachedAnswer>>();

/** Returns up to `most` facts, nearest first; of two that are equally near, the one asserted earlier. */
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
  for (const fact of facts(part, world, fixed)) {
    const limit = best.length < most ? Infinity : (best.at(-1)?.failing.length ?? Infinity);
    const failing = failingTests(part, fact, world, from, limit);
    if (failing === undefined) continue;
    const at = best.findIndex((other) => other.failing.length > failing.length);
    best.splice(at < 0 ? best.length : at, 0, { fact, failing });
    if (best.length > most) best.pop();
  }
  return best;
}

/** Returns the fact that the question fixes, or all of the type. */
function facts({ variable, type }: PatternPart, world: World, fixed: Fixed): readonly FactView[] {
  const wanted = variable === null ? undefined : fixed.get(variable);
  if (wanted === undefined) return world.ofType(type);
  const fact = "fact" in wanted ? world.one(wanted.fact.id) : undefined;
  return fact?.type === type ? [fact] : [];
}

/** Returns the tests that are not true; undefined when there are `limit` or more. */
function failingTests(
  part: PatternPart,
  fact: FactView,
  world: World,
  from: Chosen,
  limit: number,
): ast.Expr[] | undefined {
  const scope = { world, chosen: from.with(part, part.variable, { fact }), ownFact: fact };
  const failing: ast.Expr[] = [];
  for (const tests of [part.tests, part.early]) {
    for (const test of tests) {
      if (truth(test, scope) === true) continue;
      failing.push(test);
      if (failing.length >= limit) return undefined;
    }
  }
  return failing;
}
