/**
 * D10 for plain facts: the fast reader gives what the grammar gives, with the same tree, locations, comments and diagnostics.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../support/cases.ts";
import { read } from "../support/trees.ts";

const blank = fc.constantFrom("", "", "", " ", " ", "  ", "\n", "\t", "\r\n", "\n\n", "\ufeff", "\u00a0");
const comment = fc.constantFrom(
  "// a comment\n",
  "/* one */",
  "/* two\nlines */",
  "\n# old\n",
  "//\n",
  "#",
  "\n  # 'x\n",
);
const gap = fc.oneof({ weight: 30, arbitrary: blank }, { weight: 1, arbitrary: comment });

const word = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom("Person", "p1", "id", "a_b", "x1", "Âge", "l'âge", "date-limite", "会員", "é"),
  },
  { weight: 1, arbitrary: fc.constantFrom("type", "rule", "reset", "gate", "from", "is", "matches", "Type", "use") },
  { weight: 1, arbitrary: fc.constantFrom("not", "any", "contains", "insert", "assert", "TRUE", "where", "require") },
  { weight: 1, arbitrary: fc.constantFrom("a-", "x'", "e1", "1x", "p.q", "x-1", "_") },
);
const text = fc.oneof(
  fc.constantFrom('""', "''", '"Ann"', "'it is'", '"it\'s"', "'say \"hi\"'", '"日本 😀"', '"// no"', '"\t"', '"\r"'),
  fc.constantFrom(
    '"a\\nb"',
    '"\\d+"',
    "'\\''",
    '"\\u{41}"',
    '"\\u{110000}"',
    '"\\u{D800}"',
    '"open',
    "'",
    '"\\"',
    '"\\',
  ),
);
const number = fc.oneof(
  fc.constantFrom("0", "7", "007", "3.25", "1e5", "5e-7", "1.", ".5", "-1", "- 2", "-\n3", "-0", "--4", "-(5)", "+1"),
  fc.constantFrom("123456789012345", "1234567890123456", "9007199254740993", "1e400", "0.1234567890123456", "1.2.3"),
  fc.constantFrom("10m", "1.5h", "3x", "4é", "5_", "6'", "7-8", "1 2", "1/2", "5e", "5e+"),
);
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 3, arbitrary: number },
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom("true", "False", "null", "[1, 2]", "{a: 1}", "f(x)", "a + b", "(1)", "") },
);
const arg = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(word, gap, fc.constant(":"), gap, value) },
  { weight: 3, arbitrary: value.map((one) => [one]) },
  { weight: 1, arbitrary: fc.tuple(word, gap, fc.constantFrom("=", "==", "::", ""), gap, value) },
);
const args = fc.oneof(
  { weight: 9, arbitrary: separated(",") },
  { weight: 1, arbitrary: separated(fc.constantFrom(",", ",,", ";", "")) },
);
const fact = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(word, gap, fc.constant("("), gap, args, gap, fc.constant(")")) },
  {
    weight: 2,
    arbitrary: fc.tuple(word, gap, fc.constant("="), gap, word, gap, fc.constant("("), args, fc.constant(")")),
  },
);
/** What may stand between facts, and run into the next of them. */
const other = fc.constantFrom(
  "condition c : x",
  "reset",
  "option limit 5",
  "remove fact T x",
  "type T(a: string)",
  "rule r : {p: P} / ==> x = y",
  "}",
  ")",
  "(",
  ";",
);
const file = fc
  .array(fc.tuple(gap, fc.oneof({ weight: 8, arbitrary: fact }, { weight: 1, arbitrary: other }), gap), {
    maxLength: 5,
    size: "max",
  })
  .map(flat);

function separated(separator: string | fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  const between = typeof separator === "string" ? fc.constant(separator) : separator;
  return fc
    .array(fc.tuple(arg, gap, between, gap), { maxLength: 4, size: "max" })
    .map((each) =>
      each.flatMap(([one, before, mark, after], index) => (index === 0 ? one : [before, mark, after, ...one])),
    );
}

function flat(parts: unknown): string {
  return Array.isArray(parts) ? parts.map(flat).join("") : String(parts);
}

describe("a file of facts", () => {
  test("is the same on the direct path and through the grammar", () => {
    fc.assert(
      fc.property(file, (source) => {
        const direct = read(source, { plainFacts: true });
        const grammar = read(source, { plainFacts: false });
        expect(direct.report.diagnostics).toEqual(grammar.report.diagnostics);
        expect(direct.declarations).toEqual(grammar.declarations);
        expect(direct.comments).toEqual(grammar.comments);
      }),
      { numRuns: runs() },
    );
  });
});
