/** Tests `test` blocks in rule files: given facts, expected firings, facts and effects, and what a failing test reports. */
import { describe, expect, test } from "vitest";
import { check, compile, type TestOutcome } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const RULES = `
type Person(#id: string, name: string, age: number, status: string = "Regular")
type Order(#num: string, buyer: Person, total: number)
type Alert(who: string, level: number)
action notify(who: string, text: string)

Person("p1", "Ann", 40)
bob = Person("p2", "Bob", 12)

rule adult { when p: Person(age > 18) then log("Eligible: " + p.name) insert Alert(who: p.id, level: 1) }
rule big { when o: Order(total > 100) then notify(o.buyer.id, "big") }
rule later group "night" { when p: Person then log("night") }
`;

function outcomeOf(block: string): TestOutcome {
  const [outcome] = compile(`${RULES}\ntest "t" { ${block} }`).test().tests;
  if (outcome === undefined) throw new Error("no test ran");
  return outcome;
}

function passes(block: string): boolean {
  return outcomeOf(block).passed;
}

function failureOf(block: string): { expected: string; got: string; details: readonly string[] } {
  const [failure] = outcomeOf(block).failures;
  if (failure === undefined) throw new Error("the test passed");
  return { expected: failure.expected, got: failure.got, details: failure.details };
}

test("facts of the program do not add to what a given fact causes", () => {
  expect(passes('given Person("t", "T", 30) expect rule adult fires 1')).toBe(true);
  expect(passes('given Person("t", "T", 3) expect rule adult fires 0')).toBe(true);
  expect(passes('given Person("t", "T", 3) expect rule adult fires')).toBe(false);
});

test("without given facts, what the facts of the program cause is looked at", () => {
  expect(passes('expect rule adult fires 1 expect effect log("Eligible: Ann")')).toBe(true);
});

test("a given fact takes the place of the program's fact with its key", () => {
  expect(passes('given Person("p1", "Ann", 17) expect rule adult fires 0 expect no Alert()')).toBe(true);
});

test("given facts can refer to each other and to facts of the program, also upwards", () => {
  expect(
    passes(`given Order("1", t, 200) given t = Person("t", "T", 3) given Order("2", bob, 200)
      expect effect notify(t.id, "big") expect effect notify("p2", "big") expect 1 Order(buyer == t)`),
  ).toBe(true);
});

test("facts are expected by count, and tests inside may use given names", () => {
  expect(passes('given t = Person("t", "T", 30) expect 2 Alert(level == 1) expect Alert(who == t.id)')).toBe(true);
  expect(failureOf("expect 2 Alert(level == 1)")).toEqual({
    expected: "2 Alert(level == 1)",
    got: "1",
    details: ['Alert #1  who: "p1", level: 1'],
  });
  expect(failureOf("expect no Alert()").got).toBe("1");
  expect(failureOf("expect Order()").details).toEqual(["no Order exists"]);
});

test("an effect that is not there is shown with those that are", () => {
  expect(failureOf('expect effect log("Eligible: Bob")')).toEqual({
    expected: 'log("Eligible: Bob")',
    got: "another log",
    details: ['log("Eligible: Ann")   rule adult'],
  });
  expect(failureOf('given Person("t", "T", 3) expect effect notify("a", "b")').got).toBe("no effect");
});

