/** Tests `sluice hash`: which nodes a test has, whose rules have them already, and what is said of mistakes. */
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const RULES = `type Person(#id: string, age: number, status: string, boss: Person?)
rule adult { when p: Person(age > 18) then log(p.id) }
rule "adult VIP" { when p: Person(status == "VIP", age > 18) then log(p.id) }
rule either { when p: Person(age > 18 or status == "VIP") then log(p.id) }
`;

interface Node {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
  readonly rules?: readonly string[];
}

function nodes(expression: string, ...files: readonly string[]): Node[] {
  const args = ["hash", expression, "--type", "Person", "--json", ...files];
  const { out, err, exit } = runCli(args, { "rules.tsd": RULES });
  expect([exit, err]).toEqual([0, ""]);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Node);
}

function mistake(exit: number, ...args: readonly string[]): string {
  const ran = runCli(["hash", ...args], { "rules.tsd": RULES });
  expect([ran.exit, ran.out]).toEqual([exit, ""]);
  return ran.err;
}

test("an AND is a chain, an OR or a mix is one node", () => {
  expect(nodes("age > 18 and status == 'VIP'").map(({ text }) => text)).toEqual([
    "Person[.age > 18]",
    'Person[.age > 18 AND .status == "VIP"]',
  ]);
  expect(nodes("age > 18 or status == 'VIP'").map(({ text }) => text)).toEqual([
    'Person[(.age > 18 OR .status == "VIP")]',
  ]);
  expect(nodes("(age > 18 or status == 'VIP') and id != 'x'")).toHaveLength(1);
});

test.each([
  "p.age > 18",
  "18 < q.age",
  "age > 18",
  "not (person.age <= 18)",
  "age > 18 and age > 18",
  "age > 18 // grown up",
  "age\n  > 18",
])("%j is the same node as age > 18", (expression) => {
  expect(nodes(expression).map(({ name }) => name)).toEqual(["alpha_2955eb7d958f502c"]);
});

test("with a program, each node names the rules that have it", () => {
  expect(nodes("18 < x.age and x.status == 'VIP'", "rules.tsd").map(({ rules }) => rules)).toEqual([
    ["adult", "adult VIP"],
    ["adult VIP"],
  ]);
  expect(nodes("age > 19", "rules.tsd").map(({ rules }) => rules)).toEqual([[]]);
  expect(nodes("age > 19")[0]).not.toHaveProperty("rules");
});

test("a test that follows a reference or looks for facts has the nodes for that, too", () => {
  expect(nodes("p.boss.age > 18", "rules.tsd").map(({ kind }) => kind)).toEqual(["lookup", "filter"]);
  const looking = nodes("exists o: Order(o.buyer == p.id) and p.age > 18");
  expect(looking.map(({ kind }) => kind)).toEqual(["alpha", "join", "exists", "filter"]);
});

test("people read the name, the string that is hashed, and who shares the node", () => {
  const { out } = runCli(["hash", "18 < q.age", "--type", "Person", "rules.tsd"], { "rules.tsd": RULES });
  expect(out).toBe(`alpha_2955eb7d958f502c  Person[.age > 18]
  xxHash64 of  Person: .age > 18
  shared with  "adult", "adult VIP"
`);
});

test("a mistake is shown at its place in the test", () => {
  expect(mistake(1, "p.agee > 18", "--type", "Person", "rules.tsd"))
    .toBe(`<test>:1:3  error E202  Person has no field "agee"
    1 | p.agee > 18
      |   ^^^^ did you mean "age"?
`);
  const open = (expression: string): string => mistake(1, expression, "--type", "Person");
  expect(open("age >")).toContain('<test>:1:6  error E100  unexpected end of the test after ">"');
  expect(open("(age > 1")).toContain("unexpected end of the test\n");
  expect(open("age > 1)")).toContain('there is one ")" too many');
  expect(open("age > 1) q: Person(age > 2")).toContain("this is not one test");
  expect(open(" ")).toContain("the test is empty");
  expect(open("p.age > 1 or q.age > 2")).toContain("error E205  this is about two facts, p and q");
  expect(mistake(1, "p.age > 1 or q.age > 2", "--type", "Person", "rules.tsd")).toContain("error E205");
});

test("what is wrong on the command line is named", () => {
  expect(mistake(2)).toContain("sluice: no test; for example:");
  expect(mistake(2, "age > 1")).toContain("sluice: no type;");
  expect(mistake(2, "age > 1", "--type", "Persn", "rules.tsd")).toContain('no type "Persn"; did you mean "Person"?');
  expect(mistake(2, "age > 1", "--type", "Invoice", "rules.tsd")).toContain('this program declares "Person"');
  expect(mistake(2, "age > 1", "--type", "P(x) rule")).toContain("cannot be the name of a type");
  expect(mistake(2, "age > 1", "--type", "Person", "nowhere.tsd")).toContain("nowhere.tsd");
});

test("a program may have a rule with the name of the probe", () => {
  const rules = RULES.replaceAll("adult", "test");
  const { out } = runCli(["hash", "age > 18", "--type", "Person", "r.tsd", "--json"], { "r.tsd": rules });
  expect(JSON.parse(out)).toMatchObject({ rules: ["test", "test VIP"] });
});
