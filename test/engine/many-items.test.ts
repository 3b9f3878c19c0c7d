/** Elements in a row: as many as the limit are made and fire, more are an error with a place. */
import { expect, test } from "vitest";
import { check, compile } from "../../src/index.ts";

const rule = (count: number): string => {
  const elements = Array.from({ length: count - 1 }, (_, n) => `l${n} in o.lines`).join("\n");
  return `type O(#id: string, lines: number[]) rule r { when o: O ${elements} then log(o.id) }`;
};

test("a chain of 1,000 elements fires", () => {
  const session = compile(rule(1000)).session();
  session.assert("O", { id: "a", lines: [1] });
  expect(session.run().fired.length).toBe(1);
});

test("a longer one is an error with a place", () => {
  const errors = check(rule(3000)).diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "E307 there are more than 1000 elements in a row",
  ]);
});
