/** Tests records: values with named fields inside facts, from the program, from files and from the host. */
import { describe, expect, test } from "vitest";
import { compile, declarations, FactError, type Session, type Value } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";
import { textTree } from "../../src/tools.ts";
import { runCli } from "../support/io.ts";

const TYPES = `
record Line(sku: string, qty: number, price: number = 1, tags: string[] = [], due: date?)
record Address(street: string, zip: string?, country: string = "FR", since: date = "2020-01-01")
type Order(#id: string, lines: Line[] = [], to: Address?, n: number = 1)
`;

/** The effects of a program after its rules ran. */
function logged(session: Pick<Session, "run">): unknown[][] {
  return session.run().effects.map(({ args }) => [...args]);
}

function opened(rules: string, facts: Readonly<Record<string, unknown>>[] = []): Session {
  const session = compile(TYPES + rules).session();
  for (const fact of facts) session.assert("Order", fact);
  return session;
}

function mistake(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof FactError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "none";
}

describe("values", () => {
  test("defaults are filled in, fields have the declared order, and what is stored is frozen", () => {
    const session = opened("", [{ id: "o1", to: { country: "DE", street: "s" }, lines: [{ qty: 1, sku: "a" }] }]);
    const fields = session.fact("Order~o1")?.fields as Readonly<Record<string, Value>>;
    expect(fields["to"]).toEqual({ street: "s", country: "DE", since: "2020-01-01" });
    expect(Object.keys(fields["to"] as object)).toEqual(["street", "country", "since"]);
    expect(fields["lines"]).toEqual([{ sku: "a", qty: 1, price: 1, tags: [] }]);
    expect(Object.isFrozen(fields["to"])).toBe(true);
  });

  test("times in records are stored in one spelling, and Date objects are taken", () => {
    const source =
      'record Seen(at: instant, on: date[] = [])\ntype T(#id: string, seen: Seen)\nT(id: "a", seen: {at: "2026-01-01T01:00:00+01:00"})';
    const session = compile(source).session();
    session.assert("T", { id: "b", seen: { at: new Date(0), on: ["2026-01-02"] } });
    expect(session.fact("T~a")?.fields["seen"]).toEqual({ at: "2026-01-01T00:00:00Z", on: [] });
    expect(session.fact("T~b")?.fields["seen"]).toEqual({ at: "1970-01-01T00:00:00Z", on: ["2026-01-02"] });
  });

  test("all mistakes of a value are found at once, each with its place", () => {
    const session = opened("");
    const fact = {
      id: "o1",
      lines: [
        { sku: "a", qty: 1 },
        { skuu: "b", qty: "2", due: "2026-02-30" },
      ],
    };
    expect(mistake(() => session.assert("Order", fact))).toBe(
      'E407 Order.lines[1].qty must be number, found string; Order.lines[1].due must be date, but "2026-02-30" is a day that does not exist; Order.lines[1] is Line, which has no field "skuu"',
    );
    expect(mistake(() => session.assert("Order", { id: "o1", to: { zip: "1" } }))).toBe(
      'E402 Order.to is Address, and lacks the required field "street"',
    );
    expect(mistake(() => session.assert("Order", { id: "o1", to: [] }))).toBe(
      "E407 Order.to must be Address, found list",
    );
    expect(mistake(() => session.assert("Order", { id: "o1", to: { street: "x", zipp: 1 } }))).toBe(
      'E401 Order.to is Address, which has no field "zipp"',
    );
    expect(session.facts()).toEqual([]);
  });

  test("every property is read once, and reserved names are refused", () => {
    const session = opened("");
    let reads = 0;
    const to = {
      get street() {
        reads += 1;
        return "s";
      },
    };
    session.assert("Order", { id: "o1", to });
    expect(reads).toBe(1);
    const hostile: unknown = JSON.parse('{"id": "o2", "to": {"street": "s", "__proto__": {"zip": "1"}}}');
    expect(mistake(() => session.assert("Order", hostile as Record<string, unknown>))).toBe(
      'E403 "__proto__" is a reserved field name',
    );
  });

  test("an update with an equal record changes nothing, whatever the order of its fields", () => {
    const rules = 'rule "r" { when o: Order(to.country == "FR") then log(o.to.street) }';
    const session = opened(rules, [{ id: "o1", to: { street: "s", zip: "1" } }]);
    expect(logged(session)).toEqual([["s"]]);
    session.update("Order~o1", { to: { zip: "1", street: "s" } });
    expect(logged(session)).toEqual([]);
    session.update("Order~o1", { to: { street: "t" } });
    expect(logged(session)).toEqual([["t"]]);
  });
});