describe("an effect that should not happen", () => {
  test("is absent when no call has its arguments; without arguments, when there is no call at all", () => {
    expect(passes('expect no effect log("Eligible: Bob") expect no effect notify()')).toBe(true);
    expect(passes('given Person("t", "T", 3) expect no effect log() expect no effect LOG("Eligible: Ann")')).toBe(true);
    expect(passes('given t = Person("t", "T", 30) expect no effect log("Eligible: " + t.name)')).toBe(false);
    expect(passes('expect no effect Log("Eligible: Ann")')).toBe(false);
  });

  test("says who caused it, and why", () => {
    expect(failureOf('expect no effect log("Eligible: Ann")')).toEqual({
      expected: 'no log("Eligible: Ann")',
      got: "1 call",
      details: [
        'log("Eligible: Ann")   rule adult',
        '"adult" fired for p = Person p1 (firing 1): age is 40, which is over 18.',
      ],
    });
    expect(failureOf("expect no effect log()").expected).toBe("no log");
  });

  test("needs a known action; focus is none", () => {
    const codesOf = (item: string): string[] =>
      check(`type P(#id: string)\naction tell(id: string)\ntest t { ${item} }`).diagnostics.map(({ code }) => code);
    expect(codesOf("expect no effect tell()")).toEqual([]);
    expect(codesOf('expect no effect tell("a", "b")')).toEqual(["E209"]);
    expect(codesOf("expect no effect tel()")).toEqual(["E206"]);
    expect(codesOf('expect no effect focus("a")')).toEqual(["E214"]);
  });

  test("is not certain while a rule, gate or guardian that calls the action depends on a function that failed", () => {
    const rules = `type P(#id: string)
      type Bad(#id: string)
      rule mark { when p: P where fails(p.id) then insert logical Bad(id: p.id) }
      rule warn { when Bad() then tell("bad") }
      rule other { when p: P then print(p.id) }
      gate g for p: P { require p.id != "" on pass then pass(p.id) }`;
    const signature = {
      params: [{ name: "text", type: { kind: "string" }, optional: false }],
      result: { kind: "bool" },
    } as const;
    const fails = (): boolean => {
      throw new Error("offline");
    };
    const outcome = (item: string): boolean =>
      compile(`${rules}\ntest t { given P(id: "p") ${item} }`, { functions: { fails: signature } }).test({
        functions: { fails },
      }).failed === 0;
    expect(outcome("expect no effect tell()")).toBe(false);
    expect(outcome('expect no effect print("x")')).toBe(true);
    expect(outcome('expect no effect pass("x")')).toBe(true);
  });
});

test("a rule that did not fire says what is known about it", () => {
  expect(failureOf("expect rule big fires").details).toEqual([
    '"big" does not fire: there are no Order facts.',
    "to make it fire: add Order(num: any new string, buyer: any Person, total: 101)",
    "rules that fired: adult",
  ]);
  expect(failureOf("expect rule later fires").details).toEqual([
    '"later" has a match for p = Person p1, but it waits for its group: focus("night") lets it fire.',
  ]);
  const again = compile(`${RULES} test "t" { given Order("1", bob, 1) expect rule adult fires }`).test().tests[0];
  expect(again?.failures[0]?.details).toEqual([
    "it fired before this step, which does not count: 1 firing",
    expect.stringContaining('"adult" has already fired'),
  ]);
});

test("a rule that fired too often shows with what", () => {
  expect(failureOf("expect rule adult fires 0")).toEqual({
    expected: "0 firings",
    got: "1 firing",
    details: ['"adult" fired for p = Person p1 (firing 1): age is 40, which is over 18.'],
  });
});

// Ann is nearer to every match than the people of the tests.
const MEANT = `
type Person(#id: string, name: string, age: number, status: string = "Regular")
type Order(#num: string, buyer: Person, total: number)
type Alert(who: string, level: number)
type Ticket(#id: string, used: bool)
action notify(who: string, text: string)

ann = Person("ann", "Ann", 17, "VIP")
Order("o1", ann, 100)
Alert("ann", 2)

rule adult { when p: Person(age >= 18, status == "VIP") then log("Eligible: " + p.name) insert Alert(who: p.id, level: 1) }
rule escalate { when a: Alert(level > 2) then notify(a.who, "high") }
rule big { when p: Person(age >= 18) o: Order(buyer == p, total > 100) then p.status = "Gold" }
rule pair { when p: Person(age > 90) q: Person(p != q, age > 40) then log("pair") }
rule sweep { when t: Ticket(used == true) then retract t }
rule enter { when t: Ticket() then log("in") }
`;

