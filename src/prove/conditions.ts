/**
 * Conditions inside tests, by brute force: every fact is read, and one for which a test is unknown may or may not count.
 *
 * A condition is evaluated with the tree of its declaration and its parameters alone; `evaluate` is passed in, because a test
 * asks conditions in turn.
 */
import { must } from "../base/invariant.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { ConditionUse } from "../language/check/condition-uses.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { forEachNode } from "../language/walk.ts";
import { allOf, anyOf, canonical, orderOf, truthOf } from "./compare.ts";
import { millisecondsOf } from "./times.ts";
import { amongLast, parted } from "./last.ts";
import { Bindings, type Place } from "./place.ts";
import { isOpen, windowsAmong } from "./windows.ts";
import type { OracleFact } from "./world.ts";

/** Evaluates an expression. */
export type Evaluate = (expr: ast.Value, place: Place) => Maybe;

/** Returns the truth of a condition that a test uses. */
export function conditionTruth(use: ConditionUse, place: Place, evaluate: Evaluate): Truth {
  const { program } = place.world;
  const { decl } = must(program.conditionUses.get(use), "a condition that resolved");
  const args = use.kind === "call" ? use.args : [];
  let bindings = Bindings.none;
  const constants = new Set<string>();
  for (const [index, { name, default: otherwise }] of decl.params.entries()) {
    const arg = args[index] ?? otherwise;
    const value = arg === null ? undefined : evaluate(arg, place);
    if (value !== undefined) bindings = bindings.with(name.name, { value });
    if (arg === null || !dependsOnFacts(arg, place)) constants.add(name.name);
  }
  const inside: Place = { world: place.world, bindings, constants };
  if (decl.evidence === null) return truthOf(evaluate(decl.test, inside));
  return readEvidence(decl.test, decl.evidence, inside, evaluate);
}

/** Returns whether a value depends on a fact: an equality with it is a key, by which facts are looked up. */
function dependsOnFacts(value: ast.Value, { world, constants }: Place): boolean {
  let depends = false;
  forEachNode(value, (node) => {
    if (node["kind"] !== "path") return;
    const { root, fields } = node as unknown as ast.PathExpr;
    const resolution = world.program.resolutions.get(node as unknown as ast.PathExpr);
    if (resolution === "variable") depends ||= constants?.has(root.name) !== true;
    else depends ||= resolution === "own-field" || (resolution === "fact" && fields.length > 0);
  });
  return depends;
}

// ---------------------------------------------------------------- evidence

interface Piece {
  readonly code: Truth;
  readonly by: Maybe;
  readonly per: Maybe;
}

function readEvidence(test: ast.Expr, evidence: ast.Evidence, place: Place, evaluate: Evaluate): Truth {
  const { pattern, by, per } = evidence;
  const part = { variable: pattern.variable, type: pattern.type.name, tests: pattern.tests };
  const pieces: Piece[] = [];
  for (const { place: found, sure, isGap } of findings([part], place, evaluate)) {
    if (isGap) return undefined;
    const code = sure ? truthOf(evaluate(test, found)) : undefined;
    const of = (path: ast.PathExpr | null): Maybe => (path === null ? undefined : evaluate(path, found));
    const isTime = by !== null && place.world.program.times.types.has(by);
    pieces.push({ code, by: isTime ? millisecondsOf(of(by)) : of(by), per: of(per) });
  }
  if (pieces.length === 0) return undefined;
  switch (evidence.mode) {
    case "agree":
      return unanimous(pieces.map(({ code }) => code));
    case "any":
      return anyOf(pieces.map(({ code }) => code));
    case "every":
      return allOf(pieces.map(({ code }) => code));
    case "latest":
      return per === null ? newest(pieces) : ofGroups(pieces, unanimous);
    case "any latest":
      return ofGroups(pieces, anyOf);
    case "every latest":
      return ofGroups(pieces, allOf);
  }
}

function unanimous(truths: readonly Truth[]): Truth {
  return truths.every((truth) => truth === truths[0]) ? truths[0] : undefined;
}

/** Returns the value of the newest pieces; unknown when one of them cannot be ordered among the others. */
function newest(pieces: readonly Piece[]): Truth {
  const isOrdered = pieces.every((a) => pieces.every((b) => orderOf(a.by, b.by) !== undefined));
  if (!isOrdered) return undefined;
  return unanimous(pieces.filter((a) => pieces.every((b) => orderOf(a.by, b.by) !== -1)).map(({ code }) => code));
}

