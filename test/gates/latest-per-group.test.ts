/** Tests `from every latest … by … per …`: the newest fact of each group counts. */
import { describe, expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

function checks(
  mode: string,
  ...runs: readonly (readonly [name: string | undefined, at: unknown, ok: unknown])[]
): RuleSession {
  const session = compile(`type Pull(#id: string)
    type CheckRun(#id: number, pull: string, name: string?, ok: bool?, at: any?)
    condition green(p: Pull) : c.ok from ${mode} c: CheckRun(c.pull == p.id) by c.at per c.name
    gate "merge" for p: Pull { require green(p) }`).session();
  session.assert("Pull", { id: "p1" });
  for (const [id, [name, at, ok]] of runs.entries()) session.assert("CheckRun", { id, pull: "p1", name, at, ok });
  return session;
}
const outcome = (session: RuleSession): string => session.gate("merge", "Pull~p1").outcome;
const reason = (session: RuleSession): string => {
  const { tree } = session.gate("merge", "Pull~p1");
  return tree.kind === "leaf" ? tree.reason : "";
};

describe("the newest of each group", () => {
  test.each([
    [
      "a repeated check",
      [
        ["lint", 1, false],
        ["lint", 2, true],
        ["unit", 1, true],
      ],
      "pass",
      "pass",
      "pass",
    ],
    [
      "a check that fails now",
      [
        ["lint", 1, true],
        ["lint", 2, false],
        ["unit", 1, true],
      ],
      "fail",
      "pass",
      "hold",
    ],
    ["nothing", [], "hold", "hold", "hold"],
    [
      "all fail",
      [
        ["lint", 1, false],
        ["unit", 1, false],
      ],
      "fail",
      "fail",
      "fail",
    ],
    [
      "one unknown",
      [
        ["lint", 1, undefined],
        ["unit", 1, true],
      ],
      "hold",
      "pass",
      "hold",
    ],
    [
      "one unknown, one fails",
      [
        ["lint", 1, undefined],
        ["unit", 1, false],
      ],
      "fail",
      "hold",
      "hold",
    ],
    [
      "an equally new one disagrees",
      [
        ["lint", 1, true],
        ["lint", 1, false],
        ["unit", 1, true],
      ],
      "hold",
      "pass",
      "hold",
    ],
    [
      "one that cannot be ordered",
      [
        ["lint", 1, true],
        ["lint", undefined, true],
        ["unit", 1, false],
      ],
      "fail",
      "hold",
      "hold",
    ],
    [
      "one without a group",
      [
        ["lint", 1, false],
        [undefined, 2, true],
      ],
      "hold",
      "hold",
      "hold",
    ],
  ] as const)("%s", (_, runs, every, any, agree) => {
    expect(outcome(checks("every latest", ...runs))).toBe(every);
    expect(outcome(checks("any latest", ...runs))).toBe(any);
    expect(outcome(checks("latest", ...runs))).toBe(agree);
  });

  test("follows every change", () => {
    const session = checks("every latest", ["lint", 1, false], ["unit", 1, true]);
    expect(outcome(session)).toBe("fail");
    session.assert("CheckRun", { id: 7, pull: "p1", name: "lint", at: 2, ok: true });
    expect(outcome(session)).toBe("pass");
    session.update("CheckRun~7", { name: "unit" });
    expect(outcome(session)).toBe("fail");
    session.retract("CheckRun~0");
    expect(outcome(session)).toBe("pass");
    session.update("CheckRun~7", { ok: false });
    expect(outcome(session)).toBe("fail");
    session.retract("CheckRun~7");
    expect(outcome(session)).toBe("pass");
  });

  test("the reason names the facts that decide", () => {
    expect(reason(checks("every latest", ["lint", 1, true], ["lint", 2, false], ["unit", 1, true]))).toBe(
      'ok is false, at is 2, name is "lint" (CheckRun 1)',
    );
    expect(reason(checks("every latest", [undefined, 1, true]))).toBe(
      "CheckRun 0 cannot be grouped, so the newest of each group is unknown",
    );
    expect(reason(checks("every latest", ["lint", undefined, true]))).toBe(
      "CheckRun 0 cannot be ordered, so the newest is unknown",
    );
    const { tree } = checks("every latest", ["lint", 1, true], ["lint", 2, true]).gate("merge", "Pull~p1");
    expect(tree).toMatchObject({ evidence: [{ counts: false, note: "not the newest" }, { counts: true }] });
  });
});