function detailsOf(block: string): readonly string[] {
  const [outcome] = compile(`${MEANT}\ntest "t" { ${block} }`).test().tests;
  const details = outcome?.failures[0]?.details ?? ["the test passed"];
  for (const line of details.filter((one) => one.endsWith("."))) {
    expect(line.length).toBeLessThan(200);
    expect(line).not.toContain("~");
  }
  return details;
}

test("a rule that did not fire is explained for the given fact, not for one of the program that is nearer", () => {
  expect(detailsOf('given Person("t", "T", 3) expect rule adult fires 1')).toEqual([
    '"adult" does not fire for p = Person t: age is 3, which is not at least 18; status is "Regular", not "VIP".',
    'to make it fire: change age of Person t from 3 to 18, and change status of Person t from "Regular" to "VIP"',
    "no rule fired",
  ]);
});

test("of several given facts, those that the smallest change would help are explained", () => {
  expect(
    detailsOf(
      'given u = Person("u", "U", 3) given t = Person("t", "T", 33) given Order("1", t, 50) expect rule big fires',
    ),
  ).toEqual([
    '"big" does not fire for p = Person t, o = Order 1: total is 50, which is not over 100.',
    "to make it fire: change total of Order 1 from 50 to 101",
    "no rule fired",
  ]);
});

test("among facts that are equally far, the named one is explained; a given fact stands for one variable at a time", () => {
  expect(
    detailsOf('given Person("u", "U", 8, "VIP") given t = Person("t", "T", 8, "VIP") expect rule adult fires')[0],
  ).toBe('"adult" does not fire for p = Person t: age is 8, which is not at least 18.');
  expect(detailsOf('given Person("t", "T", 95) expect rule pair fires')[0]).toContain("for p = Person t: ");
});

test("a fact that the given facts caused is explained before one of the program", () => {
  expect(detailsOf('given Person("t", "T", 33, "VIP") expect rule escalate fires')).toEqual([
    '"escalate" does not fire for a = Alert #2: level is 1, which is not over 2.',
    "rules that fired: adult",
  ]);
});

test("a rule that fired too seldom says for which facts it fired, and why not for the others", () => {
  expect(
    detailsOf('given t = Person("t", "T", 33, "VIP") given u = Person("u", "U", 33) expect rule adult fires 2'),
  ).toEqual([
    '"adult" fired for p = Person t (firing 1): age is 33, which is at least 18; status is "VIP".',
    '"adult" does not fire for p = Person u: status is "Regular", not "VIP".',
    'to make it fire: change status of Person u from "Regular" to "VIP"',
  ]);
  expect(detailsOf('given t = Person("t", "T", 33, "VIP") expect rule adult fires 2')).toHaveLength(1);
});

test("a given fact that a rule withdrew is told", () => {
  const gone = 'Ticket t was withdrawn at firing 1: "sweep" retracted it.';
  expect(detailsOf('given Ticket("t", true) expect rule enter fires')).toEqual([gone, "rules that fired: sweep"]);
  expect(detailsOf('given Ticket("t", true) expect Ticket(id == "t")')).toEqual(["no Ticket exists", gone]);
  expect(detailsOf('given Ticket("t", true) expect Ticket(id == "u")')).toEqual(["no Ticket exists"]);
});

test("an effect that did not happen names the rule that would cause it, for the facts that would give it", () => {
  const people = 'given u = Person("u", "U", 33) given t = Person("t", "T", 3)';
  const ofT = [
    '"adult" does not fire for p = Person t: age is 3, which is not at least 18; status is "Regular", not "VIP".',
    'to make it fire: change age of Person t from 3 to 18, and change status of Person t from "Regular" to "VIP"',
  ];
  expect(detailsOf(`${people} expect effect log("Eligible: T")`)).toEqual(ofT);
  expect(detailsOf(`${people} expect Alert(who == t.id, level == 1)`)).toEqual([
    'Alert #1  who: "ann", level: 2',
    ...ofT,
  ]);
  expect(detailsOf(`${people} expect Alert(level == 7)`)).toEqual(['Alert #1  who: "ann", level: 2']);
  expect(detailsOf(`${people} expect effect notify("t", "low")`)).toEqual([]);
});

