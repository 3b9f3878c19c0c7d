/** Tests which fact an explanation calls the closest: the fewest failing tests, the right partner, the nearest numbers. */
import { expect, test } from "vitest";
import { compile, headline, type RuleSession, whyNotNotes } from "../../src/index.ts";

const TYPES = `type Person(#id: string, age: number?)
type Card(#id: string, owner: Person, points: number)
type Order(#id: string, buyer: Person, total: number)
`;

function open(rules: string, facts = ""): RuleSession {
  return compile(`${TYPES}${rules}\n${facts}`).session();
}

const CARDS = `p1 = Person("p1", 40)
p3 = Person("p3", 30)
Card("k1", p1, 300)
Card("k3", p3, 80)`;

test("a fact of the right partner with a wrong number is closer than the right number of another partner", () => {
  const rule = `rule member { when p: Person(age >= 18) c: Card(owner == p, points >= 100) then log(p.id) }`;
  const asked = open(rule, CARDS).whyNot("member", { p: "p3" });
  expect(headline(asked)).toBe(
    '"member" does not fire for p = Person p3: no Card matches; for the closest, Card k3, points is 80, which is not at least 100.',
  );
  expect(asked.nearest.map(({ id, failing }) => [id, failing])).toEqual([
    ["Card~k3", ["points >= 100"]],
    ["Card~k1", ["owner == p"]],
  ]);
  expect(asked.remedies.map(({ words }) => words).filter((words) => words.startsWith("change"))[0]).toBe(
    "change points of Card k3 from 80 to 100",
  );
});

test("the same holds in the slash form", () => {
  const rule = `rule member : {p: Person, c: Card} / c.owner == p AND p.age >= 18 AND c.points >= 100 ==> log(p.id)`;
  const asked = open(rule, CARDS).whyNot("member", { p: "p3" });
  expect(headline(asked)).toContain("c.points is 80, which is not at least 100");
});

test("of facts that fail the same test, the one with the nearest number is the closest", () => {
  const session = open(
    `rule old { when p: Person(age > 90) then log(p.id) }
rule young { when p: Person(not (age > 20)) then log(p.id) }
rule teen { when p: Person((age > 12 and age < 20) or age == 95) then log(p.id) }`,
    `Person("n") Person("a", 30) Person("b", 89) Person("c", 40)`,
  );
  expect(headline(session.whyNot("old"))).toContain("for the closest, Person b, age is 89");
  expect(session.whyNot("old").nearest.map(({ id }) => id)).toEqual(["Person~b", "Person~c", "Person~a"]);
  expect(session.whyNot("young").nearest[0]?.id).toBe("Person~a");
  expect(session.whyNot("teen").nearest[0]?.id).toBe("Person~b");
});

test("of several sums, the one nearest to what is asked is told", () => {
  const facts = `a = Person("a", 30) b = Person("b", 30) c = Person("c", 30)
Order("1", a, 120) Order("2", b, 300) Order("3", b, 200) Order("4", c, 10)`;
  const block = `rule big { when p: Person total: sum(o.total) from o: Order(buyer == p) where total > 1000 then log(p.id) }`;
  expect(headline(open(block, facts).whyNot("big"))).toContain("total is 500, which is not over 1000");
  expect(open(block, facts).whyNot("big").deepest).toEqual({ p: "Person~b", total: 500 });
});

test("the fact of another variable is the closest only when no other is as near", () => {
  const rule = `rule older { when p: Person(age >= 40) q: Person(age > p.age) then log(p.id) }`;
  const both = open(rule, `Person("a", 40) Person("b", 20)`);
  expect(headline(both.whyNot("older"))).toContain("for the closest, Person b, age is 20");
  const alone = open(rule, `Person("a", 40)`);
  expect(headline(alone.whyNot("older"))).toContain("for the closest, Person a, age is 40");
});

test("a test of a missing field is unknown, and does not fail", () => {
  const session = open(`rule old { when p: Person(age > 90, id != "a") then log(p.id) }`, `Person("a") Person("b", 3)`);
  const asked = session.whyNot("old");
  expect(asked.nearest).toEqual([
    { id: "Person~b", failing: ["age > 90"], unknown: [] },
    { id: "Person~a", failing: ["age > 90", 'id != "a"'], unknown: ["age > 90"] },
  ]);
  const notes = whyNotNotes(asked);
  expect(notes).toContain("  Person b  fails age > 90");
  expect(notes).toContain('  Person a  fails id != "a"; age > 90 is unknown');
});
