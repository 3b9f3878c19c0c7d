/**
 * Tests the declarations that `sluice types` writes: correct programs of users compile against them, and every line that is
 * marked as wrong is refused.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { compile, declarations } from "../../src/index.ts";
import { runCli } from "../support/io.ts";
import { type UserFolder, userFolder } from "../support/user-folder.ts";

const RULES = `
type Person(#id: string, name: string, age: number, status: "Regular" | "VIP" = "Regular", email: string?)
type Order(#num: number, buyer: Person, total: number, tags: string[], note: any?)
type Line(order: Order, text: string)
type due-date(on: string)
type string-like(x: bool?)
protected type Limits(#name: string, most: number)
action notify(who: string, text: string, urgent: bool = false, cc: string?)
action early(first: string?, second: number)
query adults(min: number, city: string?) { p: Person(p.age >= min) }
query spending { p: Person spent: sum(o.total) from o: Order(o.buyer == p) tags: collect(o.tags) from o: Order(o.buyer == p) }
rule "VIP or adult" { when p: Person(status == "VIP" or age > 18) n: count(o) from o: Order(o.buyer == p) then notify(p.id, "x") }
rule slash : {p: Person, o: Order} / o.buyer == p ==> log(p.name)
`;

const RIGHT = `
import { compile } from "sluice";
import type { Person, Rules } from "./rules.d.ts";

const session = compile("").session<Rules>({
  facts: "none",
  actions: {
    notify: (who: string, text: string, urgent?: boolean, cc?: string) => [who.length, text.length, urgent, cc],
    early: (first, second) => second.toFixed(first?.length ?? 0),
    log: (...values) => values.length,
  },
});
const ann = session.assert("Person", { id: "p1", name: "Ann", age: 30, email: null });
session.assert("Order", { num: 1, buyer: ann, total: 3, tags: ["x"], note: { deep: [1] } });
session.assert("Order", { num: 2, buyer: "Person~p1", total: 3, tags: [] });
session.upsert("Order", { num: 3, buyer: "p1", total: 3, tags: [] });
session.assert("Line", { order: 3, text: "by key" });
session.assert("due-date", { on: "today" });
session.update(ann, { age: 31, email: null });
session.update("Order~1", { total: 4 });
session.retract(ann);
session.assert("Limits", { name: "a", most: 1 }, { role: "policy" });
session.update("Limits~a", { most: 2 }, { role: "policy" });
session.assert("due-date", { on: "today" }, { role: "policy" });
session.retract("Limits~a", { role: "policy" });
const people: readonly Person[] = session.facts("Person").map((fact) => fact.fields);
const buyer: \`Person~\${string}\` | undefined = session.facts("Order")[0]?.fields.buyer;
const total: number | undefined = session.fact("Order~1")?.fields.total;
for (const fact of session.facts()) if (fact.type === "Person") fact.fields.status satisfies "Regular" | "VIP";
for (const { p } of session.query("adults", { min: 18 })) p.fields.age.toFixed();
for (const { spent, tags } of session.query("spending")) spent.toFixed(tags.length);
for (const { bindings } of session.matches("VIP or adult")) bindings.n.toFixed(bindings.p.fields.name.length);
for (const { bindings } of session.matches("slash")) bindings.o.fields.total.toFixed();
session.run().fired.length satisfies number;
session.on("fire", (fired) => fired.rule);
export { buyer, people, total };
`;

/** Each is wrong in its first line of code. */
const WRONG = [
  'session.assert("Person", { id: "p1", naem: "Ann", age: 30 })',
  'session.assert("Person", { id: "p1", name: "Ann" })',
  'session.assert("Person", { id: "p1", name: "Ann", age: "30" })',
  'session.assert("Person", { id: "p1", name: "Ann", age: 3, status: "Gold" })',
  'session.assert("Persn", { id: "p1", name: "Ann", age: 30 })',
  'session.assert("Order", { num: 1, buyer: "Order~1" as const satisfies string, total: 1, tags: [1] })',
  'session.assert("Line", { order: "3", text: "the key is a number" })',
  'session.update("Person~p1", { id: "p2" })',
  'session.update("Person~p1", { agee: 3 })',
  'session.update("Order~1", { age: 3 })',
  'session.upsert("Person", { id: "p1", nme: "Ann" })',
  'session.assert("Limits", { name: "a", most: 1 })',
  'session.upsert("Limits", { name: "a", most: 1 }, {})',
  'session.update("Limits~a", { most: 1 })',
  'session.assert("Limits", { name: "a", most: 1 }, { role: "host" })',
  'session.facts("Person")[0]?.fields.nam',
  'session.facts("Alert")',
  'session.query("adults", { mn: 18 })',
  'session.query("adults")',
  'session.query("adlts", { min: 18 })',
  'session.query("spending")[0]?.spent.length',
  'session.matches("VIP")',
  'compile("").session<Rules>({ actions: { notfy: () => 1 } })',
  'compile("").session<Rules>({ actions: { notify: (who: number) => who } })',
  'compile("").session<Rules>({ actions: { notify: (who, text, urgent) => urgent.valueOf() } })',
  'compile("").session<Rules>({ actions: { early: (first: string) => first } })',
];

