/** Tests gates as people use them: evidence, trust, reactions, decisions, snapshots and reloads. */
import { describe, expect, test } from "vitest";
import { check, compile, type GateAnswer, type GateTree, type RuleSession, SessionError } from "../../src/index.ts";

const TYPES = `
type Release(#id: string, env: string?, risk: number = 1)
type TestRun(release: string, failed: number?)
type Coverage(release: string, pct: number, at: number?)
type Approval(#release: string, #who: string, ok: bool?, level: string?)
type Blocked(release: string)
action said(what: string, about: any, missing: any?)
condition tests_ok(r: Release) : t.failed == 0 from t: TestRun(t.release == r.id)
condition coverage_ok(r: Release) : c.pct > 85 from latest c: Coverage(c.release == r.id) by c.at
condition approved(r: Release, who: string) : a.ok == true from a: Approval(a.release == r.id, a.who == who)
condition blocklisted(r: Release) : exists Blocked(release == r.id)
`;

const REACTIONS = `
on pass then said("pass", r.id)
on hold then said("hold", r.id, missing())
on fail then said("fail", r.id)`;

function gate(require: string, more = ""): RuleSession {
  const session = compile(
    `${TYPES} gate "deploy" for r: Release { ${more} require ${require} ${REACTIONS} }`,
  ).session();
  session.assert("Release", { id: "r1", env: "production" });
  return session;
}

function said(session: RuleSession): string[] {
  return session.run().effects.map(({ args }) => args.slice(0, 2).map(String).join(" "));
}

function leaf(answer: GateAnswer, text: string): Extract<GateTree, { kind: "leaf" }> {
  const find = (tree: GateTree): GateTree[] =>
    tree.kind === "leaf" ? (tree.text === text ? [tree] : []) : tree.items.flatMap(find);
  const [found] = find(answer.tree);
  if (found?.kind !== "leaf") throw new Error(`there is no leaf ${text}`);
  return found;
}

describe("the scenarios", () => {
  test("both conditions: passes only when both are true", () => {
    const session = gate("tests_ok(r) and coverage_ok(r)");
    expect(session.gate("deploy").outcome).toBe("hold");
    session.assert("TestRun", { release: "r1", failed: 0 });
    expect(session.gate("deploy").outcome).toBe("hold");
    session.assert("Coverage", { release: "r1", pct: 90, at: 1 });
    expect(session.gate("deploy").outcome).toBe("pass");
    session.assert("Coverage", { release: "r1", pct: 80, at: 2 });
    expect(session.gate("deploy").outcome).toBe("fail");
  });

  test("2 of 3 reviewers: the third is not waited for, and two refusals close it", () => {
    const session = gate('at least 2 of (approved(r, "a"), approved(r, "b"), approved(r, "c"))');
    const vote = (who: string, ok: boolean): unknown => session.upsert("Approval", { release: "r1", who, ok });
    vote("a", true);
    expect(session.gate("deploy").outcome).toBe("hold");
    expect(session.gate("deploy").missing.map(({ text }) => text)).toEqual(['approved(r, "b")']);
    vote("b", true);
    expect(session.gate("deploy").outcome).toBe("pass");
    vote("a", false);
    expect(session.gate("deploy").outcome).toBe("hold");
    vote("b", false);
    expect(session.gate("deploy").outcome).toBe("fail");
  });

  test("not blocklisted: absence is an answer, for exists alone", () => {
    const session = gate("not blocklisted(r)");
    expect(session.gate("deploy").outcome).toBe("pass");
    const block = session.assert("Blocked", { release: "r1" });
    expect(session.gate("deploy").outcome).toBe("fail");
    session.retract(block);
    expect(session.gate("deploy").outcome).toBe("pass");
  });

  test("(A and B) or C: either way opens it, and the cheaper way is what is missing", () => {
    const session = gate('(tests_ok(r) and coverage_ok(r)) or approved(r, "boss")');
    expect(session.gate("deploy").missing).toEqual([
      { text: 'approved(r, "boss")', needs: 'no Approval with release == "r1" and who == "boss"' },
    ]);
    session.assert("Approval", { release: "r1", who: "boss", ok: false });
    expect(session.gate("deploy").missing.map(({ text }) => text)).toEqual(["tests_ok(r)", "coverage_ok(r)"]);
    session.update("Approval~r1_boss", { ok: true });
    expect(session.gate("deploy").outcome).toBe("pass");
  });

  test("ship, hold, deny: each outcome has its reaction, once for each time it is reached", () => {
    const session = gate("tests_ok(r)");
    expect(said(session)).toEqual(["hold r1"]);
    expect(said(session)).toEqual([]);
    const run = session.assert("TestRun", { release: "r1", failed: 1 });
    expect(said(session)).toEqual(["fail r1"]);
    session.update(run, { failed: 0 });
    expect(said(session)).toEqual(["pass r1"]);
    session.retract(run);
    session.assert("TestRun", { release: "r1", failed: 0 });
    expect(said(session)).toEqual([]);
  });

  test("a gate stuck in unknown tells the cause", () => {
    const session = gate("tests_ok(r) and coverage_ok(r)");
    session.assert("TestRun", { release: "r1" });
    session.assert("Coverage", { release: "r1", pct: 90 });
    const answer = session.gate("deploy");
    expect(answer).toMatchObject({ outcome: "hold", status: "unknown" });
    expect(leaf(answer, "tests_ok(r)").reason).toBe("TestRun #1 has no failed");
    expect(leaf(answer, "coverage_ok(r)").reason).toBe("Coverage #1 cannot be ordered, so the newest is unknown");
  });

  test("a minimum larger than the list is refused when the program is read", () => {
    const source = `${TYPES} gate "deploy" for r: Release { require at least 3 of (tests_ok(r), coverage_ok(r)) }`;
    expect(check(source).diagnostics.map(({ code }) => code)).toEqual(["E230"]);
  });
});

