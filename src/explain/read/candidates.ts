/** The facts that a pattern has to test, found through an index when one of its tests is an equality. */
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import { type Chosen, type Fixed, FREE } from "./chosen.ts";
import { evaluate } from "./evaluate.ts";
import { mentions, type PatternPart } from "./parts.ts";
import type { World } from "./world.ts";

/** Returns the facts that a pattern has to test: one that is fixed, those from an index, or all of the type. */
export function candidates(part: PatternPart, world: World, from: Chosen, fixed: Fixed = FREE): readonly FactView[] {
  const wanted = part.variable === null ? undefined : fixed.get(part.variable);
  if (wanted !== undefined) {
    if (!("fact" in wanted)) return [];
    const fact = world.one(wanted.fact.id);
    return fact?.type === part.type ? [fact] : [];
  }
  const key = keyOf(part, world);
  if (key === undefined) return world.ofType(part.type);
  const value = evaluate(key.value, { world, chosen: from, ownFact: undefined });
  if (value === undefined) return [];
  if (typeof value === "object") return world.ofType(part.type); // lists and objects are compared item by item
  if (key.field !== undefined) return world.having(part.type, key.field, value);
  const fact = typeof value === "string" ? world.one(value) : undefined;
  return fact?.type === part.type ? [fact] : [];
}

/** `field == value`, where the value does not depend on the fact itself; the id of the fact when there is no field. */
interface Key {
  readonly field: string | undefined;
  readonly value: ast.Expr;
}

const keys = new WeakMap<PatternPart, { readonly key: Key | undefined }>();

function keyOf(part: PatternPart, world: World): Key | undefined {
  let known = keys.get(part);
  if (known === undefined) keys.set(part, (known = { key: findKey(part, world) }));
  return known.key;
}

/**
 * Returns the equality to look up. One with another fact is preferred to one with a constant: it is likely to leave
 * fewer facts.
 */
function findKey(part: PatternPart, world: World): Key | undefined {
  const found: Key[] = [];
  for (const test of [...part.tests, ...part.early]) {
    if (test.kind !== "compare" || test.op !== "==") continue;
    for (const [side, value] of [[test.left, test.right] as const, [test.right, test.left] as const]) {
      const field = ownField(side, part, world);
      if (field !== undefined && !dependsOnFact(value, part, world)) found.push({ field: field.name, value });
    }
  }
  return found.find(({ value }) => value.kind === "path") ?? found[0];
}

/**
 * Returns the field of the pattern's fact that an expression reads, if it is one; `name` is undefined for the fact
 * itself.
 */
export function ownField(
  expr: ast.Expr,
  part: PatternPart,
  world: World,
): { readonly name: string | undefined } | undefined {
  if (expr.kind !== "path") return undefined;
  const resolution = world.context.program.resolutions.get(expr);
  if (resolution === "own-field") return expr.fields.length === 0 ? { name: expr.root.name } : undefined;
  if (resolution !== "variable" || expr.root.name !== part.variable || expr.fields.length > 1) return undefined;
  return { name: expr.fields[0]?.name };
}

export function dependsOnFact(expr: ast.Expr, part: PatternPart, world: World): boolean {
  if (part.variable !== null && mentions(expr, new Set([part.variable]))) return true;
  return hasOwnField(expr, world);
}

function hasOwnField(node: unknown, world: World): boolean {
  if (Array.isArray(node)) return node.some((item) => hasOwnField(item, world));
  if (typeof node !== "object" || node === null) return false;
  if ((node as Partial<ast.Expr>).kind === "path") {
    return world.context.program.resolutions.get(node as ast.PathExpr) === "own-field";
  }
  return Object.entries(node).some(([key, child]) => key !== "span" && hasOwnField(child, world));
}
