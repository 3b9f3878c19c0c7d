/**
 * The findings of gates, guardians and pipelines: when it is unknown whether a fact matches, it is neither left out nor
 * counted. Patterns are read as by the network (plan/unknown-tests.ts), but from the checked tree.
 */
import type { Truth } from "../../base/truth.ts";
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { ConditionUse } from "../../language/check/condition-uses.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import { windowsIn } from "../../language/check/within.ts";
import { forEachNode } from "../../language/walk.ts";
import type { FactView } from "../../session/results.ts";
import { candidates, ownField, dependsOnFact } from "./candidates.ts";
import { type Bound, type Chosen, chosenFor, type Fixed, FREE } from "./chosen.ts";
import { computedCall } from "./calls.ts";
import { evaluate, itemsOf, truth } from "./evaluate.ts";
import { valueOfAggregate } from "./members.ts";
import { type ForallPart, type ItemsPart, mentions, type Part, type PatternPart } from "./parts.ts";
import { isWindowOpen } from "./within.ts";
import type { World } from "./world.ts";

export interface Finding {
  readonly chosen: Chosen;
  /** True when every test is true; otherwise the finding may or may not count. */
  readonly sure: boolean;
  /** The pattern whose facts cannot be looked up, because a value in the lookup is unknown. */
  readonly gap: PatternPart | undefined;
  /** The window in which a further fact of the pattern may come; absent for other gaps. */
  readonly open?: ast.WithinExpr;
}

/** Yields every way in which the parts are or may be fulfilled. */
export function findings(parts: readonly Part[], world: World, from: Chosen, fixed: Fixed = FREE): Iterable<Finding> {
  return findingsFrom(parts, 0, { chosen: from, sure: true, gap: undefined }, { world, fixed, found: undefined });
}

/** Returns whether something fulfils the parts: one sure finding is enough. */
export function foundTruth(parts: readonly Part[], world: World, from: Chosen): Truth {
  let truth: Truth = false;
  for (const { sure } of findings(parts, world, from)) {
    if (sure) return true;
    truth = undefined;
  }
  return truth;
}

/** Returns the first finding that may or may not count. */
export function firstDoubt(parts: readonly Part[], world: World, from: Chosen): Finding | undefined {
  for (const found of findings(parts, world, from)) if (!found.sure) return found;
  return undefined;
}

/** Returns whether the test holds for every fact of the pattern, and the first fact that keeps it from being true. */
export function everyTruth(
  { pattern, test }: ForallPart,
  world: World,
  from: Chosen,
): { readonly truth: Truth; readonly against: Finding | undefined } {
  let doubt: Finding | undefined;
  for (const found of findings([pattern], world, from)) {
    const { chosen } = found;
    const held =
      found.gap === undefined ? truth(test, { world, chosen, ownFact: chosenFor(chosen, pattern) }) : undefined;
    if (held === true) continue;
    if (held === false && found.sure) return { truth: false, against: found };
    doubt ??= found;
  }
  return { truth: doubt === undefined ? true : undefined, against: doubt };
}

/** Returns the values that must be known before facts of a pattern can be looked up, and are not. */
export function unknownKeys(part: PatternPart, world: World, chosen: Chosen): readonly ast.Expr[] {
  const scope = { world, chosen, ownFact: undefined };
  return [...part.tests, ...part.early].flatMap((test) => {
    const key = keyIn(test, part, world);
    const value = key === undefined ? undefined : evaluate(key.value, scope);
    return key === undefined || canBeSought(value) ? [] : [key.value];
  });
}

/** Returns whether facts can be looked up by a value: a list is neither equal to a plain value nor different from one. */
function canBeSought(value: Maybe): boolean {
  return value !== undefined && typeof value !== "object";
}

/**
 * Returns whether a fact that lacks the field of a test is left out by it, because the test is a key with a known
 * value.
 */
export function lacksKey(test: ast.Expr, part: PatternPart, world: World, chosen: Chosen): boolean {
  const key = keyIn(test, part, world);
  if (key === undefined || !namesOther(key.value, world, chosen)) return false;
  const { value } = key;
  const wanted = evaluate(value, { world, chosen, ownFact: undefined });
  return canBeSought(wanted);
}

