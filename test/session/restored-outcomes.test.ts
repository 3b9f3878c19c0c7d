/** Tests that gates, flows, guardians and pipelines of a restored session go on as in the live one, with the same keys of effects. */
import { expect, test } from "vitest";
import { compile, type Program, type RunResult, type Session } from "../../src/index.ts";
import { asVersion1, throughJson } from "../support/snapshots.ts";

const GATES = compile(`
  type C(#id: string, v: number = 0)
  action tell(id: string, outcome: string)
  condition above(c: C) : c.v > 0
  gate "g" for c: C { require above(c) on pass then tell("pass", c.id) }
  rule "reads" { when r: GateResult(gate == "g") then tell(r.subject, r.outcome) }
  rule "none" { when not GateResult(subject == "C~C1") then tell("none", "") }`);

/** What a run did, as far as the host sees it. */
function seen({ effects, fired, decisions }: RunResult): unknown {
  return {
    effects: effects.map(({ action, args, key }) => ({ action, args, key })),
    fired: fired.map(({ rule, bindings }) => ({ rule, bindings })),
    decisions,
  };
}

/** Makes a change in a session and in one restored from its snapshot, runs both, and expects that they do the same. */
function expectSame(program: Program, session: Session, change: (session: Session) => void): RunResult {
  const from = throughJson(session.snapshot());
  const restored = program.session({ now: () => 0, from });
  for (const one of [session, restored]) change(one);
  const live = session.run();
  expect(seen(restored.run())).toEqual(seen(live));
  expect(restored.facts()).toEqual(session.facts());
  return live;
}

function twoSubjects(): Session {
  const session = GATES.session({ now: () => 0 });
  session.assert("C", { id: "C1", v: 1 });
  session.assert("C", { id: "C2" });
  session.run();
  return session;
}

test("a subject that went before the snapshot is judged first, as in the live session", () => {
  const session = twoSubjects();
  session.update("C~C2", { v: 1 });
  session.retract("C~C1");
  const { effects } = expectSame(GATES, session, () => undefined);
  expect(effects.length).toBeGreaterThan(0);
});

test("subjects that went before and after the snapshot are judged in the order in which they changed", () => {
  const session = twoSubjects();
  session.update("C~C2", { v: 1 });
  session.retract("C~C1");
  expectSame(GATES, session, (one) => one.retract("C~C2"));
});

test("a subject that went and came again around the snapshot is a new one: it has a new result", () => {
  const session = twoSubjects();
  session.retract("C~C1");
  const { effects } = expectSame(GATES, session, (one) => one.assert("C", { id: "C1", v: 1 }));
  expect(effects.map(({ args }) => args)).toContainEqual(["pass", "C1"]);
});

const GUARDED = compile(`
  type D(#id: string, ok: bool, track: string?)
  action tell(id: string, verdict: string)
  guardian "g" for d: D {
    track d.track
    check ok { forbid not d.ok as "no" do REGENERATE_DRAFT }
  }
  rule "reads" { when v: Verdict then tell(v.subject, v.verdict) }`);

test("the same holds for guardians", () => {
  const session = GUARDED.session({ now: () => 0 });
  for (const id of ["a", "b"]) session.assert("D", { id, ok: true });
  session.run();
  session.update("D~b", { ok: false });
  session.retract("D~a");
  const { effects } = expectSame(GUARDED, session, (one) => one.assert("D", { id: "a", ok: true }));
  expect(effects.map(({ args }) => args)).toEqual([
    ["D~b", "RETRY"],
    ["D~a", "PASS"],
  ]);
});

const DECIDING = compile(`
  type Q(#id: string, n: number = 0)
  pipeline "p" for q: Q { step a BLOCK "no" when q.n > 5 otherwise FORWARD "on" }`);

test("requests are decided once, before the snapshot or after it", () => {
  const session = DECIDING.session({ now: () => 0 });
  session.assert("Q", { id: "a" });
  session.run();
  session.assert("Q", { id: "b" });
  const { decisions } = expectSame(DECIDING, session, (one) => one.assert("Q", { id: "c" }));
  expect(decisions.map(({ subject }) => subject)).toEqual(["Q~b", "Q~c"]);
  expect(expectSame(DECIDING, session, () => undefined).decisions).toEqual([]);
  session.retract("Q~a");
  expect(expectSame(DECIDING, session, (one) => one.assert("Q", { id: "a", n: 6 })).decisions).toHaveLength(1);
});

test("a snapshot of an earlier release, or with another program, decides requests again", () => {
  const session = DECIDING.session({ now: () => 0 });
  session.assert("Q", { id: "a" });
  session.run();
  const from = session.snapshot();
  expect(DECIDING.session({ from: asVersion1(from) }).run().decisions).toHaveLength(1);
  expect(DECIDING.extend("type Other(n: number)").session({ from }).run().decisions).toHaveLength(1);
  expect(DECIDING.session({ from }).run().decisions).toHaveLength(0);
});
