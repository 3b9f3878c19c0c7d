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
import { compile, type FactChangeOf } from "sluice";
import type { Person, PersonInput, Rules } from "./rules.d.ts";

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
const input: PersonInput = { id: "p2", name: "Bob", age: 40 }; // an interface, as the declarations have it
void session.submit({ op: "assert", type: "Person", fields: input });
void session.submit([{ op: "upsert", type: "Person", fields: { id: "p2", age: 41 } }, { op: "retract", fact: ann }]);
void session.enqueue({ op: "update", fact: "Order~1", fields: { total: 5 } });
void session.enqueue(() => session.query("adults", { min: 18 })).then((rows) => rows.map(({ p }) => p.fields.age.toFixed()));
void session.enqueue(async () => session.submit([])).then(({ failed = [] }) => failed.map(({ error }) => error.code));
const change: FactChangeOf<Rules> = { op: "assert", type: "Limits", fields: { name: "a", most: 1 } };
void session.submit(change, { role: "policy" });
const decided = compile("").evaluate<Rules>([{ type: "Person", fields: input }], { actions: { early: (first, second) => second.toFixed() } });
for (const fact of decided.facts) if (fact.type === "Order") fact.fields.total.toFixed(decided.fired.length);
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
  'void session.submit({ op: "assert", type: "Persn", fields: { id: "p1", name: "Ann", age: 30 } })',
  'void session.submit({ op: "assert", type: "Person", fields: { id: "p1", name: "Ann" } })',
  'void session.submit([{ op: "upsert", type: "Person", fields: { id: "p1", nme: "Ann" } }])',
  'void session.enqueue({ op: "update", fact: "Order~1", fields: { age: 3 } })',
  'void session.enqueue({ op: "retract", fact: "Alert~1" })',
  "void session.enqueue(() => 1).then((one) => one.length)",
  'void session.enqueue(() => 1, { role: "policy" })',
  'compile("").evaluate<Rules>([{ type: "Person", fields: { id: "p1", name: "Ann", age: "30" } }])',
  'compile("").evaluate<Rules>([], { actions: { notfy: () => 1 } })',
  'compile("").session<Rules>({ actions: { notfy: () => 1 } })',
  'compile("").session<Rules>({ actions: { notify: (who: number) => who } })',
  'compile("").session<Rules>({ actions: { notify: (who, text, urgent) => urgent.valueOf() } })',
  'compile("").session<Rules>({ actions: { early: (first: string) => first } })',
];

const WRONG_HEAD = `import { compile } from "sluice"; import type { Rules } from "./rules.d.ts"; const session = compile("").session<Rules>();`;

/** Something that judges, and groups of rules. */
const JUDGED_RULES = `
type Release(#id: string, ok: bool?, size: number)
type Draft(#id: string, text: string, attempt: number = 0)
type Request(#id: string, content: string?)
query large(min: number) { r: Release(size >= min) }
rule "grow" group "later" { when r: Release(size > 3) n: count(d) from d: Draft then log(r.id, n) }
gate "deploy" for r: Release { require r.ok }
gate "always" { require exists Release(size > 0) }
flow "release" for r: Release { stage review { decide deploy(r) on pass goto ship otherwise goto review } stage ship final }
guardian "short" for d: Draft { check contract { need length(d.text) <= 20 as "too_long" do REGENERATE_DRAFT } }
pipeline "request" for q: Request { step safety BLOCK "empty" when q.content is missing otherwise FORWARD "assistant" }
`;

const JUDGED_HEAD = `import { compile, guard, guardAsync } from "sluice"; import { loadPlan } from "sluice/runtime"; import type { Rules } from "./judged-rules.d.ts"; const session = compile("").session<Rules>(); const release = session.assert("Release", { id: "r1", size: 3 }); const draft = session.assert("Draft", { id: "d1", text: "x" }); const request = session.assert("Request", { id: "q1" });`;

