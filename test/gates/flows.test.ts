/** Tests flows: stages, branches, the fact that holds the stage, and a flow in which no branch matches. */
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

const TYPES = `
type Release(#id: string, ok: bool?, override: bool?)
action said(stage: string)
gate "deploy" for r: Release { require r.ok }
gate "override" for r: Release { require r.override }
rule stages { when f: FlowStage(flow == "release") then said(f.stage) }
`;

const FLOW = `flow "release" for r: Release {
    stage intake { always }
    stage review { decide deploy(r) on pass goto ship on hold goto manual on fail goto deny }
    stage manual { decide override(r) on pass goto ship otherwise goto deny }
    stage ship { always goto done }
    stage done final
    stage deny final
}`;

function open(fields: object, flow = FLOW): RuleSession {
  const session = compile(`${TYPES} ${flow}`).session();
  session.assert("Release", { id: "r1", ...fields });
  return session;
}

function stages(session: RuleSession): unknown[] {
  return session.run().effects.map(({ args }) => args[0]);
}

test.each([
  [{ ok: true }, ["intake", "review", "ship", "done"]],
  [{ ok: false }, ["intake", "review", "deny"]],
  [{ override: true }, ["intake", "review", "manual", "ship", "done"]],
  [{}, ["intake", "review", "manual", "deny"]],
])("a release with %j goes through %j, and rules see every stage", (fields, expected) => {
  const session = open(fields);
  expect(stages(session)).toEqual(expected);
  expect(stages(session)).toEqual([]);
  const [stage] = session.facts("FlowStage");
  expect(stage?.fields).toMatchObject({
    flow: "release",
    subject: "Release~r1",
    stage: expected.at(-1),
    from: expected.at(-2),
  });
});

test("a final stage is left by nothing", () => {
  const session = open({ ok: false });
  session.run();
  session.update("Release~r1", { ok: true });
  expect(stages(session)).toEqual([]);
});

test("what a rule does about a stage counts for the next decision", () => {
  const session = open(
    {},
    `${FLOW} rule help { when f: FlowStage(stage == "manual") r: Release(override is missing) then r.override = true }`,
  );
  expect(stages(session).at(-1)).toBe("done");
});

test("without a branch that fits, the flow stays, says so after every run, and goes on when it can", () => {
  const session = open(
    {},
    `flow "release" for r: Release {
    stage review { decide deploy(r) on pass goto ship on fail goto deny }
    stage ship final
    stage deny final
  }`,
  );
  const problem = { code: "E540", flow: "release", subject: "Release~r1", stage: "review", outcome: "hold" };
  for (let run = 0; run < 2; run++) {
    const { problems = [] } = session.run();
    expect(problems).toMatchObject([problem]);
    expect(problems[0]?.message).toMatch(/^flow "release" is stuck in stage/u);
    expect(session.facts("FlowStage")[0]?.fields["stage"]).toBe("review");
  }
  session.update("Release~r1", { ok: true });
  expect(session.run().problems).toBe(undefined);
  expect(session.facts("FlowStage")[0]?.fields["stage"]).toBe("ship");
});

test("the first branch that fits is taken", () => {
  const session = open(
    { ok: true },
    `flow "release" for r: Release {
    stage review { decide deploy(r) otherwise goto deny on pass goto ship }
    stage ship final
    stage deny final
  }`,
  );
  expect(stages(session)).toEqual(["review", "deny"]);
});

test("stages that form a loop end the run with an error", () => {
  const session = open({}, `flow "release" for r: Release { stage a { always goto b } stage b { always goto a } }`);
  expect(() => session.run({ limit: 50 })).toThrow(/stopped at the limit of 50 firings/u);
  const silent = compile(
    "type B(#id: number) flow f for b: B { stage a { always goto b } stage b { always goto a } } B(1)",
  );
  expect(() => silent.session().run()).toThrow(/does not settle: flow "f"/u);
});

test("a subject that goes takes its stage with it", () => {
  const session = open({ ok: true });
  session.run();
  session.retract("Release~r1");
  session.run();
  expect(session.facts()).toEqual([]);
});

test("without a subject there is one flow", () => {
  const session = compile(
    `gate open { require 1 == 1 } flow way { stage a { decide open() on pass goto b } stage b final }`,
  ).session();
  session.run();
  expect(session.facts("FlowStage").map(({ fields }) => fields)).toEqual([
    { flow: "way", stage: "b", from: "a", branch: "on pass", gate: "open", outcome: "pass" },
  ]);
});

test("a restored session is in the same stage, and a reload keeps it while the stage exists", () => {
  const session = open(
    {},
    `flow "release" for r: Release {
    stage review { decide deploy(r) on pass goto ship on hold goto wait on fail goto deny }
    stage wait { decide deploy(r) on pass goto ship on fail goto deny }
    stage ship final
    stage deny final
  }`,
  );
  session.run();
  const program = session.program;
  const restored = program.session({ from: JSON.parse(JSON.stringify(session.snapshot())) });
  restored.update("Release~r1", { ok: true });
  expect(stages(restored)).toEqual(["ship"]);
  session.reload(
    compile(
      `${TYPES} flow "release" for r: Release { stage first { decide deploy(r) on pass goto ship } stage ship final }`,
    ),
  );
  session.run();
  expect(session.facts("FlowStage").map(({ fields }) => fields["stage"])).toEqual(["first"]);
  session.reload(compile(TYPES));
  session.run();
  expect(session.facts("FlowStage")).toEqual([]);
});

test("somebody who went and came again between two runs begins anew", () => {
  const session = open({ ok: true });
  expect(stages(session)).toEqual(["intake", "review", "ship", "done"]);
  session.retract("Release~r1");
  session.assert("Release", { id: "r1", ok: false });
  expect(stages(session)).toEqual(["intake", "review", "deny"]);
  expect(session.facts("FlowStage")).toHaveLength(1);
});

test("a session that goes on from a snapshot stays in its stage, and sees who comes again after it", () => {
  const program = compile(`${TYPES} ${FLOW}`);
  const first = program.session();
  first.assert("Release", { id: "r1", ok: true });
  first.run();
  for (const before of [() => [], stages]) {
    const session = program.session({ from: first.snapshot() });
    session.update("Release~r1", { ok: false });
    expect(before(session)).toEqual([]);
    expect(session.facts("FlowStage")[0]?.fields["stage"]).toBe("done");
    session.retract("Release~r1");
    session.assert("Release", { id: "r1", ok: false });
    expect(stages(session)).toEqual(["intake", "review", "deny"]);
  }
});

test("whoever is not a subject of the gate is held, not refused", () => {
  const session = compile(`${TYPES}
    gate "urgent" for r: Release(r.override == true) { require r.ok }
    flow "release" for r: Release {
      stage review { decide urgent(r) on pass goto ship on fail goto deny on hold goto wait }
      stage ship final
      stage deny final
      stage wait final
    }`).session();
  session.assert("Release", { id: "r1", ok: true });
  expect(stages(session)).toEqual(["review", "wait"]);
});
