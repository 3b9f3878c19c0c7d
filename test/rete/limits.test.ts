/** Tests what happens when a running session reaches one of its limits. */
import { expect, test } from "vitest";
import { compile, RunLimitError } from "../../src/index.ts";

const CROSS = `
type A(n: number)
type B(n: number)
rule cross { when a: A b: B then log("x") }
rule fine { when a: A(n == 5) then log("fine") }
`;

test("too many partial matches switch off the rule that makes them, and no other (E511)", () => {
  const session = compile(CROSS, { limits: { liveMatches: 1000 } }).session();
  for (let n = 0; n < 40; n++) session.assert("A", { n });
  const heard: unknown[] = [];
  session.on("problem", (problem) => heard.push(problem));
  for (let n = 0; n < 40; n++) session.assert("B", { n });
  const problem = {
    code: "E511",
    rules: ["cross"],
    pattern: "b: B",
    limit: 1000,
    message: 'rule "cross" exceeds the limit of 1000 partial matches at b: B and no longer fires',
    hint: "add a test that connects the patterns, or raise the limit: compile(source, { limits: { liveMatches } })",
  };
  expect(heard).toEqual([problem]);
  expect(session.problems).toEqual([problem]);
  expect(session.facts("B")).toHaveLength(40);
  const result = session.run();
  expect(result.fired.map((fired) => fired.rule)).toEqual(["fine"]);
  expect(result.problems).toEqual([problem]);
  expect(session.run().problems).toEqual([problem]);
});

test("a limit of no matches at all opens a session, and switches off the rules that need one", () => {
  const session = compile(CROSS, { limits: { liveMatches: 0 } }).session();
  session.assert("A", { n: 5 });
  session.assert("B", { n: 1 });
  expect(session.run().fired.map(({ rule }) => rule)).toEqual(["fine"]);
  expect(session.problems).toMatchObject([{ code: "E511", rules: ["cross"] }]);
});

test("a reload with a higher limit switches the rule on again", () => {
  const session = compile(CROSS, { limits: { liveMatches: 10 } }).session();
  for (let n = 0; n < 8; n++) session.assert(n % 2 === 0 ? "A" : "B", { n });
  expect(session.problems).toMatchObject([{ code: "E511", limit: 10 }]);
  session.reload(compile(CROSS, { limits: { liveMatches: 1000 } }));
  expect(session.problems).toEqual([]);
  expect(session.run().fired.filter(({ rule }) => rule === "cross")).toHaveLength(16);
  for (let n = 0; n < 80; n++) session.assert(n % 2 === 0 ? "A" : "B", { n });
  expect(session.problems).toMatchObject([{ code: "E511", limit: 1000 }]);
  expect(session.uncertainty({ rule: "cross" })).toContain("more than 1000 partial matches");
});

test("after everything is retracted nothing is left, also of a rule that was switched off", () => {
  const session = compile(CROSS, { limits: { liveMatches: 1000 } }).session();
  for (let n = 0; n < 80; n++) session.assert(n % 2 === 0 ? "A" : "B", { n });
  for (const fact of session.facts()) session.retract(fact.id);
  expect(session.counters()).toMatchObject({ facts: 0, matches: 0, indexEntries: 0, waiting: 0 });
});

test("a run that stops at its limit leaves a session that can go on", () => {
  const session = compile("type C(n: number) C(1) rule up { when c: C(n > 0) then c.n = c.n + 1 }").session();
  expect(() => session.run({ limit: 10 })).toThrow(RunLimitError);
  expect(session.facts("C")[0]?.fields).toEqual({ n: 11 });
  expect(() => session.run({ limit: 5 })).toThrow(RunLimitError);
  expect(session.facts("C")[0]?.fields).toEqual({ n: 16 });
});
