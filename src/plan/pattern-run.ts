/**
 * Runs of patterns: patterns that follow each other in a rule, with the `where` between and after them, and what their tests read.
 *
 * The patterns of a run can be joined in any order: a match is the same set of facts, and a test is true of it or not. A pattern is
 * in no run when more depends on where it stands: its test asks for other facts or for the clock, counts facts for each match before
 * it (`over last 3`), or can be reported as a problem when it is evaluated.
 */
import { functionNamed } from "../functions/functions.ts";
import type * as ast from "../language/ast.ts";
import type { ConditionUse } from "../language/check/condition-uses.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { forEachNode } from "../language/walk.ts";
import type { PatternPart } from "./patterns.ts";
import { conjunctsOf, forEachPath, hasSubquery, readsFollowed } from "./test-contents.ts";

/** A test of a run. */
export interface RunTest {
  readonly test: ast.Expr;
  /** The index of the pattern in which it is written; undefined for a test that is written in none. */
  readonly home: number | undefined;
  /** The patterns that it reads, by index. */
  readonly of: ReadonlySet<number>;
  /** Whether it reads what is known before the run. */
  readonly readsBefore: boolean;
  /** Of an equality: the patterns of which one side is a field, and the other side reads nothing. */
  readonly keyOf: ReadonlySet<number>;
}

/** Patterns that can be joined in any order. */
export interface PatternRun {
  readonly patterns: readonly PatternPart[];
  readonly tests: readonly RunTest[];
}

/** Returns elements in sections: runs, which begin with a pattern, and single elements that are in no run. */
export function sectionsOf(program: CheckedProgram, elements: readonly ast.Element[]): (readonly ast.Element[])[] {
  const sections: ast.Element[][] = [];
  let run: ast.Element[] | undefined;
  for (const element of elements) {
    const isMember = element.kind === "pattern" || (element.kind === "where" && run !== undefined);
    if (!isMember || !isMovable(program, element)) {
      sections.push([element]);
      run = undefined;
    } else if (run === undefined) sections.push((run = [element]));
    else run.push(element);
  }
  return sections;
}

/** Returns a section as a run. */
export function runOf(program: CheckedProgram, elements: readonly ast.Element[]): PatternRun {
  const patterns: PatternPart[] = [];
  const written: { readonly test: ast.Expr; readonly home: number | undefined }[] = [];
  for (const element of elements) {
    if (element.kind === "pattern") {
      const home = patterns.length;
      const { variable, type } = element;
      const tests = conjunctsOf(element.tests);
      patterns.push({ variable: variable?.name, type: type.name, tests });
      written.push(...tests.map((test) => ({ test, home })));
    } else if (element.kind === "where") {
      written.push(...conjunctsOf([element.test]).map((test) => ({ test, home: undefined })));
    }
  }
  return { patterns, tests: written.map(({ test, home }) => runTest(program, patterns, test, home)) };
}

/** Returns the run of the variables of a slash form and their tests; undefined when they must be planned as written. */
export function runOfSources(
  program: CheckedProgram,
  sources: readonly ast.SourceVar[],
  tests: readonly ast.Expr[],
): PatternRun | undefined {
  if (sources.length < 2 || !tests.every((test) => canBeMoved(program, test))) return undefined;
  const patterns = sources.map(({ variable, type }) => ({ variable: variable.name, type: type.name, tests: [] }));
  return { patterns, tests: tests.map((test) => runTest(program, patterns, test, undefined)) };
}

function runTest(
  program: CheckedProgram,
  patterns: readonly PatternPart[],
  test: ast.Expr,
  home: number | undefined,
): RunTest {
  const { of, readsBefore } = readBy(program, patterns, test, home);
  if (of.size === 0 && home !== undefined) of.add(home);
  return { test, home, of, readsBefore, keyOf: keysOf(program, patterns, test, home) };
}

/** Returns the patterns that an expression reads, and whether it reads anything else that a match has. */
function readBy(
  program: CheckedProgram,
  patterns: readonly PatternPart[],
  node: unknown,
  home: number | undefined,
): { readonly of: Set<number>; readonly readsBefore: boolean } {
  const of = new Set<number>();
  let readsBefore = false;
  forEachPath(node, (path) => {
    const resolution = program.resolutions.get(path);
    if (resolution === "own-field" && home !== undefined) of.add(home);
    if (resolution !== "variable") return;
    const index = patterns.findIndex(({ variable }) => variable === path.root.name);
    if (index < 0) readsBefore = true;
    else of.add(index);
  });
  return { of, readsBefore };
}

function keysOf(
  program: CheckedProgram,
  patterns: readonly PatternPart[],
  test: ast.Expr,
  home: number | undefined,
): Set<number> {
  const keys = new Set<number>();
  if (test.kind !== "compare" || test.op !== "==") return keys;
  for (const [side, other] of [
    [test.left, test.right],
    [test.right, test.left],
  ] as const) {
    if (side.kind !== "path" || readsFollowed(program, side)) continue;
    const [pattern] = readBy(program, patterns, side, home).of;
    if (pattern !== undefined && !readBy(program, patterns, other, home).of.has(pattern)) keys.add(pattern);
  }
  return keys;
}

// ---------------------------------------------------------------- what can be moved

function isMovable(program: CheckedProgram, element: ast.Pattern | ast.WhereElement): boolean {
  if (element.kind === "where") return canBeMoved(program, element.test);
  return element.window === undefined && element.tests.every((test) => canBeMoved(program, test));
}

/** Returns whether it makes no difference but speed for which matches a test is evaluated. */
function canBeMoved(program: CheckedProgram, test: ast.Expr): boolean {
  if (hasSubquery(program, test)) return false;
  let can = true;
  forEachNode(test, (node) => {
    const { kind } = node;
    if (kind === "last" || kind === "within" || kind === "outcome") can = false;
    if (program.conditionUses.has(node as unknown as ConditionUse)) can = false;
    if (kind === "call" && !isSilent(program, node as unknown as ast.CallExpr)) can = false;
    if (kind === "chain" && (node as unknown as ast.ChainExpr).ops.some((op) => op === "/" || op === "%")) can = false;
  });
  return can;
}

/** Returns whether a call never reports a problem: it is built in, and has a result for all arguments. */
function isSilent({ symbols }: CheckedProgram, { name: { name } }: ast.CallExpr): boolean {
  if (symbols.declaredFunction(name) !== undefined || symbols.hostSignature(name) !== undefined) return false;
  const builtIn = functionNamed(name);
  return builtIn !== undefined && builtIn.refuses === undefined;
}