const JUDGED = [
  'session.gate("deploy", release).outcome satisfies "pass" | "hold" | "fail"',
  'session.gate("deploy", "Release~r1"); session.gate("always"); session.gates("deploy")',
  'session.verdict("short", draft).verdict; session.verdicts("short")',
  'session.decide("request", request).decision; session.decisions("request")',
  'session.flow("release", release).stage; session.flows("release")',
  'session.whyNot("grow", { r: release.id }); session.whyNot("large", { min: 3, r: "Release~r1" })',
  'session.wouldOpen("deploy", release); session.wouldPass("short", draft)',
  'session.retract(release); session.retract("Draft~d1")',
  'session.focus("later")',
  'session.upsert("Release", { id: "r1", ok: true })',
  'session.on("fire", (fired) => [fired.rule satisfies "grow", fired.bindings.r satisfies `Release~${string}`, fired.bindings.n.toFixed()])',
  'session.on("fire", (fired) => session.why(fired))',
  'session.on("gate", ({ gate }) => gate satisfies "deploy" | "always")',
  'session.on("flow", ({ flow }) => flow satisfies "release")',
  'session.on("verdict", ({ guardian }) => guardian satisfies "short")',
  'session.on("decision", (one) => ("pipeline" in one ? one.pipeline satisfies "request" : one.n.toFixed()))',
  'session.firings("grow")[0]?.bindings.r satisfies `Release~${string}` | undefined',
  'session.subscribe({ gate: "deploy" }, { subject: release }, ({ added }) => added[0]?.row.outcome)',
  'session.subscribe({ query: "large" }, { min: 3 }, ({ added }) => added[0]?.row.r.fields.size.toFixed())',
  'session.subscribe({ type: "Draft" }, { text: "x" }, ({ added }) => added[0]?.row.fields.attempt.toFixed())',
  'guard(session, draft, () => ({ text: "y" }), { guardian: "short" }).exit satisfies "finalize" | "safe_exit"',
  'void guardAsync(session, draft, async () => ({ text: "y" }))',
  'loadPlan("").session<Rules>().gate("deploy", release); void loadPlan("").openAsync<Rules>().then((one) => one.focus("later"))',
  'void compile("").openAsync<Rules>().then((one) => one.verdict("short", draft))',
];

const JUDGED_WRONG = [
  'session.gate("deplo", release)',
  'session.gate("deploy", draft)',
  'session.gate("deploy", "Draft~d1")',
  'session.gates("deplo")',
  'session.verdict("shrt", draft)',
  'session.verdict("short", release)',
  'session.decide("requst", request)',
  'session.decide("request", draft)',
  'session.flow("relase", release)',
  'session.whyNot("grw")',
  'session.whyNot("grow", { q: release.id })',
  'session.wouldOpen("deplo")',
  'session.wouldPass("short", release)',
  'session.retract("Relase~r1")',
  'session.focus("latr")',
  'session.upsert("Release", { ok: true })',
  'session.upsert("Release", { id: "r1", sze: 3 })',
  'session.on("fires", () => {})',
  'session.on("fire", (fired) => fired.rule satisfies "shrink")',
  'session.on("fire", (fired) => fired.bindings.q)',
  'session.on("gate", ({ gate }) => gate satisfies "deploy")',
  'session.on("flow", ({ flow }) => flow satisfies "flow")',
  'session.firings("grw")',
  'session.subscribe({ gate: "deplo" }, {}, () => {})',
  'session.subscribe({ gate: "deploy" }, { subject: draft }, () => {})',
  'session.subscribe({ query: "large" }, { mn: 3 }, () => {})',
  'loadPlan("").session<Rules>().gate("deplo", release)',
];

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

/** Functions of the host: two that the program declares, and one that it computes. */
const CALLING_RULES = `
function risk(country: string, amount: number, factor: number = 2): number
function rating(c: Customer, on: instant?): instant?
function gross(net: number): number = net * 1.2
type Customer(#id: string)
type Order(#id: string, buyer: Customer, total: number)
rule "risky" { when o: Order(risk("FR", gross(total)) > 1) then log(o.id) }
`;

