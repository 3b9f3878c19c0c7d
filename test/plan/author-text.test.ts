/** The author's text on one line. */
import { expect, test } from "vitest";
import { Source } from "../../src/base/source.ts";
import { authorText } from "../../src/plan/author-text.ts";

const onOneLine = (text: string): string => authorText(new Source("rules.tsd", text), { start: 0, end: text.length });

test.each([
  ["a  ==\n    1", "a == 1"],
  ["Grant(\n    who == 1,\n    role == 2\n)", "Grant(who == 1, role == 2)"],
  ["x in [\n  1,\n  2\n]", "x in [1, 2]"],
  ["( a or b )", "( a or b )"],
  ['name == "two  spaces (\n)"', 'name == "two  spaces (\n)"'],
  ["a /* why */ == 1 // because\n and b", "a   == 1   and b"],
])("%j is quoted as %j", (written, quoted) => {
  expect(onOneLine(written)).toBe(quoted);
});