test("a changed fact that is not there names the rule that would change it, and the nearest facts come first", () => {
  expect(
    detailsOf('given t = Person("t", "T", 33) given Order("1", t, 50) expect Person(id == "t", status == "Gold")'),
  ).toEqual([
    'Person t  id: "t", name: "T", age: 33, status: "Regular"',
    'Person ann  id: "ann", name: "Ann", age: 17, status: "VIP"',
    '"big" does not fire for p = Person t, o = Order 1: total is 50, which is not over 100.',
    "to make it fire: change total of Order 1 from 50 to 101",
  ]);
});

test("a fact that should not be there says who made it", () => {
  expect(detailsOf('given Person("t", "T", 33, "VIP") expect no Alert(level == 1)')).toEqual([
    'Alert #2  who: "t", level: 1',
    'Alert #2 exists because "adult" inserted it (firing 1).',
  ]);
});

test("--json and the JUnit file have the same reasons", () => {
  const source = `${MEANT}\ntest "t" { given Person("t", "T", 30) expect rule adult fires }`;
  const ran = runCli(["test", "a.tsd", "--json", "--junit", "out.xml"], { "a.tsd": source });
  const reason = '"adult" does not fire for p = Person t: status is "Regular", not "VIP".';
  expect(ran.out).toContain(JSON.stringify(reason));
  expect(ran.written.get("out.xml")).toContain(reason.replaceAll('"', "&quot;"));
});

test("a run that does not end fails the test, and the next one runs", () => {
  const report = compile(`
    type N(#id: string, n: number)
    option limit 20
    rule loop { when n: N(n > 0) then n.n = n.n + 1 }
    test "endless" { given N("a", 1) expect rule loop fires 3 }
    test "still" { given N("a", 0) expect rule loop fires 0 }`).test();
  expect(report.tests.map(({ name, passed }) => [name, passed])).toEqual([
    ["endless", false],
    ["still", true],
  ]);
  expect(report.tests[0]?.failures[0]?.got).toMatch(/^E510 the run stopped at the limit of 20 firings/u);
});

test("given facts without keys that refer to each other in a circle are told", () => {
  const [outcome] = compile(`
    type A(b: B?)
    type B(a: A?)
    test "circle" { given a = A(b: b) given b = B(a: a) expect A() }
    test "chain" { given a = A(b: b) given b = B() expect A(b == b) }`).test().tests;
  expect(outcome?.failures[0]?.got).toContain("refers to itself through facts without a key");
});

const GATED = `
type R(#id: string, open: bool = true)
type Seen(r: string, ok: bool)
condition seen(r: R) : s.ok from s: Seen(s.r == r.id)
gate g for r: R(r.open) { require seen(r) and r.id != "z" }
gate whole { require exists Seen(ok == false) }
own = R("own")
`;

function gateFailure(block: string): TestOutcome["failures"][number] | undefined {
  return compile(`${GATED} test "t" { ${block} }`).test().tests[0]?.failures[0];
}

test("a gate is expected to have an outcome: for a given fact, one of the program, by key or by id", () => {
  for (const subject of ["r", '"x"', '"R~x"']) {
    expect(gateFailure(`given r = R("x") given Seen("x", true) expect gate g(${subject}) is pass`)).toBeUndefined();
  }
  expect(gateFailure("expect gate g(own) is hold expect gate whole() is fail")).toBeUndefined();
  expect(
    gateFailure('given Seen("own", false) expect gate g(own) is fail expect gate whole() is pass'),
  ).toBeUndefined();
});