describe("evidence", () => {
  test("that disagrees is unknown, and both sides are named", () => {
    const session = gate("tests_ok(r)");
    session.assert("TestRun", { release: "r1", failed: 0 });
    session.assert("TestRun", { release: "r1", failed: 2 });
    const found = leaf(session.gate("deploy"), "tests_ok(r)");
    expect(found.reason).toBe("evidence disagrees: TestRun #1 says true, TestRun #2 says false");
    expect(found.evidence).toEqual([
      { id: "TestRun~@1", values: { failed: 0 }, value: "true", counts: true },
      { id: "TestRun~@2", values: { failed: 2 }, value: "false", counts: true },
    ]);
  });

  test("of a wrong type is unknown, and the value is shown", () => {
    const session = compile("gate g { require ok } condition ok : x.n > 1 from x: X").session();
    session.assert("X", { n: "many" });
    expect(session.gate("g").missing).toEqual([{ text: "ok", needs: 'it cannot be decided: n of X #1 is "many"' }]);
  });

  test("a function of the host that throws makes it unknown, and the cause is kept", () => {
    const risky = {
      params: [{ name: "n", type: { kind: "number" }, optional: false }],
      result: { kind: "bool" },
    } as const;
    const program = compile(`${TYPES} gate "deploy" for r: Release { require risky(r.risk) }`, {
      functions: { risky },
    });
    let calls = 0;
    const session = program.session({
      functions: {
        risky: () => {
          calls += 1;
          throw new Error("the service is down");
        },
      },
    });
    session.assert("Release", { id: "r1" });
    expect(leaf(session.gate("deploy"), "risky(r.risk)")).toMatchObject({
      value: "unknown",
      reason: "risky failed: the service is down",
    });
    expect(calls).toBe(1);
  });

  test("that was not verified does not count where trust is asked for, and is named", () => {
    const session = gate('tests_ok(r) and approved(r, "a")', "trust verified trust field level");
    session.assert("TestRun", { release: "r1", failed: 0 });
    session.assert("Approval", { release: "r1", who: "a", ok: true, level: "asserted" });
    const found = leaf(session.gate("deploy"), 'approved(r, "a")');
    expect(found.reason).toBe(
      'no Approval with release == "r1" and who == "a"; one that is only asserted does not count',
    );
    expect(found.evidence[0]).toMatchObject({ id: "Approval~r1_a", counts: false });
    session.update("Approval~r1_a", { level: "verified" });
    expect(session.gate("deploy").outcome).toBe("pass");
  });

  test("that there is something, said by somebody not trusted, is neither true nor false", () => {
    const session = compile(`type R(#id: string) type Block(of: string, trust: string)
      gate "free" for r: R { trust verified require not exists Block(of == r.id) } R(id: "r1")`).session();
    expect(session.gate("free").outcome).toBe("pass");
    session.assert("Block", { of: "r1", trust: "asserted" });
    expect(session.gate("free").outcome).toBe("hold");
    session.assert("Block", { of: "r1", trust: "verified" });
    expect(session.gate("free").outcome).toBe("fail");
  });

  test("equally new evidence must agree", () => {
    const session = gate("coverage_ok(r)");
    session.assert("Coverage", { release: "r1", pct: 90, at: 5 });
    session.assert("Coverage", { release: "r1", pct: 91, at: 5 });
    expect(session.gate("deploy").outcome).toBe("pass");
    session.assert("Coverage", { release: "r1", pct: 10, at: 5 });
    expect(session.gate("deploy").outcome).toBe("hold");
    session.assert("Coverage", { release: "r1", pct: 88, at: 6 });
    expect(session.gate("deploy").outcome).toBe("pass");
  });

  test("behind a reference is followed live", () => {
    const session = compile(`type Team(#id: string, ready: bool?) type Release(#id: string, team: Team)
      gate "deploy" for r: Release { require r.team.ready }`).session();
    session.assert("Release", { id: "r1", team: "t" });
    expect(session.gate("deploy").outcome).toBe("hold");
    session.assert("Team", { id: "t", ready: true });
    expect(session.gate("deploy").outcome).toBe("pass");
    session.update("Team~t", { ready: false });
    expect(session.gate("deploy").outcome).toBe("fail");
  });

  test("is no longer looked at when there are too many matches, and then nothing passes", () => {
    const session = compile(
      `type R(#id: number) type Block(of: number)
       gate "free" for r: R { require not exists Block(of >= r.id) }`,
      { limits: { liveMatches: 50 } },
    ).session();
    session.assert("R", { id: 1 });
    for (let n = 0; n < 100; n++) session.assert("Block", { of: n });
    expect(session.problems).toMatchObject([{ code: "E511", rules: ['gate "free"'] }]);
    expect(session.gate("free")).toMatchObject({ outcome: "hold" });
    expect(session.gate("free").missing[0]?.needs).toContain("too many matches");
  });
});