const WRONG_HEAD = `import { compile } from "sluice"; import type { Rules } from "./rules.d.ts"; const session = compile("").session<Rules>();`;

/** Names that mean something else in TypeScript, or are no names there. */
const ODD_RULES = `type class(#id: string) type Rules(x: number) type RulesInput(y: number) type l'age(due-date: string, class: class)
  type Value(v: any) action delete(this: string, du-jour: number?)
  query function(new: string) { v: l'age }
  rule "a \\"quoted\\" */ rule" { when v: Value then log(v) }`;

const ODD = `import { compile } from "sluice"; import type { Rules } from "./odd-rules.d.ts";
  const session = compile("").session<Rules>();
  session.assert("l'age", { "due-date": "x", class: session.assert("class", { id: "a" }) });
  session.query("function", { new: "x" })[0]?.v.fields["due-date"].length;`;

const OPEN_RULES = "rule r { when p: Person(age > 3) then greet(p.age) }";

const OPEN = `import { compile } from "sluice"; import type { Rules } from "./open-rules.d.ts";
  const session = compile("").session<Rules>({ actions: { greet: (age: number) => age } });
  session.assert("Person", { age: 3 }); session.facts("Person")[0]?.fields["age"];
  session.matches("r")[0]?.bindings.p.fields["age"];`;

let folder: UserFolder;

beforeAll(() => {
  folder = userFolder();
  folder.write({
    "rules.d.ts": declarations(compile(RULES)),
    "odd-rules.d.ts": declarations(compile(ODD_RULES), { from: "a\nb" }),
    "open-rules.d.ts": declarations(compile(OPEN_RULES)),
    "right.ts": RIGHT,
    "wrong.ts": [WRONG_HEAD, ...WRONG.map((line) => `${line};`)].join("\n"),
    "odd.ts": ODD,
    "open.ts": OPEN,
  });
});

afterAll(() => folder.remove());

test("a program that uses its facts, queries, rules and actions as declared compiles", () => {
  expect(folder.refusals("right.ts")).toEqual([]);
});

test("every misspelt field, name, argument or type is refused", () => {
  const lines = new Set(folder.refusals("wrong.ts").map((one) => Number.parseInt(one, 10)));
  expect([...lines]).toEqual(WRONG.map((_, index) => index + 2));
});

test("names of rules that are no names in TypeScript give declarations that compile", () => {
  expect(folder.refusals("odd.ts")).toEqual([]);
});

test("an open program takes any fact", () => {
  expect(folder.refusals("open.ts")).toEqual([]);
});

test("the command writes to standard output or a file, and says when a file cannot be written", () => {
  const files = { "a.tsd": RULES };
  const printed = runCli(["types", "a.tsd"], files);
  expect(printed.exit).toBe(0);
  expect(printed.out).toContain('// Generated by "sluice types a.tsd". Run it again after changing the rules.');
  expect(runCli(["types", "a.tsd", "-o", "rules.d.ts"], files).written.get("rules.d.ts")).toBe(printed.out);
  expect(runCli(["types", "a.tsd", "-o"], files)).toMatchObject({ exit: 2 });
  expect(runCli(["types", "b.tsd"], { "b.tsd": "type P(x: nmber)" }).exit).toBe(1);
});
