/** Tests that a session with more facts than one table holds does what a small one does. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

const SOURCE = "type A(#id: number, n: number) type B(n: number) type C(#id: string, #n: number, of: A?)";

test("facts stay in the order in which they were asserted, and are found by id, from one to 50,000 and back", () => {
  const session = compile(SOURCE).session({ history: 0 });
  const expected: string[] = [];
  for (let n = 0; n < 50_000; n++) {
    if (n % 3 === 0) expected.push(session.assert("A", { id: n, n }).id);
    else if (n % 3 === 1) expected.push(session.assert("B", { n }).id);
    else expected.push(session.assert("C", { id: n % 2 === 0 ? "same" : `c${n}`, n, of: `A~${n - 2}` }).id);
  }
  const ids = (): string[] => session.facts().map(({ id }) => id);
  expect(ids()).toEqual(expected);
  expect(session.size).toBe(50_000);
  expect(() => session.assert("A", { id: 49_998, n: 1 })).toThrow(expect.objectContaining({ code: "E410" }));
  const kept = expected.filter((id, at) => at % 7 === 0 || !session.retract(id));
  expect(ids()).toEqual(kept);
  expect(kept.every((id) => session.fact(id)?.id === id)).toBe(true);
  expect(expected.filter((id) => session.fact(id) !== undefined)).toEqual(kept);
  const again = session.assert("A", { id: 3, n: 1 }).id;
  expect(ids()).toEqual([...kept, again]);
  const restored = session.program.session({ from: JSON.parse(JSON.stringify(session.snapshot())) as never });
  expect(restored.facts()).toEqual(session.facts());
  session.reset();
  expect(session.size).toBe(0);
  expect(ids()).toEqual([]);
  expect(session.assert("B", { n: 1 }).id).toBe("B~@1");
  expect(ids()).toEqual(["B~@1"]);
});
