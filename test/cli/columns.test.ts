/** Tests column layout: lists line up by the width that text takes on a terminal. */
import { expect, test } from "vitest";
import { inColumns, WIDEST_COLUMN, widthOf } from "../../src/cli/columns.ts";
import { painter } from "../../src/cli/paint.ts";
import { runCli } from "../support/io.ts";

test("a Chinese character takes two cells, a combining mark and a colour none", () => {
  const room = ["plain", "学生割引", "e\u0301te\u0301", "ｆｕｌｌ", "🙂", painter(true)("red", "red")].map(widthOf);
  expect(room).toEqual([5, 8, 3, 8, 2, 3]);
});

test("cells are filled up to the widest of their column, and an empty column is left out", () => {
  expect(
    inColumns([
      ["a", "", "x", "end"],
      ["long", "", "学"],
      ["b", "", "yy", "end"],
    ]),
  ).toEqual(["a     x   end", "long  学", "b     yy  end"]);
});

test("one very long cell does not push the others away", () => {
  const [long, short] = inColumns([
    ["x".repeat(200), "1"],
    ["a", "2"],
  ]);
  expect(long).toBe(`${"x".repeat(200)}  1`);
  expect(short).toBe(`${"a".padEnd(WIDEST_COLUMN)}  2`);
});

test("gates, flows and decisions of ids of different length stand in columns", () => {
  const source = `
type Release(#id: string, ok: bool)
Release("r1", true)
Release("release-2026-10", false)
condition fine(r: Release) : r.ok == true
gate go for r: Release { require fine(r) }
gate "go at once" for r: Release { require fine(r) }
pipeline p for r: Release { step one BLOCK "no" when (r.ok == false) otherwise FORWARD "yes" }
`;
  const { out } = runCli(["run", "a.tsd"], { "a.tsd": source });
  expect(out.split("\n").slice(0, 9)).toEqual([
    "gates",
    "  go          Release r1               pass",
    "  go          Release release-2026-10  fail",
    "  go at once  Release r1               pass",
    "  go at once  Release release-2026-10  fail",
    "",
    "decisions",
    "  p  Release r1               FORWARD  yes  (one)",
    "  p  Release release-2026-10  BLOCK    no  (one)",
  ]);
});

test("the variables of a rule keep the room that they once took, and rules of any script are aligned", () => {
  const source = `
type T(#id: string, n: number)
T("long-one", 1)
T("b", 2)
rule 学生割引 salience 1 { when t: T(n == 1) then log("x") }
rule all { when t: T n: count() from T(n > 0) then log("y") }
`;
  const { out } = runCli(["run", "a.tsd"], { "a.tsd": source });
  const lines = out.split("\n").filter((line) => / t = /u.test(line));
  expect(lines).toEqual([
    "    1  学生割引  t = T long-one",
    "    2  all       t = T long-one  n = 2",
    "    3  all       t = T b         n = 2",
  ]);
});