test("another outcome is shown with its reason and what is missing", () => {
  expect(gateFailure('given r = R("x") expect gate g(r) is pass')).toMatchObject({
    expectation: "expect gate g(r) is pass",
    expected: "pass",
    got: "hold",
    details: [
      'Gate "g" is on hold for R x: seen(r) is unknown: no Seen with r == "x".',
      'missing: seen(r): no Seen with r == "x"',
    ],
  });
  expect(gateFailure('given r = R("z") expect gate g(r) is pass')).toMatchObject({
    got: "fail",
    details: ['Gate "g" fails for R z: r.id != "z" does not hold: id is "z" (R z).'],
  });
});

test("a fact that the gate does not ask about has no outcome", () => {
  const got = "R x is not a subject: the gate takes r: R(r.open)";
  expect(gateFailure('given r = R("x", false) expect gate g(r) is hold')).toMatchObject({ got });
});

const JUDGED = `type R(#id: string)
pipeline p for r: R { step a BLOCK "no x" when r.id == "x" otherwise FORWARD "f" audit to "nowhere.ndjson" }
guardian u for r: R { check c risk low { forbid r.id == "x" as "it is {r.id}" do SAFE_REFUSAL } }
`;

const judgedFailure = (items: string): unknown => compile(`${JUDGED} test "t" { ${items} }`).test().tests[0]?.failures;

test("a request of the program, and one of an earlier step, have the decision that was made about them", () => {
  const source = `
type Request(#id: string, ok: bool)
Request("old", true)
pipeline p for q: Request { step a ANSWER "yes" when q.ok otherwise FORWARD "f" }
test "program" { given Request("new", false) expect pipeline p("old") is ANSWER expect pipeline p("Request~old") is ANSWER expect pipeline p("new") is FORWARD }
test "step" { clock @2026-01-01T00:00:00Z given Request("new", false) advance 1 min expect pipeline p("new") is FORWARD expect pipeline p("old") is BLOCK }
`;
  const [program, step] = compile(source).test().tests;
  expect(program?.failures).toEqual([]);
  expect(step?.failures.map(({ got }) => got)).toEqual(['ANSWER "yes"']);
});

test("guardians and pipelines are expected to say what they say, and nothing is written down", () => {
  expect(judgedFailure('given r = R("x") expect guardian u(r) is RETRY expect pipeline p(r) is BLOCK')).toEqual([]);
  expect(judgedFailure('given r = R("y") expect guardian u(r) is PASS expect pipeline p(r) is FORWARD')).toEqual([]);
});

test("another verdict or decision is shown with its reasons", () => {
  expect(judgedFailure('given r = R("x") expect guardian u(r) is PASS expect pipeline p(r) is FORWARD')).toMatchObject([
    {
      expected: "PASS",
      details: [
        'Guardian "u" says RETRY for R x: check c does not pass: r.id is "x" (it is x); this is the first attempt, and 2 retries are left; required: SAFE_REFUSAL.',
      ],
    },
    {
      expected: "FORWARD",
      got: 'BLOCK "no x"',
      details: ['Pipeline "p" decides BLOCK "no x" for R x: step a applies: r.id is "x".', "a: BLOCK no x"],
    },
  ]);
});

test("coverage names outcomes that no gate came to", () => {
  const source = `${GATED} test "t" { given r = R("x") given Seen("x", true) expect gate g(r) is pass }`;
  const { coverage } = compile(source).test({ coverage: true });
  expect(coverage).toMatchObject({
    outcomes: 6,
    neverReached: [
      { gate: "g", outcome: "fail" },
      { gate: "whole", outcome: "pass" },
      { gate: "whole", outcome: "hold" },
    ],
  });
  const { out } = runCli(["test", "a.tsd", "--coverage"], { "a.tsd": source });
  expect(out).toContain("  gate outcomes reached           3 of 6\n    never fail    g\n    never pass    whole\n");
});

