/**
 * D1 and D6 with many rules on one type. Alpha nodes are found through the values of a fact, and single patterns are ranked,
 * only where there are more of them than the small programs of the other properties have.
 *
 * Limits and values are close together: below, equal and above, integers and fractions, on both sides of 0.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile, type OpenOptions, type Program, type RuleSession } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { engineTexts, expectSame, naiveTexts } from "../support/rig.ts";

const TYPES = `
type T(#k: number, n: number, o: number?, s: string, x: any?)
type U(n: number)
`;

// ---------------------------------------------------------------- rules

const NUMBERS = [-1, -0.5, 0, 0, 0.1, 1, 1, 2] as const;
const TEXTS = ["", "a", "b", "1"] as const;

const numeric = fc
  .tuple(
    fc.constantFrom("n", "n", "o", "x"),
    fc.constantFrom("<", "<=", ">", ">=", "==", "!="),
    fc.constantFrom(...NUMBERS),
  )
  .map(([field, op, value]) =>
    field === "x" && op !== "==" && op !== "!=" ? `o ${op} ${value}` : `${field} ${op} ${value}`,
  );
const textual = fc
  .tuple(fc.constantFrom("s", "s", "x"), fc.constantFrom("==", "==", "!="), fc.constantFrom(...TEXTS))
  .map(([field, op, value]) => `${field} ${op} ${JSON.stringify(value)}`);
const leaf = fc.oneof({ weight: 3, arbitrary: numeric }, { weight: 2, arbitrary: textual });
const either = fc.array(leaf, { minLength: 2, maxLength: 3 }).map((leaves) => `(${leaves.join(" OR ")})`);
const condition = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 3, arbitrary: either },
  { weight: 2, arbitrary: fc.tuple(leaf, leaf).map((both) => both.join(" AND ")) },
  { weight: 2, arbitrary: fc.tuple(either, leaf).map((both) => both.join(" AND ")) },
  { weight: 1, arbitrary: fc.tuple(either, either).map((both) => both.join(" AND ")) },
);
/** What stands behind the pattern: mostly nothing. */
const behind = fc.constantFrom("", "", "", "", "", "u: U(n == t.n)", "not U(n == t.n)", "exists U(n > t.n)");
const rule = fc.record({ condition, behind, salience: fc.constantFrom(0, 0, 0, 0, 1) });

type RuleOf = typeof rule extends fc.Arbitrary<infer One> ? One : never;

function ruleText({ condition: tests, behind: more, salience }: RuleOf, name: string): string {
  return `rule ${name} salience ${salience} { when t: T(${tests}) ${more} then log(t.k) }\n`;
}

// ---------------------------------------------------------------- histories

const fields = fc.record({
  n: fc.constantFrom(...NUMBERS, -0),
  o: fc.option(fc.constantFrom(...NUMBERS), { nil: null }),
  s: fc.constantFrom(...TEXTS),
  x: fc.constantFrom(null, 0, 1, "a", "1", "", true, [1]),
});
const someFields = fc
  .tuple(fields, fc.subarray(["n", "o", "s", "x"] as const))
  .map(([all, which]) => Object.fromEntries(which.map((name) => [name, all[name]])));
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant("put" as const), k: fc.nat(7), fields }) },
  { weight: 5, arbitrary: fc.record({ is: fc.constant("change" as const), k: fc.nat(7), fields: someFields }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("take" as const), k: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("other" as const), n: fc.constantFrom(...NUMBERS) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("run" as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("add" as const), rule }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("remove" as const), which: fc.nat(40) }) },
);

type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

const cases = fc.record({
  rules: fc.array(rule, { minLength: 12, maxLength: 20, size: "max" }),
  operations: fc.array(operation, { minLength: 8, maxLength: 20, size: "max" }),
  strategy: fc.constantFrom("breadth" as const, "depth" as const),
});

type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never;

const WAYS: readonly OpenOptions[] = [
  {},
  { indexing: false },
  { shortcuts: false },
  { indexing: false, shortcuts: false },
  { sharing: false, indexing: false, shortcuts: false },
];

function withoutNulls(given: Readonly<Record<string, unknown>>): Record<string, never> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Record<string, never>;
}

function follow(session: RuleSession, one: Operation): string {
  const id = "k" in one ? `T~${one.k}` : "";
  switch (one.is) {
    case "put":
      if (session.fact(id) === undefined) session.assert("T", { k: one.k, ...withoutNulls(one.fields) });
      return "";
    case "change":
      if (session.fact(id) !== undefined) session.update(id, one.fields);
      return "";
    case "take":
      if (session.fact(id) !== undefined) session.retract(id);
      return "";
    case "other":
      session.assert("U", { n: one.n });
      return "";
    case "run":
      return session
        .run()
        .fired.map(({ rule: name, bindings }) => `${name} ${JSON.stringify(bindings["t"])}`)
        .join("; ");
    default:
      return "";
  }
}

/** The program after an operation that adds a rule or takes one away. */
function changed(program: Program, one: Operation, at: number): Program {
  if (one.is === "add") return program.extend(ruleText(one.rule, `added${at}`));
  if (one.is !== "remove") return program;
  const names = Array.from(program.checked.symbols.rules.values(), ({ decl }) => decl.name.name);
  return names.length < 2 ? program : program.without(names[one.which % names.length] ?? "");
}

function agrees({ rules, operations, strategy }: Case): void {
  let program = compile(TYPES + rules.map((one, at) => ruleText(one, `r${at}`)).join(""));
  const sessions = WAYS.map((open) => program.session({ strategy, ...open }));
  for (const [at, one] of operations.entries()) {
    const next = changed(program, one, at);
    if (next !== program) for (const session of sessions) session.reload(next);
    program = next;
    const [fired, ...others] = sessions.map((session) => follow(session, one));
    for (const other of others) expect(other).toBe(fired);
  }
  const facts = (sessions[0]?.facts() ?? []).map((fact, order) => ({ ...fact, order }));
  const expected = naiveTexts(program.checked, { facts });
  for (const session of sessions) expectSame(expected, engineTexts(session, expected.keys()), () => "");
}

test(
  "many rules on one type find and fire the same, however they are opened, and what the naive matcher finds",
  () => {
    fc.assert(fc.property(cases, agrees), { numRuns: runs(1000) });
  },
  PATIENT,
);