describe("paths", () => {
  const FACTS = [
    { id: "o1", to: { street: "s", since: "2024-05-01" }, lines: [{ sku: "a", qty: 200, tags: ["steel"] }] },
    { id: "o2", to: { street: "t", country: "DE" }, lines: [{ sku: "b", qty: 1, due: "2026-01-05" }], n: 2 },
    { id: "o3" },
  ];

  test("tests, items, names for values and actions read fields of records", () => {
    const rules = `
      rule "bare" { when o: Order(to.country == "FR", any(l in lines : l.qty > 100 and l.tags contains "steel")) then log(o.id) }
      rule "variable" { when o: Order where o.to.country != "FR" let first = o.lines[0] then log(first.sku, o.lines[0].qty) }
      rule "missing" { when o: Order(to.country is missing) then log(o.id, o.to) }`;
    expect(logged(opened(rules, FACTS))).toEqual([["o1"], ["b", 1], ["o3", undefined]]);
  });

  test("a time in a record is a time where it is read, and text where the record is read", () => {
    const rules = `
      rule "compare" { when o: Order(to.since > @2020-01-01) then log(o.to.since, o.to.since + 1 month) }
      rule "item" { when o: Order(any(l in lines : l.due >= @2026-01-05)) let d = o.lines[0].due then log(d, o.lines[0]) }
      rule "list" { when o: Order(n == 2) let due = [l.due for l in o.lines] where due contains @2026-01-05 then log(due) }`;
    expect(logged(opened(rules, FACTS))).toEqual([
      ["2024-05-01", "2024-06-01"],
      ["2026-01-05", { sku: "b", qty: 1, price: 1, tags: [], due: "2026-01-05" }],
      [["2026-01-05"]],
    ]);
  });

  test("records are equal when all of their fields are, in tests and as keys of joins", () => {
    const rules = `
      rule "same" { when a: Order b: Order(to == a.to, id != a.id) then log("same", a.id, b.id) }
      rule "part" { when a: Order b: Order(to.country == a.to.country, id != a.id) then log("part", a.id, b.id) }`;
    const session = opened(rules, [
      { id: "a", to: { street: "s", zip: "1" } },
      { id: "b", to: { zip: "1", street: "s" } },
      { id: "c", to: { street: "s" } },
    ]);
    const found = session.run().effects.map(({ args }) => args.map(String).join(" "));
    expect(found.sort()).toEqual([
      ...["part a b", "part a c", "part b a", "part b c", "part c a", "part c b"],
      ...["same a b", "same b a"],
    ]);
    const joins = compile(`${TYPES}${rules}`)
      .network()
      .nodes.map(({ text }) => text);
    expect(joins.some((text) => text.includes(".to.country == $1.to.country"))).toBe(true);
  });

  test("a reference in a record leads to its fact", () => {
    const source = `
      record Part(of: Product, n: number)
      type Product(#sku: string, name: string)
      type Kit(#id: string, main: Part, parts: Part[] = [])
      rule "r" { when k: Kit(main.of.name == "bolt") then log(k.main.of.name, k.parts[0].of.name) }
      rule "j" { when k: Kit p: Product(sku == k.main.of.sku) then log(p.name, k.main.n) }`;
    const session = compile(source).session();
    session.assert("Product", { sku: "p1", name: "bolt" });
    session.assert("Kit", { id: "k", main: { of: "p1", n: 2 }, parts: [{ of: "Product~p1", n: 1 }] });
    expect(logged(session)).toEqual([
      ["bolt", "bolt"],
      ["bolt", 2],
    ]);
  });

  test("functions, tables, parameters, conditions, gates and queries take records", () => {
    const source = `${TYPES}
      param home: Address = {street: "h"}
      function far(a: Address): bool = a.country != home.country
      function road(a: Address): string
      table zone(a: Address) first { | a.country || number | | "FR" || 1 | | - || 2 | }
      condition abroad(o: Order) : far(o.to) and o.to.since >= @2020-01-01
      rule "f" { when o: Order where far(o.to) then log(o.id, zone(o.to), road(o.to), home.since) }
      gate "g" for o: Order { require abroad(o) and zone(o.to) == 2 let a = o.to require a.country == "DE" }
      query to(a: Address) { o: Order(to == a) }`;
    const functions = { road: (a: unknown) => (a as { street: string }).street.toUpperCase() };
    const session = compile(
      source.replace(
        "require abroad(o) and zone(o.to) == 2 let a = o.to require a.country",
        "let a = o.to require abroad(o) and zone(o.to) == 2 and a.country",
      ),
    ).session({ functions });
    for (const fact of FACTS) session.assert("Order", fact);
    expect(logged(session)).toEqual([["o2", 2, "T", "2020-01-01"]]);
    expect(["o1", "o2", "o3"].map((id) => session.gate("g", `Order~${id}`)?.outcome)).toEqual(["fail", "pass", "hold"]);
    const rows = session.query("to", { a: { street: "t", country: "DE" } });
    expect(rows.map(({ o }) => (o as { id: string }).id)).toEqual(["Order~o2"]);
    expect(mistake(() => session.query("to", { a: { streett: "t" } }))).toContain("E407".slice(0, 1));
  });

  test("what a function of the host takes and returns is compared with the record", () => {
    const source = `${TYPES}
      function best(lines: Line[]): Line
      rule "r" { when o: Order where best(o.lines).qty > 1 then log(best(o.lines).sku) }`;
    const results: unknown[] = [
      { sku: "z", qty: 3, price: 1, tags: [] },
      { sku: "z", qty: "3" },
      { sku: "z", qty: 3, price: 1, tags: [], more: 1 },
    ];
    const seen = results.map((result) => {
      const session = compile(source).session({ functions: { best: () => result as Value } });
      session.assert("Order", FACTS[0] ?? {});
      const { fired, problems } = session.run();
      return [fired.length, (problems ?? []).map(({ code }) => code)];
    });
    expect(seen).toEqual([
      [1, []],
      [0, ["E521"]],
      [0, ["E521"]],
    ]);
  });
});

