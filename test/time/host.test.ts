/** Times on their way in and out: text, `Date` and Temporal objects in; text in facts, effects, snapshots, rows and ids. */
import { expect, test } from "vitest";
import { check, compile } from "../../src/index.ts";
import { naiveMatches, type OracleFact } from "../oracle/naive.ts";
import { open } from "../support/session.ts";

const TYPES = "type Invoice(#id: string, due: date?, at: instant?, grace: duration = 2 days, all: instant[]?)\n";

/** What a Temporal object says of itself. */
const temporal = (tag: string, text: string): object => ({
  [Symbol.toStringTag]: `Temporal.${tag}`,
  toString: () => text,
});

test("facts take text, Date and Temporal objects, and hold them as ISO 8601 text", () => {
  const session = open(TYPES);
  session.assert("Invoice", {
    id: "a",
    due: "2026-11-16",
    at: new Date(1500),
    all: [new Date(0), "1970-01-01T01:00:00+01:00"],
  });
  session.assert("Invoice", {
    id: "b",
    due: temporal("PlainDate", "2026-11-16[u-ca=gregory]"),
    at: temporal("Instant", "2026-11-16T09:30:00.123456Z"),
    grace: temporal("Duration", "PT90M"),
  });
  const zoned = {
    [Symbol.toStringTag]: "Temporal.ZonedDateTime",
    toInstant: () => temporal("Instant", "2026-11-16T09:30:00Z"),
  };
  session.assert("Invoice", { id: "c", at: zoned });
  const fields = ["a", "b", "c"].map((id) => session.fact(`Invoice~${id}`)?.fields);
  const epoch = "1970-01-01T00:00:00Z";
  expect(fields).toEqual([
    { id: "a", due: "2026-11-16", at: "1970-01-01T00:00:01.500Z", grace: "P2D", all: [epoch, epoch] },
    { id: "b", due: "2026-11-16", at: "2026-11-16T09:30:00.123Z", grace: "PT1H30M" },
    { id: "c", at: "2026-11-16T09:30:00Z", grace: "P2D" },
  ]);
  session.update("Invoice~c", { at: null, grace: null });
  expect(session.fact("Invoice~c")?.fields).toEqual({ id: "c", grace: "P2D" });
});

test.each([
  [{ due: new Date(0) }, "is not a date"],
  [{ at: 1_700_000_000_000 }, "a number does not say its unit"],
  [{ at: "2026-11-16T09:30:00" }, "has no zone"],
  [{ at: new Date(NaN) }, "cannot hold an object of class Date"],
  [{ due: temporal("PlainTime", "10:00") }, "cannot hold a function"],
  [{ grace: "P1M" }, "months and years have no fixed length"],
  [{ grace: "P20000000D" }, "longer than 20,000 years"],
])("%j is refused: %s", (fields, words) => {
  const session = open(TYPES);
  let said = "";
  try {
    session.assert("Invoice", { id: "a", ...fields });
  } catch (error) {
    const { code, message, hint } = error as {
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
    };
    said = `${code} ${message} ${hint ?? ""}`;
  }
  expect(said).toContain("E407");
  expect(said).toContain(words);
  expect(session.facts()).toEqual([]);
});

test("a time leaves as text: effects, inserted facts, fields of type any, rows, ids, snapshots", () => {
  const program = compile(
    `${TYPES}type Note(#day: date, what: any, of: Invoice?)\naction tell(a: instant, b: any, c: string)\n` +
      `rule r { when i: Invoice last: max(x.at) from x: Invoice then insert Note(day: i.due + 1 day, what: { at: i.at, l: [i.due, 1] }, of: i) ` +
      `tell(i.at, i.grace * 2, "on " + i.due + "!") }\nquery notes(d: date) { n: Note(day == d) days: collect(x.due) from x: Invoice }`,
  );
  const session = program.session();
  session.assert("Invoice", { id: "a", due: "2026-12-31", at: "2026-11-16T09:30:00Z" });
  const { effects, fired } = session.run();
  expect(effects.map(({ args }) => args)).toEqual([["2026-11-16T09:30:00Z", "P4D", "on 2026-12-31!"]]);
  expect(fired[0]?.bindings).toEqual({ i: "Invoice~a", last: "2026-11-16T09:30:00Z" });
  const note = { day: "2027-01-01", what: { at: "2026-11-16T09:30:00Z", l: ["2026-12-31", 1] }, of: "Invoice~a" };
  expect(session.fact("Note~2027-01-01")?.fields).toEqual(note);
  expect(session.query("notes", { d: "2027-01-01" }).map((row) => row["days"])).toEqual([["2026-12-31"]]);
  const again = program.session({ from: JSON.parse(JSON.stringify(session.snapshot())) as never });
  expect(again.facts()).toEqual(session.facts());
  expect(again.run().fired).toEqual([]);
});

