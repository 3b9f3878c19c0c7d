/** Tests strings that would be longer than an expression may make: unknown, reported, and never an exception in a change. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

const BASE = "x".repeat(1_000_000);
const TYPES = `type T(#id: string, text: string, list: string[])
type Done(#id: string)
`;

function opened(test: string) {
  const session = compile(`${TYPES}rule r { when t: T(${test}) then insert Done(t.id) }`).session();
  session.assert("T", { id: "long", text: BASE, list: ["a", BASE, "b"] });
  session.assert("T", { id: "short", text: "x", list: ["x", "y"] });
  session.run();
  return session;
}

const TESTS = [
  ["+", `length(text + ${Array(600).fill("text").join(" + ")}) > 0`],
  ["a template", `length($"${"{text}".repeat(600)}") > 0`],
  ["join", `length(join(list, text)) > 0`],
] as const;

test.each(TESTS)("%s beyond the limit is unknown, reported, and loses nothing", (_, expression) => {
  const session = opened(expression);
  expect(session.facts("Done").map((fact) => fact.id)).toEqual(["Done~short"]);
  expect(session.facts("T")).toHaveLength(2);
  const [warning] = session.warnings;
  expect(warning?.code).toBe("E521");
  expect(warning?.message).toContain("gives a string of more than 1,048,576 characters");
});

test("in an action the firing is reported, and the session goes on", () => {
  const program = compile(`${TYPES}rule r { when t: T then log(join(t.list, t.text)) }`);
  const session = program.session();
  session.assert("T", { id: "long", text: BASE, list: ["a", BASE, "b"] });
  expect(() => session.run()).toThrow(/more than 1,048,576 characters/u);
  expect(session.facts("T")).toHaveLength(1);
});
