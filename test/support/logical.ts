/**
 * Programs whose rules insert logical facts, and the facts that must be there: the least fixpoint.
 *
 * Facts of `P` are given; those of the other types are derived. Within a stratum (`STRATA`) rules only ask for what is there, so every
 * program has one least fixpoint; facts may support each other in circles, and such a circle must not hold itself up. What is
 * absent, or how many there are at most, rules ask only of lower strata.
 */
import * as fc from "fast-check";
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import type { Maybe, Value } from "../../src/base/value.ts";
import type * as ast from "../../src/language/ast.ts";
import { type CheckedProgram, checkProgram } from "../../src/language/check/program.ts";
import { parseSource } from "../../src/language/parse.ts";
import { evaluate } from "../../src/prove/evaluate.ts";
import { Bindings, type Bound } from "../../src/prove/place.ts";
import { World } from "../../src/prove/world.ts";
import { naiveMatches, type OracleFact } from "../oracle/naive.ts";

const TYPES = [
  "type P(#a: number, #b: number, c: number)",
  "type X(#a: number, #b: number)",
  "type D(#a: number, #b: number)",
  "type E(#a: number)",
  "type F(#a: number, #b: number)",
];

export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  P: ["a", "b", "c"],
  X: ["a", "b"],
  D: ["a", "b"],
  E: ["a"],
  F: ["a", "b"],
};

/** The derived types, in the order in which they depend on each other. */
export const STRATA: readonly (readonly string[])[] = [["X"], ["D", "E"], ["F"]];

// ---------------------------------------------------------------- cases

export type LogicalOperation =
  | { readonly is: "assert"; readonly a: number; readonly b: number; readonly c: number }
  /** A fact of a derived type, asserted plainly. */
  | { readonly is: "give"; readonly type: string; readonly a: number; readonly b: number }
  | { readonly is: "retract"; readonly which: number }
  | { readonly is: "update"; readonly which: number; readonly c: number }
  | { readonly is: "add"; readonly rule: string }
  | { readonly is: "remove"; readonly which: number }
  /** Goes on from a snapshot. */
  | { readonly is: "restore" }
  /** Several at once; in a batch they are one commit. */
  | { readonly is: "together"; readonly batch: boolean; readonly operations: readonly LogicalOperation[] };

export interface LogicalCase {
  readonly rules: readonly string[];
  readonly operations: readonly LogicalOperation[];
}

export const small: fc.Arbitrary<number> = fc.constantFrom(0, 1, 2);
const typeName = fc.constantFrom("P", "P", "D", "D", "E");

/** The body of a rule, without its name: `when v1: P(a == 1) v2: D(b == v1.a) then insert logical D(a: v1.a, b: 0)`. */
const ruleOf = (withExists: boolean): fc.Arbitrary<string> =>
  fc
    .record({
      types: fc.oneof(fc.tuple(typeName), fc.tuple(typeName, typeName)),
      tests: fc.array(fc.tuple(fc.nat(2), fc.nat(2), small, fc.boolean()), { minLength: 2, maxLength: 2 }),
      exists: withExists
        ? fc.option(fc.tuple(typeName, fc.nat(2), fc.nat(5)), { nil: null, freq: 2 })
        : fc.constant(null),
      into: fc.constantFrom("D", "D", "E"),
      values: fc.tuple(fc.nat(9), fc.nat(9)),
    })
    .map(({ types, tests, exists, into, values }) => {
      const seen: string[] = [];
      const patterns = types.map((type, index) => {
        const own = FIELDS[type] ?? [];
        const [field, other, constant, tested] = tests[index] ?? [0, 0, 0, false];
        const operand = seen.length > 0 ? (seen[other % seen.length] ?? "") : String(constant);
        for (const name of own) seen.push(`v${index + 1}.${name}`);
        return `v${index + 1}: ${type}(${tested || index > 0 ? `${own[field % own.length]} == ${operand}` : ""})`;
      });
      if (exists !== null) {
        const own = FIELDS[exists[0]] ?? [];
        patterns.push(`exists ${exists[0]}(${own[exists[1] % own.length]} == ${seen[exists[2] % seen.length]})`);
      }
      // Not `c`: it can be updated, and an update matches anew only what the conditions read.
      const kept = seen.filter((path) => !path.endsWith(".c"));
      const value = (index: number): string => [...kept, ...kept, "0", "1"][index % (2 * kept.length + 2)] ?? "0";
      const fields = into === "E" ? `a: ${value(values[0])}` : `a: ${value(values[0])}, b: ${value(values[1])}`;
      return `when ${patterns.join(" ")} then insert logical ${into}(${fields})`;
    });

