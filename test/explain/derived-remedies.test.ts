/** What would open a gate, or let a rule fire, that a fact stops which follows from other facts. */
import { describe, expect, test } from "vitest";
import { compile, type Session } from "../../src/index.ts";

const TYPES = `
type Request(#id: string, person: string, amount: number = 0)
type Deny(#id: string, request: string)
type Limit(#name: string, most: number)
type Denied(request: string)
Request("q1", "ann", 50)
`;
const GATE = `gate g for q: Request { require not exists Denied(request == q.id) }`;

function opened(source: string): Session {
  const session = compile(source).session();
  session.run();
  return session;
}

function remedies(source: string): string[] {
  return opened(source)
    .wouldOpen("g", "Request~q1")
    .map(({ words }) => words);
}

describe("a gate that a logical fact closes", () => {
  test("opens without the fact that the logical one follows from", () => {
    const rules = `${TYPES} rule deny { when d: Deny then insert logical Denied(request: d.request) } ${GATE}`;
    expect(remedies(`${rules} Deny("d1", "q1") Deny("d2", "q2")`)).toEqual(["remove Deny d1"]);
    const session = opened(`${rules} Deny("d1", "q1")`);
    session.retract("Deny~d1");
    session.run();
    expect(session.gate("g", "Request~q1").outcome).toBe("pass");
  });

  test("through several rules, and when each of two matches supports it", () => {
    const rules = `${TYPES} type Flag(request: string)
      rule flag { when d: Deny then insert logical Flag(request: d.request) }
      rule deny { when f: Flag then insert logical Denied(request: f.request) } ${GATE}`;
    expect(remedies(`${rules} Deny("d1", "q1")`)).toEqual(["remove Deny d1"]);
    expect(remedies(`${rules} Deny("d1", "q1") Deny("d2", "q1")`)).toEqual(["remove Deny d1, and remove Deny d2"]);
  });

  test("keeps limits, the subject, evidence, and what is protected", () => {
    const rule = `rule deny { when q: Request l: Limit(name == "max") where q.amount > l.most then insert logical Denied(request: q.id) }`;
    expect(remedies(`${TYPES} ${rule} ${GATE} Limit("max", 10)`)).toEqual([]);
    const denied = `${TYPES} rule deny { when q: Request d: Deny(request == q.id) then insert logical Denied(request: q.id) }`;
    expect(remedies(`${denied} ${GATE} Deny("d1", "q1")`)).toEqual(["remove Deny d1"]);
    expect(remedies(`${denied.replace("type Deny", "protected type Deny")} ${GATE} Deny("d1", "q1")`)).toEqual([]);
    const counted = `gate g for q: Request { require not exists Denied(request == q.id) and at least 1 of d: Deny(d.request == q.id) : d.id != "" }`;
    expect(remedies(`${denied} ${counted} Deny("d1", "q1")`)).toEqual([]);
  });

  test("is never opened by a plain fact that a rule made: it stays without what it was made from", () => {
    const rules = `${TYPES} rule deny { when d: Deny then insert Denied(request: d.request) } ${GATE}`;
    expect(remedies(`${rules} Deny("d1", "q1")`)).toEqual([]);
  });
});

test("a rule that a logical fact stops would fire without what that follows from", () => {
  const session = opened(`${TYPES} Deny("d1", "q1")
    rule deny { when d: Deny then insert logical Denied(request: d.request) }
    rule serve { when q: Request not Denied(request == q.id) then log(q.id) }`);
  expect(session.whyNot("serve").remedies.map(({ words }) => words)).toContain("remove Deny d1");
});
