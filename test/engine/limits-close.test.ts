/**
 * Tests that a rule that was switched off (E511) never counts in a request's favour: whatever may depend on it is unknown, and
 * says why.
 */
import { describe, expect, test, vi } from "vitest";
import { must } from "../../src/base/invariant.ts";
import type { Io } from "../../src/cli/io.ts";
import { outcomeText } from "../../src/cli/test/outcome-text.ts";
import { Assembly } from "../../src/assemble/assembly.ts";
import type { RuleInDoubt } from "../../src/assemble/uncertain-facts.ts";
import { blueprintsOf } from "../../src/engine/blueprints.ts";
import { headline } from "../../src/explain/tell/step.ts";
import { ConditionNode } from "../../src/gates/condition.ts";
import { compile, type Program, type RuleSession } from "../../src/index.ts";
import { Memory } from "../../src/session/memory.ts";
import { Shapes } from "../../src/session/admission/shapes.ts";
import { runCli, runCliAsync } from "../support/io.ts";

/** `flag` derives the fact that blocks; a flood of A and B switches it off. `carry on` carries it one rule further. */
const RULES = `
type R(#id: string)
type A(n: number)
type B(n: number)
type Flag(of: string)
type Blocked(#of: string)
rule "flag" { when r: R a: A b: B then insert Flag(of: r.id) }
rule "carry on" { when f: Flag then insert logical Blocked(of: f.of) }
gate "free" for r: R { require not exists Blocked(of == r.id) }
gate "strict" for r: R { logic bochvar require not exists Blocked(of == r.id) }
guardian "watch" for r: R {
    check blocks risk high { forbid exists Blocked(of == r.id) as "it is blocked" do SAFE_REFUSAL }
}
pipeline "way" for r: R {
    step blocks BLOCK "blocked" when exists Blocked(of == r.id)
    otherwise FORWARD "next"
}
`;

function flooded(source: string, limit = 50): RuleSession {
  const session = compile(source, { limits: { liveMatches: limit } }).session();
  session.assert("R", { id: "r1" });
  session.batch(() => {
    for (let n = 0; n < 20; n++) {
      session.assert("A", { n });
      session.assert("B", { n });
    }
  });
  return session;
}

/** A network alone, without a session. */
function assembled(program: Program, otherDoubts: () => Iterable<RuleInDoubt>): Assembly {
  const nothing = (): void => undefined;
  const assembly = new Assembly({
    shapes: new Shapes(),
    facts: new Memory(),
    listener: {
      matchAdded: () => undefined,
      matchRemoved: nothing,
      factPassed: nothing,
      factLeft: nothing,
      pairsDeferred: () => false,
      pairsDropped: nothing,
      late: undefined,
    },
    functions: new Map(),
    matchLimit: 1000,
    overflow: nothing,
    dividedByZero: nothing,
    functionFailed: nothing,
    deadline: undefined,
    otherDoubts,
  });
  assembly.apply(blueprintsOf(program, program.plan(true, true), {}).shared().blueprint);
  return assembly;
}

const WHY =
  /rule "flag" was switched off \(E511: more than 50 partial matches at b: B\), so Blocked facts may be missing/u;

describe("what depends on a rule that was switched off", () => {
  test("is blocked while the limit is not reached", () => {
    const session = flooded(RULES, 100_000);
    session.run();
    expect(session.gate("free").outcome).toBe("fail");
    expect(session.verdict("watch").verdict).not.toBe("PASS");
    expect(session.decide("way", "R~r1").decision).toBe("BLOCK");
  });

  test("is unknown in a gate, under both logics, and the reason is given", () => {
    const session = flooded(RULES);
    const { gates } = session.run();
    expect(gates.map(({ outcome }) => outcome)).toEqual(["hold", "hold"]);
    for (const name of ["free", "strict"]) {
      const answer = session.gate(name);
      expect(answer).toMatchObject({ outcome: "hold", status: "unknown" });
      expect(answer.missing[0]?.needs).toMatch(WHY);
      expect(JSON.stringify(answer.tree)).toContain("was switched off (E511");
    }
  });

  test("never passes a guardian", () => {
    const session = flooded(RULES);
    expect(session.run().verdicts.map(({ verdict }) => verdict)).not.toContain("PASS");
    expect(session.verdict("watch").reasons.join("\n")).toMatch(WHY);
  });

  test("is not forwarded by a pipeline", () => {
    const session = flooded(RULES);
    expect(session.run().decisions).toMatchObject([{ pipeline: "way", decision: "BLOCK" }]);
    const decision = session.decide("way", "R~r1");
    expect(decision.decision).toBe("BLOCK");
    expect(decision.value).toMatch(WHY);
  });
});

