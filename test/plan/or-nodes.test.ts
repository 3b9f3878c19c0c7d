/** Tests OR inside a pattern: the five cases that a reader tries first, and which tests may share a node. */
import { expect, test } from "vitest";
import { compile, type Plan, type PlanNode } from "../../src/index.ts";

const TYPES = `
type Person(#id: string, status: string, age: number, name: string)
type Company(#id: string, status: string, age: number, name: string)
`;

function nodes<Kind extends PlanNode["kind"]>(plan: Plan, kind: Kind): Extract<PlanNode, { kind: Kind }>[] {
  return plan.nodes.filter((node): node is Extract<PlanNode, { kind: Kind }> => node.kind === kind);
}

function plan(rules: string): Plan {
  return compile(`${TYPES}${rules}`).network();
}

test("an OR is one alpha node, never taken apart", () => {
  const alphas = nodes(plan('rule a : {p: Person} / p.status == "VIP" OR p.age > 18 ==> log(p.id)'), "alpha");
  expect(alphas.map((node) => node.text)).toEqual(['(.age > 18 OR .status == "VIP")']);
  expect(alphas[0]?.name).toMatch(/^alpha_[0-9a-f]{16}$/u);
});

test("the order of terms does not matter to the name", () => {
  const [one] = nodes(plan('rule a : {p: Person} / p.status == "VIP" OR p.age > 18 ==> log(p.id)'), "alpha");
  const [other] = nodes(plan('rule a : {q: Person} / 18 < q.age OR "VIP" == q.status ==> log(q.id)'), "alpha");
  expect(one?.name).toBe(other?.name);
});

test("a mixed expression is one alpha node, normalised as a whole", () => {
  const mixed = 'rule a : {p: Person} / (p.status == "VIP" OR p.age > 18) AND p.name != "x" ==> log(p.id)';
  const turned = 'rule b { when p: Person(name != "x", age > 18 or status == "VIP") then log(p.id) }';
  const { nodes: all } = plan(`${mixed}\n${turned}`);
  const alphas = all.filter((node) => node.kind === "alpha");
  expect(alphas).toHaveLength(1);
  expect(alphas[0]?.rules).toEqual(["a", "b"]);
});

test("facts pass an OR when the whole of it is true", () => {
  const program = compile(`${TYPES}rule a : {p: Person} / p.status == "VIP" OR p.age > 18 ==> log(p.id)`);
  const session = program.session();
  session.assert("Person", { id: "vip-15", status: "VIP", age: 15, name: "a" });
  session.assert("Person", { id: "regular-25", status: "Regular", age: 25, name: "b" });
  session.assert("Person", { id: "vip-30", status: "VIP", age: 30, name: "c" });
  session.assert("Person", { id: "regular-16", status: "Regular", age: 16, name: "d" });
  expect(session.run().effects.flatMap((effect) => effect.args)).toEqual(["vip-15", "regular-25", "vip-30"]);
});

test("A OR B and B OR A in two rules are one alpha node with two terminals", () => {
  const both = plan(`
    rule a : {p: Person} / p.status == "VIP" OR p.age > 18 ==> log(p.id)
    rule b : {q: Person} / q.age > 18 OR q.status == "VIP" ==> log(q.id)`);
  expect(nodes(both, "alpha")).toHaveLength(1);
  expect(nodes(both, "terminal").map((node) => node.rule)).toEqual(["a", "b"]);
});

test("a pure AND is a chain in canonical order, shared by prefix", () => {
  const chain = plan(`
    rule a : {p: Person} / p.name == "n" AND p.age > 18 ==> log(p.id)
    rule b : {p: Person} / p.age > 18 AND p.status == "VIP" ==> log(p.id)`);
  expect(nodes(chain, "alpha").map((node) => [node.text, node.input, node.rules])).toEqual([
    [".age > 18", undefined, ["a", "b"]],
    ['.name == "n"', 0, ["a"]],
    ['.status == "VIP"', 0, ["b"]],
  ]);
});

test("the name of the variable does not keep nodes apart, the type does", () => {
  const same = plan("rule a : {p: Person} / p.age > 18 ==> log(p.id)\nrule b : {q: Person} / q.age > 18 ==> log(q.id)");
  expect(nodes(same, "alpha")).toHaveLength(1);
  const types = plan(
    "rule a : {p: Person} / p.age > 18 ==> log(p.id)\nrule b : {q: Company} / q.age > 18 ==> log(q.id)",
  );
  expect(nodes(types, "alpha")).toHaveLength(2);
});

test("a text and a number of the same spelling do not share", () => {
  const open = compile('rule a : {p: P} / p.x == 1 ==> log(1)\nrule b : {p: P} / p.x == "1" ==> log(2)');
  expect(nodes(open.network(), "alpha")).toHaveLength(2);
});

test("joins share by parent, right input and tests", () => {
  const joined = plan(`
    rule a { when p: Person(age > 18) c: Company(name == p.name) then log(p.id) }
    rule b { when x: Person(age > 18) y: Company(name == x.name) then log(y.id) }
    rule c { when x: Person(age > 18) y: Company(name != x.name) then log(y.id) }`);
  const joins = nodes(joined, "join");
  expect(joins.map((node) => node.rules)).toEqual([["a", "b", "c"], ["a", "b"], ["c"]]);
});
