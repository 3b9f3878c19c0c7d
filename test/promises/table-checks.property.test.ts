/**
 * What `check` says of a decision table, gaps, overlaps, rows that never apply and columns that never matter, is what trying every
 * combination of values finds; and every example input shows what it is an example of.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tableFindings } from "../../src/tables/check/questions.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { boundedTables, gridTruth, outcomeIn } from "../support/table-grid.ts";
import { rowsOf } from "../support/table-model.ts";

const seen = { gap: 0, covered: 0, overlaps: 0, idle: 0, useless: 0 };

test(
  "every verdict about a table is that of trying all inputs",
  () => {
    fc.assert(
      fc.property(boundedTables, (bounded) => {
        const { table, domains } = bounded;
        const { policy, rows } = table;
        const found = tableFindings(table, domains, { steps: 1e7, overlaps: Infinity, computed: String });
        const truth = gridTruth(bounded, outcomeIn(bounded));
        const needsRow = policy !== "sum" && policy !== "list";
        expect(found.gap !== null).toBe(needsRow && truth.hasGap);
        expect(found.gap).not.toBe(undefined);
        const against = ([a = 0, b = 0]: readonly number[]): boolean => {
          const [one, other] = [rows[a]?.outputs[0], rows[b]?.outputs[0]];
          const differ =
            one !== undefined && other !== undefined && "value" in one && "value" in other && one.value !== other.value;
          return policy === "unique" || (policy === "any" && differ);
        };
        const wanted = truth.pairs.filter((pair) => against(pair.split(" ").map(Number)));
        expect((found.overlaps ?? []).map((one) => one.rows.join(" ")).sort()).toEqual(wanted);
        expect(found.idle?.map(({ row }) => row)).toEqual([...rows.keys()].filter((row) => !truth.live.has(row)));
        expect(found.useless).toEqual(truth.useless);
        const surely = (input: Parameters<typeof rowsOf>[1]): number[] =>
          rowsOf({ ...table, policy: "list" }, input).flatMap(({ row, sure }) => (sure ? [row] : []));
        if (found.gap !== null && found.gap !== undefined) expect(surely(found.gap)).toEqual([]);
        for (const one of found.overlaps ?? [])
          expect(surely(one.input)).toEqual(expect.arrayContaining([...one.rows]));
        for (const { row, taken } of found.idle ?? []) {
          if (taken === undefined) continue;
          expect(surely(taken.input)).toContain(row);
          expect(surely(taken.input)[0]).toBe(taken.by);
          expect(taken.by).toBeLessThan(row);
        }
        seen.gap += found.gap === null ? 0 : 1;
        seen.covered += needsRow && found.gap === null ? 1 : 0;
        seen.overlaps += wanted.length > 0 ? 1 : 0;
        seen.idle += (found.idle ?? []).some(({ taken }) => taken !== undefined && taken.by < rows.length - 1) ? 1 : 0;
        seen.useless += (found.useless ?? []).some((column) => rows.some(({ cells }) => cells[column] !== null))
          ? 1
          : 0;
      }),
      { numRuns: runs(2000) },
    );
    const least = runs(2000) / 100;
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(least);
  },
  PATIENT,
);
