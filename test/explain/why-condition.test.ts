/** Explanations of conditions inside tests: the inside of the condition, its evidence, and suggestions that reach it. */
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";
import { headline, textTree } from "../../src/tools.ts";

const PROGRAM = compile(`
type Release(#id: string, env: string)
type TestRun(#id: string, release: string, failed: number?)
type Approval(#id: string, release: string, by: string, ok: bool)
type Blocked(release: string)
condition tests_ok(r: Release) : t.failed == 0 from t: TestRun(t.release == r.id)
condition approved(r: Release, who: string) : a.ok from a: Approval(a.release == r.id, a.by == who)
condition ready(r: Release) : r.env == "production" and tests_ok(r) and not exists Blocked(release == r.id)
rule "ship" { when r: Release where ready(r) and approved(r, "alice") then log(r.id) }
gate "deploy" for r: Release { require ready(r) }
`);

function sessionWith(...runs: { id: string; failed?: number }[]): RuleSession {
  const session = PROGRAM.session();
  session.assert("Release", { id: "r1", env: "production" });
  for (const run of runs) session.assert("TestRun", { release: "r1", ...run });
  return session;
}

test("a rule that does not fire says what is missing inside the condition, and a suggestion supplies it", () => {
  const session = sessionWith({ id: "t1", failed: 0 });
  const explanation = session.whyNot("ship", { r: "Release~r1" });
  const { remedies } = explanation;
  expect(headline(explanation)).toBe(
    '"ship" does not fire for r = Release r1: there are no Approval facts, so approved(r, "alice") is unknown.',
  );
  expect(remedies[0]?.words).toMatch(/^add Approval\(.*release: "r1", by: "alice", ok: true\)$/u);
});

test("a condition that is false names the fact of its evidence", () => {
  const session = sessionWith({ id: "t1", failed: 3 });
  const explanation = session.whyNot("ship", { r: "Release~r1" });
  const { remedies } = explanation;
  expect(textTree(explanation)).toContain("✗ for TestRun t1, t.failed is 3, so tests_ok(r) does not hold.");
  expect(remedies[0]?.words).toMatch(/^change failed of TestRun t1 from 3 to 0, and add Approval/u);
  session.assert("Approval", { id: "a1", release: "r1", by: "alice", ok: true });
  const [remedy] = session.whyNot("ship", { r: "Release~r1" }).remedies;
  expect(remedy?.words).toBe("change failed of TestRun t1 from 3 to 0");
});

test("evidence that disagrees is listed", () => {
  const session = sessionWith({ id: "t1", failed: 3 }, { id: "t2", failed: 0 });
  expect(textTree(session.whyNot("ship", { r: "Release~r1" }))).toContain(
    "? the evidence disagrees: TestRun t1 is false, TestRun t2 is true, so tests_ok(r) is unknown.",
  );
});

test("a firing explains the inside of its conditions", () => {
  const session = sessionWith({ id: "t1", failed: 0 });
  session.assert("Approval", { id: "a1", release: "r1", by: "alice", ok: true });
  const [tree = ""] = session.run().fired.map((fired) => textTree(session.why(fired)));
  expect(tree).toContain("✓ for TestRun t1, t.failed is 0, so tests_ok(r) holds.");
  expect(tree).toContain('✓ for Approval a1, a.ok is true, so approved(r, "alice") holds.');
});

test("a gate says which condition inside its leaf is unknown", () => {
  const session = sessionWith();
  expect(session.gate("deploy", "Release~r1").outcome).toBe("hold");
  expect(textTree(session.why(session.gate("deploy", "Release~r1")))).toContain(
    "tests_ok(r) is unknown: there is no evidence",
  );
  const other = sessionWith({ id: "t1" });
  expect(textTree(other.why(other.gate("deploy", "Release~r1")))).toContain("tests_ok(r) is unknown");
});
