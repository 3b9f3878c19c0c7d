/** Tests that rules whose nodes have the same name stay separate. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

test("rules whose nodes have the same name stay apart", () => {
  const program = compile(
    `type P(a: number, b: number)
     rule one : {p: P} / p.a > 1 ==> log("one")
     rule two : {p: P} / p.b > 1 ==> log("two")`,
    { hash: () => 0n },
  );
  expect(
    new Set(
      program
        .network()
        .nodes.filter((node) => node.kind === "alpha")
        .map((node) => node.name),
    ).size,
  ).toBe(1);
  const session = program.session();
  session.assert("P", { a: 2, b: 0 });
  expect(session.run().fired.map((fired) => fired.rule)).toEqual(["one"]);
});
