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

describe("a call that is asked in several places", () => {
  const TYPES = `
    type Person(#id: string, lead: bool)
    type Pr(#id: string, author: Person)
    type Review(pr: Pr, by: Person, ok: bool)
    condition approved(pr: Pr, p: Person) : r.ok from r: Review(r.pr == pr, r.by == p)
    condition reviewed(pr: Pr, who: string) : r.ok from any r: Review(r.pr == pr, r.by.id == who)
  `;
  /** What is missing for a change of ann: `leads` are leads, the others are not. */
  function missingOf(requirement: string, people: readonly string[], leads: readonly string[]): string[] {
    const session = compile(`${TYPES} gate g for pr: Pr { require ${requirement} }`).session();
    for (const id of people) session.assert("Person", { id, lead: leads.includes(id) });
    session.assert("Pr", { id: "1", author: "Person~ann" });
    session.run();
    return session.gate("g", "Pr~1").missing.map(({ text, needs }) => (needs.startsWith("needs") ? needs : text));
  }
  const approvals = (...people: string[]): string[] => people.map((id) => `approved(pr, p) for Person ${id}`);
  const TWO = "at least 2 of p: Person(p != pr.author) : approved(pr, p)";
  const LEAD = "at least 1 of p: Person(p.lead) : approved(pr, p)";
  const TEAM = ["ann", "bob", "cleo", "dan"];

  test.each([
    ["open", `${TWO} and ${LEAD}`],
    ["closed", `${TWO} and ${LEAD}`.replaceAll(" of p:", " of all p:")],
  ])("is missing once, and counts in both quorums: %s", (_, requirement) => {
    expect(missingOf(requirement, TEAM, ["dan"])).toEqual(approvals("bob", "dan"));
    expect(missingOf(requirement, TEAM, ["bob", "cleo"])).toEqual(approvals("bob", "dan"));
    expect(missingOf(requirement, TEAM, ["ann"])).toEqual(approvals("bob", "cleo", "ann"));
  });

  test("is missing once beside the same call with a constant, and beside another condition twice", () => {
    const all = "at least 2 of p: Person(p != pr.author) : reviewed(pr, p.id)";
    expect(missingOf(`reviewed(pr, "dan") and ${all}`, TEAM, [])).toEqual([
      'reviewed(pr, "dan")',
      "reviewed(pr, p.id) for Person bob",
    ]);
    expect(missingOf(`reviewed(pr, "dan") and ${LEAD}`, TEAM, ["dan"])).toEqual([
      'reviewed(pr, "dan")',
      ...approvals("dan"),
    ]);
  });

  test("the facts that a population still lacks are counted beside its members", () => {
    const four = "at least 4 of p: Person(p != pr.author) : approved(pr, p)";
    expect(missingOf(`${four} and ${LEAD}`, ["ann", "bob", "cleo"], ["cleo"])).toEqual([
      ...approvals("bob", "cleo"),
      expect.stringContaining("needs 2 more Person"),
    ]);
  });

  test("many people in both quorums do not make the list longer", () => {
    const people = Array.from({ length: 400 }, (_, index) => `p${index}`);
    expect(missingOf(`${TWO} and ${LEAD}`, people, people)).toEqual(approvals("p0", "p1"));
    expect(missingOf(`${TWO} and not (${LEAD.replace(" of p", " of all p")})`, people, ["p0", "p1"])).toEqual(
      approvals("p0", "p1", "p2", "p3"),
    );
  });
});
