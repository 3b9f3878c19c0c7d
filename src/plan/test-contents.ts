/** What a test of the tree contains: its terms, its variables, its subqueries, the references that it follows. */
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { forEachNode } from "../language/walk.ts";

/** Returns the terms of a list of tests, with top-level AND taken apart. */
export function conjunctsOf(tests: readonly ast.Expr[]): ast.Expr[] {
  return tests.flatMap((test) => (test.kind === "logic" && test.op === "and" ? conjunctsOf(test.items) : [test]));
}

/** Returns whether the test contains a subquery: an `exists` or an aggregate over other facts. */
export function hasSubquery(test: ast.Value): boolean {
  let found = false;
  forEachNode(test, (node) => {
    found ||= node["kind"] === "exists" || node["kind"] === "exists-in" || node["kind"] === "aggregate-in";
  });
  return found;
}

/** Returns whether the test follows a reference that starts at the pattern's own fact. */
export function followsOwn(program: CheckedProgram, test: ast.Expr, ownVariable: string | undefined): boolean {
  let found = false;
  forEachPath(test, (path) => {
    const resolution = program.resolutions.get(path);
    if (resolution === "own-field") found ||= path.fields.length > 0;
    else if (resolution === "variable" && path.root.name === ownVariable) found ||= path.fields.length > 1;
  });
  return found;
}

/** Returns the variables that an expression names. */
export function variablesOf(program: CheckedProgram, node: unknown): Set<string> {
  const names = new Set<string>();
  forEachPath(node, (path) => {
    if (program.resolutions.get(path) === "variable") names.add(path.root.name);
  });
  return names;
}

/** Visits every path of a tree, such as `p.age`. */
export function forEachPath(node: unknown, visit: (path: ast.PathExpr) => void): void {
  forEachNode(node, (inner) => {
    if (inner["kind"] === "path") visit(inner as unknown as ast.PathExpr);
  });
}