const which = fc.nat(5);
export const assertion: fc.Arbitrary<LogicalOperation> = fc.record({
  is: fc.constant("assert" as const),
  a: small,
  b: small,
  c: small,
});
export const operationOf = (rule: fc.Arbitrary<string>): fc.Arbitrary<LogicalOperation> =>
  fc.oneof(
    { weight: 5, arbitrary: assertion },
    { weight: 5, arbitrary: which.map((index) => ({ is: "retract" as const, which: index })) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant("update" as const), which, c: small }) },
    { weight: 1, arbitrary: rule.map((text) => ({ is: "add" as const, rule: text })) },
    { weight: 1, arbitrary: which.map((index) => ({ is: "remove" as const, which: index })) },
  );

/** Rules of patterns alone, or also with `exists`: then a circle of support can go through what a rule only asks for. */
export function logicalCase(withExists: boolean): fc.Arbitrary<LogicalCase> {
  const rule = ruleOf(withExists);
  const first = fc.array(assertion, { minLength: 0, maxLength: 5, size: "max" });
  const rest = fc.array(operationOf(rule), { minLength: 1, maxLength: 8, size: "max" });
  return fc.record({
    rules: fc.array(rule, { minLength: 1, maxLength: 4, size: "max" }),
    operations: fc.tuple(first, rest).map((lists) => lists.flat()),
  });
}

// ---------------------------------------------------------------- programs

/** Statements that were read before: there are few, and reading takes longest. */
const read = new Map<string, readonly ast.Declaration[]>();

function declarationsOf(statement: string): readonly ast.Declaration[] {
  const known = read.get(statement) ?? parseSource(new Report(new Source("", statement))).declarations;
  read.set(statement, known);
  return known;
}

/** Read once for all names that it is given. */
function ruleOfBody(name: string, body: string): readonly ast.Declaration[] {
  return declarationsOf(`rule r { ${body} }`).map((decl) =>
    decl.kind === "rule" ? { ...decl, name: { ...decl.name, name } } : decl,
  );
}

export function logicalSource(rules: ReadonlyMap<string, string>): readonly string[] {
  return [...TYPES, ...[...rules].map(([name, body]) => `rule ${name} { ${body} }`)];
}

export function checkLogical(rules: ReadonlyMap<string, string>): CheckedProgram {
  const source = new Source("rules.tsd", "");
  const declarations = [
    ...TYPES.flatMap(declarationsOf),
    ...[...rules].flatMap(([name, body]) => ruleOfBody(name, body)),
  ];
  const program = checkProgram([{ file: { source, declarations, comments: [] }, report: new Report(source) }]);
  const wrong = program.diagnostics.find(({ severity }) => severity === "error");
  if (wrong !== undefined) throw new Error(`${wrong.message}\n${logicalSource(rules).join("\n")}`);
  return program;
}

// ---------------------------------------------------------------- the least fixpoint

/** The ids of all facts of derived types. */
export function leastFixpoint(program: CheckedProgram, given: readonly OracleFact[]): string[] {
  const facts = new Map(given.map((fact) => [fact.id, fact]));
  for (const types of STRATA) {
    for (let size = -1; size < facts.size;) {
      size = facts.size;
      for (const derived of derive(program, [...facts.values()], types)) {
        if (!facts.has(derived.id)) facts.set(derived.id, { ...derived, order: facts.size });
      }
    }
  }
  return [...facts.keys()].filter((id) => !id.startsWith("P~")).sort();
}

function* derive(
  program: CheckedProgram,
  facts: readonly OracleFact[],
  types: readonly string[],
): Iterable<Omit<OracleFact, "order">> {
  const world = new World(program, facts);
  const matches = naiveMatches(program, facts);
  for (const { decl } of program.symbols.rules.values()) {
    for (const { bindings } of matches.get(decl.name.name) ?? []) {
      for (const action of decl.body.actions) {
        if (action.kind === "insert" && types.includes(action.fact.type.name)) {
          yield factOf(action.fact, world, bindings);
        }
      }
    }
  }
}

function factOf(
  literal: ast.FactLiteral,
  world: World,
  variables: Readonly<Record<string, Bound>>,
): Omit<OracleFact, "order"> {
  let bindings = Bindings.none;
  for (const [name, bound] of Object.entries(variables)) bindings = bindings.with(name, bound);
  const entries = literal.args.map(({ name, value }): readonly [string, Maybe] => {
    return [name?.name ?? "", evaluate(value, { world, bindings })];
  });
  const fields = Object.fromEntries(entries) as Record<string, Value>;
  return {
    id: `${literal.type.name}~${entries.map(([, value]) => JSON.stringify(value)).join("_")}`,
    type: literal.type.name,
    fields,
  };
}