describe("bochvar", () => {
  test("any unknown part makes the whole unknown, and all unknown parts are missing", () => {
    const session = gate('tests_ok(r) or approved(r, "a") or approved(r, "b")', "logic bochvar");
    session.assert("TestRun", { release: "r1", failed: 0 });
    expect(session.gate("deploy").outcome).toBe("hold");
    expect(session.gate("deploy").missing.map(({ text }) => text)).toEqual(['approved(r, "a")', 'approved(r, "b")']);
    session.assert("Approval", { release: "r1", who: "a", ok: false });
    session.assert("Approval", { release: "r1", who: "b", ok: false });
    expect(session.gate("deploy").outcome).toBe("pass");
  });
});

describe("what is missing", () => {
  test("a leaf that stands at several places counts once", () => {
    const session = gate('(tests_ok(r) and coverage_ok(r)) or (tests_ok(r) and approved(r, "a"))');
    session.assert("Approval", { release: "r1", who: "a", ok: true });
    expect(session.gate("deploy").missing.map(({ text }) => text)).toEqual(["tests_ok(r)"]);
  });

  test("nothing, when nothing can open the gate", () => {
    const session = gate("tests_ok(r) and not tests_ok(r)");
    expect(session.gate("deploy")).toMatchObject({ outcome: "hold", missing: [] });
  });

  test("is handed to the reaction as texts", () => {
    const session = gate("tests_ok(r) and coverage_ok(r)");
    expect(session.run().effects).toMatchObject([{ args: ["hold", "r1", ["tests_ok(r)", "coverage_ok(r)"]] }]);
  });

  test("of more tied leaves than are tried is still a set that opens the gate", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const half = names.map((who) => `approved(r, "${who}")`).join(" and ");
    const session = gate(`(${half}) or (coverage_ok(r) and ${half})`);
    expect(session.gate("deploy").missing).toHaveLength(7);
  });
});

