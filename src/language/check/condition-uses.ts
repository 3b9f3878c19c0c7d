/** Conditions used inside tests, `where approved(r, "alice")`: which condition a test names, and conditions that use themselves. */
import type { Report } from "../../base/diagnostic.ts";
import type { Steps } from "../../base/slices.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import type { Declared, Symbols } from "./symbols.ts";

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
  return scope.has("decision") && asksFacts(symbols, decl, new Set()) ? scope.withoutDecision() : scope;
}

function asksFacts(symbols: Symbols, decl: ast.ConditionDecl, seen: Set<ast.ConditionDecl>): boolean {
  if (decl.evidence !== null) return true;
  if (seen.has(decl)) return false;
  seen.add(decl);
  let asks = false;
  forEachNode([decl.lets, decl.test], (node) => {
    if (isQuestion(node)) asks = true;
    const name = nameIn(node);
    const inner = name === undefined ? undefined : symbols.conditions.get(name);
    if (inner !== undefined && asksFacts(symbols, inner.decl, seen)) asks = true;
  });
  return asks;
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
  const add = (one: unknown): void => {
    for (const { decl } of usedIn(one, uses)) {
      if (found.has(decl)) continue;
      found.add(decl);
      add([decl.test, decl.evidence]);
    }
  };
  if (uses.size > 0) add(part);
  return found;
}

/** Reports conditions that use themselves, each cycle once, where it is closed. One step for each condition. */
export function* reportingCycles(
  symbols: Symbols,
  uses: ReadonlyMap<ConditionUse, DeclaredCondition>,
  reportOf: (declared: DeclaredCondition) => Report | undefined,
): Steps<void> {
  const done = new Set<ast.ConditionDecl>();
  const path: DeclaredCondition[] = [];
  const visit = (declared: DeclaredCondition): void => {
    const { decl } = declared;
    const at = path.findIndex((one) => one.decl === decl);
    if (at !== -1) return report([...path.slice(at), declared]);
    if (done.has(decl)) return;
    path.push(declared);
    for (const used of usedIn([decl.test, decl.evidence], uses)) visit(used);
    path.pop();
    done.add(decl);
  };
  const report = (cycle: readonly DeclaredCondition[]): void => {
    const [first] = cycle;
    if (first === undefined) return;
    const names = cycle.map(({ decl }) => decl.name.name).join(" → ");
    const message = `condition "${first.decl.name.name}" uses itself: ${names}`;
    reportOf(first)?.error("E215", first.span, message, "move what they share into a condition of its own");
  };
  for (const declared of symbols.conditions.values()) {
    visit(declared);
    yield;
  }
}
