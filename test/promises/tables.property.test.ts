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
import { dates, programs } from "../support/table-programs.ts";

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
