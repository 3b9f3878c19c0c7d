/** Decision tables in programs: hit policies, unknown inputs, and every kind of statement that asks one. */
import { describe, expect, test } from "vitest";
import { check, compile, CompileError, type RuleSession } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";
import { declarations } from "../../src/tools.ts";

const TYPES = `
type Customer(#id: string, tier: string?)
type Order(#id: string, buyer: Customer, total: number?, country: string?, due: date?)
const EU = ["FR", "DE"]
`;

const DISCOUNT = `
table discount(c: Customer, o: Order) first {
    | c.tier           | o.total     | o.country || rate: number | reason: string |
    | "gold", "silver" | >= 1000     | -         || 0.15         | "loyal"        |
    | -                | [500..1000) | in EU     || 0.05         | "medium"       |
    | -                | -           | -         || 0            | "none"         |
}
`;

interface Given {
  readonly tier?: string;
  readonly total?: number;
  readonly country?: string;
  readonly due?: string;
}

function ask(session: RuleSession, given: Given): void {
  const { tier, ...order } = given;
  session.assert("Customer", { id: "c", ...(tier === undefined ? {} : { tier }) });
  session.assert("Order", { id: "o", buyer: "Customer~c", ...order });
}

/** Returns what an expression over an order `o` is; undefined where it is missing or unknown. */
function valueOf(tables: string, expression: string, given: Given): unknown {
  const session = compile(`${TYPES}${tables}rule "r" { when o: Order let v = ${expression} then log(o.id) }`).session();
  ask(session, given);
  return session.run().fired[0]?.bindings["v"];
}

function problemsOf(tables: string, expression: string, given: Given): string[] {
  const session = compile(`${TYPES}${tables}rule "r" { when o: Order let v = ${expression} then log(o.id) }`).session();
  ask(session, given);
  return (session.run().problems ?? []).map(({ message }) => message);
}

describe("first", () => {
  test.each<[Given, unknown]>([
    [
      { tier: "gold", total: 1200, country: "US" },
      { rate: 0.15, reason: "loyal" },
    ],
    [
      { tier: "gold", total: 1000 },
      { rate: 0.15, reason: "loyal" },
    ],
    [
      { tier: "none", total: 999, country: "FR" },
      { rate: 0.05, reason: "medium" },
    ],
    [
      { tier: "none", total: 1000, country: "FR" },
      { rate: 0, reason: "none" },
    ],
    [
      { tier: "none", total: 499, country: "US" },
      { rate: 0, reason: "none" },
    ],
  ])("%j", (given, wanted) => {
    expect(valueOf(DISCOUNT, "discount(o.buyer, o)", given)).toEqual(wanted);
  });

  test.each<[string, Given, unknown]>([
    ["the row that may apply gives something else", { tier: "none", total: 700 }, {}],
    [
      "only the first row needs the tier, and total excludes it",
      { total: 700, country: "FR" },
      { rate: 0.05, reason: "medium" },
    ],
    ["nothing is known", {}, {}],
  ])("an unknown input: %s", (_name, given, wanted) => {
    expect(valueOf(DISCOUNT, "discount(o.buyer, o)", given)).toEqual(wanted);
    expect(valueOf(DISCOUNT, "discount(o.buyer, o).rate", given)).toEqual((wanted as { rate?: number }).rate);
  });

  test("outputs that agree are known, each by itself", () => {
    const table = `table t(o: Order) first { | o.total || a: number | b: number |
      | > 5 || 1 | 2 |
      | -   || 1 | 3 | }\n`;
    expect(valueOf(table, "t(o)", {})).toEqual({ a: 1 });
  });

  test("no row that applies is a missing value", () => {
    const table = "table t(o: Order) first { | o.total || number |\n | > 5 || 1 | }\n";
    expect(valueOf(table, "t(o)", { total: 1 })).toBeUndefined();
    expect(valueOf(table, "coalesce(t(o), 7)", { total: 1 })).toBe(7);
    expect(valueOf(table, "t(o) is missing", { total: 1 })).toBe(true);
    expect(problemsOf(table, "t(o)", { total: 1 })).toEqual([]);
  });
});

