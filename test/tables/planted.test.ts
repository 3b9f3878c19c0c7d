/** Tests that the promises about tables find bugs in the index over rows, and in the checks of tables. The bugs are in test/support/planted-bugs.ts. */
import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { DecisionTable } from "../../src/tables/decide.ts";
import { tableFindings } from "../../src/tables/check/questions.ts";
import { boundedTables, gridTruth, outcomeIn } from "../support/table-grid.ts";
import { plant } from "../support/planted-bugs.ts";
import { inputsFor, rowsOf, tables } from "../support/table-model.ts";

afterEach(() => plant(undefined));

/** Returns whether the index finds other rows than looking at each does. */
function isFound(): boolean {
  const agrees = fc.property(tables, fc.gen(), (table, gen) => {
    const made = new DecisionTable(table);
    for (let again = 0; again < 8; again++) {
      const inputs = gen(inputsFor, table.columns.length);
      if (JSON.stringify(made.rowsFor(inputs)) !== JSON.stringify(rowsOf(table, inputs))) return false;
    }
    return true;
  });
  return fc.check(agrees, { numRuns: 1000, seed: 20_260_101, endOnFailure: true }).failed;
}

test("nothing is found when nothing is planted", () => {
  expect(isFound()).toBe(false);
});

test.each([
  "table-without-any",
  "table-bound-included",
  "table-first-of-a-branch",
  "table-closed-too-early",
  "table-last-of-a-slot",
] as const)("%s is found", (bug) => {
  plant(bug);
  expect(isFound()).toBe(true);
});

/** Returns whether a verdict about a table is another one than that of trying all inputs. */
function isVerdictFound(): boolean {
  const agrees = fc.property(boundedTables, (bounded) => {
    const { table, domains } = bounded;
    const found = tableFindings(table, domains, { steps: 1e7, overlaps: Infinity, computed: String });
    const truth = gridTruth(bounded, outcomeIn(bounded));
    const hasGap = table.policy !== "sum" && table.policy !== "list" && truth.hasGap;
    const live = [...table.rows.keys()].filter((row) => !found.idle?.some((idle) => idle.row === row));
    const pairs = found.overlaps?.map(({ rows }) => rows.join(" ")).sort();
    return (
      (found.gap !== null) === hasGap &&
      live.join() === [...truth.live].sort((a, b) => a - b).join() &&
      found.useless?.join() === truth.useless.join() &&
      (table.policy !== "unique" || pairs?.join() === truth.pairs.join())
    );
  });
  return fc.check(agrees, { numRuns: 1000, seed: 20_260_101, endOnFailure: true }).failed;
}

test("no wrong verdict is found when nothing is planted", () => {
  expect(isVerdictFound()).toBe(false);
});

test.each([
  "table-gap-in-the-rest",
  "table-end-covered",
  "table-pair-of-one-column",
  "table-live-by-range",
  "table-column-of-one-part",
] as const)("%s is found", (bug) => {
  plant(bug);
  expect(isVerdictFound()).toBe(true);
});