test("functions of the host receive text, and return text, Date or Temporal objects", () => {
  const date = { kind: "date" } as const;
  const instant = { kind: "instant" } as const;
  const signature = { params: [{ name: "d", type: date, optional: false }], result: instant };
  const seen: unknown[] = [];
  const source = `${TYPES}action tell(a: instant)\nrule r { when i: Invoice where opens(i.due) > @2026-01-01T00:00:00Z then tell(opens(i.due)) }`;
  const opens = (d: unknown): never => {
    seen.push(d);
    return new Date(`${String(d)}T08:00:00Z`) as never;
  };
  const session = compile(source, { functions: { opens: signature } }).session({ functions: { opens } });
  session.assert("Invoice", { id: "a", due: "2026-11-16" });
  const { effects, fired } = session.run();
  expect(effects.map(({ args }) => args)).toEqual([["2026-11-16T08:00:00Z"]]);
  expect(new Set(seen)).toEqual(new Set(["2026-11-16"]));
  const [firing] = fired;
  expect(firing === undefined ? "" : JSON.stringify(session.why(firing))).toContain("2026-11-16T08:00:00Z");
});

test("a reload migrates text to times and fills in defaults, and a type called date stays the program's own", () => {
  const session = compile("type Invoice(#id: string, due: string)").session();
  session.assert("Invoice", { id: "a", due: "2026-11-16" });
  const next = compile(
    "type Invoice(#id: string, due: date, paid: date = @2026-01-01)\n" +
      "rule r { when i: Invoice(due > paid + 10 months) then log(i.paid) }",
  );
  session.reload(next, { migrate: { Invoice: (fields) => fields } });
  expect(session.run().effects.map(({ args }) => args)).toEqual([["2026-01-01"]]);
  const own = open(
    "type date(#day: number)\ntype T(#id: string, d: date)\nrule r { when t: T(d.day > 3) then log(t.id) }",
  );
  own.assert("date", { day: 5 });
  own.assert("T", { id: "t", d: 5 });
  expect(own.run().effects.length).toBe(1);
});

test("test blocks compare times, and coverage sees tests on them both ways", () => {
  const program = compile(
    `${TYPES}rule late { when i: Invoice(due < @2026-06-01) then log(i.due) }
     test "late" {
         given Invoice(id: "a", due: @2026-01-01)
         given Invoice(id: "b", due: "2026-12-01")
         expect rule late fires 1
         expect effect log("2026-01-01")
         expect 1 Invoice(due == @2026-12-01)
     }`,
  );
  const { tests, coverage } = program.test({ coverage: true });
  expect(tests.map(({ failures }) => failures)).toEqual([[]]);
  expect(coverage?.halfTested).toEqual([]);
});

test("let names times, also where they become text", () => {
  const session = open(
    `${TYPES}rule r { when i: Invoice let end = i.due + 1 month where end > @2026-12-01 then let next = end + 1 day log(end, next, "to " + next, [next, 1]) }`,
  );
  session.assert("Invoice", { id: "a", due: "2026-11-30" });
  const { effects, fired } = session.run();
  expect(effects.map(({ args }) => args)).toEqual([["2026-12-30", "2026-12-31", "to 2026-12-31", ["2026-12-31", 1]]]);
  expect(fired[0]?.bindings["end"]).toBe("2026-12-30");
  expect(fired[0] === undefined ? "" : JSON.stringify(session.why(fired[0]))).toContain("2026-12-30");
});

test("the newest of instants is found by time, not by text: .500Z is later than Z", () => {
  const source =
    "type Release(#id: string)\ntype Run(#id: string, release: string, at: instant, ok: bool)\n" +
    "condition fine(r: Release) : t.ok from latest t: Run(t.release == r.id) by t.at\n" +
    "gate ship for r: Release { require fine(r) }\nrule shipped { when r: Release where fine(r) then log(r.id) }";
  const session = open(source);
  session.assert("Release", { id: "r" });
  session.assert("Run", { id: "a", release: "r", at: "2026-11-16T09:30:00.500Z", ok: true });
  session.assert("Run", { id: "b", release: "r", at: "2026-11-16T09:30:00Z", ok: false });
  expect(session.gate("ship", "Release~r").outcome).toBe("pass");
  const [fired] = session.run().fired;
  expect(fired === undefined ? "" : session.why(fired).outcome).toBe("true");
  const facts = session.facts().map((fact, order): OracleFact => ({ ...fact, order }));
  expect(naiveMatches(check(source), facts).get("shipped")?.length).toBe(1);
});
