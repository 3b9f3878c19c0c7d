/** Queries used as patterns: what the query matches, with its variables, in rules, other queries and pipelines. */
import { describe, expect, test } from "vitest";
import { compile, CompileError } from "../../src/index.ts";
import { naiveMatches } from "../../src/prove/naive.ts";
import { declarations, format, textTree } from "../../src/tools.ts";

const TYPES = `
type Person(#id: string, age: number, limit: number = 0)
type Order(#num: string, buyer: Person, total: number)
type Refund(order: string)
const limit = 18
query adults(from_age: number) { p: Person(p.age >= from_age) }
query buyers(person: Person, least: number = 100) {
    o: Order(buyer == person, total >= least)
    not Refund(order == o.num)
    spent: sum(x.total) from x: Order(x.buyer == person)
}
`;

function sessionOf(rules: string): ReturnType<ReturnType<typeof compile>["session"]> {
  const session = compile(TYPES + rules).session();
  session.assert("Person", { id: "ann", age: 30 });
  session.assert("Person", { id: "tom", age: 16 });
  session.assert("Order", { num: "o1", buyer: "Person~ann", total: 120 });
  session.assert("Order", { num: "o2", buyer: "Person~ann", total: 80 });
  session.assert("Order", { num: "o3", buyer: "Person~tom", total: 300 });
  return session;
}

function logged(rules: string): string[] {
  return sessionOf(rules)
    .run()
    .effects.map(({ args }) => args.map(String).join(" "));
}

test("a rule matches what the query matches, and uses its variables", () => {
  expect(logged("rule r { when q in adults(18) then log(q.p.id, q.p.age) }")).toEqual(["ann 30"]);
  expect(logged("rule r { when q in adults(10) where q.p.age < 18 then log(q.p.id) }")).toEqual(["tom"]);
});

test("rows can be passed on, and a query can be used twice", () => {
  const rule = "rule r { when a in adults(18) b in buyers(a.p) then log(a.p.id, b.o.num, b.spent) }";
  expect(logged(rule)).toEqual(["ann o1 200"]);
  expect(logged("rule r { when a in adults(0) b in adults(a.p.age + 1) then log(a.p.id, b.p.id) }")).toEqual([
    "tom ann",
  ]);
});

test("names in arguments are those of the rule, not fields of the query's pattern", () => {
  expect(logged("rule r { when q in adults(limit) then log(q.p.id) }")).toEqual(["ann"]);
  expect(logged('rule r { when p: Person(id == "tom") q in adults(p.age + 1) then log(q.p.id) }')).toEqual(["ann"]);
});

describe("a query that uses a query", () => {
  const rich = "query rich(least: number) { a in adults(18) b in buyers(a.p, least) let twice = b.o.total * 2 }";

  test("has the variables of the inner rows, with both names", () => {
    const rule =
      "rule r { when x in rich(100) not (y in rich(x.twice)) then log(x.a.p.id, x.b.o.num, x.b.spent, x.twice) }";
    expect(logged(`${rich} ${rule}`)).toEqual(["ann o1 200 240"]);
    const outer = "query richest { x in rich(0) where x.a.p.age > 20 }";
    expect(logged(`${rich} ${outer} rule r { when z in richest() then log(z.x.a.p.id, z.x.b.o.num) }`)).toEqual([
      "ann o1",
      "ann o2",
    ]);
  });

  test("what it does not have is named", () => {
    expect(() => compile(`${TYPES} ${rich} rule r { when x in rich(1) then log(x.a.o.num) }`)).toThrow(
      expect.objectContaining({ code: "E205" }),
    );
  });
});

describe("a computed argument", () => {
  const rule = (first: string): string => `query same_age(person: Person) { p: Person(age == person.age) }
    rule r { when a: Person b: Person(age < a.age) ${first} then log(a.id, b.id) }`;
  const younger = "if a.age > 20 then b else a";

  test("is followed to the fields that the query reads", () => {
    expect(logged(rule(`c in same_age(${younger}) where c.p.id == "tom"`))).toEqual(["ann tom"]);
    expect(logged(rule(`c in same_age(${younger}) where c.p.id == "ann"`))).toEqual([]);
    expect(logged(rule(`not (c in same_age(${younger}))`))).toEqual([]);
    expect(logged(rule(`exists (c in same_age(${younger}))`))).toEqual(["ann tom"]);
  });

  test("the brute-force matcher finds the same", () => {
    const program = compile(TYPES + rule(`c in same_age(${younger})`));
    const session = program.session();
    session.assert("Person", { id: "ann", age: 30 });
    session.assert("Person", { id: "tom", age: 16 });
    const facts = session.facts().map((fact, order) => ({ ...fact, fields: fact.fields as never, order }));
    expect(naiveMatches(program.checked, facts).get("r")).toHaveLength(1);
    expect(session.matches("r")).toHaveLength(1);
  });
});

