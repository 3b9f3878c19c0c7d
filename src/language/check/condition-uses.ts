/** Conditions used inside tests, `where approved(r, "alice")`: which condition a test names, and which conditions a part of the tree uses. */
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import type { Declared } from "./names.ts";
import type { Symbols } from "./symbols.ts";

/** A test that is a condition, with or without arguments. */
export type ConditionUse = ast.CallExpr | ast.PathExpr;

export type DeclaredCondition = Declared<ast.ConditionDecl>;

/**
 * Returns the condition that a call asks. In a gate conditions come before functions; elsewhere a function with the same name is
 * called.
 */
export function conditionCalled({ symbols }: Context, name: string, scope: Scope): DeclaredCondition | undefined {
  const isFunction = !scope.has("conditions") && symbols.function(name) !== undefined;
  return isFunction ? undefined : symbols.conditions.get(name);
}

/** Returns the scope of the arguments. Facts are matched before a pipeline decides: a condition about facts does not see the decision. */
export function argumentScope({ symbols }: Context, { decl }: DeclaredCondition, scope: Scope): Scope {
  return scope.has("decision") && asksFacts(symbols, decl) ? scope.withoutDecision() : scope;
}

function asksFacts(symbols: Symbols, first: ast.ConditionDecl): boolean {
  const seen = new Set([first]);
  // What is added while the loop runs is visited too.
  for (const decl of seen) {
    if (decl.evidence !== null) return true;
    let asks = false;
    forEachNode([decl.lets, decl.test], (node) => {
      asks ||= isQuestion(node);
      const name = nameIn(node);
      const inner = name === undefined ? undefined : symbols.conditions.get(name);
      if (inner !== undefined) seen.add(inner.decl);
    });
    if (asks) return true;
  }
  return false;
}

/** Returns whether a node of the tree is a question about other facts. */
export function isQuestion({ kind }: Readonly<Record<string, unknown>>): boolean {
  return kind === "exists" || kind === "exists-in" || kind === "aggregate-in";
}

function nameIn(node: Readonly<Record<string, unknown>>): string | undefined {
  if (node["kind"] === "call") return (node as unknown as ast.CallExpr).name.name;
  return node["kind"] === "path" ? (node as unknown as ast.PathExpr).root.name : undefined;
}

/** Returns the conditions that a part of the tree uses, in written order. */
function usedIn(part: unknown, uses: ReadonlyMap<ConditionUse, DeclaredCondition>): DeclaredCondition[] {
  const found: DeclaredCondition[] = [];
  forEachNode(part, (node) => {
    const use = uses.get(node as unknown as ConditionUse);
    if (use !== undefined) found.push(use);
  });
  return found;
}

/** Returns the declarations of the conditions that a part of the tree uses, those that they use in turn included. */
export function conditionsIn(
  part: unknown,
  uses: ReadonlyMap<ConditionUse, DeclaredCondition>,
): ReadonlySet<ast.ConditionDecl> {
  const found = new Set<ast.ConditionDecl>();
  if (uses.size === 0) return found;
  for (const { decl } of usedIn(part, uses)) found.add(decl);
  // What is added while the loop runs is visited too.
  for (const decl of found) for (const inner of usedIn([decl.test, decl.evidence], uses)) found.add(inner.decl);
  return found;
}
