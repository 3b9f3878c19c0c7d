/** Lints: what is reported and what is not, fixes that remove the cause, and comments that silence a warning in place. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, compile, compileFiles, type Diagnostic, type Fix } from "../../src/index.ts";
import { format } from "../../src/tools.ts";

const TYPES = `type Person(#id: string, age: number, name: string?, state: "open" | "closed", ok: bool, born: date?)
type Order(#num: string, buyer: Person, total: number, tags: string[])
type Tick(n: number)
`;

function codes(source: string): string[] {
  return check(source).diagnostics.map(({ code, line }) => `${code}:${line}`);
}

/** Returns the codes of a rule with a condition over a person. */
function about(condition: string): string[] {
  return check(`${TYPES}rule r { when p: Person ${condition} then log(p.id) }`).diagnostics.map(({ code }) => code);
}

describe("a test that has only one result", () => {
  test.each([
    "p.age > 10 and p.age < 5",
    "p.age == 1 and p.age == 2",
    "p.age in 1..5 and p.age in [6, 7]",
    "p.age in [1..5) and p.age == 5",
    'p.state != "open" and p.state != "closed"',
    "p.ok and not p.ok",
    "p.ok == true and p.ok == false",
    'p.name == "a" and p.name > "b"',
    "p.born < @2026-01-01 and p.born > @2026-06-01",
    "p.age < p.age",
    "p.age is missing",
    'p.name is missing and p.name == "x"',
    "length(p.name) > 5 and length(p.name) < 5",
    "p.age + 1 > 5 and p.age + 1 < 5",
    "(p.age > 5 or p.age > 6) and (p.age < 5 or p.age < 4)",
    "p.id in []",
  ])("%s is never true", (written) => expect(about(`where ${written}`)).toEqual(["W251"]));

  test.each([
    "p.age > 1 or p.age <= 1",
    'p.state in ["open", "closed"]',
    "p.ok or not p.ok",
    "p.age == p.age",
    "p.age is present",
    "p.name is missing or p.name is present",
    "not (p.age > 10 and p.age < 5) or p.ok",
  ])("%s is never false", (written) => {
    expect(about(`where ${written}`)).toEqual([written.startsWith("not") ? "W251" : "W252"]);
  });

  test.each([
    "p.age > 5 and p.age < 10",
    "p.age >= 5 and p.age <= 5",
    'p.name > "a" and p.name < "b"',
    'p.age != 1 or p.name == "x"',
    "p.name is missing or p.age > 3",
    "p.age > 10 or p.age < 5",
    "true",
    'not (p.state == "open")',
  ])("%s is not reported", (written) => expect(about(`where ${written}`)).toEqual([]));

  test("bounds are taken from all tests of a condition, of a pattern and of forall", () => {
    expect(codes(`${TYPES}rule r { when p: Person(age > 10) where p.age < 5 then log(p.id) }`)).toEqual(["W251:4"]);
    expect(codes(`${TYPES}rule r { when p: Person(age > 10, ok, p.age < 5) then log(p.id) }`)).toEqual(["W251:4"]);
    const forall = "exists Order() forall (o: Order(total > 10) : o.total < 5)";
    expect(codes(`${TYPES}rule r { when ${forall} then log("x") }`)).toEqual(["W251:4"]);
    expect(codes(`${TYPES}rule r { when a: Person(age > 9) b: Person(id == a.id, age < 5) then log(a.id) }`)).toEqual(
      [],
    );
  });

  test("constants count, parameters and switches do not", () => {
    const rule = (written: string): string => `rule r { when p: Person(${written}) then log(p.id) }`;
    expect(codes(`${TYPES}const A = 5\nconst B = 3\n${rule("age > A and age < B")}`)).toEqual(["W251:6"]);
    expect(codes(`${TYPES}param a: number = 5\n${rule("age > a and age < 3")}`)).toEqual([]);
    expect(codes(`${TYPES}const ON = true\n${rule("ON == true or ok")}`)).toEqual([]);
    expect(codes(`${TYPES}const LETTERS = ["a"]\n${rule(`"a" in LETTERS or ok`)}`)).toEqual([]);
  });

  test("it is found in gates, conditions, queries, guardians and open programs", () => {
    expect(codes(`${TYPES}gate "g" for p: Person { require p.age > 5 and p.age < 3 }`)).toEqual(["W251:4"]);
    expect(codes(`${TYPES}condition c(p: Person) : p.age > 5 and p.age < 3`)).toEqual(["W251:4"]);
    expect(codes(`${TYPES}query q { p: Person(age > 5, age < 3) }`)).toEqual(["W251:4"]);
    expect(codes(`rule r { when p: Person(age > 5, age < 3) then log(p.id) }`)).toEqual(["W201:1", "W251:1"]);
    expect(codes(`rule r { when p: Person(x > 5 or x <= 5) then log(p.id) }`)).toEqual(["W201:1", "W252:1"]);
  });

  test("many tests of one field are judged in bounded time", () => {
    const many = Array.from({ length: 3000 }, (_, index) => `p.age == ${index}`).join(" or ");
    expect(about(`where ${many}`)).toEqual([]);
    expect(about(`where ${many.replaceAll("==", "!=").replaceAll(" or ", " and ")}`)).toEqual([]);
  });
});

