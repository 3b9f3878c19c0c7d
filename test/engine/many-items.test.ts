import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

test("a chain of 3,000 elements is made in a loop", () => {
  const elements = Array.from({ length: 3000 }, (_, n) => `l${n} in o.lines`).join("\n");
  const session = compile(
    `type O(#id: string, lines: number[]) rule r { when o: O ${elements} then log(o.id) }`,
  ).session();
  session.assert("O", { id: "a", lines: [1] });
  expect(session.run().fired.length).toBe(1);
});
