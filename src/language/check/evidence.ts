/** Aggregates over the facts of `using`: `avg(e.confidence)`, `count(distinct([e.source, e.ref]))`. */
import { FUNCTIONS } from "../../functions/functions.ts";
import type * as ast from "../ast.ts";
import { takenBy } from "../ranked.ts";

/**
 * Returns whether the call aggregates over all facts of a name of `using`. Names that are also functions, such as
 * `count`, are aggregates only of a plain field, so that `count(words_in(d.text, e.words))` counts words.
 */
export function isAggregateOver(call: ast.CallExpr, isEvidence: (name: string) => boolean): boolean {
  const name = call.name.name.toLowerCase();
  const arg = takenBy(call);
  if (arg === undefined) return false;
  const builtIn = FUNCTIONS.get(name);
  if (builtIn !== undefined && builtIn.yields !== true && arg.kind !== "path" && arg.kind !== "ranked") return false;
  return evidenceIn(arg, isEvidence).size > 0;
}

/** Returns the names of `using` that an expression reads fact by fact: those inside aggregates do not count. */
export function evidenceIn(part: unknown, isEvidence: (name: string) => boolean): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { kind } = node as { readonly kind?: unknown };
    if (kind === "path") {
      const { name } = (node as ast.PathExpr).root;
      if (isEvidence(name)) found.add(name);
      return;
    }
    if (kind === "call" && isAggregateOver(node as ast.CallExpr, isEvidence)) return;
    for (const [key, child] of Object.entries(node)) if (key !== "span") visit(child);
  };
  visit(part);
  return found;
}
