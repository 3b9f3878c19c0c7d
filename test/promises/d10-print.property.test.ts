/** What is printed is read again as the same tree, in exactly one way. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Declaration } from "../../src/language/ast.ts";
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import { countReadings } from "../../src/language/parse.ts";
import { printFile } from "../../src/language/print.ts";
import { runs } from "../support/cases.ts";
import { program } from "../support/program-arbitrary.ts";
import { expectSameTree, readWell } from "../support/trees.ts";

const print = (declarations: readonly Declaration[]): string => printFile({ declarations, comments: [] });

describe("a printed program", () => {
  test("is read again as the same tree, and printed again as the same text", () => {
    fc.assert(
      fc.property(program, (declarations) => {
        const text = print(declarations);
        const again = readWell(text);
        expectSameTree(again, declarations);
        expect(print(again)).toBe(text);
      }),
      { numRuns: runs() },
    );
  });

  test("has one reading for each statement", () => {
    fc.assert(
      fc.property(program, (declarations) => {
        const report = new Report(new Source("test.tsd", print(declarations)));
        expect(countReadings(report)).toEqual(declarations.map(() => 1));
      }),
      { numRuns: runs() },
    );
  });
});
