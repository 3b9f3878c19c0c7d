/** Tests `why` and `whyNot`: each kind of answer, by a small example. */
import { expect, test } from "vitest";
import { compile, explanationSteps, headline, type RuleSession, together } from "../../src/index.ts";
import { allOf, anyOf, atLeast, noneOf, tested } from "../../src/explain/tell/operators.ts";
import { numbered } from "../../src/explain/tell/step.ts";
import { runCli } from "../support/io.ts";

const TYPES = `
type Person(#id: string, age: number, status: string = "Regular", email: string?, boss: Person?)
type Order(#num: string, buyer: Person, total: number)
type Flag(who: string)
`;

function open(rules: string, facts = ""): RuleSession {
  return compile(`${TYPES}${facts}\n${rules}`).session();
}

const ANN = 'Person(id: "ann", age: 30)';

// ---------------------------------------------------------------- why

test("a firing is explained with the facts it saw, not with those of now", () => {
  const session = open('rule r { when p: Person(status == "Regular") then p.status = "Gold" p.age = 99 }', ANN);
  const [fired] = session.run().fired;
  if (fired === undefined) throw new Error("it fires");
  session.update("Person~ann", { age: 5 });
  expect(headline(session.why(fired))).toBe('"r" fired for p = Person ann (firing 1): status is "Regular".');
  session.retract("Person~ann");
  expect(headline(session.why(fired))).toBe('"r" fired for p = Person ann (firing 1): status is "Regular".');
});

test("without a memory of the past it says that the facts are those of now", () => {
  const program = compile(`${TYPES}${ANN} rule r { when p: Person(status == "Regular") then p.status = "Gold" }`);
  const session = program.session({ history: 0 });
  const [fired] = session.run().fired;
  if (fired === undefined) throw new Error("it fires");
  expect(headline(session.why(fired))).toContain("the facts have changed since");
});

test("a fact leads back to the roots", () => {
  const session = open(
    'rule a { when p: Person(age > 18) then insert Flag(who: p.id) } rule b { when f: Flag p: Person then insert Order(num: "o", buyer: p, total: 1) }',
    ANN,
  );
  session.run();
  const texts = [...explanationSteps(session.why("Order~o"))].map((step) => step.upward_rationale);
  expect(texts[0]).toBe('Order o exists because "b" inserted it (firing 2).');
  expect(texts).toContain('Flag #1 exists because "a" inserted it (firing 1).');
  expect(headline(session.why("Person~ann"))).toBe("Person ann is stated in rules.tsd:5.");
});

test("a fact leads back through the facts that a number was taken from", () => {
  const session = open(
    `rule flag { when p: Person(age > 18) then insert Flag(who: p.id) }
     rule many { when p: Person n: count() from Flag(who == p.id) where n > 0 then insert Order(num: "1", buyer: p, total: n) }`,
    ANN,
  );
  session.run();
  const steps = [...explanationSteps(session.why("Order~1"))].map((step) => step.upward_rationale);
  expect(steps).toContain('Flag #1 exists because "flag" inserted it (firing 1).');
  expect(steps.at(-2)).toContain("so age > 18 holds");
});

test("who changed a fact is told", () => {
  const session = open('rule r { when p: Person(age > 18) then p.status = "Old" }', ANN);
  session.run();
  expect(headline(session.why("Person~ann"))).toBe('Person ann is stated in rules.tsd:5; "r" changed it (firing 1).');
  session.update("Person~ann", { age: 3 });
  expect(headline(session.why("Person~ann"))).toBe("Person ann is stated in rules.tsd:5; the host changed it later.");
});

test("a logical fact names what it rests on", () => {
  const session = open("rule r { when p: Person(age > 18) then insert logical Flag(who: p.id) }", ANN);
  session.run();
  expect(headline(session.why("Flag~@1"))).toBe('Flag #1 exists as long as "r" matches.');
});