describe("outcomes", () => {
  test("are facts that rules can match, once for each gate and subject", () => {
    const session = compile(`${TYPES} gate "deploy" for r: Release { require tests_ok(r) }
      rule ready { when g: GateResult(gate == "deploy", outcome == "pass") then said("ready", g.subject) }`).session();
    session.assert("Release", { id: "r1" });
    session.run();
    expect(session.facts("GateResult").map(({ fields }) => fields)).toEqual([
      { gate: "deploy", subject: "Release~r1", outcome: "hold" },
    ]);
    expect(session.facts("GateResult").map(({ id }) => id)).toEqual(["GateResult~@1"]);
    session.assert("TestRun", { release: "r1", failed: 0 });
    expect(said(session)).toEqual(["ready Release~r1"]);
    session.retract("Release~r1");
    session.run();
    expect(session.facts("GateResult")).toEqual([]);
  });

  test("cannot be written by anybody else", () => {
    const session = gate("tests_ok(r)");
    session.run();
    const write = (): unknown =>
      session.assert("GateResult", { gate: "deploy", subject: "Release~r1", outcome: "pass" });
    expect(write).toThrow(/written by the engine/u);
    expect(() => session.retract("GateResult~@1")).toThrow(/written by the engine/u);
  });

  test("are not reached by states in between", () => {
    const session = compile(`${TYPES} gate "deploy" for r: Release { require tests_ok(r) ${REACTIONS} }
      rule repair { when t: TestRun(failed == 7) then t.failed = 0 }`).session();
    session.assert("Release", { id: "r1" });
    session.assert("TestRun", { release: "r1", failed: 7 });
    expect(session.gate("deploy").outcome).toBe("fail");
    expect(said(session)).toEqual(["pass r1"]);
    session.batch(() => {
      session.update("TestRun~@1", { failed: 1 });
      session.update("TestRun~@1", { failed: 0 });
    });
    expect(said(session)).toEqual([]);
  });

  test("of gates that look at each other's results are reached in order, without the steps in between", () => {
    const session = compile(`${TYPES}
      gate "second" for r: Release {
        require exists GateResult(gate == "deploy", outcome == "pass")
        on pass then said("second", "pass") on fail then said("second", "fail")
      }
      gate "deploy" for r: Release { require tests_ok(r) ${REACTIONS} }`).session();
    session.assert("Release", { id: "r1" });
    session.assert("TestRun", { release: "r1", failed: 0 });
    expect(said(session).sort()).toEqual(["pass r1", "second pass"]);
  });

  test("a reaction that an interrupted run left over does not fire for an outcome that is gone", () => {
    const program = compile(`${TYPES} gate "deploy" for r: Release { require tests_ok(r) ${REACTIONS} }`);
    const told: string[] = [];
    const session = program.session({
      actions: {
        said: (what: string, about: string) => {
          if (told.push(`${what} ${about}`) === 1) throw new Error("not now");
        },
      },
    });
    for (const id of ["r1", "r2"]) {
      session.assert("Release", { id });
      session.assert("TestRun", { release: id, failed: 0 });
    }
    expect(() => session.run()).toThrow(/not now/u);
    for (const { id } of session.facts("TestRun")) session.update(id, { failed: 1 });
    session.run();
    expect(told).toEqual(["pass r1", "fail r1", "fail r2"]);
  });

  test("a reaction that changes facts is followed by the outcome that then stands", () => {
    const session = compile(`${TYPES}
      gate "one at a time" for r: Release {
        require not exists Blocked(release == "any")
        on pass then insert Blocked(release: "any") said("pass", r.id)
        on fail then said("fail", r.id)
      }`).session();
    session.assert("Release", { id: "r1" });
    session.assert("Release", { id: "r2" });
    expect(said(session)).toEqual(["pass r1", "fail r1", "fail r2"]);
  });

  test("an update of the subject does not repeat a reaction", () => {
    const session = compile(
      `${TYPES} gate "deploy" for r: Release(r.risk < 5) { require tests_ok(r) ${REACTIONS} }`,
    ).session();
    session.assert("Release", { id: "r1" });
    expect(said(session)).toEqual(["hold r1"]);
    session.update("Release~r1", { risk: 2, env: "test" });
    expect(said(session)).toEqual([]);
    session.update("Release~r1", { risk: 9 });
    expect(said(session)).toEqual([]);
    expect(session.facts("GateResult")).toEqual([]);
  });

  test("of somebody who went and came again between two runs are reached anew", () => {
    const session = compile(`type R(#id: string, ok: bool)
      gate "g" for r: R { require r.ok on pass then log("pass " + r.id) }
      guardian "u" for r: R { retry at most 0 check c { need r.ok as "no" do SAFE_REFUSAL } on PASS then log("PASS " + r.id) }
      rule seen { when GateResult(gate == "g") then log("seen") }`).session();
    const effects = (): unknown[] => session.run().effects.map(({ args }) => args[0]);
    session.assert("R", { id: "a", ok: true });
    session.assert("R", { id: "b", ok: true });
    expect(effects()).toEqual(["seen", "seen", "pass a", "pass b", "PASS a", "PASS b"]);
    session.retract("R~a");
    session.assert("R", { id: "a", ok: true });
    expect(effects()).toEqual(["seen", "pass a", "PASS a"]);
    expect(session.run().gates.map(({ subject }) => subject)).toEqual(["R~b", "R~a"]);
    expect(effects()).toEqual([]);
  });

  test("are told to listeners when they are reached", () => {
    const session = gate("tests_ok(r)");
    const heard: string[] = [];
    session.on("gate", ({ gate: name, subject, outcome, missing }) =>
      heard.push(`${name} ${subject} ${outcome} ${missing.length}`),
    );
    session.run();
    session.run();
    expect(heard).toEqual(["deploy Release~r1 hold 1"]);
  });

  test("of a run stay as they were, whatever comes later", () => {
    const session = gate("tests_ok(r)");
    const { gates } = session.run();
    const later = session.run();
    session.assert("TestRun", { release: "r1", failed: 0 });
    session.run();
    expect([gates[0]?.outcome, later.gates[0]?.outcome]).toEqual(["hold", "hold"]);
  });

  test("a run that is halted writes none", () => {
    const session = compile(`${TYPES} gate "deploy" for r: Release { require tests_ok(r) }
      rule stop { when r: Release then halt }`).session();
    session.assert("Release", { id: "r1" });
    expect(session.run()).toMatchObject({ halted: true, gates: [] });
    expect(session.gate("deploy").outcome).toBe("hold");
  });
});