function ofGroups(pieces: readonly Piece[], combine: (truths: readonly Truth[]) => Truth): Truth {
  if (pieces.some(({ per }) => per === undefined)) return undefined;
  const groups = [...new Set(pieces.map(({ per }) => canonical(per)))];
  return combine(groups.map((group) => newest(pieces.filter(({ per }) => canonical(per) === group))));
}

// ---------------------------------------------------------------- facts that may match

/** A pattern to find facts for. */
export interface SearchPart {
  readonly variable: ast.Ident | null;
  readonly type: string;
  readonly tests: readonly ast.Expr[];
}

/** Facts that match, or, when not `sure`, may match; a gap is where it cannot be told which facts to look for. */
export interface Finding {
  readonly place: Place;
  readonly sure: boolean;
  readonly isGap: boolean;
  /** True for a fact that is not there, and may come while a window is open. */
  readonly isOpen?: boolean;
}

/** Returns the sources of EXISTS or an aggregate as patterns: each test belongs to the last source that it names. */
export function partsOf(
  sources: readonly ast.SourceVar[],
  test: ast.Expr | null,
  program: CheckedProgram,
): SearchPart[] {
  const names = sources.map(({ variable }) => variable.name);
  const lastNamed = (one: ast.Expr): number => Math.max(0, ...names.map((name, at) => (isNamed(one, name) ? at : 0)));
  const isNamed = (one: ast.Expr, name: string): boolean => {
    let found = false;
    forEachNode(one, (node) => {
      const path = node as unknown as ast.PathExpr;
      found ||= path.kind === "path" && path.root.name === name && program.resolutions.get(path) === "variable";
    });
    return found;
  };
  const tests = test === null ? [] : conjuncts(test);
  return sources.map(({ variable, type }, at) => {
    return { variable, type: type.name, tests: tests.filter((one) => lastNamed(one) === at) };
  });
}

/** Returns every way in which the patterns are or may be matched. */
export function findings(parts: readonly SearchPart[], place: Place, evaluate: Evaluate): Finding[] {
  let found: Finding[] = [{ place, sure: true, isGap: false }];
  const bound = new Set<string>();
  for (const part of parts) {
    found = found.flatMap((one) => {
      if (one.isGap || one.isOpen === true) return [one];
      return [...mayCome(part, one, evaluate), ...matching(part, one, bound, evaluate)];
    });
    if (part.variable !== null) bound.add(part.variable.name);
  }
  return found;
}

/** Returns one more fact for each window that is open: it is unknown whether it comes. */
function mayCome({ tests }: SearchPart, { place }: Finding, evaluate: Evaluate): Finding[] {
  const open = windowsAmong(tests).filter((one) => isOpen(one, place, evaluate));
  return open.map(() => ({ place, sure: false, isGap: false, isOpen: true }));
}

function matching(part: SearchPart, from: Finding, bound: ReadonlySet<string>, evaluate: Evaluate): Finding[] {
  const { place } = from;
  const { world } = place;
  const outside: Place = { world, bindings: place.bindings, ...(place.constants && { constants: place.constants }) };
  const { last, others: whole } = parted(part.tests);
  const tests = whole.flatMap(conjuncts);
  const keys = tests.flatMap((test) => keyIn(test, part, bound, outside));
  const others = tests.filter((test) => !keys.some((key) => key.test === test));
  if (keys.some(({ value }) => !isKnown(evaluate(value, outside)))) {
    const early = others.filter(
      (test) => !isLate(test, part, world.program) && !mentionsOwn(test, part, world.program),
    );
    const isFalse = early.some((test) => evaluate(test, outside) === false);
    return isFalse ? [] : [{ place: outside, sure: false, isGap: true }];
  }
  const placeOf = (own: OracleFact): Place => {
    const bindings =
      part.variable === null ? place.bindings : place.bindings.with(part.variable.name, { fact: own.id });
    return { ...outside, bindings, own };
  };
  const found = world.ofType(part.type).flatMap((own: OracleFact) => {
    const inside = placeOf(own);
    if (keys.some(({ test }) => evaluate(test, inside) !== true)) return [];
    const truth = allOf(others.map((test) => truthOf(evaluate(test, inside))));
    return truth === false ? [] : [{ own, sure: truth === true }];
  });
  const counted = last === undefined ? found : amongLast(last, found, outside, evaluate);
  return counted.map(({ own, sure }) => ({ place: placeOf(own), sure: from.sure && sure, isGap: false }));
}