test("facts that explain each other in a circle end somewhere", () => {
  const session = open(
    'rule a { when p: Person(age < 3) then p.age = p.age + 1 p.status = "x" }',
    'Person(id: "a", age: 0)',
  );
  session.run();
  const decisions = [...explanationSteps(session.why("Person~a"))].map(({ decision }) => decision);
  expect(decisions).toContain("depth_bound");
});

test("an effect is explained by its firing, as long as that is remembered", () => {
  const session = open("rule r { when p: Person(age > 18) then log(p.id) }", ANN);
  const [effect] = session.run().effects;
  if (effect === undefined) throw new Error("it logs");
  expect(headline(session.why(effect))).toContain('"r" fired for p = Person ann (firing 1)');
  expect(() => session.why({ ...effect, n: 7 })).toThrow('firing 7 of rule "r" is not remembered');
});

test("all parts of an or are tested again", () => {
  const session = open(
    'rule r { when p: Person(status == "VIP" or age > 18 or email is present) then log(p.id) }',
    ANN,
  );
  const [fired] = session.run().fired;
  if (fired === undefined) throw new Error("it fires");
  const outcomes = session.why(fired).children[0]?.children[0]?.children.map(({ outcome }) => outcome);
  expect(outcomes).toEqual(["false", "true", "false"]);
});

// ---------------------------------------------------------------- why not

test("a missing value makes a test unknown, and the fact is named", () => {
  const session = open(
    "rule r { when p: Person(boss.age > 50) then log(p.id) }",
    'Person(id: "a", age: 1)\nPerson(id: "b", age: 1, boss: "c")',
  );
  expect(headline(session.whyNot("r", { p: "Person~a" }))).toBe(
    '"r" does not fire for p = Person a: boss is missing, so boss.age > 50 is unknown.',
  );
  expect(headline(session.whyNot("r", { p: "Person~b" }))).toBe(
    '"r" does not fire for p = Person b: boss refers to Person c, which does not exist, so boss.age > 50 is unknown.',
  );
});

test("a not names what it looked for with the values of earlier facts, whichever side the field stands on", () => {
  const session = compile(`type Person(#id: string, rank: number) type Seat(#n: number, rank: number, who: string)
Person("ann", 3)
Seat(1, 5, "bob")
rule r { when p: Person not Seat(p.rank > rank, who == p.id) then log(p.id) }`).session();
  const sentences = session
    .run()
    .fired.flatMap((firing) => [...explanationSteps(session.why(firing))])
    .map((step) => step.upward_rationale);
  expect(sentences).toContain('no Seat with rank < 3 and who == "ann" (1 checked).');
});

test("every state of the agenda has its sentence", () => {
  const session = open(
    `rule waits { when p: Person then log(p.id) }
     rule parked group "later" { when p: Person then log(p.id) }
     rule off disabled { when p: Person then log(p.id) }
     rule looped no-loop { when p: Person(age < 40) then p.age = p.age + 1 }`,
    ANN,
  );
  expect(session.whyNot("waits").hindrance).toBe("waiting");
  session.run();
  expect(headline(session.whyNot("waits"))).toContain('"waits" has already fired for p = Person ann (firing 1)');
  expect(headline(session.whyNot("parked"))).toContain('focus("later") lets it fire');
  expect(headline(session.whyNot("off"))).toBe('"off" is disabled, so it never fires, although its condition holds.');
  expect(session.whyNot("looped").hindrance).toBe("held back");
});

test("the nearest facts are those with the fewest failing tests", () => {
  const session = open(
    'rule r { when p: Person(age > 60, status == "VIP") then log(p.id) }',
    'Person(id: "a", age: 1)\nPerson(id: "b", age: 70)\nPerson(id: "c", age: 2, status: "VIP")',
  );
  const { nearest, failing, prefixes } = session.whyNot("r");
  expect(nearest.map(({ id }) => id)).toEqual(["Person~b", "Person~c", "Person~a"]);
  expect(nearest[0]?.failing).toEqual(['status == "VIP"']);
  expect(failing).toEqual({
    element: 'p: Person(age > 60, status == "VIP")',
    actual: 'status is "Regular"',
    expected: 'status == "VIP"',
    outcome: "false",
  });
  expect(prefixes).toEqual([{ element: 'p: Person(age > 60, status == "VIP")', matches: 0 }]);
});

