/** Tests explanations of gates: why a gate has its outcome, and what would open it. */
import { expect, test } from "vitest";
import { compile, explanationSteps, headline, type RuleSession } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const RULES = `
type Release(#id: string, risk: string = "low")
type TestRun(release: string, failed: number)
type Approval(release: string, who: string, ok: bool)
type Blocked(release: string)
type Note(text: string)
condition tests_ok(r: Release) : t.failed == 0 from t: TestRun(t.release == r.id)
condition approved(r: Release, who: string) : a.ok from a: Approval(a.release == r.id, a.who == who)
condition blocked(r: Release) : exists Blocked(release == r.id)
gate deploy for r: Release {
    require tests_ok(r) and any(r.risk == "low", approved(r, "boss")) and not blocked(r)
    on pass then log("go")
}
rule note { when g: GateResult(gate == "deploy", outcome == "pass") then insert Note(text: g.subject) }
`;

function opened(facts: readonly (readonly [string, Record<string, unknown>])[] = [], source = RULES): RuleSession {
  const session = compile(source).session();
  session.assert("Release", { id: "r1" });
  for (const [type, fields] of facts) session.assert(type, fields);
  return session;
}

const GREEN = ["TestRun", { release: "r1", failed: 0 }] as const;
const RED = ["TestRun", { release: "r1", failed: 2 }] as const;

test("a gate that holds names what is missing, and a leaf without evidence needs it", () => {
  const session = opened();
  const why = session.why(session.gate("deploy"));
  expect(headline(why)).toBe(
    'Gate "deploy" is on hold for Release r1: tests_ok(r) is unknown: no TestRun with release == "r1".',
  );
  expect(why).toMatchObject({ gate: "deploy", subject: "Release~r1", says: "hold", unit_id: "deploy/Release~r1" });
  expect(why.missing).toEqual([{ text: "tests_ok(r)", needs: 'no TestRun with release == "r1"' }]);
  const decisions = [...explanationSteps(why)].map(({ decision, method }) => [decision, method]);
  expect(decisions).toEqual([
    ["decompose", undefined],
    ["single_need", undefined],
    ["decompose", undefined],
    ["direct_method", "=="],
    ["single_need", undefined],
    ["decompose", undefined],
    ["direct_method", "blocked"],
  ]);
});

test("a gate that fails names the leaves that close it, with their values", () => {
  const session = opened([RED, ["Blocked", { release: "r1" }]]);
  expect(headline(session.why(session.gate("deploy")))).toBe(
    'Gate "deploy" fails for Release r1: tests_ok(r) does not hold: failed is 2 (TestRun #1); blocked(r) holds: Blocked #1 exists, which not blocked(r) rules out.',
  );
});

test("evidence that disagrees was tested, and is told with each value", () => {
  const session = opened([GREEN, RED]);
  const [leaf] = session.why(session.gate("deploy")).children;
  expect(leaf).toMatchObject({ decision: "direct_method", method: "tests_ok", outcome: "unknown" });
  expect(leaf?.observation).toBe(
    "failed is 0 (TestRun #1), failed is 2 (TestRun #2), evidence disagrees: TestRun #1 says true, TestRun #2 says false",
  );
});

test("with logic bochvar one part that is unknown leaves the whole unknown, and the words say why", () => {
  const session = opened([GREEN], RULES.replace("require", "logic bochvar require"));
  expect(headline(session.why(session.gate("deploy")))).toContain('approved(r, "boss") is unknown');
  const any = session.why(session.gate("deploy")).children[1];
  expect(any?.outcome).toBe("unknown");
  expect(any?.upward_rationale).toContain("under Bochvar logic any unknown part makes the whole unknown");
});

