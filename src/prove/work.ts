/** Estimates the work of the brute-force matcher, and how many facts it can handle. */
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { forEachNode } from "../language/walk.ts";

/** The most combinations of facts for one comparison: some milliseconds. */
const MAX_COMBINATIONS = 1500;
/** The most facts of a type; more would only take time. */
const MAX_FACTS = 60;
const MIN_FACTS = 2;
/** The most combinations with two facts of each type; above it, one fact of each is used. */
const MAX_PAIRED_COMBINATIONS = 100_000;

export function liveRules(program: CheckedProgram): ast.RuleDecl[] {
  return [...program.symbols.rules.values()]
    .map(({ decl }) => decl)
    .filter((rule) => !rule.attributes.some((attribute) => attribute.kind === "disabled"));
}

/** How many facts of each type the brute-force matcher can handle at once. */
export interface Sizes {
  /** The number that a case begins with; undefined when all of them can be used. */
  readonly sample: number | undefined;
  /** The most facts of a type; new ones are added up to this number. */
  readonly room: number;
}

export function sizesFor(program: CheckedProgram, counts: ReadonlyMap<string, number>): Sizes {
  const rules = liveRules(program).map(typesInside);
  const countOf = (type: string): number => counts.get(type) ?? 0;
  const largest = largestSize(rules, countOf);
  const all = Math.max(0, ...counts.values());
  return { sample: largest < all ? largest : undefined, room: largestSize(rules, () => MAX_FACTS) };
}

/** Returns the largest number of facts of a type that stays in the budget, with at most `countOf` facts of a type. */
function largestSize(rules: readonly (readonly string[])[], countOf: (type: string) => number): number {
  const work = (size: number): number =>
    rules.reduce((sum, types) => sum + combinations(types, (type) => Math.min(size, countOf(type))), 0);
  let size = MAX_FACTS;
  const fewest = work(MIN_FACTS) > MAX_PAIRED_COMBINATIONS ? 1 : MIN_FACTS;
  while (size > fewest && work(size) > MAX_COMBINATIONS) size -= 1;
  return size;
}

/** Returns the type of every pattern of a rule, including those inside `not`, `exists` and aggregates. */
function typesInside(rule: ast.RuleDecl): string[] {
  const types: string[] = [];
  forEachNode(rule.body, (node) => {
    const { kind, type } = node as { readonly kind?: unknown; readonly type?: ast.Ident };
    if ((kind === "pattern" || kind === "source") && type !== undefined) types.push(type.name);
  });
  return types;
}

function combinations(types: readonly string[], count: (type: string) => number): number {
  return types.reduce((product, type) => product * Math.max(1, count(type)), 1);
}
