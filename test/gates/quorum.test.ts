/** Tests quorums over facts: open populations, to which facts may still come, closed ones, and conditions about each fact. */
import { describe, expect, test } from "vitest";
import { compile, type GateTree, type RuleSession } from "../../src/index.ts";

const TYPES = `
type Release(#id: string, team: string)
type Reviewer(#id: string, team: string, senior: bool?)
type Approval(#release: string, #who: string, ok: bool?)
condition approved(r: Release, who: string) : a.ok from a: Approval(a.release == r.id, a.who == who)
`;

function gateOf(requirement: string, settings = ""): RuleSession {
  const session = compile(`${TYPES} gate "g" for r: Release { ${settings} require ${requirement} }`).session();
  session.assert("Release", { id: "r1", team: "core" });
  return session;
}

const votes = (session: RuleSession, ...oks: (boolean | undefined)[]): void => {
  for (const [index, ok] of oks.entries()) session.assert("Approval", { release: "r1", who: `p${index}`, ok });
};
const outcome = (session: RuleSession): string => session.gate("g", "Release~r1").outcome;
const treeOf = (session: RuleSession): GateTree => session.gate("g", "Release~r1").tree;
const shown = (tree: GateTree): string[] =>
  tree.kind === "leaf" ? [`${tree.value} ${tree.text}`] : [`${tree.value} ${tree.kind}`, ...tree.items.flatMap(shown)];

const OPEN = "at least 2 of a: Approval(a.release == r.id) : a.ok";
const CLOSED = "at least 2 of all a: Approval(a.release == r.id) : a.ok";

describe("votes that arrive one by one", () => {
  test.each([
    ["no vote", [], "hold", "hold"],
    ["one vote", [true], "hold", "fail"],
    ["one against", [false], "hold", "fail"],
    ["three against", [false, false, false], "hold", "fail"],
    ["one and one unknown", [true, undefined], "hold", "hold"],
    ["two", [true, true], "pass", "pass"],
    ["two and one against", [true, true, false], "pass", "pass"],
    ["two and one unknown", [true, true, undefined], "pass", "pass"],
  ] as const)("%s", (_, oks, open, closed) => {
    for (const [requirement, expected] of [
      [OPEN, open],
      [CLOSED, closed],
    ] as const) {
      const session = gateOf(requirement);
      votes(session, ...oks);
      expect(outcome(session)).toBe(expected);
    }
  });

  test.each([
    ["an open", OPEN],
    ["a closed", CLOSED],
  ])("with logic bochvar any unknown vote makes %s quorum unknown", (_, requirement) => {
    const session = gateOf(requirement, "logic bochvar");
    votes(session, true, true, undefined);
    expect(outcome(session)).toBe("hold");
    session.update("Approval~r1_p2", { ok: false });
    expect(outcome(session)).toBe("pass");
  });

  test("what is missing is counted, and the reason says that more may come", () => {
    const session = gateOf(OPEN);
    expect(session.gate("g", "Release~r1").missing).toEqual([
      { text: OPEN, needs: 'needs 2 more Approval with release == "r1" and ok == true' },
    ]);
    votes(session, true, false);
    const answer = session.gate("g", "Release~r1");
    expect(answer.missing).toEqual([
      { text: OPEN, needs: 'needs 1 more Approval with release == "r1" and ok == true' },
    ]);
    expect(answer.tree).toMatchObject({
      reason: "1 of the 2 needed (Approval r1/p0); further Approval facts may come",
    });
  });

  test("what would open it is one more vote", () => {
    const session = gateOf(OPEN);
    votes(session, true);
    const opening = session.wouldOpen("g", "Release~r1").flatMap(({ edits }) => edits);
    expect(opening).toMatchObject([{ op: "assert", type: "Approval", fields: { release: "r1", ok: true } }]);
  });

  test("an open quorum below not is never true: nothing is said to be missing", () => {
    const session = gateOf(`not ${OPEN}`);
    votes(session, false, false);
    expect(session.gate("g", "Release~r1")).toMatchObject({ outcome: "hold", missing: [] });
    const closed = gateOf(`not ${CLOSED}`);
    votes(closed, false, false);
    expect(outcome(closed)).toBe("pass");
  });
});

