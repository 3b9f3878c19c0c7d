/** Tests that explanations end within a budget of steps, say when they stopped, and cost nothing for unrelated facts. */
import { describe, expect, test } from "vitest";
import { compile, type OpenOptions, type RuleSession, whyNotNotes } from "../../src/index.ts";
import { times } from "../attacks/case.ts";
import { deepGate, longGuardian, longPipeline, wideGate } from "../attacks/programs.ts";

const MOST = 5_000_000;

/** The fewest steps with which a question is not stopped by its steps. */
function costOf(asked: (options: OpenOptions) => unknown): number {
  const stops = (explainSteps: number): boolean =>
    /stopped after [\d,]+ steps/u.test(JSON.stringify(asked({ explainSteps })));
  if (!stops(0)) return 0;
  let [low, high] = [0, 1];
  while (stops(high) && high < MOST) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (stops(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Facts that no question below is about. */
function withOthers(session: RuleSession, count: number): RuleSession {
  for (let n = 0; n < count; n++) session.assert("Other", { n, text: `text ${n}` });
  return session;
}

const OTHER = "type Other(#n: number, text: string)";

interface Question {
  readonly source: string;
  readonly ask: (session: RuleSession) => unknown;
}

const QUESTIONS: Readonly<Record<string, Question>> = {
  whyNot: {
    source: `type P(#id: string, age: number) type B(who: string, n: number) P("a", 12) P("b", 3) B("a", 1)
      rule r { when p: P(age > 18) b: B(who == p.id, n > 3) not B(who == p.id, n > 5) then print("x") }`,
    ask: (session) => session.whyNot("r"),
  },
  why: {
    source: `type P(#id: string, age: number) P("a", 20) P("b", 3)
      rule r { when p: P(age > 18) not P(age > p.age) then print("x") }`,
    ask: (session) => session.why(session.run().fired[0]?.n === 1 ? "P~a" : "P~b"),
  },
  "why of a firing": {
    source: `type P(#id: string, age: number) P("a", 20) P("b", 3)
      rule r { when p: P(age > 18) not P(age > p.age) then print("x") }`,
    ask: (session) => session.run().fired.map((fired) => session.why(fired)),
  },
  wouldOpen: { source: wideGate(6), ask: (session) => session.searchOpen("g") },
  wouldPass: { source: longGuardian(2), ask: (session) => session.searchPass("g") },
  "why of a decision": {
    source: longPipeline(4),
    ask: (session) => session.run().decisions.map((one) => ("pipeline" in one ? session.why(one as never) : one)),
  },
};

describe.each(Object.entries(QUESTIONS))("%s", (_, { source, ask }) => {
  const program = compile(`${OTHER} ${source}`);
  const cost = (others: number): number => costOf((options) => ask(withOthers(program.session(options), others)));

  test("costs the same whatever other facts there are, where a session is not copied whole", () => {
    expect(cost(5000)).toBe(cost(2500));
  });

  test("costs at most twice as much with twice as many other facts, where it is", () => {
    expect(cost(400)).toBeLessThanOrEqual(2 * cost(200));
  });

  test("says so when it stopped, and gives an answer with any budget", () => {
    const enough = cost(0);
    for (const explainSteps of [0, 1, 2, 3, 5, 10, 20, 50, 100, 1000]) {
      const answer = JSON.stringify(ask(program.session({ explainSteps })));
      expect(/stopped after [\d,]+ steps/u.test(answer)).toBe(explainSteps < enough);
    }
  });
});

describe("searches end within their steps", () => {
  /** Few enough that the network keeps all combinations, and more than the budget allows to look at. */
  const fill = (session: RuleSession, type: string, facts: number): RuleSession => {
    session.batch(() => {
      for (let n = 0; n < facts; n++) session.assert(type, { n, v: 10 + n });
    });
    return session;
  };

  test("whyNot of a rule with patterns that share no test", () => {
    const source = `type A(#n: number, v: number)
      rule r { when ${times(3, (i) => `a${i}: A(v > ${i})`, " ")} where ${times(3, (i) => `a${i}.v`, " + ")} < 0 then print("x") }`;
    const session = compile(source).session({ explainSteps: 10_000 });
    for (let n = 0; n < 40; n++) session.assert("A", { n, v: n });
    const answer = session.whyNot("r");
    expect(session.problems).toEqual([]);
    expect(answer.complete && answer.stopped === undefined).toBe(false);
  });

  test("whyNot of a rule with a not over patterns that share no test", () => {
    const patterns = times(3, (i) => `b${i}: B(v > ${i})`, " ");
    const source = `type A(#n: number) type B(#n: number, v: number)
      rule r { when a: A not (${patterns} where b0.v + b1.v + b2.v > 100000) not A(n == a.n) then print("x") }`;
    const session = compile(source).session({ explainSteps: 10_000 });
    session.assert("A", { n: 1 });
    for (let n = 0; n < 40; n++) session.assert("B", { n, v: n });
    const answer = session.whyNot("r");
    expect(session.problems).toEqual([]);
    expect(answer.stopped).toBe("stopped after 10,000 steps");
    expect(answer.upward_rationale).toBe('It is unknown why "r" does not fire: stopped after 10,000 steps.');
    expect(whyNotNotes(answer).join("\n")).toMatch(
      /: there may be others\n\n\d+ facts checked; stopped after 10,000 steps$/u,
    );
  });

  test("whyNot of a rule that is switched off looks at no combination", () => {
    const source = `type A(#n: number, v: number)
      rule r { when ${times(6, (i) => `a${i}: A(v > ${i})`, " ")} then print("x") }`;
    const session = fill(compile(source, { limits: { liveMatches: 1000 } }).session({ explainSteps: 2000 }), "A", 1000);
    const answer = session.whyNot("r");
    expect(answer).toMatchObject({ hindrance: "switched off" });
    expect(answer.stopped).toBeUndefined();
  });

  test("wouldOpen of a wide and of a deep gate", () => {
    for (const source of [wideGate(1000), deepGate(30)]) {
      const { remedies, stopped } = compile(source).session({ explainSteps: 1_000_000 }).searchOpen("g");
      expect(remedies.length > 0 || stopped !== undefined).toBe(true);
    }
    expect(compile(wideGate(1000)).session().searchOpen("g")).toEqual({
      remedies: [],
      stopped: "stopped after 60 trials",
    });
  });

  test("wouldPass of a guardian with 300 lines", () => {
    const { remedies } = compile(longGuardian(300)).session().searchPass("g");
    expect(remedies.length).toBeLessThanOrEqual(3);
  });

  test("why of a fact at the end of a chain of 3,000 firings", () => {
    const source = `type C(#n: number) C(0)
      rule next { when c: C(n < 3000) then insert C(c.n + 1) }
      rule after { when c: C(n < 3000) then insert logical D(c.n) }
      type D(#n: number)`;
    const session = compile(source).session();
    session.run();
    const text = JSON.stringify(session.why("C~3000"));
    expect(text).toContain("has a longer history, which is not shown");
    expect(text.length).toBeLessThan(50_000);
    expect(JSON.stringify(session.why("D~2999")).length).toBeLessThan(50_000);
  });

  test("why of a rule with 600 patterns", () => {
    const source = `type A(#n: number) A(1)
      rule r { when ${times(600, (i) => `a${i}: A(n == 1)`, " ")} then print("x") }
      rule s { when ${times(600, (i) => `a${i}: A(n == 1)`, " ")} A(n == 2) then print("x") }`;
    const session = compile(source).session();
    const { fired } = session.run();
    expect(fired).toHaveLength(1);
    for (const one of fired) expect(session.why(one).upward_rationale).toContain('"r" fired');
    expect(session.whyNot("s").rule).toBe("s");
  });
});
