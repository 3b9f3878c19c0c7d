/** A session that nobody holds is collected with what was made last, and does not wait until all memory is collected. */
import { getHeapSpaceStatistics } from "node:v8";
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

const SESSIONS = 6_000;
/** Bytes; kept sessions would be more than 300 MB. */
const MOST_KEPT = 100e6;

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space")?.space_used_size ?? 0;
}

test("sessions that are dropped do not move to the old generation", () => {
  const program = compile(
    "type A(#id: number, n: number) rule r { when a: A(n > 0) b: A(id != a.id, n == a.n) then log(a.id, b.id) }",
  );
  const before = oldBytes();
  for (let count = 0; count < SESSIONS; count++) {
    const session = program.session();
    for (let id = 1; id <= 20; id++) session.assert("A", { id, n: id % 7 });
    session.run({ collect: false });
  }
  expect(oldBytes() - before).toBeLessThan(MOST_KEPT);
});
