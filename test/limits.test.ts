/** What happens at the limits of a running session. */
import { expect, test } from "vitest";
import { compile, MatchLimitError, RunLimitError } from "../src/index.ts";

const CROSS = `
type A(n: number)
type B(n: number)
rule cross { when a: A b: B then log("x") }
rule fine { when a: A(n == 5) then log("fine") }
`;

test("too many partial matches switch off the rule that makes them, and no other (E511)", () => {
  const session = compile(CROSS, { limits: { liveMatches: 1000 } }).session();
  for (let n = 0; n < 40; n++) session.assert("A", { n });
  const errors: unknown[] = [];
  for (let n = 0; n < 40; n++) {
    try {
      session.assert("B", { n });
    } catch (error) {
      errors.push(error);
    }
  }
  expect(errors).toHaveLength(1);
  expect(errors[0]).toBeInstanceOf(MatchLimitError);
  expect(errors[0]).toMatchObject({ code: "E511" });
  expect(String(errors[0])).toContain('"cross"');
  expect(session.facts("B")).toHaveLength(40);
  expect(session.run().fired.map((fired) => fired.rule)).toEqual(["fine"]);
});

test("after everything is retracted nothing is left, also of a rule that was switched off", () => {
  const session = compile(CROSS, { limits: { liveMatches: 1000 } }).session();
  for (let n = 0; n < 80; n++) {
    try {
      session.assert(n % 2 === 0 ? "A" : "B", { n });
    } catch (error) {
      expect(error).toBeInstanceOf(MatchLimitError);
    }
  }
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
