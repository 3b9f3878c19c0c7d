/**
 * The facts that decide whether one match exists: those that were chosen, those that any `not`, `exists` or aggregate
 * could count for it, and what they refer to. All others make no difference to it, so a large session need not be
 * copied whole.
 *
 * Which facts an inner pattern could count is found by its equality alone, not by its other tests: those are tested in
 * the copy. In judging, a fact without the field could count as well.
 */
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import { type AskedCondition, askedCondition, evidencePart } from "./conditions.ts";
import { itemsOf } from "./evaluate.ts";
import { existsPart, innerParts, type Part, type PatternPart } from "./parts.ts";
import { possibleFacts } from "./judge.ts";
import { candidates } from "./candidates.ts";
import { type Chosen, chosenFor } from "./chosen.ts";
import type { World } from "./world.ts";

const MAX_STEPS = 20_000;

/** Returns the ids of the facts; undefined when collecting them takes too many steps. */
export function relevantFacts(parts: readonly Part[], world: World, chosen: Chosen): ReadonlySet<string> | undefined {
  const relevant = new Relevant(world);
  relevant.along(parts, chosen);
  return relevant.ids();
}

class Relevant {
  readonly #world: World;
  readonly #ids = new Set<string>();
  #steps = 0;

  constructor(world: World) {
    this.#world = world;
  }

  ids(): ReadonlySet<string> | undefined {
    return this.#steps > MAX_STEPS ? undefined : this.#ids;
  }

  /** Adds the facts of parts that the chosen facts fulfil. */
  along(parts: readonly Part[], chosen: Chosen): void {
    for (const part of parts) {
      if (part.kind === "pattern") {
        const fact = chosenFor(chosen, part);
        if (fact !== undefined) this.#take(fact);
        this.#inTests(part, chosen);
      } else if (part.kind === "or") {
        for (const alternative of part.alternatives) this.along(alternative, chosen);
      } else this.#over(part, chosen);
    }
  }

  /** Adds the facts of parts that range over other facts than the chosen ones. */
  #over(part: Exclude<Part, { kind: "pattern" | "or" }>, chosen: Chosen): void {
    switch (part.kind) {
      case "absence":
        return this.#cover(part.parts, 0, chosen);
      case "forall":
        this.#cover([part.pattern], 0, chosen);
        return this.#inTest(part.test, chosen);
      case "aggregate":
        this.#cover(part.inner, 0, chosen);
        for (const { value } of part.items) if (value !== null) this.#inTest(value, chosen);
        return;
      case "let":
        return this.#inTest(part.value, chosen);
      case "items":
        return this.#inTest(part.list, chosen);
      case "where":
        return this.#inTest(part.test, chosen);
    }
  }

  /** Adds every fact that could be part of a solution of the parts. */
  #cover(parts: readonly Part[], index: number, chosen: Chosen): void {
    const part = parts[index];
    if (part === undefined || this.#steps > MAX_STEPS) return;
    if (part.kind === "or") {
      for (const alternative of part.alternatives) {
        this.#cover([...alternative, ...parts.slice(index + 1)], 0, chosen);
      }
      return;
    }
    if (part.kind === "items") {
      this.#inTest(part.list, chosen);
      for (const value of itemsOf(part, { world: this.#world, chosen, ownFact: undefined }) ?? [undefined]) {
        this.#steps += 1;
        this.#cover(parts, index + 1, chosen.with(part, part.variable, { value }));
      }
      return;
    }
    if (part.kind !== "pattern") {
      this.#over(part, chosen);
      return this.#cover(parts, index + 1, chosen);
    }
    const judging = this.#world.context.judging === true;
    const facts = judging ? possibleFacts(part, this.#world, chosen) : candidates(part, this.#world, chosen);
    for (const fact of facts) {
      this.#steps += 1;
      if (this.#steps > MAX_STEPS) return;
      this.#take(fact);
      const longer = chosen.with(part, part.variable, { fact });
      this.#inTests(part, longer);
      this.#cover(parts, index + 1, longer);
    }
  }

  #inTests(part: PatternPart, chosen: Chosen): void {
    for (const test of [...part.tests, ...part.early]) this.#inTest(test, chosen);
  }

  /** Adds the facts of EXISTS and aggregates inside an expression. */
  #inTest(node: unknown, chosen: Chosen): void {
    if (Array.isArray(node)) {
      for (const item of node) this.#inTest(item, chosen);
      return;
    }
    if (typeof node !== "object" || node === null) return;
    const expr = node as ast.Expr;
    const asked = askedCondition(expr, { world: this.#world, chosen, ownFact: undefined });
    if (asked !== undefined) this.#inCondition(asked);
    if (expr.kind === "path") {
      const named = this.#world.context.namedFacts.get(expr.root.name);
      const fact = named === undefined ? undefined : this.#world.get(named);
      if (fact !== undefined) this.#take(fact);
    } else if (expr.kind === "exists") this.#cover([existsPart(expr)], 0, chosen);
    else if (expr.kind === "exists-in" || expr.kind === "aggregate-in") this.#cover(innerParts(expr), 0, chosen);
    else for (const [key, child] of Object.entries(node)) if (key !== "span") this.#inTest(child, chosen);
  }

  /** Adds the facts that could be evidence of a condition, and those that its tests ask about. */
  #inCondition({ condition: { decl }, scope }: AskedCondition): void {
    const inside = new Relevant(scope.world);
    if (decl.evidence === null) inside.#inTest(decl.test, scope.chosen);
    else {
      inside.#cover([evidencePart(decl.evidence)], 0, scope.chosen);
      inside.#inTest(decl.test, scope.chosen);
    }
    this.#steps += inside.#steps;
    for (const id of inside.#ids) this.#ids.add(id);
  }

  /** Adds a fact with everything it refers to, directly or indirectly. */
  #take(fact: FactView): void {
    if (this.#ids.has(fact.id)) return;
    this.#ids.add(fact.id);
    for (const value of Object.values(fact.fields)) {
      const referred = typeof value === "string" && value.includes("~") ? this.#world.get(value) : undefined;
      if (referred !== undefined) this.#take(referred);
    }
  }
}
