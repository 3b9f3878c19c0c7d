/** Tests explanations of judgements where it is unknown whether a fact counts. */
import { expect, test } from "vitest";
import { compile, textTree, type RuleSession } from "../../src/index.ts";

const FUNCTIONS = {
  risky: { params: [{ name: "n", type: { kind: "any" }, optional: false }], result: { kind: "bool" } },
} as const;

function risky(n: unknown): boolean {
  if (n === 3) throw new Error("three is too risky");
  return Number(n) > 3;
}

const TYPES = `type D(#id: string, k: string?)
type E(#id: number, d: string?, lv: any?)
`;

function opened(rules: string, facts: Readonly<Record<string, readonly object[]>>): RuleSession {
  const session = compile(TYPES + rules, { functions: FUNCTIONS }).session({ functions: { risky } });
  for (const [type, all] of Object.entries(facts)) for (const one of all) session.assert(type, { ...one });
  return session;
}

function verdict(need: string, facts: readonly object[], subject: object = {}, using = ""): string {
  const rules = `guardian "g" for d: D { check c ${using} { need ${need} as "r" do SAFE_REFUSAL } }`;
  const session = opened(rules, { D: [{ id: "a", ...subject }], E: facts });
  return textTree(session.why(session.verdict("g")));
}

function decision(steps: string, facts: readonly object[], subject: object = {}): string {
  const rules = `pipeline "p" for d: D { ${steps} otherwise FORWARD "on" }`;
  const session = opened(rules, { D: [{ id: "a", ...subject }], E: facts });
  return textTree(session.why(session.decide("p", "D~a")));
}

test("a fact that may fit is named, with what is unknown of it", () => {
  expect(verdict("not exists e: E(e.d == d.id, e.lv > 1)", [{ id: 1, d: "a" }])).toContain(
    "unclear whether E 1 matches: e.lv is missing",
  );
  expect(verdict("COUNT(e: E / e.d == d.id AND e.lv > 1) == 0", [{ id: 1, d: "a", lv: "x" }])).toContain(
    'is unknown (unclear whether E 1 matches: e.lv is "x")',
  );
});

test("a fact that lacks the field by which it would be found is about nobody", () => {
  const text = verdict("not exists e: E(e.d == d.id, e.lv > 1)", [{ id: 1, lv: 5 }]);
  expect(text).toContain("says PASS for D a");
  expect(text).toContain("no E matches");
});

test("a subject that lacks what is looked for is told as that", () => {
  expect(verdict("not exists e: E(e.d == d.k)", [{ id: 1, d: "a" }])).toContain(
    "unclear which E to look for: d.k is missing",
  );
});

test("a line about single facts tells the one of which it is unknown whether it counts", () => {
  const text = verdict("e.lv > 0", [{ id: 1, d: "a", lv: "?" }], {}, "using e: E(e.d == d.id, not e.lv > 5)");
  expect(text).toContain("unclear whether E 1 matches");
  expect(text).toContain("does not pass (r)");
});

test("what would help settles of evidence in doubt whether it counts", () => {
  const rules = `guardian "g" for d: D {
    check c using e: E(e.d == d.id, e.lv > 1) { need e.id > 0 as "r" do SAFE_REFUSAL } }`;
  const session = opened(rules, { D: [{ id: "a" }], E: [{ id: 1, d: "a" }] });
  const words = session.wouldPass("g", "D~a").map((remedy) => `${remedy.words}: ${remedy.verdict}`);
  expect(words[0]).toBe("set lv of E 1 to 2: PASS");
});

test("a line whose function fails keeps what it looked at", () => {
  const facts = [
    { id: 1, d: "a", lv: 5 },
    { id: 2, d: "a", lv: 3 },
  ];
  const text = verdict("risky(e.lv)", facts, {}, "using e: E(e.d == d.id)");
  expect(text).toContain("risky failed: three is too risky");
  expect(text).toContain("e is E 2");
});

test("a step that looks for facts tells what may be there, what failed, and what is not", () => {
  const steps = 'step s BLOCK "no" when e: E(e.d == d.id, risky(e.lv))';
  expect(decision(steps, [{ id: 1, d: "a", lv: 1 }])).toContain("so risky(e.lv) does not hold");
  const failed = decision(steps, [{ id: 1, d: "a", lv: 3 }]);
  expect(failed).toContain("step s failed, and a failure blocks");
  expect(failed).toContain("e is E 1");
  const unknown = decision('step s BLOCK "no" when e: E(e.d == d.id, e.lv > 1)', [{ id: 1, d: "a" }]);
  expect(unknown).toContain("it is unknown whether step s applies, and unknown blocks");
  const gone = decision('step s BLOCK "no" when e: E(e.d == d.k)', [{ id: 1, d: "a" }]);
  expect(gone).toContain("unclear which E to look for: d.k is missing");
});

test("not, forall and aggregates of a step are unknown as long as one fact is", () => {
  const facts = [
    { id: 1, d: "a", lv: 2 },
    { id: 2, d: "a" },
  ];
  const looked = (parts: string): string => decision(`step s BLOCK "no" when e: E(e.id == 1), ${parts}`, facts);
  expect(looked("not f: E(f.id == 2, f.lv > 1)")).toContain("unclear whether E 2 matches: f.lv is missing");
  expect(looked("forall (f: E(f.d == d.id) : f.lv > 1)")).toContain(
    "so forall (f: E(f.d == d.id) : f.lv > 1) is unknown",
  );
  expect(looked("n: count() from f: E(f.lv > 1), where n > 0")).toContain("n is unknown (unclear whether E 2");
  expect(looked("n: count() from f: E(f.id > 0), where n > 1")).toContain("n is 2");
});