test("coverage knows the rules that fired in a run that reached its limit", () => {
  const { coverage, failed } = compile(`option limit 10 type N(#id: string, n: number)
    rule "up" { when n: N(n >= 0) then n.n = n.n + 1 }
    rule "other" { when n: N(n < 0) then log(n.id) }
    test "t" { given N("a", 0) expect rule "up" fires }`).test({ coverage: true });
  expect([failed, coverage?.neverFired]).toEqual([1, ["other"]]);
});

test("coverage counts no tests of reactions, which no author wrote", () => {
  const { coverage } = compile(`type R(#id: string, ok: bool?)
    gate "g" for r: R { require r.ok on pass then log(r.id) }
    rule "tell" { when g: GateResult(outcome == "hold") then log(g.subject) }
    test "t" { given r = R("x", true) expect gate g(r) is pass }`).test({ coverage: true });
  expect(coverage).toMatchObject({ terms: 1, halfTested: [{ term: '.outcome == "hold"', rules: ["tell"] }] });
});

test("coverage names rules that never fired and terms that were only true or only false", () => {
  const { coverage } = compile(`${RULES}
    test "old" { given Person("t", "T", 30) expect rule adult fires 1 }
    test "rich" { given Order("1", bob, 200) expect rule big fires 1 }`).test({ coverage: true });
  expect(coverage).toEqual({
    rules: 3,
    neverFired: ["later"],
    terms: 2,
    halfTested: [{ type: "Order", term: ".total > 100", rules: ["big"], seenTrue: true, seenFalse: false }],
    outcomes: 0,
    neverReached: [],
  });
});

test("the command shows names, differences and counts, and ends in 1 when a test fails", () => {
  const source = `${RULES}\ntest "good" { expect rule adult fires 1 }\ntest "bad" { expect rule adult fires 2 }\n`;
  const ran = runCli(["test", "a.tsd"], { "a.tsd": source });
  expect(ran.exit).toBe(1);
  expect(ran.out).toBe(`ok    good
FAIL  bad
      a.tsd:15:14  expect rule adult fires 2
        expected  2 firings
        got       1 firing
                  "adult" fired for p = Person p1 (firing 1): age is 40, which is over 18.

2 tests: 1 passed, 1 failed
`);
  expect(runCli(["test", "a.tsd", "--only", "good"], { "a.tsd": source })).toMatchObject({
    exit: 0,
    out: "ok    good\n\n1 test: all passed\n",
  });
});

test("with --json every line is an event, and the JUnit file is well escaped", () => {
  const source = `${RULES}\ntest "a < \\"b\\"" { expect effect log("<&>\\u{1}") }\n`;
  const ran = runCli(["test", "a.tsd", "--json", "--coverage", "--junit", "out.xml"], { "a.tsd": source });
  const events = ran.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string });
  expect(events.map(({ event }) => event)).toEqual(["test", "coverage", "summary"]);
  expect(events.at(-1)).toEqual({ event: "summary", tests: 1, passed: 0, failed: 1 });
  const xml = ran.written.get("out.xml") ?? "";
  expect(xml).toContain('<testcase name="a &lt; &quot;b&quot;" classname="a.tsd"');
  expect(xml).toContain('<testsuites tests="1" failures="1" errors="0">');
  expect(xml).not.toMatch(/<&|&>/u);
});

test("a program without tests ends in 1 and says how to write one", () => {
  const ran = runCli(["test", "a.tsd"], { "a.tsd": RULES });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("no tests found");
});

test("wrong usage of test says what was expected", () => {
  expect(runCli(["test", "a.tsd", "--covrage"], { "a.tsd": RULES })).toMatchObject({ exit: 2 });
  const unwritable = runCli(
    ["test", "a.tsd", "--junit", "no/such/out.xml"],
    { "a.tsd": `${RULES} test "t" { expect rule adult fires }` },
    {
      write: () => {
        throw Object.assign(new Error("no"), { code: "ENOENT" });
      },
    },
  );
  expect(unwritable).toMatchObject({ exit: 2 });
  expect(unwritable.err).toContain('cannot write "no/such/out.xml": no such folder');
});
