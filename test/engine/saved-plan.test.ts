/** Tests saved plans: sessions of a loaded plan do what sessions of the compiled program do. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, describe, test } from "vitest";
import { check, compile, guard, SessionError, type Program } from "../../src/index.ts";
import { importReader } from "../../src/node/index.ts";
import regex from "../../src/regex.ts";
import { loadPlan } from "../../src/runtime.ts";

const PROGRAMS = readdirSync("examples", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsd"))
  .flatMap((name) => programIn(`examples/${name}`));

/** The program of a file; none when it cannot be compiled alone. */
function programIn(file: string): (readonly [string, Program])[] {
  const source = readFileSync(file, "utf8");
  const read = importReader(["examples"]);
  if (check(source, { file, read }).diagnostics.some(({ severity }) => severity === "error")) return [];
  return [[file, compile(source, { file, read })]];
}

/** What can be seen of a session after a run. */
function seen(session: ReturnType<Program["session"]> | ReturnType<ReturnType<typeof loadPlan>["session"]>): unknown {
  const result = session.run();
  return {
    fired: result.fired,
    effects: result.effects,
    facts: session.facts(),
    gates: session.gates().map(({ gate, subject, outcome, missing }) => ({ gate, subject, outcome, missing })),
    verdicts: session.verdicts(),
    flows: session.flows(),
    warnings: session.warnings,
    snapshot: session.snapshot(),
  };
}

const options = { id: "one", now: () => 0, auditClock: () => 0, audit: () => {} };

describe("a session of a saved plan does what one of the compiled program does", () => {
  test.each(PROGRAMS)("%s", (_, program) => {
    const saved = loadPlan(program.save(), { regex });
    expect(seen(saved.session(options))).toEqual(seen(program.session(options)));
  });

  test("most examples can be compiled alone", () => {
    expect(PROGRAMS.length).toBeGreaterThan(5);
  });
});

const QUERIES = `
  type Person(#id: string, age: number, name: string?, ok: bool?, team: Team?, tags: string[]?)
  type Team(#id: string, size: number)
  query older(min: number) { p: Person(age >= min) }
  query between(low: number, high: number) { p: Person(age >= low, age <= high) }
  query named(name: string) { p: Person(p.name == name) }
  query called(pattern: string) { p: Person(p.name like pattern) }
  query agreeing(ok: bool) { p: Person(p.ok == ok) }
  query members(team: Team) { p: Person(p.team == team) t: Team(id == "t1") }
  query among(one: number, two: number) { p: Person(age in [one, two]) }
  query lonely(min: number) { p: Person not Person(age > p.age + min) }
  query tagged(tag: string) { p: Person(tags contains tag) }
  query all_of_them() { p: Person }`;

const ASKED: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["older", { min: 18 }],
  ["older", { min: 40 }],
  ["older", {}],
  ["between", { low: 10, high: 35 }],
  ["between", { low: 10 }],
  ["named", { name: "Ann" }],
  ["named", { name: "nobody" }],
  ["called", { pattern: "A%" }],
  ["agreeing", { ok: true }],
  ["agreeing", { ok: false }],
  ["agreeing", {}],
  ["members", { team: "t1" }],
  ["members", { team: "Team~t2" }],
  ["among", { one: 30, two: 12 }],
  ["lonely", { min: 0 }],
  ["lonely", { min: 15 }],
  ["tagged", { tag: "x" }],
  ["all_of_them", {}],
];

test("queries of a saved plan give the rows of the compiled program, for every kind of value", () => {
  const program = compile(QUERIES);
  const sessions = [program.session(), loadPlan(program.save()).session()] as const;
  for (const session of sessions) {
    session.assert("Team", { id: "t1", size: 2 });
    session.assert("Team", { id: "t2", size: 1 });
    session.assert("Person", { id: "a", age: 30, name: "Ann", ok: true, team: "t1", tags: ["x", "y"] });
    session.assert("Person", { id: "b", age: 12, name: "Bob", ok: false, team: "t2", tags: [] });
    session.assert("Person", { id: "c", age: 44 });
  }
  let found = 0;
  for (const [name, args] of ASKED) {
    const [rows, saved] = sessions.map((session) => session.query(name, args));
    expect(saved, `${name} ${JSON.stringify(args)}`).toEqual(rows);
    found += rows?.length ?? 0;
  }
  expect(found).toBeGreaterThan(15);
  for (const session of sessions) {
    expect(() => session.query("oldr", {})).toThrow('unknown query "oldr"');
    expect(() => session.query("older", { mim: 1 })).toThrow('query "older" has no parameter "mim"');
    expect(() => session.query("older", { min: "x" })).toThrow(SessionError);
  }
});