describe("what a rule in doubt reaches", () => {
  const types = `type R(#id: string, n: number = 0) type A(n: number) type B(n: number) type X(n: number) type Y(#n: number)
    type Z(n: number)`;
  const off = 'rule "off" { when a: A b: B then';

  /** Gate, guardian and pipeline ask the same question. */
  const judges = (question: string): string => `
    gate "g" for r: R { require not (${question}) }
    guardian "u" for r: R { retry at most 0 check c { forbid ${question} as "no" do SAFE_REFUSAL } }
    pipeline "p" for r: R { step s BLOCK "no" when ${question} otherwise FORWARD "on" }`;

  test.each([
    ["a chain of rules", `${off} insert X(n: 1) } rule next { when x: X then insert logical Y(n: x.n) }`, "exists Y()"],
    [
      "a rule that looks for absence",
      `${off} insert X(n: 1) } rule next { when b: B(n > 100) not X() then insert Y(n: 0) }`,
      "exists Y()",
    ],
    ["a fold in the question", `${off} insert X(n: 1) }`, "COUNT(x: X / x.n > 0) > 0"],
    ["a group inside the question", `${off} insert X(n: 1) }`, "EXISTS(z: Z, x: X / x.n == z.n)"],
    ["a retraction", `${off} retract a } rule next { when a: A(n > 100) then insert Y(n: 1) }`, "exists Y()"],
    ["an update", `${off} a.n = 7 }`, "exists A(n > 100)"],
    [
      "a group that is activated",
      `${off} focus("late") } rule next group "late" { when r: R then insert X(n: 1) }`,
      "exists X()",
    ],
    ["a halt", `${off} halt } rule next salience -1 { when r: R then insert X(n: 1) }`, "exists Z()"],
    ["a host action", `action act() ${off} act() }`, "exists Z()"],
    ["the subject", `${off} update(r, { n: 5 }) }`.replace("a: A b: B", "r: R a: A b: B"), "r.n > 3"],
  ])("%s", (_, rules, question) => {
    const source = `${types} ${rules} ${judges(question)}`;
    const session = compile(source, { limits: { liveMatches: 60 } }).session({ actions: { act: () => undefined } });
    session.assert("R", { id: "r1" });
    session.run();
    expect([session.gate("g").outcome, session.verdict("u").verdict]).toEqual(["pass", "PASS"]);
    for (let n = 0; n < 20; n++) for (const type of ["A", "B"]) session.assert(type, { n });
    expect(session.problems).toMatchObject([{ code: "E511", rules: ["off"] }]);
    for (const when of ["before the run", "after it"]) {
      expect(session.gate("g").outcome, when).toBe("hold");
      expect(session.verdict("u").verdict, when).toBe("FAIL");
      expect(session.decide("p", "R~r1").decision, when).toBe("BLOCK");
      expect(session.gates("g")[0]?.missing[0]?.needs).toContain('rule "off" was switched off (E511');
      expect(session.verdicts()[0]?.reasons.join()).toContain('rule "off" was switched off (E511');
      expect(session.decisions()[0]?.value).toContain('rule "off" was switched off (E511');
      session.run();
    }
  });

  test.each([
    [
      "facts that it does not write",
      `${off} insert X(n: 1) } rule next { when x: X then insert Y(n: x.n) }`,
      "exists Z()",
    ],
    ["an action without a handler, or log", `action mail() ${off} mail() log("x") }`, "exists Z()"],
  ])("leaves alone: %s", (_, rules, question) => {
    const session = flooded(`${types} ${rules} ${judges(question)}`, 60);
    expect(session.run().problems).toMatchObject([{ code: "E511", rules: ["off"] }]);
    expect(session.gate("g").outcome).toBe("pass");
    expect(session.verdict("u").verdict).toBe("PASS");
    expect(session.decide("p", "R~r1").decision).toBe("FORWARD");
  });

  test("a reaction of another gate is no part of it", () => {
    const session = flooded(
      `${types} ${off} insert X(n: 1) }
       gate "dark" for r: R { require not exists X() on pass then insert Z(n: 1) }
       gate "clear" for r: R { require not exists Z() on pass then insert Y(n: 1) }
       gate "after dark" for r: R { require not exists Z() }
       gate "after clear" for r: R { require exists Y() }`,
      60,
    );
    session.run();
    session.run();
    expect(session.gates().map(({ gate, outcome }) => `${gate} ${outcome}`)).toEqual([
      "dark hold",
      "clear hold",
      "after dark hold",
      "after clear hold",
    ]);
  });

  test("the track and the attempt of a guardian: nothing is judged by settings that may be wrong", () => {
    const session = flooded(
      `type T(#id: string, name: string) type R(#id: string, track: T?) type A(n: number) type B(n: number)
       rule "off" { when t: T a: A b: B then t.name = "QUALITY" }
       guardian "u" for r: R { track r.track.name check c { on QUALITY need r.id == "x" as "no" do SAFE_REFUSAL } }
       T(id: "t", name: "FAST")`,
      60,
    );
    session.update("R~r1", { track: "T~t" });
    session.run();
    expect(session.verdict("u").verdict).toBe("FAIL");
    expect(session.verdict("u").reasons.join()).toContain('rule "off" was switched off (E511');
  });

  test("a remark that may be missing is a warning", () => {
    const session = flooded(
      `${types} ${off} insert X(n: 1) }
       guardian "u" for r: R { check c { need r.id == "r1" as "no" do SAFE_REFUSAL } check d { flag exists X() as "internal" } }`,
      60,
    );
    expect(session.verdict("u")).toMatchObject({ verdict: "PASS", flags: [] });
    expect(session.verdict("u").warnings.join()).toContain('rule "off" was switched off (E511');
  });
});