describe("open types", () => {
  const OPEN = `
    record Line(sku: string, ...)
    type Order(#id: string, lines: Line[] = [], ...)
    type Bag(...)
    rule "r" { when o: Order then log(o) }`;

  test("further fields are ignored, and not read", () => {
    const session = compile(OPEN).session();
    const fact = {
      id: "o1",
      lines: [{ sku: "a", colour: "red" }],
      get extra(): never {
        throw new Error("it is read");
      },
    };
    session.assert("Order", fact);
    session.update("Order~o1", { other: 1, lines: [{ sku: "b", size: 2 }] });
    session.assert("Bag", { a: 1 });
    expect(session.facts().map(({ fields }) => fields)).toEqual([{ id: "o1", lines: [{ sku: "b" }] }, {}]);
    expect(
      mistake(() =>
        session.assert("Order", JSON.parse('{"id": "o2", "__proto__": 1}') as object as Record<string, unknown>),
      ),
    ).toContain("E403");
  });

  test("the program itself has to know the fields", () => {
    const wrong = compileErrors(
      `${OPEN} Order(id: "o1", extra: 1) rule "q" { when Order(extra == 1) then insert Bag(x: 1) }`,
    );
    expect(wrong).toEqual(["E401", "E202", "E401"]);
  });
});

