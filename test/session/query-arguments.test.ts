/** Tests the arguments of queries: read by the declared type of each parameter, in the library and on the command line. */
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const RULES = `type Person(#id: string, age: number, code: string, ok: bool, level: "low" | "high")
type Order(#num: number, buyer: Person)
query adults(min: number) { p: Person(age >= min) }
query by_code(c: string) { p: Person(code == c) }
query by_ok(yes: bool) { p: Person(ok == yes) }
query by_level(l: "low" | "high") { p: Person(level == l) }
query one_of(codes: string[]) { p: Person(code in codes) }
query orders_of(who: Person) { o: Order(buyer == who) }
Person("a", 12, "18", true, "low")
Person("b", 30, "x", true, "low")
Order(1, "Person~a")
`;

const PROGRAM = compile(RULES);

function open(): RuleSession {
  return PROGRAM.session();
}

test("a reference is an id, a handle or a key", () => {
  const session = open();
  for (const who of ["Person~a", "a", session.fact("Person~a")])
    expect(session.query("orders_of", { who })).toHaveLength(1);
  expect(session.whyNot("orders_of", { who: "b" }).upward_rationale).toMatch(/for who = Person b: /u);
});

test.each([
  ["adults", { min: "18" }, "E407", 'parameter "min" of query "adults" must be number, found string', undefined],
  ["by_level", { l: "hgh" }, "E407", 'must be "low" | "high", found "hgh"', 'did you mean "high"?'],
  ["orders_of", { who: "Order~1" }, "E407", "must be Person, found Order", undefined],
  ["adults", { mim: 18 }, "E205", 'query "adults" has no parameter', 'did you mean "min"?'],
])("query %s with %j is refused: %s", (name, args, code, message, hint) => {
  for (const ask of [() => open().query(name, args), () => open().whyNot(name, args)])
    expect(ask).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) as string, hint }));
});

const ask = (...args: readonly string[]): { out: string; err: string } =>
  runCli(["why", "a.tsd", ...args], { "a.tsd": RULES });

test.each([
  ["adults", "min=18", "finds one answer for min = 18."],
  ["adults", "min=4e1", "finds nothing for min = 40: "],
  ["by_code", "c=18", 'finds one answer for c = "18".'],
  ["by_ok", "yes=false", "finds nothing for yes = false: "],
  ["by_level", "l=high", 'finds nothing for l = "high": '],
  ["one_of", 'codes=["18"]', "finds one answer for codes ="],
  ["orders_of", "who=b", "finds nothing for who = Person b: "],
  ["orders_of", "who=Person a", "finds one answer for who = Person a."],
])("sluice why %s --fact %s reads the value by its type", (query, fact, sentence) => {
  expect(ask(query, "--fact", fact).out).toContain(`Query "${query}" ${sentence}`);
});

test.each([
  ["adults", "min=abc", 'parameter "min" of query "adults" must be a number, found "abc"'],
  ["by_ok", "yes=no", 'must be true or false, found "no"'],
  ["one_of", "codes=18", "must be a list in JSON"],
  ["by_level", "l=hgh", 'did you mean "high"?'],
  ["adults", "mim=18", 'query "adults" has no parameter or variable "mim"\n      = did you mean "min"?'],
  [
    "adlts",
    "min=18",
    'no rule, query, gate, guardian, pipeline, flow or fact "adlts"\n      = did you mean the query "adults"?',
  ],
])("sluice why %s --fact %s says what is expected", (query, fact, message) => {
  expect(ask(query, "--fact", fact).err).toContain(message);
});