test("the fact of a result asks its gate; so does an answer of a run, and where a fact comes from", () => {
  const session = opened([GREEN]);
  const result = session.run();
  const [fact] = session.facts("GateResult");
  const [answer] = result.gates;
  if (fact === undefined || answer === undefined) return expect.unreachable("there is a result");
  const passes = /^Gate "deploy" passes for Release r1: tests_ok\(r\) holds: failed is 0 \(TestRun #1\)/u;
  for (const asked of [fact, fact.id, answer]) expect(headline(session.why(asked))).toMatch(passes);
  const all = [...explanationSteps(session.why("Note~@1"))].map(headline);
  expect(all.filter((words) => passes.test(words))).toHaveLength(1);
});

test("the firing of a reaction is explained by its gate", () => {
  const session = opened([GREEN]);
  const reaction = session.run().fired.find(({ rule }) => rule === 'gate "deploy" on pass');
  if (reaction === undefined) return expect.unreachable("the reaction fired");
  const why = session.why(reaction);
  expect(headline(why)).toBe(
    `Gate "deploy" said pass for Release r1, so its "on pass" happened (firing ${reaction.n}).`,
  );
  expect(why.children.map(headline)).toEqual([expect.stringMatching(/^Gate "deploy" passes/u)]);
});

test("what was said before the facts changed is told so", () => {
  const session = opened([GREEN]);
  const [answer] = session.run().gates;
  session.update("TestRun~@1", { failed: 1 });
  if (answer === undefined) return expect.unreachable("there is an answer");
  const words = headline(session.why(answer));
  expect(words).toMatch(/^Gate "deploy" passes for Release r1: the facts have changed since/u);
  expect(headline(session.why("GateResult~@1"))).toBe(words);
});

test("what a rule asked with decide is explained as it was", () => {
  const source = `${RULES} rule ask { when t: TestRun r: Release(r.id == t.release) then decide deploy(r) }`;
  const session = opened([RED], source);
  const [decision] = session.run().decisions;
  session.update("TestRun~@1", { failed: 0 });
  if (decision === undefined || !("gate" in decision)) return expect.unreachable("there is a decision of the gate");
  expect(headline(session.why(decision))).toContain("failed is 2 (TestRun #1)");
});

test("a gate opens with new evidence, another value, or a fact less; the smallest change is told", () => {
  expect(opened().wouldOpen("deploy")).toEqual([
    {
      words: 'add TestRun(release: "r1", failed: 0)',
      edits: [{ op: "assert", type: "TestRun", fields: { release: "r1", failed: 0 } }],
    },
  ]);
  expect(
    opened([RED])
      .wouldOpen("deploy")
      .map(({ words }) => words),
  ).toEqual(["replace TestRun #1 (failed: 2) with one that has failed: 0"]);
  expect(opened([GREEN, ["Blocked", { release: "r1" }]]).wouldOpen("deploy")[0]?.words).toBe("remove Blocked #1");
  expect(opened([GREEN]).wouldOpen("deploy")).toEqual([]);
});

test("changes that only work together are told together", () => {
  const session = opened([RED, ["Blocked", { release: "r1" }]]);
  session.update("Release~r1", { risk: "high" });
  expect(session.wouldOpen("deploy", "Release~r1")[0]?.words).toBe(
    'replace TestRun #1 (failed: 2) with one that has failed: 0, and add Approval(release: "r1", who: "boss", ok: true), and remove Blocked #1',
  );
});

test("in a large session changes are tried with the facts that the gate looks at, and work with all of them", () => {
  const session = opened([RED, ["Blocked", { release: "r1" }]]);
  for (let n = 0; n < 2_500; n++) session.assert("TestRun", { release: `other ${n}`, failed: 0 });
  const [remedy, ...more] = session.wouldOpen("deploy");
  expect(more).toEqual([]);
  expect(remedy?.words).toBe("replace TestRun #1 (failed: 2) with one that has failed: 0, and remove Blocked #1");
  session.update("TestRun~@1", { failed: 0 });
  session.retract("Blocked~@1");
  expect(session.gate("deploy").outcome).toBe("pass");
});

test("with Bochvar's logic every unknown part is made known", () => {
  const session = compile(`type S(#id: string, ok: bool) type E(s: string, who: string, n: number) S(id: "a", ok: true)
    condition seen(x: S, who: string) : e.n > 2 from e: E(e.s == x.id, e.who == who)
    gate "g" for x: S { logic bochvar require any(x.ok, seen(x, "ann"), seen(x, "bob")) }`).session();
  expect(session.wouldOpen("g")[0]?.words).toBe('add E(s: "a", who: "ann", n: 3), and add E(s: "a", who: "bob", n: 3)');
});

test("a gate that no fact can open has no remedy", () => {
  const session = compile("type A(n: number) gate shut { require 1 == 2 }").session();
  expect(session.wouldOpen("shut")).toEqual([]);
});

const FACTS = `${RULES} Release(id: "r1") Release(id: "r2") TestRun(release: "r2", failed: 0)`;

test("never relabels the subject, nor the facts that are asked about: what looks up evidence stays", () => {
  const session = compile(`type S(#id: string, team: string)
type Member(#id: string, team: string, lead: string)
type Vote(who: string, ok: bool)
condition voted(who: string) : v.ok from v: Vote(v.who == who)
gate g for s: S { require at least 1 of all m: Member(m.team == s.team) : voted(m.lead) }
S("s", "a")
Member("m1", "a", "ann")
Member("m2", "b", "bob")
Vote("ann", false)
Vote("bob", true)`).session();
  const remedies = session.wouldOpen("g");
  expect(remedies.map(({ words }) => words)).toContain("change ok of Vote #1 from false to true");
  expect(JSON.stringify(remedies)).not.toMatch(/"field":"(?:team|lead)"/u);
});

test("sluice why tells of all subjects of a gate, the sum first", () => {
  const { out, exit } = runCli(["why", "a.tsd", "deploy"], { "a.tsd": FACTS });
  expect(exit).toBe(0);
  expect(out).toMatch(/^Gate "deploy" passes for 1 subject, is on hold for 1 subject\.\n\nGate "deploy" is on hold/u);
  expect(out).toContain('What would open it\n  add TestRun(release: "r1", failed: 0)\n');
});

test("sluice why --json has what is missing and what would open it", () => {
  const { out } = runCli(["why", "a.tsd", "deploy", "--subject", "r1", "--json"], { "a.tsd": FACTS });
  const { explanation } = JSON.parse(out) as { explanation: Record<string, unknown> };
  expect(explanation).toMatchObject({ gate: "deploy", subject: "Release~r1", says: "hold" });
  expect(explanation["opening"]).toMatchObject([{ words: 'add TestRun(release: "r1", failed: 0)' }]);
});

test("wrong questions about gates are told", () => {
  const ask = (...args: readonly string[]): string => runCli(["why", "a.tsd", ...args], { "a.tsd": FACTS }).err;
  expect(ask("deploy", "--subject", "r9")).toContain('"r9" is not a subject of gate "deploy"');
  expect(ask("note", "--subject", "r1")).toContain('no gate, guardian, pipeline or flow "note"');
  expect(ask("deploy", "--fact", "x=Release~r1")).toContain('gate "deploy" has no variable "x"');
  const empty = runCli(["why", "a.tsd", "deploy"], { "a.tsd": RULES });
  expect(empty.out).toBe('Gate "deploy" is on hold: there is no subject to decide about.\n');
});

test("a headline under bochvar logic keeps the note, and counts only the parts", () => {
  const quorum = 'logic bochvar require at least 2 of (r.risk == "low", approved(r, "bob"), approved(r, "carol"))';
  const session = opened([], RULES.replace(/require .*/u, quorum));
  expect(headline(session.why(session.gate("deploy")))).toBe(
    'Gate "deploy" is on hold for Release r1: approved(r, "bob") is unknown: no Approval with release == "r1" and who == "bob"; and 1 more part; Bochvar logic makes it unknown.',
  );
});
