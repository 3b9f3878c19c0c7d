/** The names that a statement binds itself: its variables, parameters and `let`s. They come before the names of files. */
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";

/** What an `after` of a pipeline sees of the decision. */
const DECISION = ["decision", "reason", "answer", "receiver"];

/** Returns the names that a statement binds anywhere in it. */
export function localNames(decl: ast.Declaration): ReadonlySet<string> {
  const names = new Set<string>(decl.kind === "pipeline" ? DECISION : []);
  const params = "params" in decl ? decl.params : [];
  for (const { name } of params) names.add(name.name);
  forEachNode(decl, (node) => {
    const { kind, variable, name } = node as {
      readonly kind?: string;
      readonly variable?: unknown;
      readonly name?: unknown;
    };
    if (isIdent(variable)) names.add(variable.name);
    if (kind !== undefined && NAMING.has(kind) && isIdent(name)) names.add(name.name);
  });
  return names;
}

/** The nodes inside statements whose name is one of the statement. */
const NAMING: ReadonlySet<string> = new Set(["let", "aggregate", "given"]);

function isIdent(value: unknown): value is ast.Ident {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}
