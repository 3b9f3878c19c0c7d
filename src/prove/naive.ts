/**
 * The brute-force matcher: nested loops over the live facts, read directly from the checked program.
 *
 * No memory, no sharing, no order of work but the written one. The network is compared with it, for example by `sluice
 * prove`, so it is written to be obviously right, and shares no code with the compiler.
 */
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { Value } from "../base/value.ts";
import { canonical } from "./compare.ts";
import { aggregateOver, evaluate, factsOf, passes, tuplesOf, valuesFor, withFact } from "./evaluate.ts";
import { Bindings, type Bound, type Place } from "./place.ts";
import { isOpen, windowsInside } from "./windows.ts";
import { type OracleFact, World, type WorldOptions } from "./world.ts";

export type { OracleFact } from "./world.ts";

export interface NaiveMatch {
  /** The variables that are bound after the condition. */
  readonly bindings: Readonly<Record<string, Bound>>;
  /** The facts of all positive patterns in written order, including those without a variable. */
  readonly facts: readonly string[];
  /** The items of lists in written order: how many equal ones stand before each, and its value. */
  readonly items: readonly string[];
}

/** Returns the matches of every rule of the program; a disabled rule has none. */
export function naiveMatches(
  program: CheckedProgram,
  facts: readonly OracleFact[],
  options: WorldOptions = {},
): Map<string, NaiveMatch[]> {
  const world = new World(program, facts, options);
  const rules = [...program.symbols.rules.values()].map(({ decl }) => decl);
  return new Map(rules.map((rule) => [rule.name.name, matchesOf(world, rule)]));
}

function matchesOf(world: World, rule: ast.RuleDecl): NaiveMatch[] {
  if (rule.attributes.some((attribute) => attribute.kind === "disabled")) return [];
  if (rule.body.kind === "slash") return slash(world, rule.body).map(matchOf);
  const matches = solve(world, rule.body.elements, NOTHING).map(matchOf);
  return rule.body.elements.some((element) => element.kind === "or") ? withoutRepetition(matches) : matches;
}

function matchOf({ bindings, facts, items }: Solution): NaiveMatch {
  return { bindings: Object.fromEntries(bindings.entries()), facts, items };
}

/** Returns the matches without duplicates: two alternatives of an `or` may find the same. */
function withoutRepetition(matches: readonly NaiveMatch[]): NaiveMatch[] {
  return [...new Map(matches.map((match) => [identityOf(match), match])).values()];
}

/** Returns a string that is equal for two matches of a rule exactly when they are the same. */
export function identityOf(match: NaiveMatch): string {
  return canonical({ bindings: match.bindings, facts: match.facts, items: match.items } as Value);
}

// ---------------------------------------------------------------- block form

/** The facts and items chosen so far, and the variables that they bind. */
interface Solution {
  readonly bindings: Bindings;
  readonly facts: readonly string[];
  readonly items: readonly string[];
}

const NOTHING: Solution = { bindings: Bindings.none, facts: [], items: [] };

function solve(world: World, elements: readonly ast.Element[], from: Solution): Solution[] {
  let solutions = [from];
  for (const element of elements) solutions = solutions.flatMap((solution) => extend(world, element, solution));
  return solutions;
}

/** Returns every way to extend a solution by one more element. */
function extend(world: World, element: ast.Element, from: Solution): Solution[] {
  const place = { world, bindings: from.bindings };
  switch (element.kind) {
    case "pattern":
      return factsOf(element, place).map((fact) => ({
        ...from,
        bindings: withFact(from.bindings, element.variable, fact),
        facts: [...from.facts, fact.id],
      }));
    case "absence":
      if (element.quantifier === "exists") return solve(world, element.elements, from).length > 0 ? [from] : [];
      return solve(world, element.elements, from).length === 0 && haveClosed([...element.elements], place)
        ? [from]
        : [];
    case "forall":
      return factsOf(element.pattern, place).every((fact) =>
        passes(element.test, { world, bindings: withFact(from.bindings, element.pattern.variable, fact) }),
      ) && haveClosed([element.pattern], place)
        ? [from]
        : [];
    case "aggregate":
      return extendByAggregate(element, from, place);
    case "where":
      return passes(element.test, place) ? [from] : [];
    case "let": {
      const value = evaluate(element.value, place);
      return [{ ...from, bindings: from.bindings.with(element.name.name, { value }) }];
    }
    case "items":
      return extendByItems(element, from, place);
    case "row":
      return [from]; // the elements of the query follow
    case "or":
      return extendByOr(world, element, from);
  }
}