describe("a doubt", () => {
  test("ends when a reload makes the rule again, and the judges see again", () => {
    const session = flooded(RULES);
    session.run();
    expect(session.gate("free").outcome).toBe("hold");
    for (const { id } of [...session.facts("A"), ...session.facts("B")]) session.retract(id);
    session.run();
    expect(session.gate("free").outcome, "the rule stays off").toBe("hold");
    session.reload(session.program);
    expect(session.problems).toEqual([]);
    session.run();
    expect(session.gate("free").outcome).toBe("pass");
    expect(session.verdict("watch").verdict).toBe("PASS");
    expect(session.decide("way", "R~r1").decision).toBe("FORWARD");
    session.assert("A", { n: 1 });
    session.assert("B", { n: 1 });
    session.run();
    expect(session.gate("free").outcome).toBe("fail");
  });

  test("goes with a snapshot, also when the facts that led to it are gone", () => {
    const session = flooded(RULES);
    session.run();
    for (const { id } of [...session.facts("A"), ...session.facts("B")]) session.retract(id);
    const saved: unknown = JSON.parse(JSON.stringify(session.snapshot()));
    const copy = session.program.session({ from: saved as ReturnType<RuleSession["snapshot"]> });
    expect(copy.problems).toEqual(session.problems);
    expect(copy.gate("free")).toEqual(session.gate("free"));
    expect(copy.run().verdicts).toMatchObject([{ verdict: "RETRY" }]);
    expect(copy.decide("way", "R~r1").decision).toBe("BLOCK");
    copy.reload(copy.program);
    expect(copy.gate("free").outcome).toBe("pass");
  });

  test("in a snapshot that was tampered with is refused", () => {
    const { program } = flooded(RULES);
    const broken = { ...program.session().snapshot(), doubts: { limits: [{ rules: "flag" }], actions: [] } };
    expect(() => program.session({ from: broken as never })).toThrow(expect.objectContaining({ code: "E533" }));
  });

  test("is the reason that is told, and no remedy is offered", () => {
    const session = flooded(RULES);
    session.run();
    expect(headline(session.why(session.gate("free")))).toMatch(WHY);
    expect(headline(session.why(session.verdict("watch")))).toMatch(WHY);
    expect(headline(session.why(session.decide("way", "R~r1")))).toMatch(WHY);
    expect(session.wouldOpen("free")).toEqual([]);
    expect(session.wouldPass("watch")).toEqual([]);
    const off = session.whyNot("flag");
    expect(off).toMatchObject({ hindrance: "switched off", remedies: [] });
    expect(headline(off)).toContain('"flag" does not fire: rule "flag" was switched off (E511');
    expect(headline(session.whyNot("carry on"))).toContain('note that rule "flag" was switched off (E511');
  });

  test("that is not there costs nothing: no judge is told anything, however many there are", () => {
    const told = vi.spyOn(ConditionNode.prototype, "setBlind");
    const steps = [10, 20].map((gates) => {
      const names = Array.from({ length: gates }, (_, n) => `gate "g${n}" { require exists A(n == ${n}) }`);
      const session = compile(`type A(n: number) ${names.join(" ")}`).session();
      told.mockClear();
      for (let n = 0; n < 10; n++) session.assert("A", { n });
      session.run();
      session.gates();
      return told.mock.calls.length;
    });
    told.mockRestore();
    expect(steps).toEqual([0, 0]);
  });

  test("can come from elsewhere: of a rule that cannot be relied on for another reason", () => {
    const program = compile(RULES);
    const doubts: RuleInDoubt[] = [];
    let asked = 0;
    const assembly = assembled(program, () => {
      asked += 1;
      return doubts;
    });
    const gate = must(assembly.gates.get("free"), "the gate");
    const condition = must(gate.spec.leaves[0], "its leaf").condition;
    assembly.refresh();
    expect(condition.blind).toBeUndefined();
    doubts.push({ rule: "flag", reason: 'rule "flag": function "f" failed', switchedOff: false });
    assembly.refresh();
    expect(condition.blind).toBe('rule "flag": function "f" failed, so Blocked facts may be missing or out of date');
    expect(assembly.uncertainty({ type: "Flag" })).toContain("so Flag facts may be");
    expect(assembly.uncertainty({ type: "A" })).toBeUndefined();
    doubts.pop();
    assembly.refresh();
    expect(condition.blind).toBeUndefined();
    expect(asked).toBeGreaterThan(3);
  });
});