// ---------------------------------------------------------------- part by part

interface SearchContext {
  readonly world: World;
  readonly fixed: Fixed;
  /**
   * The variables bound by earlier patterns; undefined before the first pattern. Anything bound before that is an
   * input.
   */
  readonly found: ReadonlySet<string> | undefined;
}

function* findingsFrom(
  parts: readonly Part[],
  index: number,
  from: Finding,
  context: SearchContext,
): Iterable<Finding> {
  const part = parts[index];
  if (part === undefined || from.gap !== undefined) {
    yield from;
    return;
  }
  const after = { ...context, found: foundAfter(part, context.found) };
  for (const next of findingsAfter(part, from, context)) yield* findingsFrom(parts, index + 1, next, after);
}

function foundAfter(part: Part, found: SearchContext["found"]): SearchContext["found"] {
  if (part.kind === "pattern") return new Set([...(found ?? []), ...(part.variable === null ? [] : [part.variable])]);
  if (part.kind === "items") return new Set([...(found ?? []), part.variable]);
  if (part.kind === "or") return part.alternatives.flat().reduce((names, one) => foundAfter(one, names), found);
  if (part.kind === "let" && found !== undefined) return new Set([...found, part.name]);
  if (part.kind !== "aggregate" || found === undefined) return found;
  return new Set([...found, ...part.items.map(({ name }) => name)]);
}

function* findingsAfter(part: Part, from: Finding, context: SearchContext): Iterable<Finding> {
  const { world } = context;
  const { chosen } = from;
  switch (part.kind) {
    case "pattern":
      yield* patternFindings(part, from, context);
      return yield* comingFindings(part, from, context);
    case "or":
      for (const alternative of part.alternatives) yield* findingsFrom(alternative, 0, from, context);
      return;
    case "aggregate": {
      let next = from;
      for (const item of part.items) {
        const value = valueOfAggregate(part, item, world, chosen);
        next = value === undefined ? { ...next, sure: false } : withValue(next, part, item.name, value);
      }
      yield next;
      return;
    }
    case "absence": {
      const found = foundTruth(part.parts, world, chosen);
      return yield* unlessFalse(from, part.quantifier === "exists" || found === undefined ? found : !found);
    }
    case "forall":
      return yield* unlessFalse(from, everyTruth(part, world, chosen).truth);
    case "let": {
      const value = evaluate(part.value, { world, chosen, ownFact: undefined });
      yield { ...from, chosen: chosen.with(part, part.name, { value }) };
      return;
    }
    case "items":
      return yield* itemFindings(part, from, world);
    case "where":
      return yield* unlessFalse(from, truth(part.test, { world, chosen, ownFact: undefined }));
  }
}

/** Yields the items of a list. Of a list that is unknown there may be any: one finding in doubt stands for them. */
function* itemFindings(part: ItemsPart, from: Finding, world: World): Iterable<Finding> {
  const items = itemsOf(part, { world, chosen: from.chosen, ownFact: undefined });
  if (items === undefined) {
    const bound = { value: undefined, doubt: `the list of ${part.variable} is unknown` };
    yield { ...from, chosen: from.chosen.with(part, part.variable, bound), sure: false };
    return;
  }
  for (const value of items) yield withValue(from, part, part.variable, value);
}

function withValue(from: Finding, part: Part, name: string, value: NonNullable<Maybe>): Finding {
  return { ...from, chosen: from.chosen.with(part, name, { value }) };
}

/** Yields nothing for a false test, and a finding in doubt for an unknown one. */
function* unlessFalse(from: Finding, held: Truth): Iterable<Finding> {
  if (held !== false) yield held === true ? from : { ...from, sure: false };
}

// ---------------------------------------------------------------- patterns