describe("a gate that is asked", () => {
  test("in a rule records what it said then, with its tree", () => {
    const session = compile(`${TYPES} gate "deploy" for r: Release { require tests_ok(r) }
      rule ask { when r: Release(r.risk > 0) then decide deploy(r) }`).session();
    session.assert("Release", { id: "r1" });
    const heard: string[] = [];
    session.on("decision", (decision) => heard.push("outcome" in decision ? decision.outcome : ""));
    const { decisions, effects } = session.run();
    session.assert("TestRun", { release: "r1", failed: 0 });
    expect(decisions).toMatchObject([
      { n: 1, rule: "ask", gate: "deploy", subject: "Release~r1", outcome: "hold", tree: { value: "unknown" } },
    ]);
    expect([effects, heard]).toEqual([[], ["hold"]]);
  });

  test("about somebody who is not its subject never passes", () => {
    const session = compile(`${TYPES} gate "deploy" for r: Release(r.risk > 5) { require 1 == 1 }
      rule ask { when r: Release then decide deploy(r) }`).session();
    session.assert("Release", { id: "r1" });
    expect(session.run().decisions).toMatchObject([{ outcome: "hold", missing: [] }]);
  });

  test("needs to be told about whom, when there are several", () => {
    const session = gate("tests_ok(r)");
    session.assert("Release", { id: "r2" });
    expect(session.gate("deploy", "Release~r2").subject).toBe("Release~r2");
    expect(session.gates("deploy").map(({ subject }) => subject)).toEqual(["Release~r1", "Release~r2"]);
    const refused = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error instanceof SessionError ? `${error.code} ${error.message}` : error;
      }
    };
    expect(refused(() => session.gate("deploy"))).toBe('E541 gate "deploy" has 2 subjects');
    expect(refused(() => session.gate("deploy", "Release~r3"))).toBe(
      'E541 "Release~r3" is not a subject of gate "deploy"',
    );
    expect(refused(() => session.gate("depoly"))).toBe('E213 unknown gate "depoly"');
  });

  test("without a subject is one gate", () => {
    const session = compile("gate open { require not exists Closed() } gate other { require 1 == 2 }").session();
    expect(session.gates().map(({ gate: name, subject, outcome }) => [name, subject, outcome])).toEqual([
      ["open", null, "pass"],
      ["other", null, "fail"],
    ]);
  });
});