const REMEDIES: readonly (readonly [string, string, string])[] = [
  ["a value", "rule r { when p: Person(age > 60) then log(p.id) }", "change age of Person ann from 30 to 61"],
  ["a fact less", "rule r { when p: Person not Flag(who == p.id) then log(p.id) }", "remove Flag #1"],
  [
    "a fact more",
    "rule r { when p: Person exists Order(buyer == p, total > 5) then log(p.id) }",
    "add Order(num: any new string, buyer: Person ann, total: 6)",
  ],
  [
    "a summand",
    "rule r { when p: Person s: sum(o.total) from o: Order(buyer == p) where s >= 100 then log(p.id) }",
    "add Order(num: any new string, buyer: Person ann, total: 100)",
  ],
  [
    "two more",
    "rule r { when p: Person n: count() from o: Order(buyer == p) where n >= 2 then log(p.id) }",
    "add Order(num: any new string, buyer: Person ann, total: any number), and add Order(num: any new string, buyer: Person ann, total: any number)",
  ],
  [
    "for all",
    'rule r { when f: Flag forall (p: Person(age > 1) : p.status == "VIP") then log(f.who) }',
    'change status of Person ann from "Regular" to "VIP"',
  ],
  [
    "two values",
    'rule r { when p: Person(age > 60, status == "VIP") then log(p.id) }',
    'change age of Person ann from 30 to 61, and change status of Person ann from "Regular" to "VIP"',
  ],
  [
    "a value that is missing",
    'rule r { when p: Person(email like "%@x.org") then log(p.id) }',
    'set email of Person ann to a string that is like "%@x.org"',
  ],
];

test.each(REMEDIES)("%s would help", (_, rule, words) => {
  const session = open(rule, `${ANN}\nFlag(who: "ann")`);
  expect(
    session
      .whyNot("r", rule.includes("p: Person ") || rule.includes("p: Person(age > 60") ? { p: "Person~ann" } : {})
      .remedies.map((one) => one.words),
  ).toContain(words);
});

test("what cannot be helped with three edits is said so", () => {
  const session = open(
    "rule r { when p: Person n: count() from o: Order(buyer == p) where n >= 5 then log(p.id) }",
    ANN,
  );
  expect(session.whyNot("r").remedies).toEqual([]);
  const ran = runCli(["why", "r.tsd", "r"], {
    "r.tsd": `${TYPES}${ANN} rule r { when p: Person n: count() from o: Order(buyer == p) where n >= 5 then log(p.id) }`,
  });
  expect(ran.out).toContain("nothing was found within 3 changes");
});

test("a wrong question gets an answer that helps to ask again", () => {
  const session = open("rule adult { when p: Person then log(p.id) }", ANN);
  expect(() => session.whyNot("adutl")).toThrow('unknown rule "adutl"');
  expect(() => session.whyNot("adult", { q: "Person~ann" })).toThrow('rule "adult" has no variable "q"');
  expect(() => session.whyNot("adult", { p: "Person~anne" })).toThrow('no fact with id "Person~anne"');
  session.assert("Flag", { who: "x" });
  expect(() => session.whyNot("adult", { p: "Flag~@1" })).toThrow('"Flag~@1" is a Flag, and "p" stands for a Person');
});

test("facts of variables are found by their labels, as explanations print them", () => {
  const session = open("rule adult { when p: Person(age > 40) then log(p.id) }", ANN);
  expect(session.whyNot("adult", { p: "Person ann" })).toEqual(session.whyNot("adult", { p: "Person~ann" }));
  const ask = (p: string): unknown => session.whyNot("adult", { p });
  expect(() => ask("Person anne")).toThrow(
    expect.objectContaining({ code: "E532", message: 'no fact "Person anne"', hint: 'did you mean "Person ann"?' }),
  );
  session.assert("Flag", { who: "x" });
  expect(() => ask("Flag #1")).toThrow('"Flag #1" is a Flag, and "p" stands for a Person');
});