function* patternFindings(part: PatternPart, from: Finding, { world, fixed, found }: SearchContext): Iterable<Finding> {
  const { keys, independent, tests } = testGroupsOf(part, found, from.chosen, world);
  const scope = { world, chosen: from.chosen, ownFact: undefined };
  const wanted = keys.map(({ value }) => evaluate(value, scope));
  if (!wanted.every(canBeSought)) {
    if (independent.every((test) => truth(test, scope) !== false))
      yield { chosen: from.chosen, sure: false, gap: part };
    if (wanted.includes(undefined)) return; // an equal list or object is found all the same
  }
  for (const fact of factsToTest(part, keys, wanted, from.chosen, world, fixed)) {
    const chosen = from.chosen.with(part, part.variable, { fact });
    const side = { world, chosen, ownFact: fact };
    if (!keys.every(({ test }) => truth(test, side) === true)) continue;
    const truths = tests.map((test) => truth(test, side));
    if (!truths.includes(false)) yield { chosen, sure: from.sure && !truths.includes(undefined), gap: undefined };
  }
}

/** Yields a gap for each window that is open: one more fact may come. */
function* comingFindings(part: PatternPart, { chosen }: Finding, { world }: SearchContext): Iterable<Finding> {
  for (const open of windowsIn([...part.tests, ...part.early])) {
    if (isWindowOpen(open, { world, chosen, ownFact: undefined }, evaluate))
      yield { chosen, sure: false, gap: part, open };
  }
}

/** Returns the facts that may match: those of the first key, if there is one. */
function factsToTest(
  part: PatternPart,
  [key]: readonly Key[],
  [wanted]: readonly Maybe[],
  from: Chosen,
  world: World,
  fixed: Fixed,
): readonly FactView[] {
  const isFixed = part.variable !== null && fixed.has(part.variable);
  if (key === undefined || isFixed) return possibleFacts(part, world, from, fixed);
  if (wanted === undefined) return [];
  if (typeof wanted === "object") return world.ofType(part.type); // lists and objects are compared item by item
  if (key.field !== undefined) return world.having(part.type, key.field, wanted);
  const fact = typeof wanted === "string" ? world.one(wanted) : undefined;
  return fact?.type === part.type ? [fact] : [];
}

/**
 * Returns the facts of a pattern that may match. An index is used only for a field that every fact has, with a known
 * value.
 */
export function possibleFacts(part: PatternPart, world: World, from: Chosen, fixed: Fixed = FREE): readonly FactView[] {
  if (part.variable !== null && fixed.has(part.variable)) return candidates(part, world, from, fixed);
  for (const test of [...part.tests, ...part.early]) {
    const key = keyIn(test, part, world);
    if (key?.field === undefined || !alwaysThere(world.context.program, part.type, key.field)) continue;
    const wanted = evaluate(key.value, { world, chosen: from, ownFact: undefined });
    if (wanted !== undefined && typeof wanted !== "object") return world.having(part.type, key.field, wanted);
  }
  return world.ofType(part.type);
}

// ---------------------------------------------------------------- keys

/** An equality by which facts are looked up; a fact that lacks the field is left out. */
interface Key {
  readonly test: ast.Expr;
  /** The field; undefined for the fact itself. */
  readonly field: string | undefined;
  readonly value: ast.Expr;
}

interface TestGroups {
  readonly keys: readonly Key[];
  /** The tests that do not depend on the fact. */
  readonly independent: readonly ast.Expr[];
  /** All tests that are not keys. */
  readonly tests: readonly ast.Expr[];
}

const testGroups = new WeakMap<PatternPart, Map<string, TestGroups>>();

/**
 * Returns the tests of a pattern in groups. An equality with a value of an earlier fact is a key only if that fact
 * always has the value.
 */
function testGroupsOf(part: PatternPart, found: SearchContext["found"], chosen: Chosen, world: World): TestGroups {
  let bySearch = testGroups.get(part);
  if (bySearch === undefined) testGroups.set(part, (bySearch = new Map()));
  const name = [...(found ?? []), ":", ...constantsOf(chosen)].join();
  let groups = bySearch.get(name);
  if (groups === undefined) bySearch.set(name, (groups = groupTests(part, found ?? NO_NAMES, chosen, world)));
  return groups;
}

