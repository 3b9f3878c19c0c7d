/** Tests why a flow is in its stage: the path, the gates as they were at each move, and why the subject stays. */
import { expect, test } from "vitest";
import { compile, type Explanation, explanationSteps, type RuleSession, type WhyFlow } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const RULES = `type Release(#id: string, ok: bool?, override: bool?)
gate "deploy" for r: Release { require r.ok }
gate "override" for r: Release { require r.override }
flow "release" for r: Release {
    stage intake { always }
    stage review { decide deploy(r) on pass goto ship on hold goto manual on fail goto deny }
    stage manual { decide override(r) on pass goto ship on fail goto deny }
    stage ship final
    stage deny final
}
`;

function open(fields: object, rules = RULES): RuleSession {
  const session = compile(rules).session();
  session.assert("Release", { id: "r-42", ...fields });
  session.run();
  return session;
}

function why(session: RuleSession): WhyFlow {
  return session.why(session.flow("release"));
}

const sentences = (told: Explanation): string[] => [...explanationSteps(told)].map((step) => step.upward_rationale);

test("a final stage names the gate and the branch that led there, with the earlier stages in order", () => {
  const told = why(open({ ok: true }));
  expect(sentences(told)).toEqual([
    'Release r-42 is in stage ship of flow "release": gate "deploy" passed in stage review, so "on pass goto ship" applied.',
    "It began in stage intake, the first stage.",
    'Stage intake has "always goto review", so it moved to stage review.',
    'In stage review, gate "deploy" passed, so "on pass goto ship" applied.',
    expect.stringMatching(/^Gate "deploy" passes for Release r-42: /u),
    "Stage ship is final, so it stays there.",
  ]);
  expect(told).toMatchObject({
    flow: "release",
    subject: "Release~r-42",
    stage: "ship",
    stays: "final",
    complete: true,
  });
  expect(told.path.map(({ stage }) => stage)).toEqual(["intake", "review", "ship"]);
});

test("a move is explained with the facts of that moment, and says what has changed since", () => {
  const session = open({ ok: true });
  session.update("Release~r-42", { ok: false });
  const told = sentences(why(session));
  expect(told[3]).toBe(
    'In stage review, gate "deploy" passed, so "on pass goto ship" applied. The facts have changed since: it fails now.',
  );
  expect(told[4]).toMatch(/ok is true/u);
});

test("a flow that no branch leads on says why it stays, with the gate of now", () => {
  const session = open({});
  const told = why(session);
  expect(told.stays).toBe("no branch");
  expect(told.upward_rationale).toBe(
    'Release r-42 stays in stage manual of flow "release": gate "override" is on hold, and no branch matches hold (E540).',
  );
  expect(told.children.at(-1)?.children[0]?.upward_rationale).toMatch(/^Gate "override" is on hold for Release r-42/u);
  session.update("Release~r-42", { override: true });
  expect(why(session)).toMatchObject({ stays: "moves" });
  expect(why(session).children.at(-1)?.upward_rationale).toBe(
    'It goes on when the session runs: "on pass goto ship" applies now.',
  );
});

test("a branch that leads back keeps the subject there", () => {
  const rules = RULES.replace("on hold goto manual", "on hold goto review");
  expect(why(open({}, rules))).toMatchObject({
    stays: "same stage",
    upward_rationale:
      'Release r-42 stays in stage review of flow "release": gate "deploy" is on hold, so "on hold goto review" keeps it there.',
  });
});

test("a stage that was left says where it went", () => {
  const session = open({});
  session.update("Release~r-42", { override: false });
  const before = session.flow("release");
  session.run();
  const told = session.why(before);
  expect(told).toMatchObject({ stays: "left", stage: "manual" });
  expect(sentences(told).at(-1)).toBe(
    'It left for stage deny: gate "override" failed in stage manual, so "on fail goto deny" applied.',
  );
  expect(sentences(told)[0]).toMatch(/^Release r-42 was in stage manual of flow "release": gate "deploy" was on hold/u);
  session.retract("Release~r-42");
  const last = why(open({ ok: false }));
  expect(last.stage).toBe("deny");
});

test("a session without a history still names the gate and the branch", () => {
  const session = compile(RULES).session({ history: 0 });
  session.assert("Release", { id: "r-42", ok: true });
  session.run();
  const told = why(session);
  expect(told).toMatchObject({ complete: false, stays: "final" });
  expect(sentences(told)).toContain("The stages before are no longer in the history.");
  expect(sentences(told)).toContain(
    'In stage review, gate "deploy" passed, so "on pass goto ship" applied. The facts of that moment are no longer known.',
  );
  const restored = compile(RULES).session({ from: open({ ok: true }).snapshot() });
  expect(restored.flow("release")).toMatchObject({
    from: "review",
    branch: "on pass",
    gate: "deploy",
    outcome: "pass",
  });
  expect(why(restored).upward_rationale).toBe(why(open({ ok: true })).upward_rationale);
});