describe("a condition about each fact", () => {
  const TEAM = "at least 2 of all v: Reviewer(v.team == r.team) : approved(r, v.id)";
  const withTeam = (requirement: string, settings = ""): RuleSession => {
    const session = gateOf(requirement, settings);
    for (const id of ["alice", "bob", "carol"]) session.assert("Reviewer", { id, team: "core" });
    session.assert("Reviewer", { id: "dan", team: "web" });
    return session;
  };
  const vote = (session: RuleSession, who: string, ok: boolean): void => {
    session.assert("Approval", { release: "r1", who, ok });
  };

  test("is a leaf for each of them, with its own evidence", () => {
    const session = withTeam(TEAM);
    vote(session, "alice", true);
    vote(session, "dan", true);
    expect(shown(treeOf(session))).toEqual([
      "unknown at least",
      "true approved(r, v.id) for Reviewer alice",
      "unknown approved(r, v.id) for Reviewer bob",
      "unknown approved(r, v.id) for Reviewer carol",
    ]);
    expect(treeOf(session)).toMatchObject({
      min: 2,
      items: [
        { member: "Reviewer~alice", evidence: [{ id: "Approval~r1_alice", values: { ok: true } }] },
        { member: "Reviewer~bob", reason: 'no Approval with release == "r1" and who == "bob"', evidence: [] },
        { member: "Reviewer~carol" },
      ],
    });
    expect(session.gate("g", "Release~r1").missing).toEqual([
      {
        text: "approved(r, v.id) for Reviewer bob",
        needs: 'no Approval with release == "r1" and who == "bob"',
      },
    ]);
    expect(session.why(session.gate("g", "Release~r1")).children).toHaveLength(3);
    expect(session.wouldOpen("g", "Release~r1").map(({ words }) => words)).toContain(
      'add Approval(release: "r1", who: "bob", ok: true)',
    );
  });

  test("fails as soon as the closed population cannot reach the number, and follows every change", () => {
    const session = withTeam(TEAM);
    vote(session, "alice", false);
    expect(outcome(session)).toBe("hold");
    vote(session, "bob", false);
    expect(outcome(session)).toBe("fail");
    session.update("Reviewer~dan", { team: "core" });
    expect(outcome(session)).toBe("hold");
    vote(session, "carol", true);
    vote(session, "dan", true);
    expect(outcome(session)).toBe("pass");
    session.update("Reviewer~carol", { team: "web" });
    expect(outcome(session)).toBe("fail");
    session.update("Release~r1", { team: "web" });
    expect(outcome(session)).toBe("fail");
    session.update("Reviewer~dan", { team: "web" });
    expect(outcome(session)).toBe("pass");
    session.retract("Approval~r1_dan");
    expect(outcome(session)).toBe("hold");
  });

  test("without a member nothing can be counted: the gate holds and names what was looked for", () => {
    const session = gateOf(TEAM);
    expect(session.gate("g", "Release~r1")).toMatchObject({
      outcome: "hold",
      missing: [{ text: TEAM, needs: 'no Reviewer with team == "core"' }],
    });
  });

  test("an open population waits for further members, after those that are there", () => {
    const session = withTeam("at least 4 of v: Reviewer(v.team == r.team) : approved(r, v.id)");
    vote(session, "alice", true);
    vote(session, "bob", false);
    expect(shown(treeOf(session)).at(-1)).toBe("unknown any further Reviewer");
    expect(session.gate("g", "Release~r1").missing.map(({ needs }) => needs)).toEqual([
      'no Approval with release == "r1" and who == "carol"',
      'needs 2 more Reviewer with team == "core" and approved(r, v.id)',
    ]);
  });

  test("a member for whom a test of the pattern is unknown is an unknown vote", () => {
    const session = withTeam("at least 1 of all v: Reviewer(v.team == r.team, v.senior) : approved(r, v.id)");
    session.update("Reviewer~alice", { senior: true });
    session.update("Reviewer~bob", { senior: false });
    vote(session, "alice", false);
    vote(session, "carol", true);
    expect(session.gate("g", "Release~r1")).toMatchObject({
      outcome: "hold",
      missing: [{ needs: "unclear whether Reviewer carol matches: Reviewer carol has no senior" }],
    });
    session.update("Reviewer~carol", { senior: true });
    expect(outcome(session)).toBe("pass");
  });

  test("is shared by gates that ask the same about the same facts", () => {
    const program = compile(`${TYPES}
      gate "two" for r: Release { require ${TEAM} }
      gate "three" for r: Release { require ${TEAM.replace("2", "3")} }`);
    const conditions = program.network().nodes.filter(({ kind }) => kind === "condition");
    expect(conditions.map(({ rules }) => rules.length).toSorted((a, b) => a - b)).toEqual([1, 1, 2]);
  });
});
