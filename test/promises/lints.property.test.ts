/**
 * A test that is said to be never true is true for no fact, and one that is said to be never false is false for none, in programs
 * with declared types and in open ones.
 */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { check, compile, type Diagnostic } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";

const TYPE =
  'type UV = "u" | "v"\ntype T(#id: number, a: number, b: number?, s: string?, u: "x" | "y" | "z", f: bool?, d: date?, l: string[]?, k: UV[])\n';

const CONSTANTS = 'const LIMIT = 2\nconst NAMES = ["u", "v"]\n';

const comparator = fc.constantFrom("==", "!=", "<", "<=", ">", ">=");
const number = fc.constantFrom("-1", "0", "1", "2", "2.5", "LIMIT");
const text = fc.constantFrom('""', '"x"', '"xa"', '"y"', '"𝄞"', '"\\uFFFF"');
const day = fc.constantFrom("@2026-01-01", "@2026-01-02", "@2026-03-01");
const numeric = fc.constantFrom(
  "a",
  "b",
  "a + 1",
  "-b",
  "t.a",
  "t.b",
  "abs(b)",
  "floor(b)",
  "length(s)",
  "count(l)",
  "month(d)",
);
const list = fc.constantFrom("[]", '["u"]', '["v", "u"]', '["u", "u"]', '["u", 1]', "NAMES", "[1]");
const words = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((written) => written.join(" "));

const { test: anyTest } = fc.letrec<{ test: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { weight: 4, arbitrary: words(numeric, comparator, number) },
    words(number, comparator, numeric),
    words(numeric, comparator, numeric),
    words("s", comparator, text),
    words(
      fc.constantFrom("lower(s)", "upper(s)", "trim(s)"),
      comparator,
      fc.constantFrom('"x"', '"X"', '" x"', '"xA"', '""'),
    ),
    words(fc.constantFrom("l", "t.l", "k", "sort(l)", "distinct(l)", "reverse(l)"), fc.constantFrom("==", "!="), list),
    words(list, fc.constantFrom("==", "!="), fc.constantFrom("l", "[s]", "[s, s]")),
    words("l contains", fc.constantFrom("any", "all"), list),
    words("u", fc.constantFrom("==", "!="), fc.constantFrom('"x"', '"y"', '"z"')),
    words("u in", fc.constantFrom('["x", "y", "z"]', '["x"]', "[]")),
    words("d", comparator, day),
    words("d in", day, "..", day),
    words(numeric, "in", fc.constantFrom("[0..2]", "0..1", "[1..2)", "[0, 1, 2]", "[]")),
    words(fc.constantFrom("a", "b", "s", "u", "t.f"), "is", fc.constantFrom("missing", "present")),
    fc.constantFrom("f", "t.f", "f == true", "f != false"),
    words("s contains any", fc.constantFrom("[]", '["x"]')),
  ),
  test: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    tie("atom"),
    tie("test").map((inner) => `not (${inner})`),
    fc.array(tie("test"), { minLength: 2, maxLength: 4 }).map((items) => `(${items.join(" and ")})`),
    fc.array(tie("test"), { minLength: 2, maxLength: 4 }).map((items) => `(${items.join(" or ")})`),
  ),
}));

const value = <Value>(...values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);
const facts = fc.array(
  fc.record({
    a: value(-2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.2, 2.5, 3),
    b: value(undefined, -2, -1, 0, 1, 2, 2.5, 9),
    s: value(undefined, "", "x", "xa", "xb", "y", "z", "𝄞", "\uFFFF", "X", " x", "xA"),
    u: value("x", "y", "z"),
    f: value(undefined, true, false),
    l: value<readonly string[] | undefined>(undefined, [], ["u"], ["u", "u"], ["u", "v"], ["v", "u"], ["w", "w", "w"]),
    k: value<readonly string[]>([], ["u"], ["v", "u"], ["u", "u"], ["v", "v", "v"]),
    d: value(undefined, "2025-12-31", "2026-01-01", "2026-01-02", "2026-02-01", "2026-03-01", "2026-03-02"),
  }),
  { minLength: 1, maxLength: 12 },
);

const found = { W251: 0, W252: 0, together: 0 };

test(
  "a verdict about a test is never refuted",
  () => {
    fc.assert(
      fc.property(anyTest, facts, (written, given) => {
        const source = `${TYPE}${CONSTANTS}rule r { when t: T(${written}) then log(t.id) }\n`;
        const { diagnostics } = check(source);
        if (diagnostics.some(({ severity }) => severity === "error")) return fc.pre(false);
        for (const one of diagnostics) {
          if (one.code !== "W251" && one.code !== "W252") continue;
          const claim = claimOf(source, one);
          if (claim === undefined) continue;
          found[claim.kind] += 1;
          expect(passing(claim.test, given), `${one.message}: ${claim.test}`).toEqual([]);
        }
      }),
      { numRuns: runs(6_000) },
    );
  },
  PATIENT,
);

afterAll(() => {
  const least = runs(6_000) / 100;
  expect(found.W251).toBeGreaterThan(least);
  expect(found.W252).toBeGreaterThan(least);
  expect(found.together).toBeGreaterThan(least);
});

/** Returns a test that no fact may pass; undefined when the message does not repeat the tests that it is about. */
function claimOf(source: string, { code, message, line, column, endColumn }: Diagnostic) {
  const part = (source.split("\n")[line - 1] ?? "").slice(column - 1, endColumn - 1);
  if (code === "W252") return { kind: "W252" as const, test: `not (${part})` };
  if (message.endsWith('" is never true')) return { kind: "W251" as const, test: part };
  const other = /where "(.*)" is true$/u.exec(message)?.[1];
  if (other === undefined || other.endsWith("…")) return undefined;
  return { kind: "together" as const, test: `(${part}) and (${other})` };
}

/** Returns the facts that pass a test. */
function passing(written: string, given: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  const program = compile(`${TYPE}${CONSTANTS}query q { t: T(${written}) }\n`);
  const session = program.session();
  for (const [id, fields] of given.entries()) {
    session.assert("T", { id, ...Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined)) });
  }
  return [...session.query("q")];
}
