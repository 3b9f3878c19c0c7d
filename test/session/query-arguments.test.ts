/** Tests the arguments of queries: read by the declared type of each parameter, in the library and on the command line. */
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";
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

test("a parameter that is not given has its default, however the query is asked", () => {
  const source = `${RULES}
    type Event(#id: string, at: instant?)
    Event("e", "2026-01-02T00:00:00Z")
    query grown(min: number = 18, code: string?) { p: Person(age >= min) }
    query orders_by(who: Person = "Person~a") { o: Order(buyer == who) }
    query since(t: instant = "2026-01-01T00:00:00Z") { e: Event(e.at > t) }`;
  const program = compile(source);
  const opened = {
    compiled: program.session(),
    loaded: loadPlan(program.save()).session(),
    "without indexes": program.session({ indexing: false }),
  };
  for (const [how, session] of Object.entries(opened)) {
    const ids = (query: string, args?: Record<string, unknown>): unknown =>
      session.query(query, args).map((row) =>
        Object.values(row)
          .map((one) => (one as { id: string }).id)
          .join(),
      );
    expect(ids("grown"), how).toEqual(["Person~b"]);
    expect(ids("grown", { min: undefined }), how).toEqual(["Person~b"]);
    expect(ids("grown", { min: null }), how).toEqual([]);
    expect(ids("grown", { min: 10 }), how).toEqual(["Person~a", "Person~b"]);
    expect(ids("orders_by"), how).toEqual(["Order~1"]);
    expect(ids("orders_by", { who: "b" }), how).toEqual([]);
    expect(ids("since"), how).toEqual(["Event~e"]);
    let rows = 0;
    session.subscribe({ query: "grown" }, {}, ({ added }) => (rows += added.length)).close();
    expect(rows, how).toBe(1);
  }
  const why = opened.compiled.whyNot("grown").upward_rationale;
  expect(why).not.toContain("has no value");
  expect(opened.compiled.whyNot("orders_by", { who: "b" }).upward_rationale).toContain("who = Person b");
});