describe("lists, and what functions return", () => {
  const about = (test: string): string[] =>
    check(
      `type UV = "u" | "v"\ntype T(#id: string, l: string[], k: UV[], n: number[], d: date, i: instant, x: number)\nrule r { when t: T(${test}) then log(1) }`,
    ).diagnostics.map(({ code }) => code);

  test.each([
    'l == ["a", 1]',
    'l == ["a"] and l == ["b"]',
    'l == ["a"], l == []',
    'k == ["w"]',
    "[x] == [x, x]",
    "l contains any []",
    'sort(l) == ["b", "a"]',
    'distinct(l) == ["a", "a"]',
    'lower(id) == "Ann"',
    'upper(id) in ["a", "b"]',
    'trim(id) == " a"',
    "count(l) < 0",
    "length(id) == 1.5",
    "floor(x) == 0.5",
    "abs(x) < 0",
    "month(d) == 13",
    "weekday(d) in [0, 8]",
    'hour(i, "UTC") > 23',
    'index_of(id, "a") < -1',
  ])("%s is never true", (test) => expect(about(test)).toEqual(["W251"]));

  test.each(['l == ["a"] or l != ["a"]', "l contains all []", "count(l) >= 0", "[x] != []", 'lower(id) != "Ann"'])(
    "%s is never false",
    (test) => expect(about(test)).toEqual(["W252"]),
  );

  test.each([
    'l == ["a", "a"]',
    'l != ["a"], l != ["b"]',
    "l == []",
    'k == ["v", "v", "u"]',
    "n == [1]",
    'sort(l) == ["a", "b"]',
    'reverse(l) == ["b", "a"]',
    'lower(id) == "ann"',
    'lower(id) > "Ann"',
    "count(l) < 1",
    "length(id) > 1.5 and length(id) < 2.5",
    "month(d) in 1..11, day(d) < 2",
    "abs(x) <= 0",
    "x < 0",
  ])("%s is not reported", (test) => expect(about(test)).toEqual([]));
});

describe("values as other languages write them", () => {
  const inRule = (written: string): string =>
    `${TYPES}rule r { when o: Order let first = o.tags[0] then log(${written}, first) }`;

  test("a dollar sign before a brace, unless a number follows", () => {
    expect(codes(inRule('$"${o.num}", $"a ${o.buyer.name}", $"${first}"'))).toEqual(["W248:4", "W248:4", "W248:4"]);
    expect(codes(inRule('$"${o.total}", $"${fixed(o.total, 2)}", $"$ {o.num}", $"{o.num}$", "${o}"'))).toEqual([
      "W247:4",
    ]);
    expect(codes('rule r { when o: Order then log($"${o.num}") }')).toEqual(["W201:1"]);
  });

  test("a place below 0 or between two items", () => {
    expect(codes(inRule("o.tags[-1], o.tags[0.5], o.tags[0], o.tags[count(o.tags) - 1]"))).toEqual([
      "W249:4",
      "W249:4",
    ]);
  });
});