test("a rule can match the gate and the branch", () => {
  const session = open(
    { ok: true },
    `${RULES} rule told { when f: FlowStage(from == "review", branch == "on pass", gate == "deploy", outcome == "pass") then log(f.stage) }`,
  );
  expect(session.firings("told")).toHaveLength(1);
});

test("a flow without a subject, and a gate about another fact, are named", () => {
  const alone = compile(
    "gate open { require 1 == 1 } flow way { stage a { decide open() on pass goto b } stage b final }",
  );
  const session = alone.session();
  session.run();
  expect(session.why(session.flow("way")).upward_rationale).toBe(
    'Flow "way" is in stage b: gate "open" passed in stage a, so "on pass goto b" applied.',
  );
  const other = compile(`type Team(#id: string, ready: bool) type Work(#id: string, team: Team)
    gate ready for t: Team { require t.ready }
    flow work for w: Work { stage todo { decide ready(w.team) on pass goto done } stage done final }
    Team(id: "t", ready: true) Work(id: "w", team: "Team~t")`).session();
  other.run();
  expect(other.why(other.flow("work")).upward_rationale).toBe(
    'Work w is in stage done of flow "work": gate "ready" passed for Team t in stage todo, so "on pass goto done" applied.',
  );
});

test("asking for a flow or a subject that does not exist names the nearest", () => {
  const session = open({ ok: true });
  expect(() => session.flow("relase")).toThrow(
    expect.objectContaining({ code: "E213", hint: 'did you mean "release"?' }),
  );
  expect(() => session.flow("release", "Release~r-4")).toThrow(
    expect.objectContaining({ code: "E541", hint: 'did you mean "Release~r-42"?' }),
  );
  session.assert("Release", { id: "r-43" });
  expect(() => session.flow("release", "Release~r-43")).toThrow(/has no stage in flow "release" yet/u);
  session.run();
  expect(() => session.flow("release")).toThrow(/has 2 subjects/u);
  expect(session.flows().map(({ stage }) => stage)).toEqual(["ship", "manual"]);
});

test("sluice why explains a flow, one subject of it, and its fact; sluice run shows the same", () => {
  const files = { "a.tsd": `${RULES} Release(id: "r-42", ok: true) Release(id: "r-43")` };
  const ask = (...args: readonly string[]): string => runCli(["why", "a.tsd", ...args], files).out;
  expect(ask("release")).toMatch(
    /^Flow "release" has 1 subject in stage ship, 1 in stage manual\.\n\nRelease r-42 is/u,
  );
  const one = ask("release", "--subject", "r-42");
  expect(one).toMatch(/^Release r-42 is in stage ship of flow "release": gate "deploy" passed/u);
  expect(ask("release", "--fact", "r=Release r-42")).toBe(one);
  expect(ask("FlowStage~@5")).toBe(one);
  const lines = runCli(["run", "a.tsd", "--json", "--events", "all"], files).out.trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.filter(({ event }) => event === "flow").at(-2)).toMatchObject({ stage: "ship", gate: "deploy" });
  expect(events.filter(({ of }) => of === "flow")).toHaveLength(6);
  expect(runCli(["run", "a.tsd", "--explain"], files).out).toContain(one.split("\n")[0]);
});

test("a trace reports every stage with its explanation", () => {
  const session = compile(RULES).session();
  const told: string[] = [];
  session.trace("decisions", (event) => {
    if (event.kind === "flow") told.push(event.explanation.upward_rationale);
  });
  session.assert("Release", { id: "r-42", ok: true });
  session.run();
  expect(told).toEqual([
    'Release r-42 is in stage intake of flow "release": it is the first stage.',
    'Release r-42 is in stage review of flow "release": stage intake has "always goto review".',
    'Release r-42 is in stage ship of flow "release": gate "deploy" passed in stage review, so "on pass goto ship" applied.',
  ]);
});

test("after a reload, a past move is judged by the gate of the new program, not by a copy of the old one", () => {
  const session = open({ ok: true, override: false });
  expect(sentences(why(session))[4]).toMatch(/ok is true/u);
  session.reload(compile(RULES.replace("require r.ok", "require r.override")));
  expect(sentences(why(session))[4]).toMatch(/the current ones are shown; r\.override is false/u);
});