describe("the command", () => {
  const facts = Array.from({ length: 2300 }, (_, n) => `A(${n})`).join(" ");
  const big = RULES.replace("a: A b: B", "a: A b: A");
  const files = { "a.tsd": `${big} R(id: "r1") ${facts}`, "none.json": "{}" };
  const OFF = 'error E511  rule "flag" exceeds the limit of 5000000 partial matches at b: A and no longer fires';
  const count = (text: string): number => text.split(OFF).length - 1;

  test.each([
    ["decide", ["--gate", "free"], 3, 'rule "flag" was switched off'],
    ["verify-answer", [], 3, 'rule "flag" was switched off'],
    ["run", [], 1, "hold"],
    ["why", ["free"], 0, 'What would open it\n  no change of facts helps: rule "flag" was switched off'],
    ["why", ["watch"], 0, 'What would help\n  no change of facts helps: rule "flag" was switched off'],
    ["why", ["flag"], 0, '"flag" does not fire: rule "flag" was switched off'],
  ])("%s %s names the limit and the rule once", (command, args, exit, out) => {
    const ran = runCli([command, "a.tsd", ...args], files);
    expect(ran.exit).toBe(exit);
    expect(count(ran.err)).toBe(1);
    expect(ran.out).toContain(out);
    expect(ran.out).not.toMatch(/\b(?:PASS|FORWARD)\b|(?:: | {2})pass\b/u);
  });

  test("decide --json says it as a diagnostic", () => {
    const ran = runCli(["decide", "a.tsd", "--gate", "free", "--json"], files);
    const events = ran.out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as object]));
    expect(events).toContainEqual(expect.objectContaining({ event: "diagnostic", code: "E511" }));
    expect(ran.exit).toBe(3);
  });

  test("test fails an expectation that may depend on the rule, and names the limit beside one that does not", () => {
    const tests = `
      test "depends" {
        given r2 = R(id: "r2")
        expect gate free(r2) is hold
        expect guardian watch(r2) is RETRY
        expect pipeline way(r2) is BLOCK
        expect no Blocked()
        expect rule "carry on" fires 0
        expect effect log("x")
      }
      test "does not" { given r2 = R(id: "r2") expect R(id == "r2") }`;
    const flood = Array.from({ length: 20 }, (_, n) => `A(${n}) B(${n})`).join(" ");
    const { tests: outcomes } = compile(`${RULES} ${flood} ${tests}`, { limits: { liveMatches: 60 } }).test();
    const [depends, apart] = outcomes;
    expect(depends?.failures).toHaveLength(6);
    for (const { got } of depends?.failures ?? []) expect(got).toMatch(/rule "flag"/u);
    expect(apart).toMatchObject({ passed: true, problems: [{ code: "E511", rules: ["flag"] }] });
    expect(must(apart === undefined ? undefined : outcomeText(apart, (_, text) => text)[1], "a line")).toContain(
      "E511",
    );
  });

  test("graph and repl name it", async () => {
    const drawn = await runCliAsync(["graph", "a.tsd", "--live", "--format", "json"], files);
    expect(count(drawn.err)).toBe(1);
    const dialogue = (talk: Parameters<Io["dialogue"]>[0]): Promise<void> => {
      for (const line of ["run", "run"]) talk.line(line);
      return Promise.resolve();
    };
    const talked = await runCliAsync(["repl", "a.tsd"], files, { dialogue });
    expect(count(talked.err)).toBe(1);
  });
});