/** Returns whether a value can be looked for: a list is neither equal to a plain value nor different from one. */
function isKnown(value: Maybe): boolean {
  return value !== undefined && typeof value !== "object";
}

interface Key {
  readonly test: ast.Expr;
  readonly value: ast.Expr;
}

/** Returns the key of an equality between a field of the fact and a value of another fact; a fact that lacks the field is left out. */
function keyIn(test: ast.Expr, part: SearchPart, bound: ReadonlySet<string>, place: Place): Key[] {
  const { program } = place.world;
  if (test.kind !== "compare" || test.op !== "==" || isLate(test, part, program)) return [];
  for (const [side, value] of [[test.left, test.right] as const, [test.right, test.left] as const]) {
    if (!isOwnField(side, part, program) || mentionsOwn(value, part, program) || !dependsOnFacts(value, place))
      continue;
    const isEarlier = [...bound].some((name) => pathsIn(value).some((path) => path.root.name === name));
    return isEarlier && !isAlwaysThere(value, place) ? [] : [{ test, value }];
  }
  return [];
}

function isOwnField(side: ast.Expr, { variable }: SearchPart, program: CheckedProgram): boolean {
  if (side.kind !== "path") return false;
  const resolution = program.resolutions.get(side);
  if (resolution === "own-field") return side.fields.length === 0;
  return resolution === "variable" && side.root.name === variable?.name && side.fields.length <= 1;
}

function mentionsOwn(expr: ast.Expr, { variable }: SearchPart, program: CheckedProgram): boolean {
  return pathsIn(expr).some((path) => {
    const resolution = program.resolutions.get(path);
    return resolution === "own-field" || (resolution === "variable" && path.root.name === variable?.name);
  });
}

/** Returns whether a test is decided after the fact is found: it asks about other facts or the clock, or follows a reference of its own. */
function isLate(test: ast.Expr, { variable }: SearchPart, program: CheckedProgram): boolean {
  let late = false;
  forEachNode(test, (node) => {
    const kind = node["kind"];
    late ||= kind === "within" || kind === "exists" || kind === "exists-in" || kind === "aggregate-in";
    late ||= program.conditionUses.has(node as unknown as ConditionUse);
    late ||= program.tables.uses.has(node as unknown as ast.CallExpr);
    if (kind !== "call") return;
    const { name } = (node as unknown as ast.CallExpr).name;
    const called = program.symbols.functions.get(name)?.decl;
    late ||= called !== undefined && called.body !== null;
  });
  return (
    late ||
    pathsIn(test).some((path) => {
      const resolution = program.resolutions.get(path);
      if (resolution === "clock") return true;
      if (resolution === "own-field") return path.fields.length > 0;
      return resolution === "variable" && path.root.name === variable?.name && path.fields.length > 1;
    })
  );
}

/** Returns whether a field of an earlier fact always has a value that can be compared. */
function isAlwaysThere(value: ast.Expr, { world, bindings }: Place): boolean {
  if (value.kind !== "path" || value.fields.length > 1) return false;
  const bound = bindings.get(value.root.name);
  if (bound === undefined || !("fact" in bound)) return false;
  const [name] = value.fields;
  const type = world.get(bound.fact)?.type ?? "";
  const field = name === undefined ? undefined : world.program.symbols.type(type)?.fields.get(name.name);
  if (name === undefined) return true;
  if (field === undefined || (field.optional && !field.key)) return false;
  return field.type.kind !== "any" && field.type.kind !== "list";
}

function pathsIn(node: unknown): ast.PathExpr[] {
  const found: ast.PathExpr[] = [];
  forEachNode(node, (inner) => {
    if (inner["kind"] === "path") found.push(inner as unknown as ast.PathExpr);
  });
  return found;
}

function conjuncts(test: ast.Expr): ast.Expr[] {
  return test.kind === "logic" && test.op === "and" ? test.items.flatMap(conjuncts) : [test];
}
