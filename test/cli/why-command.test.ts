/** Tests `sluice why` and `sluice run --explain`. */
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const HELLO = "examples/hello/rules.tsd";

test("the headline comes first", () => {
  const [first] = runCli(["why", HELLO, "VIP_or_Adult", "--fact", "p=Person~p3"]).out.split("\n");
  expect(first).toBe(
    '"VIP_or_Adult" does not fire for p = Person p3: p.status is "Regular", not "VIP"; p.age is 12, which is not over 18.',
  );
});

test("a fact is named by its id or by its label", () => {
  for (const [rule, ...labelled] of [
    ["VIP_or_Adult", "--fact", "p=Person p3"],
    ["VIP_or_Adult", "--fact", "p=Person p1"],
    ["Person p1"],
  ] as const) {
    const ids = [rule, ...labelled].map((word) => word.replace("Person p", "Person~p"));
    const { exit, out } = runCli(["why", HELLO, rule, ...labelled]);
    expect({ exit, out }).toEqual({ exit: 0, out: runCli(["why", HELLO, ...ids]).out });
  }
});

test("json is one object on one line, with what was found besides the tree", () => {
  const ran = runCli(["why", HELLO, "VIP_or_Adult", "--fact", "p=Person~p3", "--json"]);
  expect(ran.out.trimEnd()).not.toContain("\n");
  const { event, explanation } = JSON.parse(ran.out) as { event: string; explanation: Record<string, unknown> };
  expect(event).toBe("reasoning");
  expect(explanation).toMatchObject({ rule: "VIP_or_Adult", hindrance: "no match", outcome: "false", complete: true });
  expect(explanation["remedies"]).toContainEqual({
    words: "change age of Person p3 from 12 to 19",
    edits: [{ op: "update", fact: "Person~p3", field: "age", from: 12, to: 19 }],
  });
});

test("html is a page", () => {
  expect(runCli(["why", HELLO, "VIP_or_Adult", "--format", "html"]).out).toMatch(/^<!doctype html>/u);
});

test("keys name facts, as with --subject", () => {
  const told = (fact: string): string =>
    runCli(["why", HELLO, "VIP_or_Adult", "--fact", `p=${fact}`]).out.replace(/\d+ facts? checked/u, "");
  for (const key of ["p1", "p3"]) expect(told(key)).toBe(told(`Person ${key}`));
  const ran = runCli(["why", HELLO, "VIP_or_Adult", "--fact", "p=p33"]);
  expect(ran.err).toContain('no fact with id "p33"');
  expect(ran.err).toContain('did you mean "Person~p3"?');
});

test("a query without its parameter says how to give it", () => {
  const source = 'type P(#id: string, n: number) P("a", 1) query over(min: number) { p: P(n > min) }';
  const { exit, out } = runCli(["why", "a.tsd", "over"], { "a.tsd": source });
  expect({ exit, out }).toEqual({
    exit: 0,
    out: 'Query "over" finds nothing: its parameter min has no value.\n\nWhat would help\n  give it a value: --fact min=…\n',
  });
});

test("many firings are counted, and the first few told", () => {
  const source = `type P(n: number) ${Array.from({ length: 8 }, (_, n) => `P(n: ${n})`).join(" ")} rule r { when p: P then log(p.n) }`;
  const { out } = runCli(["why", "a.tsd", "r"], { "a.tsd": source });
  expect(out).toMatch(/^"r" fired 8 times; the first 5 are shown\./u);
  expect(out.match(/\(firing \d\)/gu)?.length).toBe(5);
});

test("facts of files are asked about like others", () => {
  const ran = runCli(["why", HELLO, "--facts", "f.json", "VIP_or_Adult", "--fact", "p=Person~x"], {
    "f.json": '{"Person": [{"id": "x", "name": "X", "age": 18}]}',
  });
  expect(ran.out).toContain("p.age is 18, so p.age > 18 does not hold");
});

test("wrong usage is told", () => {
  expect(runCli(["why", HELLO])).toMatchObject({
    exit: 2,
    err: expect.stringContaining(
      "name the files, and then the rule, gate, guardian, pipeline, flow, query or fact",
    ) as string,
  });
  expect(runCli(["why", HELLO, "VIP_or_Adult", "--fact", "p"])).toMatchObject({ exit: 2 });
  expect(runCli(["why", HELLO, "VIP_or_Adult", "--format", "yaml"])).toMatchObject({ exit: 2 });
  expect(runCli(["why", HELLO, "VIP_or_Adutl"])).toMatchObject({
    exit: 1,
    err: expect.stringContaining('did you mean the rule "VIP_or_Adult"?') as string,
  });
  expect(runCli(["why", "examples/answer-guardian/rules.tsd", "answr"]).err).toContain(
    'did you mean the guardian "answer"?',
  );
  expect(runCli(["why", "--help"]).out).toContain("Examples:\n  sluice why");
  expect(runCli(["pack", "--help"]).out).toContain("Example:\n  sluice run");
});

test("a run that is stopped at its limit is explained as far as it got", () => {
  const source = "type P(n: number) P(n: 0) rule loop { when p: P(n >= 0) then p.n = p.n + 1 } option limit 3";
  const ran = runCli(["why", "a.tsd", "loop"], { "a.tsd": source });
  expect(ran.exit).toBe(5);
  expect(ran.out).toContain('"loop" fired 3 times.');
});

test("data cannot steer the terminal", () => {
  const source = 'type P(s: string) P(s: "\\u{9b}31m\\u{202e}x") rule r { when p: P(s == "a") then log(p.s) }';
  const { out } = runCli(["why", "a.tsd", "r"], { "a.tsd": source });
  expect(out).toContain("31m");
  expect(out).not.toMatch(/[\u009b\u202e]/u);
});
