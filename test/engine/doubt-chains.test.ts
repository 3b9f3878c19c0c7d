/** Tests that a failure in one place never makes a decision elsewhere more favourable, whatever is between them. */
import { describe, expect, test } from "vitest";
import { compile, type CompileOptions, type OpenOptions, type RuleSession } from "../../src/index.ts";

const TYPES = `type R(#id: string, n: number = 0) type X(n: number)
action act()
`;
const functions: NonNullable<CompileOptions["functions"]> = {
  risky: { params: [{ name: "x", type: { kind: "any" }, optional: false }], result: { kind: "bool" } },
};

/** Gate, guardian and pipeline ask whether there is an X. */
const JUDGES = `
gate "g" for r: R { require not exists X() }
guardian "u" for r: R { retry at most 0 check c { forbid exists X() as "no" do SAFE_REFUSAL } }
pipeline "p" for r: R { step s BLOCK "no" when exists X() otherwise FORWARD "on" }`;

function open(rules: string, options: OpenOptions = {}): RuleSession {
  const session = compile(`${TYPES}${rules}${JUDGES}`, { functions }).session(options);
  session.assert("R", { id: "r1" });
  return session;
}

function answers(session: RuleSession): readonly string[] {
  return [session.gate("g").outcome, session.verdict("u").verdict, session.decide("p", "R~r1").decision];
}

const OPEN = ["pass", "PASS", "FORWARD"];
const CLOSED = ["hold", "FAIL", "BLOCK"];

/** The function as it is while there is trouble. */
const risky = (): boolean => {
  throw new Error("down");
};

describe("a function that fails where something is judged", () => {
  const gate = 'gate "in" for r: R { require risky(r.id) }';

  test.each([
    ["a reaction", 'gate "in" for r: R { require risky(r.id) on fail then insert X(n: 1) }'],
    [
      "a rule over the result",
      `${gate} rule q { when GateResult(gate == "in", outcome == "fail") then insert X(n: 1) }`,
    ],
    [
      "a flow",
      `${gate} flow "f" for r: R {
         stage ask { decide in(r) on fail goto bad otherwise goto good } stage bad final stage good final }
       rule q { when FlowStage(flow == "f", stage == "bad") then insert X(n: 1) }`,
    ],
    [
      "a reaction of a guardian",
      'guardian "in" for r: R { check c { forbid risky(r.id) as "no" do SAFE_REFUSAL } on PASS then insert X(n: 1) }',
    ],
  ])("leaves open what reads the outcome: %s", (_, rules) => {
    const session = open(rules, { functions: { risky } });
    session.run();
    expect(answers(session)).toEqual(CLOSED);
    expect(session.gate("g").missing[0]?.needs).toContain('could not be decided (E521: risky("r1") failed: down)');
    const repaired = open(rules, { functions: { risky: () => false } });
    repaired.run();
    expect(answers(repaired), "a repair may close it").toEqual(["fail", "FAIL", "BLOCK"]);
  });

  test("does not matter where the gate is decided without it", () => {
    const session = open('gate "in" for r: R { require r.n == 0 or risky(r.id) on fail then insert X(n: 1) }', {
      functions: { risky },
    });
    session.run();
    expect(session.problems).toMatchObject([{ code: "E521" }]);
    expect(answers(session)).toEqual(OPEN);
    session.update("R~r1", { n: 1 });
    session.run();
    expect(answers(session)).toEqual(CLOSED);
    session.update("R~r1", { n: 0 });
    session.run();
    expect(answers(session)).toEqual(OPEN);
  });

  test("still lets remedies be found for its own gate", () => {
    const session = open('gate "in" for r: R { require r.n == 1 or risky(r.id) }', { functions: { risky } });
    session.run();
    expect(session.gate("in").outcome).toBe("hold");
    expect(session.wouldOpen("in")).not.toEqual([]);
  });
});

describe("a run that stops early", () => {
  const block = 'rule "block" { when r: R(n == 0) then insert X(n: 1) }';
  const loop = `type Tick(n: number) Tick(n: 0)
    rule "again" salience 9 { when t: Tick then retract t insert Tick(n: t.n + 1) }`;
  const fails = 'rule "first" salience 9 { when r: R then act() }';
  const throwing = {
    actions: {
      act: () => {
        throw new Error("no mail");
      },
    },
  };

  function stopped(rules: string, options: OpenOptions, code: string): RuleSession {
    const session = open(rules, options);
    expect(() => session.run()).toThrow(expect.objectContaining({ code }));
    return session;
  }

  test.each([
    ["at its limit of firings", `${loop} ${block}`, { limit: 50 }, "E510"],
    ["because a handler fails", `${fails} ${block}`, throwing, "E520"],
    [
      "before a reaction",
      `${fails.replace("salience 9", "salience -9")} gate "in" for r: R { require r.n == 1 on fail then insert X(n: 1) }`,
      throwing,
      "E520",
    ],
  ] as const)("%s leaves open what the waiting rules write", (_, rules, options, code) => {
    const session = stopped(rules, options, code);
    expect(answers(session)).toEqual(CLOSED);
    const why = code === "E510" ? "the run stopped" : "a firing failed";
    expect(session.gate("g").missing[0]?.needs).toContain(`(${why}: ${code})`);
    const saved = JSON.parse(JSON.stringify(session.snapshot())) as ReturnType<RuleSession["snapshot"]>;
    const copy = session.program.session({ from: saved });
    expect(answers(copy), "so does a copy").toEqual(CLOSED);
    expect(session.wouldOpen("g")).toEqual([]);
  });

  test("ends when a later run comes to its end", () => {
    let down = true;
    const act = (): void => {
      if (down) throw new Error("no mail");
    };
    const session = stopped(`${fails} ${block}`, { actions: { act } }, "E520");
    expect(answers(session)).toEqual(CLOSED);
    down = false;
    session.run();
    expect(answers(session)).toEqual(["fail", "FAIL", "BLOCK"]);
    session.update("R~r1", { n: 2 });
    for (const { id } of session.facts("X")) session.retract(id);
    session.run();
    expect(answers(session)).toEqual(OPEN);
  });

  test("leaves alone what none of the waiting rules can reach", () => {
    const session = stopped(
      `${loop} type Z(n: number) rule "other" { when r: R then insert Z(n: 1) }`,
      { limit: 50 },
      "E510",
    );
    expect(answers(session)).toEqual(OPEN);
  });

  test("in an asynchronous run too", async () => {
    const session = open(`${fails} ${block}`, { actions: { act: () => Promise.reject(new Error("no mail")) } });
    await expect(session.runAsync()).rejects.toMatchObject({ code: "E520" });
    expect(answers(session)).toEqual(CLOSED);
  });
});

test.each([
  ["a proxy", new Proxy({}, { getPrototypeOf: () => { throw new Error("trap"); } })], // prettier-ignore
  ["an error whose message throws", Object.defineProperty(new Error("x"), "message", { get: () => { throw new Error("trap"); } })], // prettier-ignore
  ["a symbol", Symbol("s")],
])("whatever a handler throws fails its action and closes what may depend on it: %s", async (_, thrown) => {
  const rules = 'rule "first" { when r: R then act() insert X(n: 1) }';
  const act = (): never => {
    throw thrown;
  };
  const session = open(rules, { actions: { act } });
  expect(() => session.run()).toThrow(expect.objectContaining({ code: "E520" }));
  expect(() => session.run({ collect: false })).toThrow(expect.objectContaining({ code: "E520" }));
  await expect(session.runAsync()).rejects.toMatchObject({ code: "E520" });
  expect(answers(session)).toEqual(CLOSED);
});