/** Returns whether all windows have closed: until then a fact may come. */
function haveClosed(elements: readonly ast.Element[], place: Place): boolean {
  return windowsInside(elements).every((window) => !isOpen(window, place, evaluate));
}

/** Returns one solution for each place of a list; none when the list is unknown. */
function extendByItems({ variable, list }: ast.ItemsElement, from: Solution, place: Place): Solution[] {
  const items = evaluate(list, place);
  if (!Array.isArray(items)) return [];
  const texts = (items as readonly Value[]).map(canonical);
  return (items as readonly Value[]).map((value, index) => {
    const before = texts.slice(0, index).filter((text) => text === texts[index]).length;
    return {
      ...from,
      bindings: from.bindings.with(variable.name, { value }),
      items: [...from.items, `${before} ${texts[index]}`],
    };
  });
}

function extendByAggregate(element: ast.AggregateElement, from: Solution, place: Place): Solution[] {
  const facts = factsOf(element.pattern, place);
  const tuples = facts.map((fact) => withFact(from.bindings, element.pattern.variable, fact));
  const value = aggregateOver(element.fn, valuesFor(element.value, tuples, place.world), place.world);
  if (value === undefined) return [];
  return [{ ...from, bindings: from.bindings.with(element.name.name, { value }) }];
}

/** Returns the extensions by an `or`; after it only those variables are bound that every alternative binds. */
function extendByOr(world: World, element: ast.OrElement, from: Solution): Solution[] {
  const [first = new Map<string, string>(), ...others] = element.alternatives.map(bindsWhat);
  const known = [...first].filter(([name, what]) => others.every((other) => other.get(name) === what));
  return element.alternatives
    .flatMap((alternative) => solve(world, alternative, from))
    .map((solution) => ({ ...solution, bindings: kept(from.bindings, known, solution.bindings) }));
}

function kept(before: Bindings, names: readonly (readonly [string, string])[], after: Bindings): Bindings {
  let bindings = before;
  for (const [name] of names) {
    const bound = after.get(name);
    if (bound !== undefined) bindings = bindings.with(name, bound);
  }
  return bindings;
}

/** Returns the variables that elements bind, each with the type of its fact, or a mark for a value. */
function bindsWhat(elements: readonly ast.Element[]): Map<string, string> {
  const bound = new Map<string, string>();
  for (const element of elements) {
    if (element.kind === "pattern" && element.variable !== null) bound.set(element.variable.name, element.type.name);
    if (element.kind === "aggregate" || element.kind === "let") bound.set(element.name.name, "a value");
    if (element.kind === "items") bound.set(element.variable.name, "a value");
    if (element.kind === "or") {
      const [first = new Map<string, string>(), ...others] = element.alternatives.map(bindsWhat);
      for (const [name, what] of first) if (others.every((other) => other.get(name) === what)) bound.set(name, what);
    }
  }
  return bound;
}

// ---------------------------------------------------------------- slash form