/** Returns the parameters of a condition to which a constant is passed: an equality with one is no key. */
function constantsOf(chosen: Chosen): string[] {
  return chosen.entries().flatMap(({ name, bound }) => (isConstant(bound) && name !== null ? [name] : []));
}

/** Returns whether a variable stands for a constant. */
export function isConstant(bound: Bound | undefined): boolean {
  return bound !== undefined && "value" in bound && bound.constant === true;
}

const NO_NAMES: ReadonlySet<string> = new Set();

function groupTests(part: PatternPart, found: ReadonlySet<string>, chosen: Chosen, world: World): TestGroups {
  const all = [...part.tests, ...part.early];
  const keys: Key[] = [];
  const tests: ast.Expr[] = [];
  for (const test of all) {
    const key = keyIn(test, part, world);
    const isKey = key !== undefined && namesOther(key.value, world, chosen);
    if (isKey && (!mentions(key.value, found) || isAlwaysKnown(key.value, chosen, world))) keys.push(key);
    else tests.push(test);
  }
  const independent = tests.filter((test) => !isLate(test, part, world) && !dependsOnFact(test, part, world));
  return { keys, independent, tests };
}

/**
 * Returns whether a test is tried after the fact is found: it contains a nested question, reads the clock, or follows a
 * reference of the fact.
 */
function isLate(test: ast.Expr, part: PatternPart, { context }: World): boolean {
  let late = false;
  forEachNode(test, (node) => {
    late ||= context.program.conditionUses.has(node as unknown as ConditionUse);
    late ||= computedCall(context.program, node as unknown as ast.Expr) !== undefined;
    late ||= context.program.tables.uses.has(node as unknown as ast.CallExpr);
    late ||=
      node.kind === "within" ||
      node.kind === "last" ||
      node.kind === "exists" ||
      node.kind === "exists-in" ||
      node.kind === "aggregate-in";
    if (node.kind !== "path") return;
    const path = node as unknown as ast.PathExpr;
    const resolution = context.program.resolutions.get(path);
    late ||= resolution === "clock";
    if (resolution === "own-field") late ||= path.fields.length > 0;
    else if (resolution === "variable" && path.root.name === part.variable) late ||= path.fields.length > 1;
  });
  return late;
}

function keyIn(test: ast.Expr, part: PatternPart, world: World): Key | undefined {
  if (test.kind !== "compare" || test.op !== "==" || isLate(test, part, world)) return undefined;
  for (const [side, value] of [[test.left, test.right] as const, [test.right, test.left] as const]) {
    const field = ownField(side, part, world);
    if (field !== undefined && !dependsOnFact(value, part, world)) return { test, field: field.name, value };
  }
  return undefined;
}

/** Returns whether a value depends on another fact; a comparison with a constant is no key. */
function namesOther(value: ast.Expr, { context }: World, chosen: Chosen): boolean {
  let other = false;
  forEachNode(value, (node) => {
    if (node.kind !== "path") return;
    const path = node as unknown as ast.PathExpr;
    const resolution = context.program.resolutions.get(path);
    const isFixed = resolution === "variable" && isConstant(chosen.get(path.root.name));
    other ||= (resolution === "variable" && !isFixed) || (resolution === "fact" && path.fields.length > 0);
  });
  return other;
}

/** Returns whether a value is always present and can be compared. */
function isAlwaysKnown(value: ast.Expr, chosen: Chosen, { context }: World): boolean {
  if (value.kind !== "path" || context.program.resolutions.get(value) !== "variable") return false;
  const bound = chosen.get(value.root.name);
  const [field, second] = value.fields;
  if (bound === undefined || !("fact" in bound) || second !== undefined) return false;
  return field === undefined || alwaysThere(context.program, bound.fact.type, field.name);
}

function alwaysThere(program: CheckedProgram, type: string, name: string): boolean {
  const field = program.symbols.type(type)?.fields.get(name);
  if (field === undefined || (field.optional && !field.key)) return false;
  return field.type.kind !== "any" && field.type.kind !== "list";
}
