/** A rule that was switched off (E511) never helps a request: whatever may depend on it is unknown, and says why. */
import { describe, expect, test } from "vitest";
import { compile, type RuleSession } from "../src/index.ts";
import { runCli } from "./support/io.ts";

/** `flag` derives the fact that blocks; a flood of A and B switches it off. `pass on` carries it one rule further. */
const RULES = `
type R(#id: string)
type A(n: number)
type B(n: number)
type Flag(of: string)
type Blocked(#of: string)
rule "flag" { when r: R a: A b: B then insert Flag(of: r.id) }
rule "pass on" { when f: Flag then insert logical Blocked(of: f.of) }
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

describe("the command", () => {
  const facts = Array.from({ length: 2300 }, (_, n) => `A(${n})`).join(" ");
  const big = RULES.replace("a: A b: B", "a: A b: A");
  const files = { "a.tsd": `${big} R(id: "r1") ${facts}` };

  test("decide holds, names the limit and the rule", () => {
    const ran = runCli(["decide", "a.tsd", "--gate", "free"], files);
    expect(ran.exit).toBe(3);
    expect(ran.err).toMatch(/error E511 {2}rule "flag"/u);
    expect(ran.out).toContain('rule "flag" was switched off');
  });
});
