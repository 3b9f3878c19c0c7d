/** D10: a printed program is read again as the same tree, in exactly one way, and printed again as the same text. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Declaration } from "../../src/language/ast.ts";
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import { countReadings } from "../../src/language/parse.ts";
import { printFile } from "../../src/language/print.ts";
import { runs } from "../support/cases.ts";
import { program } from "../support/program-arbitrary.ts";
import { expectSameTree, readWell } from "../support/trees.ts";

const print = (declarations: readonly Declaration[]): string => printFile({ declarations, comments: [] });

test("a printed program is read again as the same tree, and has one reading for each statement", () => {
  fc.assert(
    fc.property(program, (declarations) => {
      const text = print(declarations);
      const again = readWell(text);
      expectSameTree(again, declarations);
      expect(print(again)).toBe(text);
      expect(countReadings(new Report(new Source("test.tsd", text)))).toEqual(declarations.map(() => 1));
    }),
    { numRuns: runs() },
  );
});