function compileErrors(source: string): string[] {
  try {
    compile(source);
    return [];
  } catch (error) {
    return (error as { diagnostics: { code: string; severity: string }[] }).diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code }) => code);
  }
}

describe("files", () => {
  test("JSON facts are records, and every mistake is reported at its place", () => {
    const facts = `{"Order": [
  {"id": "o1", "lines": [{"sku": "a", "qty": 1}]},
  {"id": "o2", "lines": [{"sku": "b", "qty": "2"},
    {"sk": "c", "qty": 3}],
   "to": {"street": "x", "since": "soon"}}
]}`;
    const ran = runCli(["run", "rules.tsd", "--facts", "facts.json"], { "rules.tsd": TYPES, "facts.json": facts });
    const places = [...ran.err.matchAll(/^facts\.json:(\d+:\d+)\s+error (\w+)  (.*)$/gmu)].map((found) =>
      found.slice(1),
    );
    expect(places).toEqual([
      ["3:46", "E407", "Order.lines[0].qty must be number, found string"],
      ["4:6", "E401", 'Order.lines[1] is Line, which has no field "sk"'],
      ["5:35", "E407", 'Order.to.since must be date, but "soon" is not a date such as 2026-11-16'],
    ]);
  });

  test("a cell of a CSV file holds a record as JSON", () => {
    const files = {
      "rules.tsd": `${TYPES} rule "r" { when o: Order then log(o.to.country) }`,
      "Order.csv": 'id,to\no1,"{""street"": ""s""}"\n',
    };
    expect(runCli(["run", "rules.tsd", "--facts", "Order.csv"], files).out).toContain("FR");
  });
});

describe("programs that change", () => {
  const before = "record A(x: number, y: string)\nrecord L(a: A)\ntype T(#id: string, a: A, ls: L[] = [])";
  const fact = { id: "t", a: { x: 1, y: "u" }, ls: [{ a: { x: 2, y: "v" } }] };

  test("a field that is new in a record is filled, one that is gone is dropped", () => {
    const session = compile(before).session();
    session.assert("T", fact);
    const after = before.replace("y: string", "z: number = 7");
    const migration = session.reload(compile(after));
    expect(session.fact("T~t")?.fields).toEqual({ id: "t", a: { x: 1, z: 7 }, ls: [{ a: { x: 2, z: 7 } }] });
    expect(migration.filled.map(({ field, facts }) => [field, facts])).toEqual([
      ["a.z", 1],
      ["ls.a.z", 1],
    ]);
    expect(migration.dropped.map(({ field }) => field)).toEqual(["a.y", "ls.a.y"]);
  });

  test("a field with another type is refused, and so is a required one that is new", () => {
    for (const [now, reason] of [
      ["y: number", "T.a.y must be number, found string"],
      ["y: string, z: number", 'T.a is A, and lacks the required field "z"'],
    ] as const) {
      const session = compile(before).session();
      session.assert("T", fact);
      expect(() => session.reload(compile(before.replace("y: string", now)))).toThrow(reason);
      expect(session.fact("T~t")?.fields["a"]).toEqual(fact.a);
    }
  });

  test("a snapshot of another program is migrated in the same way, and one of the same is restored as it was", () => {
    const session = compile(before).session();
    session.assert("T", fact);
    const snapshot = session.snapshot();
    expect(compile(before).session({ from: snapshot }).facts()).toEqual(session.facts());
    const after = compile(before.replace("y: string", "y: string, z: number?")).session({ from: snapshot });
    expect(after.fact("T~t")?.fields["a"]).toEqual(fact.a);
  });

  test("a saved plan knows records", () => {
    const rules = 'rule "r" { when o: Order(to.country == "FR") then log(o.to) }';
    const session = loadPlan(compile(TYPES + rules).save()).session();
    session.assert("Order", { id: "o1", to: { street: "s" } });
    expect(logged(session)).toEqual([[{ street: "s", country: "FR", since: "2020-01-01" }]]);
    expect(mistake(() => session.assert("Order", { id: "o2", to: {} }))).toContain("E402");
  });
});

