/** No word of the grammar is taken from authors: each can be the name of a field, a variable, a type, a rule and so on. */
import { describe, expect, test } from "vitest";
import { check, compile } from "../../src/index.ts";
import { RESERVED, UNITS, VERBS } from "../../src/language/lexemes.ts";
import { KEYWORDS } from "../../src/language/recogniser.ts";
import { format } from "../../src/tools.ts";

/** The words that are reserved everywhere: a field can have such a name after a dot only. */
const TAKEN = new Set([...RESERVED, ...VERBS]);
/** Types that values have: a fact type cannot have their names. */
const VALUE_TYPES = new Set(["string", "number", "bool", "boolean"]);

const WORDS = [...new Set([...KEYWORDS, ...UNITS.keys(), "now", "today", "wait"])]
  .filter((word) => !TAKEN.has(word))
  .sort();

function mistakes(source: string): string[] {
  return check(source)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ code, message }) => `${code} ${message}`);
}

test("there are words enough, old and new", () => {
  for (const word of [
    "if",
    "then",
    "else",
    "let",
    "now",
    "today",
    "table",
    "over",
    "within",
    "expires",
    "record",
    "import",
    "param",
    "private",
    "clock",
    "advance",
    "by",
    "per",
    "for",
    "latest",
    "min",
    "days",
  ]) {
    expect(WORDS, word).toContain(word);
  }
});

describe.each(WORDS)("%s", (word) => {
  test("is a field, in every place that reads one", () => {
    const source = `
type T(#id: string, ${word}: number, other: number = 1)
T(id: "a", ${word}: 2)
rule block { when t: T(${word} > 1, 1 < ${word}, ${word} in 1..5) where t.${word} + 1 > t.${word} then t.${word} = 1 update(t, {${word}: 2}) log(t.${word}) }
rule slash : {t: T} / t.${word} > 1 AND NOT(EXISTS(u: T / u.${word} > t.${word})) ==> insert T(id: "b", ${word}: t.${word})
rule sums { when t: T n: sum(x.${word}) from x: T(x.${word} >= t.${word}) not T(${word} > 9) then log(n) }
condition c(t: T) : t.${word} > 1
gate g for t: T(${word} > 0) { require t.${word} > 1 and c(t) }
query q { t: T(${word} == 1) }
`;
    expect(mistakes(source)).toEqual([]);
    expect(mistakes(format(source).text)).toEqual([]);
  });

  test("is a variable, a parameter, a value with a name and an item", () => {
    const source = `
type T(#id: string, x: number, xs: number[])
rule block { when ${word}: T(x > 1) where ${word}.x > 1 then ${word}.x = 1 log(${word}.id) retract ${word} }
rule two { when a: T ${word}: T(x == a.x) b: T(x == ${word}.x) then log(${word}) }
rule slash : {${word}: T} / ${word}.x > 1 AND ${word}.x < 5 ==> log(${word}.id)
rule named { when t: T let ${word} = t.x * 2 where ${word} > 1 then let twice = ${word} * 2 log(${word}, twice) }
rule items { when t: T(any(${word} in xs : ${word} > 1)) then log([${word} * 2 for ${word} in t.xs if ${word} > 1]) }
condition c(${word}: T) : ${word}.x > 1
query q(${word}: number) { t: T(x > ${word}) }
rule row { when ${word} in q(1) then log(${word}.t.id) }
function f(${word}: number): number = ${word} * 2
`;
    expect(mistakes(source)).toEqual([]);
    expect(mistakes(format(source).text)).toEqual([]);
  });

  test("is the name of a rule, a condition, a constant, a gate and a query", () => {
    const source = `
type T(#id: string, x: number)
const ${word} = 5
rule ${word} { when t: T(t.x > ${word}) then decide ${word}(t) }
gate ${word} for t: T { require t.x > ${word} }
query ${word} { t: T(t.x > 1) }
test ${word} { given T("a", 6) expect rule ${word} fires 1 expect gate ${word}("a") is pass }
`;
    expect(mistakes(source)).toEqual([]);
    expect(compile(source).test().failed).toBe(0);
  });

  test.skipIf(VALUE_TYPES.has(word))("is a type", () => {
    const source = `
type ${word}(#id: string, x: number)
type Other(#id: string, one: ${word}, many: ${word}[])
${word}("a", 1)
rule block { when a: ${word}(x > 0) b: Other(one == a) not ${word}(x > a.x) exists ${word}(x == a.x) where a.x > 0 then insert ${word}(id: "b", x: 1) }
rule slash : {a: ${word}, b: Other} / b.one == a AND COUNT(c: ${word} / c.x > a.x) > 1 ==> log(a.id)
`;
    expect(mistakes(source)).toEqual([]);
    expect(mistakes(format(source).text)).toEqual([]);
  });
});
