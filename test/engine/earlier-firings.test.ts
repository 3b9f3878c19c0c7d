/** `expect rule` is about one step of a test; a failure says that the rule fired before it. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

const RULES = `type P(#id: string, at: instant)
P("a", @2026-01-01T00:00:00Z)
P("b", @2026-01-01T01:00:00Z)
rule "due" { when p: P(now >= at) then log(p.id) }
rule "gone" { when p: P then log(p.id) }
remove rule "gone"
`;

function detailsOf(body: string): readonly (readonly string[])[] {
  return compile(`${RULES}test "t" { clock @2026-01-01T00:30:00Z ${body} }`)
    .test()
    .tests.flatMap(({ failures }) => failures.map(({ details }) => details ?? []));
}

const EARLIER = "it fired before this step, which does not count: 1 firing";

test("for the facts of the program, where there are given ones", () => {
  const [details] = detailsOf('given P("c", @2027-01-01T00:00:00Z) expect rule due fires 1');
  expect(details?.[0]).toBe(EARLIER);
});

test("before the clock was moved", () => {
  const [details] = detailsOf("expect rule due fires 1 advance 1 min expect rule due fires 1");
  expect(details?.[0]).toBe(EARLIER);
});

test("not where it never fired, or fired in the step", () => {
  const never = detailsOf('given P("c", @2027-01-01T00:00:00Z) expect rule due fires 2');
  expect(never.flat().filter((line) => line.includes("before this step"))).toEqual([EARLIER]);
  expect(detailsOf("expect rule due fires 2").flat().join("\n")).not.toContain("before this step");
  expect(detailsOf("expect rule gone fires").flat()).toEqual(["the rule was removed"]);
});
