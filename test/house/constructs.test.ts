/**
 * The matrix of constructs: every kind of node of the language and of the plan, and every value of its properties that have few, is in
 * programs that a generator makes and a second opinion is compared with. A construct that is added to src/language/ast.ts or
 * src/plan/plan.ts is red here until a generator makes it.
 *
 * What is not generated is named below, with the reason. A name that is no longer needed is red as well, so the lists only shrink.
 */
import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../src/index.ts";
import { collectConstructs, constructsOf, type Schema, schemaOf } from "../support/constructs.ts";
import { GENERATORS, type Opinion } from "../support/generators.ts";
import { read } from "../support/trees.ts";
import { ELSEWHERE, GAPS, GAPS_IN_PLANS, IMPOSSIBLE, IMPOSSIBLE_IN_PLANS, NOT_MATCHED } from "./constructs-left-out.ts";

/** The fewest programs that must have a construct. */
const FEWEST = 4;

const LANGUAGE = schemaOf("src/language/ast.ts", ["kind"], ["Declaration"]);
const PLAN = schemaOf("src/plan/plan.ts", ["kind", "op"], ["PlanNode", "PlanAction", "PlanExpr"]);
/** What the brute-force matcher reads: statements about facts. What judges has definitions of its own in test/oracle. */
const MATCHED = schemaOf(
  "src/language/ast.ts",
  ["kind"],
  ["BlockBody", "SlashBody", "QueryDecl", "FunctionDecl", "TableDecl"],
);

/** For each construct how many programs have it, by what they are compared with. */
class Counts {
  readonly #counts = new Map<string, Map<Opinion, number>>();

  constructor(schema: Schema) {
    for (const name of constructsOf(schema)) this.#counts.set(name, new Map());
  }

  add(constructs: Iterable<string>, opinion: Opinion): void {
    for (const name of constructs) {
      const counts = this.#counts.get(name);
      counts?.set(opinion, (counts.get(opinion) ?? 0) + 1);
    }
  }

  get names(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** Returns the constructs that too few programs have. */
  missing(...opinions: readonly Opinion[]): string[] {
    return [...this.#counts].flatMap(([name, counts]) => {
      const found = [...counts].reduce((sum, [opinion, count]) => sum + (opinions.includes(opinion) ? count : 0), 0);
      return found < FEWEST ? [name] : [];
    });
  }
}

const language = new Counts(LANGUAGE);
const matched = new Counts(MATCHED);
const plan = new Counts(PLAN);

beforeAll(() => {
  for (const { opinion, options, count, sample } of GENERATORS) {
    for (const files of sample(count)) {
      const trees = files.map((text) => read(text).declarations);
      language.add(constructsIn(trees, LANGUAGE), opinion);
      matched.add(constructsIn(trees, MATCHED), opinion);
      const program = files.length === 1 ? compiled(files[0] ?? "", options) : undefined;
      if (program !== undefined) plan.add(constructsIn(program.network(), PLAN), opinion);
    }
  }
});

function constructsIn(tree: unknown, schema: Schema): ReadonlySet<string> {
  const found = new Set<string>();
  collectConstructs(tree, schema, found);
  return found;
}

/** Returns the program; undefined for one that the property leaves out, because it has an error. */
function compiled(text: string, options: Parameters<typeof compile>[1]): ReturnType<typeof compile> | undefined {
  try {
    return compile(text, options);
  } catch {
    return undefined;
  }
}

const ALL: readonly Opinion[] = ["matcher", "model", "from scratch"];

function isNamed(construct: string, name: string): boolean {
  return construct === name || construct.startsWith(`${name} `);
}

/** Expects that what is missing is what is named, and that each name is of something missing. */
function expectNamed(missing: readonly string[], ...named: readonly Readonly<Record<string, string>>[]): void {
  const names = named.flatMap((reasons) => Object.keys(reasons));
  expect(
    missing.filter((construct) => !names.some((name) => isNamed(construct, name))),
    "teach a generator in test/support/generators.ts to make these, and see that it is compared",
  ).toEqual([]);
}

/** Expects that no construct of a name is made: then the name can go, or be narrower. */
function expectNeeded(counts: Counts, ...named: readonly Readonly<Record<string, string>>[]): void {
  const missing = new Set(counts.missing(...ALL));
  const made = counts.names.filter((construct) => !missing.has(construct));
  for (const name of named.flatMap((reasons) => Object.keys(reasons))) {
    expect(
      made.filter((construct) => isNamed(construct, name)),
      `"${name}" need not be left out`,
    ).toEqual([]);
    expect(
      counts.names.some((construct) => isNamed(construct, name)),
      `"${name}" is no construct`,
    ).toBe(true);
  }
}

describe("the matrix of constructs", () => {
  test("every construct of the language is generated and compared", () => {
    expectNamed(language.missing(...ALL), IMPOSSIBLE, ELSEWHERE, GAPS);
    expectNeeded(language, IMPOSSIBLE, ELSEWHERE, GAPS);
  });

  test("every construct of rules, queries, functions and tables is compared with the brute-force matcher", () => {
    expectNamed(matched.missing("matcher"), IMPOSSIBLE, NOT_MATCHED, GAPS);
  });

  test("every construct of plans is generated and compared", () => {
    expectNamed(plan.missing(...ALL), IMPOSSIBLE_IN_PLANS, GAPS_IN_PLANS);
    expectNeeded(plan, IMPOSSIBLE_IN_PLANS, GAPS_IN_PLANS);
  });

  test("the tests that are named exist, and docs/promises.md names the generators", () => {
    const docs = readFileSync("docs/promises.md", "utf8");
    for (const file of Object.values(ELSEWHERE)) expect(existsSync(file), file).toBe(true);
    for (const { name, promise } of GENERATORS) {
      expect(existsSync(`test/promises/${promise}.property.test.ts`), promise).toBe(true);
      expect(docs, name).toContain(`| ${name} `);
    }
  });
});