describe("unique", () => {
  const TABLE =
    "table t(o: Order) unique { | o.total | o.due || number |\n | > 5 | - || 1 |\n | < 10 | < @2026-01-01 || 2 | }\n";

  test("one row", () => {
    expect(valueOf(TABLE, "t(o)", { total: 20 })).toBe(1);
    expect(valueOf(TABLE, "t(o)", { total: 1, due: "2025-12-31" })).toBe(2);
  });

  test("two rows are a problem, and no default replaces them", () => {
    const given = { total: 7, due: "2025-12-31" };
    expect(valueOf(TABLE, "t(o)", given)).toBeUndefined();
    expect(valueOf(TABLE, "coalesce(t(o), 7)", given)).toBeUndefined();
    expect(problemsOf(TABLE, "t(o)", given)).toEqual([
      'rule "r": t(7, "2025-12-31") is not unique: rows 1 and 2 apply, with Order o',
    ]);
  });

  test("another row that may apply makes it unknown", () => {
    expect(valueOf(TABLE, "t(o)", { total: 7 })).toBeUndefined();
    expect(problemsOf(TABLE, "t(o)", { total: 7 })).toEqual([]);
  });
});

test("any: what the rows agree on", () => {
  const table =
    'table t(o: Order) any { | o.total || a: number | b: string |\n | > 1 || 1 | "x" |\n | > 5 || 1 | "y" | }\n';
  expect(valueOf(table, "t(o)", { total: 2 })).toEqual({ a: 1, b: "x" });
  expect(valueOf(table, "t(o)", { total: 7 })).toEqual({ a: 1 });
  expect(problemsOf(table, "t(o).b", { total: 7 })[0]).toContain(
    "t(7) is contradictory: rows 1 and 2 apply and give different values",
  );
});

describe("collect", () => {
  const rows = (policy: string, type = "number"): string =>
    `table t(o: Order) collect ${policy} { | o.total | o.country || ${type} |\n | > 1 | - || 0.1 |\n | > 5 | - || 0.2 |\n | - | "FR" || 0 |\n | > 8 | "DE" || -1 | }\n`;

  test.each<[string, Given, unknown]>([
    ["sum", { total: 7, country: "US" }, 0.30000000000000004],
    ["sum", { total: 0, country: "US" }, 0],
    ["sum", { total: 7 }, 0.30000000000000004],
    ["sum", { total: 9 }, undefined],
    ["sum", { country: "FR" }, undefined],
    ["min", { total: 7, country: "FR" }, 0],
    ["min", { total: 0, country: "US" }, undefined],
    ["min", { total: 9 }, undefined],
    ["max", { total: 9 }, 0.2],
    ["max", { country: "FR" }, undefined],
    ["list", { total: 7, country: "FR" }, [0.1, 0.2, 0]],
    ["list", { total: 0, country: "US" }, []],
    ["list", { total: 7 }, undefined],
  ])("%s %j", (policy, given, wanted) => {
    expect(valueOf(rows(policy), "t(o)", given)).toEqual(wanted);
  });
});

test("times go in and come out as text", () => {
  const table = `table t(o: Order) first { | o.due || at: date | days: number |
    | < @2026-01-01 || o.due + 30 days | 30 |
    | - || @2026-12-31 | 0 | }\n`;
  expect(valueOf(table, "t(o)", { due: "2025-12-01" })).toEqual({ at: "2025-12-31", days: 30 });
  expect(valueOf(table, "t(o).at", { due: "2026-12-01" })).toBe("2026-12-31");
});

test("every kind of statement can ask a table", () => {
  const session = compile(`${TYPES}${DISCOUNT}
condition cheap(o: Order): let d = discount(o.buyer, o) where d.rate > 0.1
rule "pattern" { when o: Order(discount(buyer, o).rate > 0.1) then log("pattern", o.id) }
rule "where" { when o: Order where cheap(o) then log("where", o.id) }
rule "then" { when o: Order then let d = discount(o.buyer, o) log("then", d.rate, d.reason) }
rule "slash" : {o: Order} / discount(o.buyer, o).reason == "loyal" ==> log("slash", o.id)
query reduced(least: number) { o: Order where discount(o.buyer, o).rate >= least }
gate "ship" for o: Order { let d = discount(o.buyer, o) require d.rate > 0.1 and cheap(o) }
guardian "g" for o: Order { check c { need discount(o.buyer, o).rate > 0.1 as "rate" do RETRIEVE_DB } }
pipeline "p" for o: Order { step fine ANSWER discount(o.buyer, o).reason when cheap(o) otherwise BLOCK "no" }
`).session();
  ask(session, { tier: "gold", total: 2000 });
  const { effects } = session.run();
  expect(effects.map(({ args }) => args.map(String).join(" ")).sort()).toEqual([
    "pattern o",
    "slash o",
    "then 0.15 loyal",
    "where o",
  ]);
  expect(session.query("reduced", { least: 0.1 })).toHaveLength(1);
  expect(session.gate("ship", "Order~o").outcome).toBe("pass");
  expect(session.verdict("g", "Order~o").verdict).toBe("PASS");
  expect(session.decide("p", "Order~o")).toMatchObject({ decision: "ANSWER" });
});