const CALLING_HEAD = `import { compile } from "sluice"; import { loadPlan } from "sluice/runtime"; import type { Rules } from "./calling-rules.d.ts"; const program = compile("");`;

const CALLING = [
  "program.session<Rules>({ functions: { risk: (country, amount, factor) => country.length * amount * (factor ?? 1), rating: (c, on) => (c satisfies `Customer~${string}`, on === undefined ? new Date() : null) } })",
  "program.session<Rules>({ functions: { risk: () => 1, rating: () => undefined } })",
  'program.session<Rules>({ missingFunctions: "unknown" })',
  'program.session<Rules>({ functions: { risk: () => 1 }, missingFunctions: "unknown" })',
  'program.evaluate<Rules>([], { functions: { risk: () => 1, rating: () => "2026-11-16T09:30:00Z" } })',
  'loadPlan("").session<Rules>({ functions: { risk: () => 1, rating: () => null } })',
];

const CALLING_WRONG = [
  "program.session<Rules>({ functions: { risk: () => 1 } })",
  'program.session<Rules>({ functions: { risk: () => "high", rating: () => null } })',
  "program.session<Rules>({ functions: { risk: (country: number) => country, rating: () => null } })",
  "program.session<Rules>({ functions: { risk: () => 1, rating: () => 3 } })",
  "program.session<Rules>({ functions: { risk: () => 1, rating: () => null, gross: () => 1 } })",
  'program.session<Rules>({ functions: { riks: () => 1 }, missingFunctions: "unknown" })',
  "program.evaluate<Rules>([], { functions: { risk: () => 1 } })",
];

let folder: UserFolder;

beforeAll(() => {
  folder = userFolder();
  folder.write({
    "rules.d.ts": declarations(compile(RULES)),
    "odd-rules.d.ts": declarations(compile(ODD_RULES), { from: "a\nb" }),
    "open-rules.d.ts": declarations(compile(OPEN_RULES)),
    "right.ts": RIGHT,
    "wrong.ts": [WRONG_HEAD, ...WRONG.map((line) => `${line};`)].join("\n"),
    "judged-rules.d.ts": declarations(compile(JUDGED_RULES)),
    "judged.ts": [JUDGED_HEAD, ...JUDGED.map((line) => `${line};`)].join("\n"),
    "judged-wrong.ts": [JUDGED_HEAD, ...JUDGED_WRONG.map((line) => `${line};`)].join("\n"),
    "calling-rules.d.ts": declarations(compile(CALLING_RULES)),
    "calling.ts": [CALLING_HEAD, ...CALLING.map((line) => `${line};`)].join("\n"),
    "calling-wrong.ts": [CALLING_HEAD, ...CALLING_WRONG.map((line) => `${line};`)].join("\n"),
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

test("names of gates, flows, guardians, pipelines, groups, events and variables are typed", () => {
  expect(folder.refusals("judged.ts")).toEqual([]);
});

test("every misspelt name, and every subject of another type, is refused", () => {
  const lines = new Set(folder.refusals("judged-wrong.ts").map((one) => Number.parseInt(one, 10)));
  expect([...lines]).toEqual(JUDGED_WRONG.map((_, index) => index + 2));
});

test("functions of the host are typed", () => {
  expect(folder.refusals("calling.ts")).toEqual([]);
});

test("a missing or misspelt function, and one of another type, is refused", () => {
  const lines = new Set(folder.refusals("calling-wrong.ts").map((one) => Number.parseInt(one, 10)));
  expect([...lines]).toEqual(CALLING_WRONG.map((_, index) => index + 2));
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

test("the declarations name the time of a fact", () => {
  const of = compile("type Ping(#id: string, @at: instant)");
  expect(declarations(of)).toContain("/** The fields of a fact of type Ping. Its time is `at`. */");
  expect(of.data().schema.types.get("Ping")?.fields).toMatchObject([{ name: "id" }, { name: "at", at: true }]);
});