test("reading a snapshot of one in the other continues it", () => {
  const program = compile('type P(#id: string) rule "greet" { when p: P then log(p.id) }');
  const saved = loadPlan(program.save());
  const session = saved.session();
  session.assert("P", { id: "p1" });
  session.run();
  session.assert("P", { id: "p2" });
  const continued = program.session({ from: session.snapshot() });
  const [fired] = continued.run().fired;
  expect(fired?.bindings).toEqual({ p: "P~p2" });
  expect(continued.why(fired ?? "P~p2").upward_rationale).toContain("P p2");
});

test("a plan of several files keeps what each of them means by a name", () => {
  const files: Readonly<Record<string, string>> = {
    "main.tsd": `
      import "billing.tsd" as billing
      import "shipping.tsd" as shipping
      condition heavy(i: shipping.Invoice) : i.weight > 10
      gate "send" for i: shipping.Invoice { require heavy(i) and billing.paid(i.bill) }
      rule "both" {
        when
          s: shipping.Invoice
          b: billing.Invoice(id == s.bill.id)
        then log(s.no, billing.gross(b.net))
      }
      query unpaid() { b: billing.Invoice(not paid) }`,
    "billing.tsd": `
      type Invoice(#id: string, net: number, paid: bool = false)
      private const RATE = 0.2
      function gross(net: number): number = net * (1 + RATE)
      condition paid(i: Invoice) : i.paid
      first = Invoice("b1", 100)
      Invoice("b2", 10, true)`,
    "shipping.tsd": `
      import "billing.tsd" as money
      type Invoice(#no: string, bill: money.Invoice, weight: number)
      private const RATE = 3
      Invoice("s1", "b1", 20)
      Invoice("s2", "b2", RATE)`,
  };
  const program = compile(files["main.tsd"] ?? "", { file: "main.tsd", read: (file) => files[file] });
  const saved = loadPlan(program.save());
  const logged = program
    .session(options)
    .run()
    .effects.map(({ args }) => args);
  expect(logged).toEqual([
    ["s1", 120],
    ["s2", 12],
  ]);
  expect(seen(saved.session(options))).toEqual(seen(program.session(options)));
  const [one, other] = [saved.session(options), program.session(options)];
  for (const session of [one, other]) {
    session.assert("billing.Invoice", { id: "b3", net: 1 });
    session.update("billing.Invoice~b1", { paid: true });
  }
  expect(one.query("unpaid", {})).toEqual(other.query("unpaid", {}));
  expect(one.gate("send", "shipping.Invoice~s1").outcome).toBe("pass");
  expect(seen(one)).toEqual(seen(other));
});

test("a guard loop runs on a saved plan", () => {
  const program = compile(`
    type Draft(#id: string, text: string, attempt: number = 0)
    guardian "short" for d: Draft {
      retry at most 2
      check contract { need length(d.text) <= 20 as "too_long" do REGENERATE_DRAFT }
    }`);
  const session = loadPlan(program.save()).session();
  const draft = session.assert("Draft", { id: "d1", text: "an answer that is far too long" });
  expect(guard(session, draft, () => ({ text: "short answer" })).exit).toBe("finalize");
});

test("reloading another saved plan keeps the facts", () => {
  const first = compile('type P(#id: string) rule "a" { when p: P then log("a") }');
  const session = loadPlan(first.save()).session();
  session.assert("P", { id: "p" });
  session.run();
  session.reload(loadPlan(first.extend('rule "b" { when p: P then log("b") }').save()));
  expect(session.run().fired.map(({ rule }) => rule)).toEqual(["b"]);
});

function refusal(work: () => unknown): readonly (string | undefined)[] {
  try {
    work();
  } catch (error) {
    if (error instanceof SessionError) return [error.code, error.message];
    throw error;
  }
  return [];
}

test("what is no saved plan, has another version or was damaged is refused", () => {
  const text = compile("type P(#id: string)").save();
  expect(refusal(() => loadPlan("not json"))).toEqual(["E560", "the plan cannot be loaded: it is not JSON"]);
  for (const other of ["null", "3", "[]", "{}", '"text"'])
    expect(refusal(() => loadPlan(other))).toEqual(["E560", "the plan cannot be loaded: it is not a saved plan"]);
  expect(refusal(() => loadPlan(text.replace('"version":3', '"version":2')))[1]).toContain("format version 2");
  expect(refusal(() => loadPlan(text.replace('"id"', '"ix"')))[1]).toContain("its hash does not match");
  expect(refusal(() => loadPlan(text.slice(0, -9)))).toEqual(["E560", "the plan cannot be loaded: it is not JSON"]);
  expect(loadPlan(JSON.parse(text) as object).session().size).toBe(0);
});