describe("nothing is left behind", () => {
  test("when all facts are gone", () => {
    const session = gate(
      "tests_ok(r) and coverage_ok(r) and at least 1 of a: Approval(a.release == r.id) : a.ok == true",
    );
    session.assert("TestRun", { release: "r1", failed: 0 });
    session.assert("Coverage", { release: "r1", pct: 90, at: 1 });
    session.assert("Approval", { release: "r1", who: "a", ok: true });
    session.run();
    for (const { id, type } of session.facts()) if (type !== "GateResult") session.retract(id);
    session.run();
    expect(session.counters()).toMatchObject({ facts: 0, matches: 0, indexEntries: 0, waiting: 0 });
  });
});

describe("conditions", () => {
  test("are shared by canonical text, between gates too", () => {
    const source = `${TYPES}
      condition passed(x: Release) : 0 == run.failed from run: TestRun(x.id == run.release)
      gate "one" for r: Release { require tests_ok(r) and approved(r, "a") }
      gate "two" for x: Release { require passed(x) or approved(x, "a") or approved(x, "b") }`;
    const conditions = compile(source)
      .network()
      .nodes.filter((node) => node.kind === "condition");
    expect(conditions.map((node) => node.rules)).toEqual([
      ['gate "one"', 'gate "two"'],
      ['gate "one"', 'gate "two"'],
      ['gate "two"'],
    ]);
  });

  test("may be named without arguments when they take none, in the spellings of RET", () => {
    const session = compile(`type A(ok: bool)
      condition a : x.ok from x: A   condition b : exists A()   condition c : not exists A()
      gate one { require a && b || !c }
      gate two { require all(a, any(b, not c)) }
      gate three { require at_least(2, a, b, c) }
      gate four { require require_group(2, a, b, c) }`).session();
    expect(session.gates().map(({ outcome }) => outcome)).toEqual(["fail", "fail", "hold", "hold"]);
    session.assert("A", { ok: true });
    expect(session.gates().map(({ outcome }) => outcome)).toEqual(["pass", "pass", "pass", "pass"]);
  });
});

test("the reason of an exists names one fact that exists, or several that exist", () => {
  const session = compile(`type R(#id: string) type B(#id: string, of: string)
    condition blocked(r: R) : exists B(of == r.id)
    gate "g" for r: R { require not blocked(r) }`).session();
  session.assert("R", { id: "r" });
  session.assert("B", { id: "1", of: "r" });
  const reason = (): string => JSON.stringify(session.gate("g", "R~r").tree);
  expect(reason()).toContain("B 1 exists");
  session.assert("B", { id: "2", of: "r" });
  expect(reason()).toContain('B 1, B 2 exist"');
});
