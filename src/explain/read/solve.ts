/**
 * Finds the facts that together fulfil parts of a condition, through indexes when a test is an equality.
 *
 * Everything is lazy: the first answer costs only the work to find one.
 */
import { same } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import { windowsOf } from "../../language/check/within.ts";
import { candidates } from "./candidates.ts";
import { type Chosen, chosenFor, type Fixed, FREE } from "./chosen.ts";
import { evaluate, itemsOf, truth } from "./evaluate.ts";
import { valueOfAggregate } from "./members.ts";
import { everyTruth, foundTruth } from "./judge.ts";
import type { AbsencePart, AggregatePart, ForallPart, Part, PatternPart } from "./parts.ts";
import { openWindow } from "./within.ts";
import type { World } from "./world.ts";

/** Yields every way to fulfil all parts. */
export function* solutions(
  parts: readonly Part[],
  world: World,
  from: Chosen,
  fixed: Fixed = FREE,
  index = 0,
): Iterable<Chosen> {
  const part = parts[index];
  if (part === undefined) {
    yield from;
    return;
  }
  for (const next of extended(part, world, from, fixed)) yield* solutions(parts, world, next, fixed, index + 1);
}

export function firstSolution(
  parts: readonly Part[],
  world: World,
  from: Chosen,
  fixed: Fixed = FREE,
): Chosen | undefined {
  for (const found of solutions(parts, world, from, fixed)) return found;
  return undefined;
}

export function isFound(parts: readonly Part[], world: World, from: Chosen): boolean {
  return firstSolution(parts, world, from) !== undefined;
}

/** Yields every way to extend the bindings by one more part. */
export function* extended(part: Part, world: World, from: Chosen, fixed: Fixed = FREE): Iterable<Chosen> {
  const scope = { world, chosen: from, ownFact: undefined };
  switch (part.kind) {
    case "pattern":
      for (const fact of candidates(part, world, from, fixed)) {
        const chosen = from.with(part, part.variable, { fact });
        if (passesAll(part, { world, chosen, ownFact: fact })) yield chosen;
      }
      return;
    case "absence": {
      const found =
        world.context.judging === true ? foundTruth(part.parts, world, from) : isFound(part.parts, world, from);
      if (found === (part.quantifier === "exists") && waitsFor(part, scope) === undefined) yield from;
      return;
    }
    case "forall":
      if (counterexample(part, world, from) === undefined && waitsFor(part, scope) === undefined) yield from;
      return;
    case "aggregate": {
      const chosen = withAggregates(part, world, from, fixed);
      if (chosen !== undefined) yield chosen;
      return;
    }
    case "let": {
      const value = evaluate(part.value, scope);
      const wanted = fixed.get(part.name);
      if (wanted === undefined || ("value" in wanted && same(wanted.value, value))) {
        yield from.with(part, part.name, { value });
      }
      return;
    }
    case "items":
      for (const value of itemsOf(part, scope) ?? []) {
        const wanted = fixed.get(part.variable);
        if (wanted !== undefined && !("value" in wanted && same(wanted.value, value))) continue;
        yield from.with(part, part.variable, { value });
      }
      return;
    case "where":
      if (truth(part.test, scope) === true) yield from;
      return;
    case "or":
      for (const alternative of part.alternatives) yield* solutions(alternative, world, from, fixed);
  }
}

/** Returns the open window that a `not` or `forall` of a rule waits for. Where something is judged, an open window is a finding in doubt. */
export function waitsFor(
  part: AbsencePart | ForallPart,
  scope: Parameters<typeof truth>[1],
): ast.WithinExpr | undefined {
  if (scope.world.context.judging === true || (part.kind === "absence" && part.quantifier === "exists"))
    return undefined;
  return openWindow(windowsOf([part.element]), scope, evaluate);
}

function passesAll(part: PatternPart, scope: Parameters<typeof truth>[1]): boolean {
  for (const test of part.tests) if (truth(test, scope) !== true) return false;
  for (const test of part.early) if (truth(test, scope) !== true) return false;
  return true;
}

/**
 * Returns the first fact of the pattern for which the test is not true; in judging, also one that may be of the
 * pattern.
 */
export function counterexample(part: ForallPart, world: World, from: Chosen): Chosen | undefined {
  if (world.context.judging === true) return everyTruth(part, world, from).against?.chosen;
  for (const chosen of extended(part.pattern, world, from)) {
    if (truth(part.test, { world, chosen, ownFact: chosenFor(chosen, part.pattern) }) !== true) return chosen;
  }
  return undefined;
}

function withAggregates(part: AggregatePart, world: World, from: Chosen, fixed: Fixed): Chosen | undefined {
  let chosen = from;
  for (const item of part.items) {
    const value = valueOfAggregate(part, item, world, from);
    if (value === undefined) return undefined;
    const wanted = fixed.get(item.name);
    if (wanted !== undefined && "value" in wanted && !same(wanted.value, value)) return undefined;
    chosen = chosen.with(part, item.name, { value });
  }
  return chosen;
}