describe("a rule that feeds itself", () => {
  const fires = (
    source: string,
    facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ): string | undefined => {
    const session = compile(source).session();
    for (const [type, fields] of Object.entries(facts)) session.assert(type, fields);
    try {
      session.run({ limit: 500 });
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  test.each([
    "rule r { when t: Tick then insert Tick(n: t.n) }",
    "rule r { when t: Tick(n >= 0) then insert Tick(n: t.n + 1) }",
    "rule r { when t: Tick(n >= 0) then t.n = t.n + 1 }",
    "rule r { when t: Tick(n < 5) then update(t, {n: t.n - 1}) }",
    "rule r { when t: Tick(t.n == 1) then insert Tick(n: 1), log(t.n) }",
    "rule r : {t: Tick} / t.n > 0 ==> t.n = t.n + 2",
  ])("%s", (rule) => {
    expect(codes(TYPES + rule)).toEqual(["W253:4"]);
    expect(fires(TYPES + rule, { Tick: { n: 1 } })).toBe("E510");
  });

  test.each([
    "rule r no-loop { when t: Tick(n >= 0) then t.n = t.n + 1 }",
    "rule r { when t: Tick(n < 10) then t.n = t.n + 1 }",
    "rule r { when t: Tick(n < 10) then insert Tick(n: t.n + 1) }",
    "rule r { when t: Tick then t.n = t.n + 1 }",
    "rule r { when t: Tick(n > 0) then t.n = 5 }",
    "rule r { when t: Tick(n == 1) then insert Tick(n: 2) }",
    "rule r { when t: Tick not Tick(n == 2) then insert Tick(n: 2) }",
    "rule r { when p: Person then insert Tick(n: p.age) }",
    "rule r { when t: Tick(n >= 0) then t.n = t.n + 1, retract t }",
  ])("%s does not", (rule) => {
    expect(codes(TYPES + rule)).toEqual([]);
    expect(fires(TYPES + rule, { Tick: { n: 1 } })).toBeUndefined();
  });
});

describe("a name that is not used", () => {
  test("in the actions of a rule, a gate, a guardian's sentences", () => {
    expect(codes(`${TYPES}rule r { when p: Person then let x = p.age log(p.id) }`)).toEqual(["W250:4"]);
    expect(codes(`${TYPES}gate g for p: Person { let x = p.age require p.ok }`)).toEqual(["W250:4"]);
    const guardian = `guardian "g" for p: Person { let x = p.age retry at most 0 check c { need p.ok as "no" says "{x} years" do SAFE_REFUSAL } }`;
    expect(codes(TYPES + guardian)).toEqual([]);
  });

  test("results of a query, variables of a rule and names with _ are used", () => {
    expect(codes(`${TYPES}query q { p: Person let x = p.age }`)).toEqual([]);
    expect(codes(`${TYPES}rule r { when p: Person o: Order(buyer == p) then log("x") }`)).toEqual([]);
    expect(codes(`${TYPES}condition c(_p: Person, q: Person) : q.ok`)).toEqual([]);
    expect(codes(`${TYPES}function f(x: number, y: number): number`)).toEqual([]);
    expect(codes(`${TYPES}function f(x: number, y: number): number = x + 1`)).toEqual(["W250:4"]);
  });

  test("a constant of a file that others import, or that only declares, is for other programs", () => {
    expect(codes("const A = 1\n")).toEqual([]);
    const read = (): string => "const A = 1\nrule a { when p: P then log(p.id) }";
    const { diagnostics } = check('import "a.tsd"\ntype P(#id: string)', { read });
    expect(diagnostics).toEqual([]);
  });
});

test("a reference is missing only when facts of its type are stated, and no rule makes them", () => {
  const order = 'Order(num: "o1", buyer: "p9", total: 1, tags: [])\n';
  const person = 'Person(id: "p1", age: 1, state: open, ok: true)\n';
  expect(codes(TYPES + order)).toEqual([]);
  expect(codes(TYPES + person + order)).toEqual(["W254:5"]);
  expect(codes(TYPES + person + order.replace('"p9"', '"Person~p9"'))).toEqual(["W254:5"]);
  expect(codes(TYPES + person + order.replace('"p9"', '"Person~p1"'))).toEqual([]);
  const makes = 'rule r { when t: Tick then insert Person(id: "p9", age: t.n, state: open, ok: true) }';
  expect(codes(TYPES + person + order + makes)).toEqual([]);
  expect(codes(`${TYPES}${person}test "t" { given ${order.trim()} expect no Tick() }`)).toEqual(["W254:5"]);
  expect(
    codes(`${TYPES}test "t" { given ${person.trim()} given ${order.replace("p9", "p1").trim()} expect no Tick() }`),
  ).toEqual([]);
});

describe("a fix removes the cause of its warning", () => {
  test.each(["W248", "W249", "W250", "W251-functions", "W256", "W257"])("%s", (code) => {
    const source = readFileSync(`test/errors/${code}.tsd`, "utf8");
    const fixes = check(source).diagnostics.flatMap((one) => (one.fix === undefined ? [] : [{ one, fix: one.fix }]));
    expect(fixes.length).toBeGreaterThan(0);
    for (const { one, fix } of fixes) {
      const after = check(applied(source, fix)).diagnostics;
      expect(after.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(after.filter((other) => isSame(other, one))).toEqual([]);
    }
  });

  test("W247: a plain string becomes a template", () => {
    const source = `${TYPES}rule r { when p: Person then log("Dear {p.id}") }`;
    const [warning] = check(source).diagnostics;
    expect(applied(source, warning?.fix)).toContain('log($"Dear {p.id}")');
    expect(codes(applied(source, warning?.fix))).toEqual([]);
  });
});

describe("// sluice: allow", () => {
  const pair = "rule pair {\n    when\n        p: Person\n        o: Order\n    then\n        log(p.id, o.num)\n}\n";

  test("holds for a line, or above a statement for the statement", () => {
    expect(codes(TYPES + pair)).toEqual(["W301:7"]);
    expect(codes(TYPES + pair.replace("o: Order", "o: Order // sluice: allow W301 all of them"))).toEqual([]);
    expect(codes(TYPES + pair.replace("o: Order", "// sluice: allow W301\n        o: Order"))).toEqual([]);
    expect(codes(`${TYPES}// sluice: allow W301, W252\n// A comment.\n${pair}`)).toEqual(["W257:4"]);
    expect(codes(`${TYPES}/* sluice: allow W301 */\n${pair}`)).toEqual([]);
  });

  test("holds for nothing else, and is reported when it silences nothing", () => {
    expect(codes(TYPES + pair.replace("p: Person", "p: Person // sluice: allow W301"))).toEqual(["W257:6", "W301:7"]);
    expect(codes(`${TYPES}// sluice: allow\n${pair}`)).toEqual(["W257:4", "W301:8"]);
    expect(codes(`${TYPES}// sluice: allow W999\n${pair}`)).toEqual(["W257:4", "W301:8"]);
    expect(codes(`${TYPES}// sluice: allow W301\n${pair.replace("o.num", "o.nun")}`)).toEqual(["E202:10"]);
  });

  test("is kept by the formatter, and silences the same", () => {
    for (const source of [
      `${TYPES}// sluice: allow W301\n${pair}`,
      TYPES + pair.replace("o: Order", "o: Order // sluice: allow W301 all of them"),
      `${TYPES}rule pair { when p: Person, o: Order // sluice: allow W301\n then log(p.id, o.num) }`,
    ]) {
      const { text } = format(source);
      expect(text).toContain("// sluice: allow W301");
      expect(codes(text)).toEqual([]);
    }
  });
});

test("a program that is extended has the warnings of the whole program", () => {
  const base = `${TYPES}const A = 1\nrule r { when p: Person then log(p.id) }\n`;
  const added = "rule s { when t: Tick(n > A, n < 0) then log(t.n) }\n";
  const whole = compileFiles([
    { file: "a.tsd", source: base },
    { file: "b.tsd", source: added },
  ]);
  const extended = compileFiles([{ file: "a.tsd", source: base }]).extend(added, { file: "b.tsd" });
  expect(compile(base).checked.diagnostics.map(({ code }) => code)).toEqual(["W250"]);
  expect(extended.checked.diagnostics).toEqual(whole.checked.diagnostics);
  expect(whole.checked.diagnostics.map(({ code }) => code)).toEqual(["W251"]);
});

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.message === b.message;
}

function applied(source: string, fix: Fix | undefined): string {
  const lines = source.split("\n");
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, column - 1);
  const edits = [...(fix?.edits ?? [])].sort((a, b) => b.line - a.line || b.column - a.column);
  return edits.reduce(
    (text, one) =>
      text.slice(0, offset(one.line, one.column)) + one.text + text.slice(offset(one.endLine, one.endColumn)),
    source,
  );
}
