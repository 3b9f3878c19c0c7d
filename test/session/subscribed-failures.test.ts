/** A function that fails in the test of a question is a problem with names that the author knows. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

const PROGRAM = `type P(#id: string, n: number)
function f(n: number): number
query large(least: number) { p: P where f(p.n) > least }`;

test("of a subscription: the query and the facts, without the names that the network has", () => {
  const functions = {
    f: () => {
      throw new Error("no answer");
    },
  };
  const session = compile(PROGRAM).session({ functions });
  const subscription = session.subscribe({ query: "large" }, { least: 1 }, () => undefined);
  session.assert("P", { id: "a", n: 1 });
  session.run();
  const [problem] = session.problems;
  expect(problem).toMatchObject({ rules: ['query "large"'], facts: ["P~a"] });
  expect(problem?.message).toBe('query "large": f(1) failed: no answer, with P a');
  expect(JSON.stringify(session.problems)).not.toContain("\\u0000");
  subscription.close();
});