test("every single changed character of the body is found", () => {
  const text = compile('type P(#id: string) rule "a" { when p: P then log("a") }').save();
  const from = text.indexOf('"body":') + 8;
  let found = 0;
  for (let at = from; at < text.length - 2; at += 7) {
    const other = text[at] === "x" ? "y" : "x";
    expect(refusal(() => loadPlan(text.slice(0, at) + other + text.slice(at + 1)))[0]).toBe("E560");
    found += 1;
  }
  expect(found).toBeGreaterThan(50);
});

test("a plan with `matches` says that it needs regular expressions", () => {
  const text = compile('type P(#id: string) rule "a" { when p: P(id matches "^a+$") then log(p.id) }').save();
  expect(refusal(() => loadPlan(text))[0]).toBe("E561");
  const session = loadPlan(text, { regex }).session();
  for (const id of ["aaa", "ab"]) session.assert("P", { id });
  expect(session.run().effects.map(({ args }) => args)).toEqual([["aaa"]]);
});

test("what explains says that a saved plan has no source", () => {
  const program = compile(`
    type P(#id: string)
    rule "a" { when p: P then log(p.id) }
    gate "g" for p: P { require p.id == "p" }
    guardian "s" for p: P { check contract { need p.id == "p" as "no" do REGENERATE_DRAFT } }`);
  const session = loadPlan(program.save()).session();
  session.assert("P", { id: "p" });
  const result = session.run();
  const asked = [
    () => session.why("P~p"),
    () => session.whyNot("a"),
    () => session.wouldOpen("g"),
    () => session.wouldPass("s"),
    () => session.trace("all", () => {}),
    () => session.pack(result),
  ];
  for (const ask of asked) expect(refusal(ask)[0]).toBe("E561");
});

test("numbers and lists that JSON does not have are saved exactly", () => {
  const program = compile('type P(#id: string, n: number) rule "a" { when p: P(n > 1) then log(p.n, -0) }', {
    limits: { liveMatches: Infinity },
  });
  const loaded = loadPlan(program.save());
  expect(loaded.limits).toEqual(program.limits);
  expect(loaded.plan()).toEqual(JSON.parse(JSON.stringify(program.network())) as unknown);
});

describe("a session that continues with a program of the other kind", () => {
  const source = `
    type R(#id: string, ok: bool?)
    gate "g" for r: R { require r.ok }
    query oks(ok: bool) { r: R(r.ok == ok) }
    rule "seen" { when r: R(ok) then log(r.id) }`;
  const compiled = compile(source);
  const saved = loadPlan(compiled.save());
  const mixed = (value: unknown): never => value as never;

  test.each<[string, () => ReturnType<Program["session"]>]>([
    [
      "compiled, then loaded",
      () => {
        const session = compiled.session();
        session.reload(mixed(saved));
        return session;
      },
    ],
    [
      "loaded, then compiled",
      () => {
        const session = saved.session();
        session.reload(mixed(compiled));
        return mixed(session);
      },
    ],
  ])("runs, answers and explains as a loaded one: %s", (_, open) => {
    const session = open();
    session.assert("R", { id: "a", ok: true });
    expect(session.run().fired).toHaveLength(1);
    expect(session.query("oks", { ok: true })).toHaveLength(1);
    expect(session.nodeCounts().size).toBeGreaterThan(0);
    const rows: number[] = [];
    session.subscribe({ query: "oks" }, { ok: true }, ({ added }) => rows.push(added.length)).close();
    expect(rows).toEqual([1]);
    const calls: Readonly<Record<string, () => unknown>> = {
      why: () => session.why("R~a"),
      whyNot: () => session.whyNot("seen"),
      wouldOpen: () => session.wouldOpen("g"),
      wouldPass: () => session.wouldPass("g"),
      trace: () => session.trace("all", () => {}),
      pack: () => session.pack(session.gate("g")),
    };
    for (const [name, call] of Object.entries(calls))
      expect(call, name).toThrow(expect.objectContaining({ code: "E561" }));
    session.reset();
    expect(session.size).toBe(0);
    session.assert("R", { id: "b", ok: true });
    expect(session.run().fired).toHaveLength(1);
  });

  test("explains again when it continues with a compiled program", () => {
    const session = compiled.session();
    session.assert("R", { id: "a", ok: true });
    session.reload(mixed(saved));
    session.reload(compiled);
    expect(session.why(session.gate("g")).says).toBe("pass");
  });

  test("is opened again by a reset after a match limit", () => {
    const many = `type A(#n: number) query q() { a: A() } rule r { when a: A() b: A() c: A() then log(a.n) }`;
    const small = compile(many, { limits: { liveMatches: 20 } });
    const session = small.session();
    session.reload(mixed(loadPlan(small.save())));
    for (let n = 0; n < 10; n++) session.assert("A", { n });
    expect(session.problems.map(({ code }) => code)).toContain("E511");
    session.reset();
    expect([session.size, session.problems]).toEqual([0, []]);
  });
});
