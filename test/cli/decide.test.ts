/** Tests `sluice decide`, the outcomes in `sluice run`, and the example script that a deployment job would call. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../support/io.ts";
import { type RealCli, realCli } from "../support/real-cli.ts";

const RULES = "examples/release-gate/rules.tsd";
const FACTS = "examples/release-gate/facts.json";

function decide(...args: string[]): { readonly exit: number; readonly out: string; readonly err: string } {
  return runCli(["decide", RULES, "--gate", "deploy", "--facts", FACTS, ...args]);
}

describe("decide", () => {
  test.each([
    ["r-43", "pass", 0],
    ["Release~r-42", "hold", 3],
    ["Release r-42", "hold", 3],
    ["r-44", "fail", 4],
  ])("%s: %s, exit %i", (subject, outcome, exit) => {
    const ran = decide("--subject", subject);
    expect(ran).toMatchObject({ exit, err: "" });
    expect(ran.out).toMatch(new RegExp(`^gate "deploy" for Release r-4\\d: ${outcome}\n`, "u"));
  });

  test("shows every part with its value and evidence, and what is missing", () => {
    const { out } = decide("--subject", "r-42");
    expect(out).toContain('      unknown  approved(r, "bob")  no Approval with release == "r-42" and by == "bob"\n');
    expect(out).toContain("               true  TestRun #2  failed: 0\n");
    expect(out).toMatch(/\nmissing \(at minimum\):\n {2}approved\(r, "bob"\): no Approval with .*\n$/u);
  });

  test("without a subject the worst outcome counts", () => {
    const ran = decide();
    expect(ran.exit).toBe(4);
    expect(ran.out.match(/^gate /gmu)).toHaveLength(3);
  });

  test("without any subject it holds", () => {
    const ran = runCli(["decide", RULES, "--gate", "deploy"]);
    expect(ran).toMatchObject({ exit: 3, out: 'gate "deploy": hold (no subject to decide about)\n' });
  });

  test("with --json there is one object for each subject, with the tree", () => {
    const { out } = decide("--json");
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events).toMatchObject([
      {
        event: "gate",
        gate: "deploy",
        subject: "Release~r-42",
        outcome: "hold",
        status: "unknown",
        tree: { kind: "all" },
      },
      { event: "gate", gate: "deploy", subject: "Release~r-43", outcome: "pass", status: "true", missing: [] },
      { event: "gate", gate: "deploy", subject: "Release~r-44", outcome: "fail", status: "false", missing: [] },
    ]);
  });

  test("the rules fire first: what they conclude is evidence", () => {
    const source = `type A(x: number) type B(ok: bool) rule r { when a: A(x > 1) then insert B(ok: true) }
      condition fine : b.ok from b: B
      gate g { require fine } A(x: 2)`;
    expect(runCli(["decide", "a.tsd"], { "a.tsd": source }).exit).toBe(0);
  });

  test("a run that does not end well gives no outcome", () => {
    const source =
      "type A(x: number) rule r { when a: A(x > 0) then a.x = a.x + 1 } gate g { require 1 == 1 } A(x: 2) option limit 9";
    const ran = runCli(["decide", "a.tsd"], { "a.tsd": source });
    expect(ran).toMatchObject({ exit: 5, out: "" });
    expect(ran.err).toContain("E510");
  });

  test.each([
    [["--gate", "depoly"], 'no gate "depoly": this program defines "deploy", "override"'],
    [[], 'this program has 2 gates; choose one with --gate: "deploy", "override"'],
    [["--gate", "deploy", "--gate", "override"], "--gate appears 2 times"],
  ])("%j is wrong usage", (args, message) => {
    const ran = runCli(["decide", RULES, ...args]);
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain(message);
  });

  test("a subject that is not there is an error, not an outcome", () => {
    const ran = decide("--subject", "r-99");
    expect(ran).toMatchObject({ exit: 1, out: "" });
    expect(ran.err).toContain('E541  "r-99" is not a subject of gate "deploy"');
  });

  test("explains itself", () => {
    expect(runCli(["decide", "--help"]).out).toContain("0  pass");
  });
});

describe("--gate-json", () => {
  test("takes the place of the gate's requirement", () => {
    const ran = decide("--subject", "r-42", "--gate-json", "examples/release-gate/ret.json");
    expect(ran.exit).toBe(0);
    expect(ran.out).toContain('gate "deploy (RET JSON)" for Release r-42: pass');
  });

  test("is a gate by itself without --gate", () => {
    const files = { "a.tsd": "condition ok : x.n > 1 from x: X\nX(n: 2)", "g.json": '{"Not": {"Condition": "ok"}}' };
    expect(runCli(["decide", "a.tsd", "--gate-json", "g.json"], files).exit).toBe(4);
  });

  test.each([
    ["{", 1, "E542  $: invalid JSON"],
    ['{"And": [{"Condition": "x"}], "Or": []}', 1, "E542  $: a requirement must be an object with one key"],
    ['{"Condition": "nothing_like_it"}', 1, 'E542  $.Condition: unknown condition "nothing_like_it"'],
    ['{"Condition": "not blocklisted(r)", "Condition": "tests_ok"}', 1, 'E542  $: duplicate key "Condition"'],
    ['{"And": []}', 1, "E542  $: the requirement is empty"],
    ['{"Not": {"Or": []}}', 1, "E542  $: the requirement is empty"],
    ['{"Or": [{"Condition": "tests_ok"}, {"And": []}]}', 1, "E542  $: the requirement is empty"],
  ])("%s is refused", (text, exit, message) => {
    const ran = runCli(["decide", RULES, "--gate", "deploy", "--gate-json", "g.json"], { "g.json": text });
    expect(ran.exit).toBe(exit);
    expect(ran.err).toContain(message);
  });

  test("a file that is not there is wrong usage", () => {
    expect(decide("--gate-json", "nowhere.json").exit).toBe(2);
  });
});

describe("run", () => {
  const source = `type R(#id: string, ok: bool?) action said(what: string)
    gate g for r: R { require r.ok on pass then said("pass") on hold then said("hold") }
    rule ask { when r: R then decide g(r) }
    rule repair salience -1 { when r: R(ok is missing) then r.ok = true }
    R(id: "r1") R(id: "r2", ok: false)`;

  test("writes the outcomes that stand, in program order, behind everything that fired", () => {
    const { out, exit } = runCli(["run", "a.tsd", "--json"], { "a.tsd": source });
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(exit).toBe(0);
    expect(events.filter(({ event }) => event === "gate")).toEqual([
      { event: "gate", gate: "g", subject: "R~r1", outcome: "pass", status: "true", missing: [] },
      { event: "gate", gate: "g", subject: "R~r2", outcome: "fail", status: "false", missing: [] },
    ]);
    expect(events.filter(({ event }) => event === "decision")).toMatchObject([
      { gate: "g", subject: "R~r1", outcome: "hold", rule: "ask", n: 1 },
      { gate: "g", subject: "R~r2", outcome: "fail", rule: "ask", n: 2 },
    ]);
    expect(events.map(({ event }) => event).slice(-3)).toEqual(["gate", "gate", "summary"]);
  });

  test("with --events all also those on the way", () => {
    const { out } = runCli(["run", "a.tsd", "--json", "--events", "all"], { "a.tsd": source });
    expect(out.match(/"event":"gate".*"change":true/gu)).toHaveLength(2);
  });

  test("shows them to people", () => {
    const { out } = runCli(["run", "a.tsd"], { "a.tsd": source });
    expect(out).toContain("         decided: g  R r1  hold\n");
    expect(out).toContain("\ngates\n  g  R r1  pass\n  g  R r2  fail\n");
  });

  test("a flow without a way on is an error of the rules", () => {
    const { exit, err } = runCli(["run", "test/errors/E540.tsd"]);
    expect(exit).toBe(1);
    expect(err).toContain('E540  flow "release" is stuck in stage "review"');
  });
});

describe("the script of the example", () => {
  let cli: RealCli;

  beforeAll(async () => {
    cli = await realCli();
  });

  afterAll(() => cli.remove());

  function deploy(...args: string[]): { readonly exit: number | null; readonly last: string | undefined } {
    const env = { ...process.env, SLUICE: `node ${cli.program}` };
    const ran = spawnSync("sh", ["examples/release-gate/deploy.sh", ...args], { env, encoding: "utf8" });
    return { exit: ran.status, last: ran.stdout.trim().split("\n").at(-1) };
  }

  test.each([
    ["r-43", 0, "deploying r-43"],
    ["r-42", 3, "waiting: r-42 is not deployed"],
    ["r-44", 4, "refused: r-44 is not deployed"],
    ["r-99", 1, "the gate could not be asked: r-99 is not deployed"],
  ])("%s: exit %i, %s", (release, exit, last) => {
    expect(deploy(release, FACTS)).toEqual({ exit, last });
  });

  test.each([
    [["--help", FACTS]],
    [["-h", FACTS]],
    [["r-42", "--help"]],
    [["r-42", FACTS, "--help"]],
    [["r-42", FACTS, "-h"]],
    [["r-43"]],
    [[]],
  ])("takes no name for an option: %j deploys nothing", (args) => {
    expect(deploy(...args).exit).toBe(1);
  });

  test("takes several files of evidence", () => {
    const more = join(cli.folder, "more.json");
    writeFileSync(more, JSON.stringify({ Blocked: [{ release: "r-43", reason: "late" }] }));
    expect(deploy("r-43", FACTS, more).exit).toBe(4);
  });

  test("deploys nothing without evidence, or without the program", () => {
    expect(deploy("r-43", "nowhere.json").exit).toBe(1);
    const env = { ...process.env, SLUICE: "no-such-command" };
    expect(spawnSync("sh", ["examples/release-gate/deploy.sh", "r-43", FACTS], { env }).status).toBe(1);
  });
});