test("a gate holds while the row is unknown", () => {
  const session = compile(
    `${TYPES}${DISCOUNT}gate "ship" for o: Order { require discount(o.buyer, o).rate == 0 }`,
  ).session();
  ask(session, { tier: "none", total: 700 });
  session.run();
  expect(session.gate("ship", "Order~o").outcome).toBe("hold");
});

test("an update that leaves the row restarts nothing, one that changes it does", () => {
  const session = compile(
    `${TYPES}${DISCOUNT}rule "r" { when o: Order let d = discount(o.buyer, o) then log(d.rate) }`,
  ).session();
  ask(session, { tier: "gold", total: 2000 });
  expect(session.run().count).toBe(1);
  session.update("Order~o", { total: 3000 });
  expect(session.run().count).toBe(0);
  session.update("Customer~c", { tier: "none" });
  expect(session.run().effects.map(({ args }) => args[0])).toEqual([0]);
});

test("a reload with other rows decides anew", () => {
  const rules = 'rule "r" { when o: Order let d = discount(o.buyer, o) then log(d.rate) }';
  const session = compile(`${TYPES}${DISCOUNT}${rules}`).session();
  ask(session, { tier: "gold", total: 2000 });
  session.run();
  session.reload(compile(`${TYPES}${DISCOUNT.replace("0.15", "0.2")}${rules}`));
  expect(session.run().effects.map(({ args }) => args[0])).toEqual([0.2]);
});

test("a saved plan has its tables", () => {
  const program = compile(`${TYPES}${DISCOUNT}rule "r" { when o: Order let d = discount(o.buyer, o) then log(d.rate) }
query q { o: Order where discount(o.buyer, o).rate > 0 }`);
  const session = loadPlan(program.save()).session();
  ask(session as never, { tier: "gold", total: 2000 });
  expect(session.run().effects.map(({ args }) => args[0])).toEqual([0.15]);
  expect(session.query("q", {})).toHaveLength(1);
});

test("rules that are added later can ask the tables of the program", () => {
  const program = compile(`${TYPES}${DISCOUNT}`).extend(
    'rule "r" { when o: Order then log(discount(o.buyer, o).rate) }',
  );
  const session = program.session();
  ask(session, { tier: "gold", total: 2000 });
  expect(session.run().effects.map(({ args }) => args[0])).toEqual([0.15]);
});

test("the types of a row", () => {
  const text = declarations(
    compile(`${TYPES}${DISCOUNT}rule "r" { when o: Order let d = discount(o.buyer, o) then log(o.id) }`),
  );
  expect(text).toContain("readonly d: { readonly rate?: number; readonly reason?: string; } | undefined;");
});

test("|| in parentheses is or, and words of tables are names", () => {
  const source = `type table(#first: string, unique: bool, any_of: bool)
table t(table: table) first { | (table.unique || table.any_of) || number |\n | true || 1 |\n | - || 0 | }
rule "r" { when table: table(unique || any_of) then log(t(table)) }`;
  const session = compile(source).session();
  session.assert("table", { first: "a", unique: false, any_of: true });
  expect(session.run().effects.map(({ args }) => args[0])).toEqual([1]);
});

test("what a table cannot do is refused", () => {
  const codes = (text: string): string[] =>
    check(`${TYPES}${text}`).diagnostics.map(({ code, message }) => `${code} ${message}`);
  expect(codes("table t(o: Order) first { | o || number |\n | - || 1 | }")[0]).toMatch(
    /^E203 a column cannot look at/u,
  );
  expect(codes(`${DISCOUNT}rule "r" { when o: Order let d = discount(o.buyer, o) then log(d) }`)[0]).toMatch(
    /^E209 log/u,
  );
  expect(codes(`${DISCOUNT}rule "r" { when o: Order then log(discount(o.buyer, o).rat) }`)[0]).toBe(
    'E202 table discount has no output "rat"',
  );
  expect(codes("table t(o: Order) first { | o.due <= today || number |\n | - || 1 | }")[0]).toBe(
    "E214 a table cannot read the clock",
  );
  expect(() => compile(`${TYPES}${DISCOUNT}rule "r" { when o: Order then log(discont(o.buyer, o)) }`)).toThrow(
    CompileError,
  );
});
