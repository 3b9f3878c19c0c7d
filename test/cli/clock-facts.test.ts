/** `--clock`: with `facts` it follows the times of the facts, in the order of the files, and never goes back; real time goes on. */
import { expect, test } from "vitest";
import { runCli, runCliAsync } from "../support/io.ts";

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

const DAYS = `option zone "Europe/Paris"
type Order(#id: string, @day: date)
Order("o1", @2026-11-14)
rule "old" { when o: Order(today > o.day) then log(o.id, today, now) }
`;

test("a date moves the clock to the first instant of its day in the zone of the program", () => {
  const files = { "a.tsd": DAYS, "Order.csv": "id,day\no2,2026-11-16\no3,2026-11-15\n" };
  const { out } = runCli(["run", "a.tsd", "--facts", "Order.csv", "--clock", "facts"], files);
  expect(out).toContain("clock    2026-11-15T23:00:00Z");
  expect(out).toContain("o1 2026-11-16 2026-11-15T23:00:00Z");
  expect(out).toContain("o3 2026-11-16 2026-11-15T23:00:00Z");
  expect(out).not.toContain("o2 2026-11-16");
});

/** What the repl answers to these lines; the time of day is one second later each time it is asked for. */
async function talk(clock: string, source: string, lines: readonly string[]): Promise<string> {
  let seconds = Date.parse("2026-11-16T12:00:00Z") / 1000;
  const ran = await runCliAsync(
    ["repl", "a.tsd", "--clock", clock],
    { "a.tsd": source },
    {
      wallTime: () => (seconds += 1) * 1000,
      dialogue: async (dialogue) => {
        for (const line of lines) dialogue.line(line);
        await Promise.resolve();
      },
    },
  );
  return ran.out + ran.err;
}

test("in the repl, the clock follows the facts that are stated", async () => {
  const said = await talk("facts", DAYS, ["agenda", 'Order("o2", @2026-11-16)', "agenda"]);
  expect(said.split("+ Order o2")[0]).not.toContain("o1");
  expect(said.split("+ Order o2")[1]).toContain("o1");
});

test("in the repl, real time goes on between lines, and an instant does not", async () => {
  const soon = 'type A(#id: string)\nA("a")\nrule r { when a: A(now >= @2026-11-16T12:00:03Z) then log(a.id) }\n';
  const matches = ["matches r", "matches r", "matches r"];
  expect((await talk("real", soon, matches)).match(/a = A a/gu)).toHaveLength(2);
  expect(await talk("@2026-11-16T12:00:02Z", soon, matches)).not.toContain("a = A a");
});

test.each(["@2026-11-16T12:00:00Z", "facts"])("sluice bench sharing and prove run at the clock %s", (clock) => {
  const files = { "a.tsd": DAYS, "f.ndjson": '{"Order":{"id":"o2","day":"2026-11-16"}}' };
  let time = 0;
  const world = { heap: () => 1_000_000, now: () => (time += 1) };
  const args = ["bench", "sharing", "a.tsd", "--facts", "f.ndjson", "--rounds", "3", "--json", "--clock", clock];
  expect(runCli(args, files, world).out).toContain('"matches":1,"firings":1');
  const proved = runCli(["prove", "a.tsd", "--facts", "f.ndjson", "--cases", "3", "--clock", clock], files);
  expect(proved).toMatchObject({ exit: 0, err: "" });
});