test("a built-in function is explained alike in any case", () => {
  const told = ["count(phrases_in(text, words))", "COUNT(Phrases_In(text, words))"].map((call) => {
    const source = `type Note(#id: string, text: string) list words = ["fee", "tax"]
Note("n1", "a fee and a tax") rule r { when n: Note(${call} > 1) then log(n.id) }`;
    const session = compile(source).session();
    const [fired] = session.run().fired;
    return fired === undefined ? "" : headline(session.why(fired));
  });
  expect(told[0]).toContain('text contains "fee", "tax", which are in words');
  expect(told[1]).toBe(told[0]);
});

test("functions of the host are called for explanations too", () => {
  const number = { kind: "number" } as const;
  const functions = { twice: { params: [{ name: "n", type: number, optional: false }], result: number } };
  const program = compile(`${TYPES}${ANN} rule r { when p: Person(twice(age) > 100) then log(p.id) }`, { functions });
  const session = program.session({ functions: { twice: (n) => Number(n) * 2 } });
  expect(headline(session.whyNot("r"))).toContain("twice(age) is 60, which is not over 100");
});

test("a query that finds nothing is explained like a rule, for its parameters", () => {
  const session = open("query older(than: number) { p: Person(age > than) }", `${ANN}\nPerson(id: "bob", age: 50)`);
  const nothing = session.whyNot("older", { than: 60 });
  expect(headline(nothing)).toBe(
    'Query "older" finds nothing for than = 60: no Person matches; for the closest, Person bob, age is 50, which is not over than (60).',
  );
  expect(nothing.remedies.map(({ words }) => words)).toContain("change age of Person ann from 30 to 61");
  expect(headline(session.whyNot("older", { than: 10 }))).toBe(
    'Query "older" finds 2 answers for than = 10; the first is shown.',
  );
  expect(headline(session.whyNot("older", { than: 40, p: "Person~ann" }))).toBe(
    'Query "older" finds nothing for p = Person ann, than = 40: age is 30, which is not over than (40).',
  );
  expect(() => session.whyNot("older", { from: 3 })).toThrow('query "older" has no parameter or variable "from"');
});

test("a query that finds nothing without its parameter says which one has no value", () => {
  const session = open(
    "query older(than: number) { p: Person(age > than) } query both(a: number, b: number) { p: Person(age > a, age < b) }",
    ANN,
  );
  const asked = session.whyNot("older");
  expect(headline(asked)).toBe('Query "older" finds nothing: its parameter than has no value.');
  expect(asked).toMatchObject({ hindrance: "no argument", lacks: ["than"], outcome: "unknown", remedies: [] });
  expect(session.whyNot("both").lacks).toEqual(["a", "b"]);
  expect(headline(session.whyNot("both"))).toContain("its parameters a and b have no values");
  expect(session.whyNot("both", { a: 40, b: 50 }).lacks).toBeUndefined();
});

test("facts of variables are found by their keys, and a key that could be two is refused", () => {
  const source = `type T(#id: string, n: number) T("a", 1) T("b c", 2) rule r { when t: T(n > 5) then log(t.id) }`;
  const session = compile(source).session();
  expect(headline(session.whyNot("r", { t: "a" }))).toBe(headline(session.whyNot("r", { t: "T~a" })));
  expect(headline(session.whyNot("r", { t: "b c" }))).toContain("n is 2");
  expect(() => session.whyNot("r", { t: "x" })).toThrow('no fact with id "x"');
  const escaped = session.facts("T")[1]?.id.slice(2) ?? "";
  expect(escaped).not.toBe("b c");
  session.assert("T", { id: escaped, n: 3 });
  expect(() => session.whyNot("r", { t: escaped })).toThrow(`"${escaped}" names 2 facts`);
});

// ---------------------------------------------------------------- for other judges

