/** How much the naive matcher would have to do, and how many facts it can therefore be given. */
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { forEachNode } from "../language/walk.ts";

/** Combinations of facts that are looked at for one comparison: some milliseconds. */
const BUDGET = 1500;
/** More facts of a type would only take time. */
const MOST = 60;
const FEWEST = 2;
/** Where two facts of each type already give more combinations than this, there is one of each. */
const TOO_MANY = 100_000;

export function liveRules(program: CheckedProgram): ast.RuleDecl[] {
  return [...program.symbols.rules.values()]
    .map(({ decl }) => decl)
    .filter((rule) => !rule.attributes.some((attribute) => attribute.kind === "disabled"));
}

/** How many facts of each type the naive matcher can be given at once. */
export interface Sizes {
  /** Of those that a case begins with; undefined when all of them can be used. */
  readonly sample: number | undefined;
  /** To this number facts of a type may be added. */
  readonly room: number;
}

export function sizesFor(program: CheckedProgram, counts: ReadonlyMap<string, number>): Sizes {
  const rules = liveRules(program).map(typesInside);
  const countOf = (type: string): number => counts.get(type) ?? 0;
  const largest = largestSize(rules, countOf);
  const all = Math.max(0, ...counts.values());
  return { sample: largest < all ? largest : undefined, room: largestSize(rules, () => MOST) };
}

/** The largest number of facts of a type that stays in the budget, when there are no more of a type than `countOf` says. */
function largestSize(rules: readonly (readonly string[])[], countOf: (type: string) => number): number {
  const work = (size: number): number =>
    rules.reduce((sum, types) => sum + combinations(types, (type) => Math.min(size, countOf(type))), 0);
  let size = MOST;
  const fewest = work(FEWEST) > TOO_MANY ? 1 : FEWEST;
  while (size > fewest && work(size) > BUDGET) size -= 1;
  return size;
}

/** The type of every pattern of a rule, also of those inside `not`, `exists` and aggregates. */
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
