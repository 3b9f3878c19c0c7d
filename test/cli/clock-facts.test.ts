/** `--clock facts`: the clock follows the times of the facts, in the order of the files, and never goes back. */
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const RULES = `type Host(#id: string)
type Ping(#id: string, host: string, @at: instant) expires 1 hour
Host("h")
Ping("first", "h", @2026-11-16T11:00:00Z)
rule "burst" { when h: Host where COUNT(p: Ping / p.host == h.id over last 10 min) > 1 then log(h.id, now) }
`;
const ping = (id: string, at: string): string => JSON.stringify({ Ping: { id, host: "h", at: `2026-11-16T${at}Z` } });

test("the clock is the latest time of the facts so far", () => {
  const lines = [ping("a", "12:00:00"), ping("b", "12:30:00"), ping("late", "12:25:00"), ping("gone", "11:10:00")];
  const files = { "a.tsd": RULES, "f.ndjson": lines.join("\n") };
  const { out, exit } = runCli(["run", "a.tsd", "--facts", "f.ndjson", "--clock", "facts"], files);
  expect(exit).toBe(0);
  expect(out).toContain("clock    2026-11-16T12:30:00Z");
  expect(out).toContain("h 2026-11-16T12:30:00Z"); // b and late, of which late came after b
  expect(out).toContain("1 Host, 3 Ping"); // the first one expired at 12:00, and one never entered
});

test("a time that is no instant is reported with its fact, and an unknown clock with what there is", () => {
  const files = { "a.tsd": RULES, "f.ndjson": ping("a", "12:99:00") };
  expect(runCli(["run", "a.tsd", "--facts", "f.ndjson", "--clock", "facts"], files)).toMatchObject({ exit: 1 });
  expect(runCli(["run", "a.tsd", "--clock", "fact"], files).err).toContain("--clock must be real, facts or an instant");
});