test("operators and leaves of any judge make an explanation", () => {
  const yes = tested("tests_ok(r)", ["TestRun~1 has failed 0"], "==", true);
  const open_ = tested("approved(r)", ["there is no Approval"], "==", undefined);
  const no = tested("blocked(r)", ["there is no Blocked"], "exists", false);
  const quorum = atLeast("at least 2 of (…)", 2, [yes, open_, no], undefined);
  const gate = numbered(allOf("require", [anyOf("a or b", [yes, no]), noneOf("not blocked(r)", no), quorum]), "deploy");
  expect(gate.outcome).toBe("unknown");
  expect(gate.children.map(({ upward_rationale }) => upward_rationale)).toEqual([
    "TestRun~1 has failed 0, there is no Blocked; tests_ok(r) holds.",
    "there is no Blocked, so blocked(r) does not hold, as required.",
    "TestRun~1 has failed 0, there is no Approval, there is no Blocked; 1 of 3 holds, 1 is unknown, and 2 are needed.",
  ]);
  expect(gate.children[2]?.children[1]?.decision).toBe("single_need");
  expect(together("Two gates.", "all", [gate, gate]).children.map(({ unit_id }) => unit_id)).toEqual([
    "all.1",
    "all.2",
  ]);
});

test("the story of a fact is told once, however often it is needed", () => {
  const session = compile(`
type N(#n: number)
N(n: 0)
N(n: 1)
rule next { when a: N b: N(n == a.n + 1) not N(n == b.n + 1) where b.n < 11 then insert N(n: b.n + 1) }
`).session();
  session.run();
  const explained = session.why("N~11");
  const stories = [...explanationSteps(explained)].filter(({ upward_rationale: up }) => up.includes("inserted it"));
  expect(stories.map(({ upward_rationale: up }) => up.split(" ").slice(0, 2).join("~")).sort()).toEqual([
    "N~10",
    "N~11",
    "N~2",
    "N~3",
    "N~4",
    "N~5",
    "N~6",
    "N~7",
    "N~8",
    "N~9",
  ]);
  expect(JSON.stringify(explained)).toContain("is explained above.");
});

test("a list that is too short is told with the facts that would make it long enough", () => {
  const session = compile(`
type Card(#no: string)
type Payment(#id: number, card: string, country: string)
Card(no: "c")
Payment(id: 1, card: "c", country: "SE")
rule travels { when c: Card where_to: distinct(p.country) from p: Payment(p.card == c.no) where count(where_to) >= 3 then log(c.no) }
`).session();
  const { remedies } = session.whyNot("travels");
  expect(remedies[0]?.edits.map(({ op }) => op)).toEqual(["assert", "assert"]);
  for (const edit of remedies[0]?.edits ?? []) if (edit.op === "assert") session.assert(edit.type, edit.fields);
  expect(session.matches("travels")).toHaveLength(1);
});

test("long texts and lists are cut where they are told, and their length is said", () => {
  const session = compile(`
type D(#id: string, text: string, words: string[])
rule r { when d: D(text contains "x", words contains "y") then log(d.id) }
`).session();
  session.assert("D", { id: "a", text: `x${"-".repeat(999)}`, words: Array.from({ length: 50 }, () => "y") });
  const [fired] = session.run().fired;
  if (fired === undefined) return expect.unreachable("it fires");
  const why = session.why(fired);
  expect(headline(why)).toBe('"r" fired for d = D a (firing 1): text contains "x"; words contains "y".');
  const said = why.children[0]?.upward_rationale ?? "";
  expect(said).toContain('…" (1,000 characters), words is ["y", "y", ');
  expect(said).toContain('"y", …] (50 items)');
  expect(said.length).toBeLessThan(500);
});

test("a fact of a type without a key is found where the program states it", () => {
  const session = compile(`type Approval(by: string, ok: bool)
Approval(by: "ann", ok: true)
Approval(by: "bob", ok: true)`).session();
  session.assert("Approval", { by: "cleo", ok: false });
  const words = ["Approval~@1", "Approval~@2", "Approval~@3"].map((id) => headline(session.why(id)));
  expect(words).toEqual([
    "Approval #1 is stated in rules.tsd:2.",
    "Approval #2 is stated in rules.tsd:3.",
    "Approval #3 was asserted by the host; no rule inserted it.",
  ]);
});
