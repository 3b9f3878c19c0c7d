/** Tests the next stage that `sluice decide --gate-json` prints for `advance_to`: a gate that fails, or cannot answer, closes. */
import { describe, expect, test } from "vitest";
import { nextStage } from "../../src/index.ts";
import { type Ran, runCli } from "../support/io.ts";

const RULES = `
type Release(#id: string, env: string)
type Team(#id: string)
type TestRun(release: string, failed: number)
type Freeze(#id: string)
condition tests_ok(r: Release) : t.failed == 0 from t: TestRun(t.release == r.id)
gate "no_freeze" { require not exists Freeze() }
gate "deploy" for r: Release(r.env == "prod") { require tests_ok(r) }
gate "known" for r: Release { require tests_ok(r) }
gate "team" for t: Team { require t.id == "a" }
`;
const RELEASE = 'Release("r1", "prod") TestRun("r1", 0)\n';
const DEV = 'Release("r2", "dev") TestRun("r2", 0)\n';

type Branch = readonly [gate: string, outcome: string, stage: string];
const DENY: Branch = ["no_freeze", "false", "deny"];
const SHIP: Branch = ["deploy", "true", "ship"];

function stage(branches: readonly Branch[], more: Record<string, unknown> = {}): string {
  const listed = branches.map(([gate_id, outcome, next_stage_id]) => ({ gate_id, outcome, next_stage_id }));
  return JSON.stringify({ ...more, advance_to: { kind: "branch", branches: listed, default: "manual" } });
}

function decide(facts: string, branches: readonly Branch[], ...options: string[]): Ran {
  const files = { "r.tsd": `${RULES}${facts}`, "s.json": stage(branches) };
  return runCli(["decide", "r.tsd", "--gate-json", "s.json", ...options], files);
}

const stagesIn = ({ out }: Ran): string[] => out.match(/^next stage.*$/gmu) ?? [];

describe("gates with and without a subject", () => {
  test("a gate without a subject counts for every subject", () => {
    const frozen = decide(`${RELEASE}Freeze("f")`, [DENY, SHIP]);
    expect(frozen).toMatchObject({ exit: 0, err: "" });
    expect(stagesIn(frozen)).toEqual(['next stage for Release r1: deny (gate "no_freeze": fail)']);
    expect(stagesIn(decide(RELEASE, [DENY, SHIP]))).toEqual(['next stage for Release r1: ship (gate "deploy": pass)']);
  });

  test("and for the subject of --subject", () => {
    const ran = decide(`${RELEASE}Freeze("f")`, [DENY, SHIP], "--subject", "r1");
    expect(stagesIn(ran)).toEqual(['next stage for Release r1: deny (gate "no_freeze": fail)']);
  });

  test("without a subject of the other gate there is no next stage", () => {
    const ran = decide("", [["no_freeze", "true", "ship"], SHIP]);
    expect(ran.exit).toBe(3);
    expect(stagesIn(ran)).toEqual(["next stage: none (no subject to decide about)"]);
  });

  test("gates about different types are refused, as --source refuses them", () => {
    const branches: readonly Branch[] = [["team", "false", "deny"], SHIP];
    for (const options of [[], ["--source"]]) {
      const ran = decide(`${RELEASE}Team("b")`, branches, ...options);
      expect(ran).toMatchObject({ exit: 1, out: "" });
      expect(ran.err).toContain("E542  $.advance_to.branches: the gates of one flow need the same subject");
    }
  });
});

describe("a gate that does not decide about a subject", () => {
  test("no branch of another gate is taken after it, nor the default", () => {
    for (const last of [
      ["known", "true", "ship"],
      ["known", "false", "deny"],
    ] as const) {
      const ran = decide(DEV, [["deploy", "false", "deny"], last]);
      expect(ran.exit).toBe(1);
      expect(stagesIn(ran)).toEqual([]);
      expect(ran.err).toContain('E540  no next stage for Release r2: gate "deploy" does not decide about this subject');
    }
  });

  test("a branch before it is taken, and so is its own branch for unknown", () => {
    const before = decide(DEV, [
      ["known", "true", "ship"],
      ["deploy", "false", "deny"],
    ]);
    expect(stagesIn(before)).toEqual(['next stage for Release r2: ship (gate "known": pass)']);
    const own = decide(DEV, [
      ["deploy", "false", "deny"],
      ["deploy", "unknown", "wait"],
      ["known", "true", "ship"],
    ]);
    expect(stagesIn(own)).toEqual(['next stage for Release r2: wait (gate "deploy": hold)']);
  });

  test("nextStage finds nothing past a gate without an outcome", () => {
    const branches = [
      { gate: "a", outcome: "fail", goto: "deny" },
      { gate: "b", outcome: "pass", goto: "ship" },
    ] as const;
    const flow = { gates: [], branches, default: "manual", warnings: [] };
    expect(nextStage(flow, { b: "pass" })).toBe(undefined);
    expect(nextStage(flow, { b: "fail" })).toBe(undefined);
    expect(nextStage(flow, { a: "hold", b: "pass" })?.stage).toBe("ship");
    expect(nextStage(flow, { a: "fail" })?.stage).toBe("deny");
  });
});

describe("what would be ignored is refused", () => {
  const requirement = { Condition: "tests_ok" };

  test.each([{ requirement }, requirement])("gates without a gate_id in a stage: %j", (gates) => {
    const files = { "s.json": stage([SHIP], { gates }) };
    const ran = runCli(["decide", "--gate-json", "s.json", "--condition", "deploy=true"], files);
    expect(ran).toMatchObject({ exit: 1, out: "" });
    expect(ran.err).toContain('E542  $.gates: a gate of a stage needs a "gate_id"');
  });

  test("--gate for a stage without rules", () => {
    const ran = runCli(["decide", "--gate-json", "s.json", "--gate", "zzz"], { "s.json": stage([SHIP]) });
    expect(ran).toMatchObject({ exit: 2, out: "" });
    expect(ran.err).toContain("remove --gate");
  });

  test("--gate for a stage with rules, when it is unknown or lends its subject to nothing", () => {
    expect(decide(RELEASE, [SHIP], "--gate", "known")).toMatchObject({ exit: 2, out: "" });
    const files = { "r.tsd": RULES, "s.json": stage([SHIP], { gates: { gate_id: "deploy", requirement } }) };
    const ran = runCli(["decide", "r.tsd", "--gate-json", "s.json", "--gate", "zzz"], files);
    expect(ran).toMatchObject({ exit: 2, out: "" });
    expect(ran.err).toContain('no gate "zzz"');
  });
});

test("a line break in a name of a document starts no line of its own", () => {
  const forged = 'x\n\ngate "deploy": pass';
  const gates = [{ gate_id: forged, requirement: { Condition: forged } }];
  const files = { "s.json": stage([[forged, "unknown", `a\nnext stage: ship`]], { gates }) };
  const { out } = runCli(["decide", "--gate-json", "s.json"], files);
  expect(out).not.toMatch(/^gate "deploy": pass/mu);
  expect(out.match(/^next stage/gmu)).toHaveLength(1);
});
