/** What a test of the tree contains: its terms, its variables, its subqueries, the references that it follows. */
import type * as ast from "../language/ast.ts";
import { type ConditionUse, isQuestion } from "../language/check/condition-uses.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { ComputedFunction } from "../language/check/symbols.ts";
import { forEachNode } from "../language/walk.ts";

/** Returns the terms of a list of tests, with top-level AND taken apart. */
export function conjunctsOf(tests: readonly ast.Expr[]): ast.Expr[] {
  return tests.flatMap((test) => (test.kind === "logic" && test.op === "and" ? conjunctsOf(test.items) : [test]));
}

/**
 * Returns whether the test contains a subquery: an `exists`, an aggregate, a test of the clock, a decision table, or a condition or
 * function that asks more than fields. Where something is judged every condition and function counts: an equality in it is no key by
 * which facts are looked up.
 */
export function hasSubquery(program: CheckedProgram, test: ast.Value, judging = false): boolean {
  let found = false;
  forEachNode(test, (node) => {
    const use = node as unknown as ConditionUse;
    found ||= program.tables.uses.has(node as unknown as ast.CallExpr);
    found ||= isQuestion(node) || (judging ? isWrittenOut(program, use) : asksMore(program, use));
    found ||= readsClock(program, node);
  });
  return found;
}

/** Returns whether a node is a condition, or a call of a function of the program: the plan has its expression in its place. */
function isWrittenOut(program: CheckedProgram, use: ConditionUse): boolean {
  return program.conditionUses.has(use) || functionOf(program, use) !== undefined;
}

function functionOf(program: CheckedProgram, use: ConditionUse): ComputedFunction | undefined {
  return use.kind === "call" ? program.symbols.computedFunction(use.name.name) : undefined;
}

/** Returns whether a node is `now`, `today` or `wait until`, or calls a function of the program that reads them. */
function readsClock(program: CheckedProgram, node: Readonly<Record<string, unknown>>): boolean {
  if (node["kind"] === "wait") return true;
  if (node["kind"] === "within") return node["only"] !== "in window";
  if (node["kind"] === "path") return program.resolutions.get(node as unknown as ast.PathExpr) === "clock";
  const called = node["kind"] === "call" ? functionOf(program, node as unknown as ConditionUse) : undefined;
  let found = false;
  if (called !== undefined) forEachNode(called.body, (inner) => (found ||= readsClock(program, inner)));
  return found;
}

/**
 * Returns whether a node is a condition or a call that needs other nodes: it has evidence, a subquery or a condition in it, or it
 * follows a reference.
 */
function asksMore(program: CheckedProgram, use: ConditionUse): boolean {
  const condition = program.conditionUses.get(use)?.decl;
  const called = condition ?? functionOf(program, use);
  if (called === undefined) return false;
  if (condition !== undefined && condition.evidence !== null) return true;
  const args = new Map(
    called.params.map(({ name }, index) => [name.name, use.kind === "call" ? use.args[index] : undefined]),
  );
  let more = false;
  forEachNode(called.kind === "function" ? called.body : called.test, (node) => {
    const inner = functionOf(program, node as unknown as ConditionUse);
    more ||=
      program.conditionUses.has(node as unknown as ConditionUse) || isQuestion(node) || readsClock(program, node);
    more ||= inner !== undefined && readsFields(program, inner);
    more ||= program.tables.uses.has(node as unknown as ast.CallExpr);
    if (node["kind"] === "path") more ||= isFollowed(program, node as unknown as ast.PathExpr, args);
    if (node["kind"] === "property") more ||= !program.valueFields.has(node as unknown as ast.PropertyExpr);
  });
  return more;
}

/** Returns whether a function reads fields of what is passed to it. */
function readsFields(program: CheckedProgram, { body }: ComputedFunction): boolean {
  let reads = false;
  forEachNode(body, (node) => {
    const inner = functionOf(program, node as unknown as ConditionUse);
    reads ||= inner !== undefined && readsFields(program, inner);
    if (node["kind"] === "path") reads ||= (node as unknown as ast.PathExpr).fields.length > 0;
    if (node["kind"] === "property") reads ||= !program.valueFields.has(node as unknown as ast.PropertyExpr);
  });
  return reads;
}

/** Returns whether a path of a condition follows a reference, given what is passed for the parameters. */
function isFollowed(
  program: CheckedProgram,
  path: ast.PathExpr,
  args: ReadonlyMap<string, ast.Value | undefined>,
): boolean {
  const arg = args.get(path.root.name);
  if (arg === undefined || path.fields.length === 0) return followsFrom(program, path, 1);
  if (arg.kind !== "path") return true;
  if (arg.fields.length === 0) return followsFrom(program, path, program.resolutions.get(arg) === "own-field" ? 0 : 1);
  return followsFrom(program, path, 0) || followsFrom(program, arg, 1);
}

/** Returns whether a path follows a reference at one of its fields from a place on; a field of a value leads to no fact. */
function followsFrom({ valueFields }: CheckedProgram, path: ast.PathExpr, from: number): boolean {
  const values = valueFields.get(path);
  return path.fields.some((_, at) => at >= from && values?.[at] !== true);
}

/** Returns whether a path follows a reference. */
export function readsFollowed(program: CheckedProgram, path: ast.PathExpr): boolean {
  return followsFrom(program, path, program.resolutions.get(path) === "own-field" ? 0 : 1);
}

/**
 * Returns whether the test follows a reference that starts at the pattern's own fact. In a test that is written in another pattern,
 * bare names are fields of that one (`isWrittenHere` false).
 */
export function followsOwn(
  program: CheckedProgram,
  test: ast.Expr,
  ownVariable: string | undefined,
  isWrittenHere: boolean = true,
): boolean {
  const isOwn = (path: ast.PathExpr): boolean => {
    const resolution = program.resolutions.get(path);
    if (resolution === "own-field") return isWrittenHere;
    return resolution === "variable" && path.root.name === ownVariable;
  };
  let found = false;
  forEachPath(test, (path) => (found ||= isOwn(path) && readsFollowed(program, path)));
  forEachNode(test, (node) => {
    const property = node as unknown as ast.PropertyExpr;
    if (property.kind !== "property" || program.valueFields.has(property)) return;
    forEachPath(property.of, (path) => (found ||= isOwn(path)));
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