test("inside not, exists and or", () => {
  expect(logged("rule r { when p: Person not (b in buyers(p, 200)) then log(p.id) }")).toEqual(["ann"]);
  expect(logged("rule r { when p: Person exists (b in buyers(p, 200)) then log(p.id) }")).toEqual(["tom"]);
  const either = "rule r { when p: Person, (b in buyers(p, 200) or b in buyers(p, 110)) then log(p.id, b.o.num) }";
  expect(logged(either).toSorted()).toEqual(["ann o1", "tom o3"]);
});

test("in queries and pipelines", () => {
  const session = sessionOf(`
query rich(least: number) { a in adults(18) b in buyers(a.p, least) }
pipeline "check" for o: Order {
    step large ANSWER q.o.num when x: Person(x.id == "ann"), q in buyers(x), where q.o.num == o.num
    otherwise FORWARD "clerk"
}`);
  const rows = session.query("rich", { least: 100 }) as unknown as Record<string, { id: string }>[];
  expect(rows.map((row) => [row["a.p"]?.id, row["b.o"]?.id, row["b.spent"]])).toEqual([
    ["Person~ann", "Order~o1", 200],
  ]);
  expect(session.decide("check", "Order~o1").decision).toBe("ANSWER");
  expect(session.decide("check", "Order~o2").decision).toBe("FORWARD");
});

test("the network is that of the elements written out", () => {
  const nodes = (rule: string): string[] =>
    compile(TYPES + rule)
      .network()
      .nodes.filter(({ kind }) => kind !== "terminal")
      .map(({ kind, text }) => `${kind} ${text}`);
  expect(
    nodes("rule r { when a in adults(10) b in buyers(a.p, 50) where a.p.age < b.o.total then log(a.p.id) }"),
  ).toEqual(
    nodes(`rule r {
    when
        x: Person(x.age >= 10)
        y: Order(buyer == x, total >= 50)
        not Refund(order == y.num)
        z: sum(w.total) from w: Order(w.buyer == x)
        where x.age < y.total
    then
        log(x.id)
}`),
  );
});

test("a query with a named value", () => {
  const rules =
    "query taxed { o: Order let gross = o.total * 2 } rule r { when t in taxed() where t.gross > 300 then log(t.o.num, t.gross) }";
  expect(logged(rules)).toEqual(["o3 600"]);
});

test("the brute-force matcher agrees", () => {
  const session = sessionOf("rule r { when a in adults(0) b in buyers(a.p) then log(a.p.id, b.o.num) }");
  const facts = session.facts().map((fact, order) => ({ ...fact, fields: fact.fields as never, order }));
  const matches = naiveMatches(session.program.checked, facts).get("r") ?? [];
  const fired = session.run().fired.map(({ bindings }) => [bindings["a.p"], bindings["b.o"]]);
  expect(matches.map(({ facts: ids }) => ids)).toEqual(fired);
});

test("explanations use the words of the query", () => {
  const session = sessionOf("rule r { when q in adults(40) then log(q.p.id) }");
  const tree = textTree(session.whyNot("r"));
  expect(tree).toContain("p.age");
  expect(session.whyNot("r").remedies[0]?.words).toContain("age");
});

test("types and formatting", () => {
  const source = `${TYPES}rule r { when q in adults( 18 ) then log(q.p.id) }`;
  expect(declarations(compile(source))).toContain('"q.p"');
  expect(format(source).text).toContain("q in adults(18)");
});

describe("refused", () => {
  const codes = (rules: string): string[] => {
    try {
      compile(TYPES + rules);
      return [];
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return error.diagnostics.map(({ code }) => code);
    }
  };

  test.each([
    ["an unknown query", "rule r { when q in adluts(18) then log(1) }", ["E213"]],
    ["a missing argument", "rule r { when q in adults() then log(1) }", ["E209"]],
    ["an argument of another type", 'rule r { when q in adults("x") then log(1) }', ["E209"]],
    ["a row as a fact", "rule r { when q in adults(1) then log(q) }", ["E205"]],
    ["an unknown variable of the query", "rule r { when q in adults(1) then log(q.x) }", ["E205"]],
    ["a name that is taken", "rule r { when q: Person q in adults(1) then log(1) }", ["E204"]],
    ["a query that uses itself", "query a { x in b() } query b { y in a() }", ["E215"]],
  ])("%s", (_, rules, expected) => {
    expect(codes(rules)).toEqual(expected);
  });
});
