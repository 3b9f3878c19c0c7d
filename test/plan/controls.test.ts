/** Tests the order of patterns: a control fact that its own rule switches off is planned after the other patterns. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

const PROGRAM = `option strategy depth
type Turn(of: string)
type Guest(name: string, likes: string)
type Pair(a: string, b: string)
rule "pair" {
    when
        t: Turn(of == "pairing")
        g: Guest
        h: Guest(likes == g.likes, name != g.name)
        not Pair(a == g.name, b == h.name)
    then
        insert Pair(a: g.name, b: h.name)
        t.of = "resting"
}
rule "rest" { when t: Turn(of == "resting") then t.of = "pairing" }
rule "listen" { when t: Turn(of == "pairing") g: Guest then log(g.name) }
Turn("pairing")
Guest("a", "x") Guest("b", "x") Guest("c", "y") Guest("d", "y") Guest("e", "x")
`;

const joinsOf = (rule: string): string[] =>
  compile(PROGRAM)
    .network()
    .nodes.flatMap((node) => (node.kind === "join" && node.rules.includes(rule) ? [node.words] : []));

test("a control fact that its own rule switches off is planned behind the other patterns", () => {
  expect(joinsOf("pair").at(-1)).toBe("t: Turn");
});

test("a control fact that others switch stays where it is written", () => {
  expect(joinsOf("listen")).toEqual(["t: Turn", "g: Guest"]);
});

test("what fires, in which order, and how it is told speaks of the written order", () => {
  const [arranged, written] = [true, false].map((shortcuts) => {
    const session = compile(PROGRAM).session({ shortcuts });
    return session.run().fired.map(({ rule, bindings }) => `${rule} ${JSON.stringify(bindings)}`);
  });
  expect(arranged).toEqual(written);
  expect(arranged?.filter((text) => text.startsWith("pair"))).toHaveLength(8);
  expect(arranged?.find((text) => text.startsWith("pair"))).toBe('pair {"t":"Turn~@1","g":"Guest~@5","h":"Guest~@2"}');
});
