/** Random programs with a decision table, as text. */
import * as fc from "fast-check";
import { numbers, texts } from "./table-model.ts";

const number = numbers.map(String);
const text = texts.map((value) => JSON.stringify(value));
export const dates = fc.constantFrom("@2026-01-01", "@2026-06-15", "@2027-01-01");

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

/** Programs with one table of any hit policy but sum, and rules that ask it. */
export const programs = fc
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