test("rules can build records, and their times and defaults are as if they came from outside", () => {
  const rules = `
    rule "copy" { when o: Order(n == 1, to is present) then
      insert Order(id: o.id + "2", n: 2, to: {street: o.to.street + "!", since: o.to.since + 1 day, country: o.to.country},
        lines: [{sku: "x", qty: o.n, due: @2026-01-01}, o.lines[0]]) }
    rule "move" { when o: Order(n == 2) then update(o, {n: 3, to: {street: "new"}}) }`;
  const session = opened(rules, [{ id: "o", to: { street: "s" }, lines: [{ sku: "a", qty: 5 }] }]);
  expect(() => session.run({ limit: 1 })).toThrow("limit");
  expect(session.fact("Order~o2")?.fields).toEqual({
    id: "o2",
    n: 2,
    to: { street: "s!", country: "FR", since: "2020-01-02" },
    lines: [
      { sku: "x", qty: 1, price: 1, tags: [], due: "2026-01-01" },
      { sku: "a", qty: 5, price: 1, tags: [] },
    ],
  });
  session.run();
  expect(session.fact("Order~o2")?.fields["to"]).toEqual({ street: "new", country: "FR", since: "2020-01-01" });
});

test("declarations for TypeScript have an interface for each record", () => {
  const text = declarations(compile(TYPES));
  expect(text).toContain(
    "export interface Line {\n  readonly sku: string;\n  readonly qty: number;\n  readonly price: number;",
  );
  expect(text).toContain("readonly price?: number | undefined;");
  expect(text).toContain("readonly lines?: readonly LineInput[] | undefined;");
  expect(text).toContain("readonly to?: Address;");
});

test("why names the nested path, and a suggestion changes one field of the record", () => {
  const rules = 'rule "r" { when o: Order(to.country == "FR", to.since < @2021-01-01) then log(o.id) }';
  const session = opened(rules, [{ id: "o1", to: { street: "s", country: "DE" } }]);
  const whyNot = session.whyNot("r");
  expect(textTree(whyNot)).toContain('to.country is "DE", not "FR"');
  expect(whyNot.remedies[0]?.edits).toMatchObject([{ to: { street: "s", country: "FR", since: "2020-01-01" } }]);
});

test("the naive matcher agrees on records with times", () => {
  const rules = `${TYPES}
    rule "a" { when o: Order(to.since > @2020-01-01, to.country == "FR") then log(o.id) }
    rule "b" { when o: Order p: Order(to.country == o.to.country, id != o.id) where p.to.since >= o.to.since then log(o.id) }
    rule "c" { when o: Order(any(l in lines : l.qty > 1 and l.due < @2026-01-01)) let d = o.lines[0].due where d != o.to.since then log(o.id) }
    rule "d" { when o: Order not Order(to == o.to, id != o.id) then log(o.id) }
    Order(id: "a", to: {street: "s", since: "2020-01-02"}, lines: [{sku: "a", qty: 2, due: "2025-12-31"}])
    Order(id: "b", to: {street: "s", since: "2020-01-02"}, lines: [{sku: "a", qty: 1}])
    Order(id: "c", to: {street: "t"})`;
  expect(runCli(["prove", "a.tsd", "--cases", "300"], { "a.tsd": rules }).out).toContain("no difference");
});
