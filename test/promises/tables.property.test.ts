/**
 * Decision tables: what the engine finds through its index is what the brute-force matcher finds row by row, for random tables of every
 * hit policy and for facts some of whose fields are missing or of another kind.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";
import { naiveMatches, type OracleFact } from "../../src/prove/naive.ts";
import { DecisionTable } from "../../src/tables/decide.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { inputsFor, numbers, rowsOf, tables, texts } from "../support/table-model.ts";

test(
  "the rows that apply are found through the index as by looking at each",
  () => {
    fc.assert(
      fc.property(tables, fc.gen(), (table, gen) => {
        const made = new DecisionTable(table);
        for (let again = 0; again < 8; again++) {
          const inputs = gen(inputsFor, table.columns.length);
          expect(made.rowsFor(inputs)).toEqual(rowsOf(table, inputs));
        }
      }),
      { numRuns: runs(1000) },
    );
  },
  PATIENT,
);

// ---------------------------------------------------------------- programs with tables

const number = numbers.map(String);
const text = texts.map((value) => JSON.stringify(value));
const dates = fc.constantFrom("@2026-01-01", "@2026-06-15", "@2027-01-01");

function unaryText(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    value,
    fc.tuple(fc.constantFrom("==", "!=", "<", "<=", ">", ">=", "not", "not <"), value).map((parts) => parts.join(" ")),
    fc
      .tuple(fc.constantFrom("in", "not in"), fc.array(value, { minLength: 1, maxLength: 3 }))
      .map(([word, items]) => `${word} [${items.join(", ")}]`),
    fc.tuple(fc.constantFrom("", "not "), value).map(([not, one]) => `${not}${one}..${one}`),
  );
}

const cellText = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant("-") },
    {
      weight: 3,
      arbitrary: fc.array(unaryText(value), { minLength: 1, maxLength: 2 }).map((parts) => parts.join(", ")),
    },
  );

const anyText = fc.oneof(number, text).filter((one) => one !== '""');
const yes = fc.oneof(fc.constant("-"), fc.constantFrom("true", "false", "not true"));

const row = fc
  .tuple(
    cellText(number),
    cellText(text),
    cellText(dates),
    yes,
    fc.oneof(fc.constant("-"), anyText),
    number,
    fc.oneof(dates, fc.constant("f.d")),
  )
  .map(([n, s, d, b, x, out, at]) => `| ${n} | ${s} | ${d} | ${b} | ${x} || ${out} | ${at} |`);

const programs = fc
  .tuple(
    fc.constantFrom("first", "unique", "any", "collect min", "collect max", "collect list"),
    fc.array(row, { minLength: 1, maxLength: 8 }),
  )
  .map(
    ([policy, rows]) => `type F(#id: number, n: number?, s: string?, d: date?, b: bool?, x: any?)
table t(f: F) ${policy} {
  | f.n | f.s | f.d | f.b | f.x || out: number | at: date |
  ${rows.join("\n  ")}
}
rule "row" { when f: F let r = t(f) let out = r.out let at = r.at let c = ${policy === "collect list" ? "r.out" : "coalesce(t(f).out, -7)"} then log(f.id) }
rule "test" { when f: F(${policy === "collect list" ? "t(f).at contains @2026-06-15" : "t(f).at >= @2026-06-15"}) then log(f.id) }
`,
  );

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 5 });

const facts = fc.array(
  fc.record({
    n: maybe(numbers),
    s: maybe(texts),
    d: maybe(dates.map((one) => one.slice(1))),
    b: maybe(fc.boolean()),
    x: maybe(fc.oneof(numbers, texts, fc.boolean())),
  }),
  { minLength: 1, maxLength: 4 },
);

test(
  "a table in a program gives what the brute-force matcher gives",
  () => {
    fc.assert(
      fc.property(programs, facts, (source, given) => {
        const program = compile(source);
        const session = program.session();
        const known: OracleFact[] = given.map((fields, order) => {
          const kept = Object.fromEntries(
            Object.entries({ id: order, ...fields }).filter(([, value]) => value !== undefined),
          );
          const handle = session.assert("F", kept);
          return { id: handle.id, type: "F", fields: kept as OracleFact["fields"], order };
        });
        const naive = naiveMatches(program.checked, known);
        const { fired } = session.run();
        for (const name of ["row", "test"]) {
          const wanted = (naive.get(name) ?? []).map(({ bindings }) =>
            Object.fromEntries(
              Object.entries(bindings).flatMap(([key, one]) => {
                const value = "fact" in one ? one.fact : one.value;
                return value === undefined ? [] : [[key, value]];
              }),
            ),
          );
          const found = fired.filter(({ rule }) => rule === name).map(({ bindings }) => bindings);
          const sorted = (all: readonly unknown[]): string[] => all.map((one) => JSON.stringify(one)).sort();
          expect(sorted(found)).toEqual(sorted(wanted));
        }
      }),
      { numRuns: runs(1000) },
    );
  },
  PATIENT,
);
