/** Nodes that were copied from another statement: where their text is, and how their names are meant. */
import type { Source } from "../base/source.ts";
import type { PathExpr } from "./ast.ts";

/**
 * What the first name of a copied path means: a field of the pattern around it, a variable, a name of the whole program, or a
 * name at the place from which it was passed, outside the pattern; the clock, whatever is called so. One that is reported already means nothing.
 * A local name is a field or a variable: what another file calls by this name is not known here.
 */
export type Origin = "own" | "variable" | "global" | "outside" | "clock" | "reported" | "local";

const sources = new WeakMap<object, Source>();
const origins = new WeakMap<PathExpr, Origin>();

/** Records the text that a copied node was written in. */
export function setSource(node: object, source: Source): void {
  sources.set(node, source);
}

/** Returns the text that a node was written in; undefined when it was not copied. */
export function sourceOf(node: object): Source | undefined {
  return sources.get(node);
}

/** Records what the first name of a path means. */
export function setOrigin(path: PathExpr, origin: Origin): void {
  origins.set(path, origin);
}

/** Returns what the first name of a copied path means; undefined when it was not copied. */
export function originOf(path: PathExpr): Origin | undefined {
  return origins.get(path);
}
