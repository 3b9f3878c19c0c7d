/** The words of remedies: they are never opposite to the edit, and what they leave open helps. */
import { describe, expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";
import { applied } from "../support/edits.ts";

type Facts = readonly (readonly [string, Readonly<Record<string, unknown>>])[];

function opened(text: string, facts: Facts): RuleSession {
  const session = compile(text).session();
  for (const [type, fields] of facts) session.assert(type, fields);
  return session;
}

function wordsOf(remedies: readonly { readonly words: string }[]): string[] {
  return remedies.map(({ words }) => words);
}

function ruleWords(types: string, condition: string, facts: Facts): string[] {
  return wordsOf(opened(`${types}\nrule r { when ${condition} then log(1) }`, facts).whyNot("r").remedies);
}

const PERSON = "type P(#id: string, name: string, age: number)";
const ANNA: Facts = [["P", { id: "1", name: "anna", age: 1 }]];

test.each([
  ['not (name like "a%")', 'a string that is not like "a%"'],
  ['name like "%b"', 'a string that is like "%b"'],
  ['name contains any ["stolen card", "qq"]', 'a string that contains one of ["stolen card", "qq"]'],
  ['not (name contains "nn")', 'a string that does not contain "nn"'],
  ['starts(name, "zz")', '"zz"'],
  ['name > "m"', 'another string for which name > "m" holds'],
  ['name != "anna", name != "bob"', 'another string other than "bob"'],
])("P(%s) asks for %s", (tests, value) => {
  expect(ruleWords(PERSON, `p: P(${tests})`, ANNA)[0]).toBe(`change name of P 1 from "anna" to ${value}`);
});

test.each([
  ["age + 7 == 20", 13],
  ["age * 3 == 21", 7],
  ["age / 2 == 25", 50],
  ["20 - age == 3", 17],
  ["(age + 1) * 2 == 30", 14],
])("P(%s) is solved for the age", (tests, age) => {
  expect(ruleWords(PERSON, `p: P(${tests})`, ANNA)[0]).toBe(`change age of P 1 from 1 to ${age}`);
});

test("a pattern that is forbidden asks for a string that does not match it", () => {
  const text = `type D(#id: string, query: string)
guardian "g" for d: D { check c { forbid d.query matches "(?i)hello" as "no" do RETRIEVE_MORE } }`;
  expect(wordsOf(opened(text, [["D", { id: "1", query: "Hello you" }]]).wouldPass("g", "D~1"))).toEqual([
    'change query of D 1 from "Hello you" to a string that does not match "(?i)hello"',
  ]);
});

test.each([
  ["count(distinct(e.source)) >= 2", 'a string other than "web"'],
  ['collect(e.source) contains "db"', '"db"'],
])("need %s asks for %s", (need, value) => {
  const text = `type D(#id: string)\ntype E(d: D, source: string)
guardian "g" for d: D { check c using e: E(e.d == d) { need ${need} as "no" do RETRIEVE_MORE } }`;
  const session = opened(text, [
    ["D", { id: "1" }],
    ["E", { d: "D~1", source: "web" }],
  ]);
  expect(wordsOf(session.wouldPass("g", "D~1"))).toEqual([`add E(d: D 1, source: ${value})`]);
});

describe("references", () => {
  test("are never to a fact that is only being made", () => {
    expect(ruleWords("type P(#id: string, boss: P?)", "p: P(boss is present)", []).join(" ")).not.toContain("@new");
  });

  test("to a fact that does not exist are repaired by adding it", () => {
    const types = "type P(#id: string, name: string, boss: P?)";
    const facts: Facts = [["P", { id: "a", name: "al", boss: "P~z_z".replace("_", "%5F") }]];
    expect(ruleWords(types, 'p: P(boss.name == "bob")', facts)).toEqual(['add P(id: "z_z", name: "bob")']);
    const gate = `type T(#id: string, ok: bool, level: number)\ntype R(#id: string, team: T)
gate "g" for r: R { require r.team.ok and r.team.level > 3 }`;
    expect(wordsOf(opened(gate, [["R", { id: "a", team: "T~t1" }]]).wouldOpen("g", "R~a"))).toEqual([
      'add T(id: "t1", ok: true, level: 4)',
    ]);
  });

  test("of the subject say what it is", () => {
    const text = `type U(#id: string, role: string)\ntype D(#id: string, author: U)
guardian "g" for d: D { check c { need d.author.role == "admin" as "no" do RETRIEVE_MORE } }`;
    const session = opened(text, [
      ["U", { id: "u", role: "guest" }],
      ["U", { id: "v", role: "admin" }],
      ["D", { id: "d1", author: "U~u" }],
    ]);
    expect(session.wouldPass("g", "D~d1")).toEqual([]);
  });
});

describe("numbers", () => {
  test("of fields with one name in two types have nothing to do with each other", () => {
    const types = "type A(share: number)\ntype B(#id: string, share: number)";
    const condition = "a: A(share >= 0 and share <= 1) b: B(share > 50)";
    const found = ruleWords(types, condition, [
      ["A", { share: 0.5 }],
      ["B", { id: "b", share: 20 }],
    ]);
    expect(found).toContain("change share of B b from 20 to 51");
  });

  test("may leave a range that a test forbids", () => {
    const text = 'type P(#id: string, age: number)\ngate "odd" for p: P { require not (p.age >= 18 and p.age <= 65) }';
    expect(wordsOf(opened(text, [["P", { id: "a", age: 30 }]]).wouldOpen("odd", "P~a"))).toEqual([
      "change age of P a from 30 to 17",
    ]);
  });

  test("that arithmetic is compared with are none of the field", () => {
    const facts: Facts = [0.4, 0.5].map((share) => ["C", { share }] as const);
    expect(ruleWords("type C(share: number)", "c: C(share * 10 > 20)", facts)).toEqual([]);
  });

  test("of an aggregate in a gate are measured again", () => {
    const text = `type S(#id: string)\ntype E(s: S, score: number)
gate "g" for s: S { require AVG(e: E / e.s == s; e.score) >= 0.8 }`;
    const session = opened(text, [
      ["S", { id: "a" }],
      ["E", { s: "S~a", score: 0.5 }],
    ]);
    expect(wordsOf(session.wouldOpen("g", "S~a"))).toEqual(["replace E #1 (score: 0.5) with one that has score: 0.8"]);
  });
});

test("whose evidence it is changes only when nothing else helps", () => {
  const text = `type S(#id: string)\ntype O(s: S, by: string)
gate "g" for s: S { require at least 1 of o: O(o.s == s) : o.by == "carol" }`;
  const session = opened(text, [
    ["S", { id: "a" }],
    ["O", { s: "S~a", by: "bob" }],
  ]);
  expect(wordsOf(session.wouldOpen("g", "S~a"))).toEqual(['add O(s: S a, by: "carol")']);
});

test.each([["S"], ["X"]])("facts that a rule made are left alone, those that were given are not: %s first", (first) => {
  const text = `type X(#id: string, n: number)\ntype S(#id: string)
rule make { when s: S() then insert X(id: s.id, n: 1) }
rule r { when x: X(n > 5) then log(1) }`;
  const facts: Facts = [
    ["X", { id: "given", n: 1 }],
    ["S", { id: "made" }],
  ];
  const session = opened(text, first === "X" ? facts : facts.toReversed());
  session.run();
  expect(wordsOf(session.whyNot("r").remedies)).toEqual([
    "change n of X given from 1 to 6",
    "add X(id: any new string, n: 6)",
  ]);
});

test("a remedy refers only to facts that exist or that it adds", () => {
  const session = compile(`type P(#id: string) type R(#id: string, owner: P?) type O(#n: number, buyer: P?)
gate "g" for r: R { require exists O(buyer == r.owner) }
rule "x" { when r: R(id == "r1") o: O(buyer == r.owner) then log(r.id) }
P(id: "a") O(n: 1, buyer: "a") R(id: "r1", owner: "ghost")`).session();
  const expected = ['add P(id: "ghost"), and add O(n: any new number, buyer: P ghost)'];
  expect(wordsOf(session.wouldOpen("g", "R~r1"))).toEqual(expected);
  expect(wordsOf(session.whyNot("x").remedies)).toContain(expected[0]);
  for (const { edits } of [...session.wouldOpen("g", "R~r1"), ...session.whyNot("x").remedies])
    expect(applied(session, edits).gate("g", "R~r1").outcome).toBe("pass");
});

test("a key is new, and so is the name of a group in which the newest counts", () => {
  const session =
    compile(`type R(#id: string) type Chk(#id: string, release: string, status: string, at: number, name: string)
condition chk(r: R) : c.status == "ok" from any latest c: Chk(c.release == r.id) by c.at per c.name
gate "f" for r: R { require chk(r) }
R(id: "r2") Chk(id: "c1", release: "r2", status: "bad", at: 5, name: "u")`).session();
  expect(wordsOf(session.wouldOpen("f", "R~r2"))).toContain(
    'add Chk(id: any new string, release: "r2", status: "ok", at: 0, name: a string that no fact has yet)',
  );
});
