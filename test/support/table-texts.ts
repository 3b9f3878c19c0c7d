/** Random decision tables as they are written, for going to a spreadsheet and back. */
import * as fc from "fast-check";

const marks = fc.string({
  unit: fc.constantFrom("a", '"', "\\", "\n", ",", "|", " ", "é", "-", "'", "{", "\r", "/", "*", "#"),
});
/** Texts that a program or a spreadsheet reads as something else: names, keywords, numbers, comments. */
const READ_OTHERWISE = [
  ...[
    "HIGH",
    "o",
    "flag",
    "Order",
    "null",
    "true",
    "True",
    "in",
    "not a",
    "if",
    "now",
    "and so on",
    "New York",
    "a, b",
  ],
  ...["a // b", "http://a.de/x", "// a", "a /* b */ c", "/* a", "# a", "5", "-1", "5 // a", "1..2", "[1..2)", "x.y"],
  ...[
    "a-b",
    "a - b",
    "it's",
    "it's // John's",
    "@2026-01-01",
    "5 min",
    "=1",
    "a(b)",
    "$a",
    "a\u0301",
    " a",
    "any",
    "all",
  ],
];
const text = fc.oneof(marks, fc.constantFrom(...READ_OTHERWISE));
const word = text.map((value) => JSON.stringify(value));
const number = fc.constantFrom("0", "-1", "0.25", "1000000", "HIGH", "1 / 3", "HIGH * 2");
const day = fc.constantFrom("@2026-01-01", "@2026-12-31");
const unary = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant("-") },
    value,
    fc.tuple(fc.constantFrom("<", ">=", "!=", "not"), value).map((parts) => parts.join(" ")),
    fc.tuple(value, value).map((parts) => parts.join(", ")),
    value.map((one) => `not in [${one}, ${one}]`),
  );
const plain = fc.constantFrom("0", "-1", "0.25", "1e21", "HIGH");
const row = fc
  .tuple(unary(plain), unary(word), unary(day), fc.constantFrom("-", "true", "not true"), number, word)
  .map(([n, s, d, b, rate, note]) => `| ${n} | ${s} | ${d} | ${b} || ${rate} | ${note} |`);
/** A table `t` over a type `Order`: see {@link programOf}. */
export const tableTexts: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("first", "unique", "any", "collect list"), fc.array(row, { minLength: 1, maxLength: 6 }))
  .map(
    ([policy, rows]) => `table t(o: Order, flag: bool?) ${policy} {
  | o.total * 2 | o.note | o.at | flag || rate: number | note: string |
  ${rows.join("\n  ")}
}`,
  );

/** Returns a program with a table. */
export function programOf(table: string): string {
  return `type Order(#id: string, total: number, note: string, at: date)\nconst HIGH = 1000\n${table}\n`;
}
