/** Tests templates and ranges: their values, what is unknown in them, and how they are explained. */
import { describe, expect, test } from "vitest";
import { check, textTree } from "../../src/tools.ts";
import { compile, type RuleSession } from "../../src/index.ts";

const TYPES = "type P(#id: string, name: string, age: number, score: number?)\n";

function logged(source: string, fields: Readonly<Record<string, unknown>> = {}): unknown[] {
  const session = compile(`${TYPES}${source}`).session();
  session.assert("P", { id: "p", name: "Ann", age: 30, ...fields });
  return session.run().effects.map(({ args }) => args);
}

describe("a template", () => {
  test.each([
    ['$"{p.name} is {p.age + 1}"', "Ann is 31"],
    ['$"{p.age}{p.age}"', "3030"],
    ['$"{{p.name}} {p.name} }}"', "{p.name} Ann }"],
    ['$"a\\tb\\u{41}\\"{p.age}\\""', 'a\tbA"30"'],
    ['$"{$"<{p.name}>"}{length("}")}"', "<Ann>1"],
    ['$"{if p.age > 18 then "adult" else "child"}"', "adult"],
    ['$"none"', "none"],
    ['$"{p.age}\\u{202E}{p.age}\\u{41}"', "30\u202E30A"],
    ['$"{p.age > 3}"', "true"],
    ['$"{p.name}, {p.score}"', undefined],
  ])("%s", (template, wanted) => {
    expect(logged(`rule r { when p: P then log(${template}) }`)).toEqual([[wanted]]);
  });

  test("names what is missing when it is unknown", () => {
    const session = compile(`${TYPES}rule r { when p: P where $"{p.name} {p.score}" == "x" then log(1) }`).session();
    session.assert("P", { id: "p", name: "Ann", age: 30 });
    expect(textTree(session.whyNot("r"))).toContain("p.score is missing");
  });

  test("is meant by a plain string that names a variable in braces", () => {
    const codes = (text: string): string[] => check(`${TYPES}${text}`).diagnostics.map(({ code }) => code);
    expect(codes('rule r { when p: P then log("Dear {p.name}") }')).toEqual(["W247"]);
    expect(codes('rule r { when p: P then log("Dear {q.name}", "{", "{}", "{ p }") }')).toEqual([]);
    expect(
      codes(
        'guardian g for p: P { retry at most 0 check c { need p.age > 1 as "a({p.age})" says "{p.age}" do SAFE_REFUSAL } }',
      ),
    ).toEqual([]);
  });
});

describe("a range", () => {
  const fires = (test: string, fields: Readonly<Record<string, unknown>> = {}): boolean =>
    logged(`rule r { when p: P(${test}) then log(1) }`, fields).length > 0;

  test.each([
    ["age in 30..40", true],
    ["age in 20..30", true],
    ["age in [20..30]", true],
    ["age in [20..30)", false],
    ["age in [30..31)", true],
    ["age not in 31..40", true],
    ["age not in 30..40", false],
    ['name in "A".."B"', true],
    ["age in score..40", false],
    ["not (age in score..40)", false],
    ["age not in 40..score", true],
  ])("%s is %s", (test, wanted) => {
    expect(fires(test)).toBe(wanted);
  });

  test("holds a gate while an end is unknown, unless the other end decides", () => {
    const session: RuleSession = compile(
      `${TYPES}gate g for p: P { require p.age in p.score..20 } gate h for p: P { require p.age in p.score..40 }`,
    ).session();
    session.assert("P", { id: "p", name: "Ann", age: 30 });
    session.run();
    expect([session.gate("g", "P~p").outcome, session.gate("h", "P~p").outcome]).toEqual(["fail", "hold"]);
  });

  test("is explained in the author's words", () => {
    const session = compile(`${TYPES}rule r { when p: P(age in [40..50)) then log(1) }`).session();
    session.assert("P", { id: "p", name: "Ann", age: 30 });
    expect(session.whyNot("r").upward_rationale).toContain("which is not in [40..50)");
  });
});