function slash(world: World, body: ast.SlashBody): Solution[] {
  const aggregates = body.sources.flat().filter((source) => source.kind === "aggregate-source");
  const isSource = (source: ast.SourceVar | ast.AggregateSource): source is ast.SourceVar => source.kind === "source";
  const [first = [], ...later] = body.sources;
  const matched = (aggregates.length === 0 ? body.sources.flat() : first).filter(isSource);
  if (aggregates.length === 0) return tuplesAsSolutions(matched, body.test === null ? [] : [body.test], world);
  const ranOver = later.flat().filter(isSource);
  const tests = sortTests(body.test, aggregates, ranOver);
  return tuplesAsSolutions(matched, tests.ordinary, world).flatMap((solution) => {
    const place = { world, bindings: solution.bindings };
    const tuples = tuplesOf(ranOver, null, place).filter((bindings) =>
      tests.selecting.every((test) => passes(test, { world, bindings })),
    );
    const bindings = withAggregates(aggregates, tuples, place);
    if (bindings === undefined) return [];
    return tests.after.every((test) => passes(test, { world, bindings })) ? [{ ...solution, bindings }] : [];
  });
}

function tuplesAsSolutions(sources: readonly ast.SourceVar[], tests: readonly ast.Expr[], world: World): Solution[] {
  return tuplesOf(sources, null, { world, bindings: Bindings.none })
    .filter((bindings) => tests.every((test) => passes(test, { world, bindings })))
    .map((bindings) => ({
      bindings,
      items: [],
      facts: sources.map(({ variable }) => {
        const bound = bindings.get(variable.name);
        return bound !== undefined && "fact" in bound ? bound.fact : "";
      }),
    }));
}

function withAggregates(
  aggregates: readonly ast.AggregateSource[],
  tuples: readonly Bindings[],
  place: Place,
): Bindings | undefined {
  let { bindings } = place;
  for (const { variable, fn, value: of } of aggregates) {
    const value = aggregateOver(fn, valuesFor(of, tuples, place.world), place.world);
    if (value === undefined) return undefined;
    bindings = bindings.with(variable.name, { value });
  }
  return bindings;
}

interface SortedTests {
  readonly ordinary: readonly ast.Expr[];
  /** The tests that select the facts of the aggregates. */
  readonly selecting: readonly ast.Expr[];
  /** The tests that mention the value of an aggregate. */
  readonly after: readonly ast.Expr[];
}

function sortTests(
  test: ast.Expr | null,
  aggregates: readonly ast.AggregateSource[],
  ranOver: readonly ast.SourceVar[],
): SortedTests {
  const values = new Set(aggregates.map(({ variable }) => variable.name));
  const inner = new Set(ranOver.map(({ variable }) => variable.name));
  const sorted = { ordinary: [] as ast.Expr[], selecting: [] as ast.Expr[], after: [] as ast.Expr[] };
  for (const part of test === null ? [] : conjuncts(test)) {
    if (mentions(part, values)) sorted.after.push(part);
    else if (mentions(part, inner)) sorted.selecting.push(part);
    else sorted.ordinary.push(part);
  }
  return sorted;
}

function conjuncts(test: ast.Expr): ast.Expr[] {
  return test.kind === "logic" && test.op === "and" ? test.items.flatMap(conjuncts) : [test];
}

/** Returns whether a name occurs free: EXISTS and aggregates inside an expression bind names of their own. */
function mentions(node: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(node)) return node.some((item) => mentions(item, names));
  if (typeof node !== "object" || node === null) return false;
  const expr = node as Partial<ast.Expr>;
  if (expr.kind === "path") return names.has((expr as ast.PathExpr).root.name);
  const bound = boundBy(expr);
  const free = new Set([...names].filter((name) => !bound.includes(name)));
  return Object.entries(node).some(([key, child]) => key !== "span" && mentions(child, free));
}

function boundBy(expr: Partial<ast.Expr>): readonly string[] {
  if (expr.kind === "exists-in" || expr.kind === "aggregate-in") {
    return (expr as ast.ExistsInExpr).sources.map(({ variable }) => variable.name);
  }
  const variable = expr.kind === "exists" ? (expr as ast.ExistsExpr).pattern.variable : null;
  return variable === null ? [] : [variable.name];
}
