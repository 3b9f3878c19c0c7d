/**
 * Tests patterns whose test is unknown: the fact may be the one that matters, so nothing passes because it was left out. Covers
 * each construct of gates, guardians and pipelines, each cause, and the explanation.
 */
import { describe, expect, test } from "vitest";
import { compile, type GateTree, type RuleSession } from "../../src/index.ts";

const functions = {
  risky: { params: [{ name: "n", type: { kind: "any" }, optional: false }], result: { kind: "bool" } },
} as const;

/** Throws for 13, gives a text for 12. */
function risky(n: unknown): unknown {
  if (n === 13) throw new Error("the service is down");
  return n === 12 ? "perhaps" : typeof n === "number" ? n > 5 : undefined;
}

const TYPES = `
type Release(#id: string, team: string?)
type B(#id: string, rel: string, sev: any?, ok: any?, at: number = 1)
type Link(from: string, to: string?)
`;

interface Cause {
  readonly name: string;
  /** The test in the pattern. */
  readonly test: string;
  readonly sev: unknown;
  readonly says: string;
}

const CAUSES: readonly Cause[] = [
  { name: "a function that throws", test: "risky(b.sev)", sev: 13, says: "risky failed: the service is down" },
  { name: "a function that gives garbage", test: "risky(b.sev)", sev: 12, says: 'risky returned the string "perhaps"' },
  { name: "a missing field", test: "b.sev > 5", sev: undefined, says: "B b has no sev" },
  { name: "a wrong type", test: "b.sev > 5", sev: "high", says: 'it cannot be decided: sev of B b is "high"' },
  { name: "a list where a text is looked for", test: 'b.sev == "x"', sev: ["x"], says: 'sev of B b is ["x"]' },
];

function session(text: string, types = TYPES): RuleSession {
  const opened = compile(`${types}\n${text}`, { functions }).session({
    functions: { risky: risky as never },
    now: () => 0,
  });
  opened.assert("Release", { id: "r" });
  return opened;
}

function gateOf(require: string, conditions = "", types = TYPES): RuleSession {
  return session(`${conditions}\ngate "g" for r: Release { require ${require} }`, types);
}

function leaves(tree: GateTree): Extract<GateTree, { kind: "leaf" }>[] {
  return tree.kind === "leaf" ? [tree] : tree.items.flatMap(leaves);
}

/** Requirements that would pass, or fail, if the fact were left out or counted as it is. */
const REQUIREMENTS: readonly {
  readonly name: string;
  readonly require: (test: string) => string;
  readonly conditions?: (test: string) => string;
}[] = [
  { name: "not exists", require: (test) => `not exists b: B(b.rel == r.id, ${test})` },
  { name: "exists", require: (test) => `exists b: B(b.rel == r.id, ${test})` },
  {
    name: "not exists in a condition",
    require: () => "free(r)",
    conditions: (test) => `condition free(r: Release) : not exists b: B(b.rel == r.id, ${test})`,
  },
  {
    name: "exists inside a larger test",
    require: () => "free(r)",
    conditions: (test) => `condition free(r: Release) : (not exists b: B(b.rel == r.id, ${test})) and r.id == "r"`,
  },
  { name: "EXISTS with sources", require: (test) => `not EXISTS(b: B / b.rel == r.id AND ${test})` },
  { name: "count", require: (test) => `COUNT(b: B / b.rel == r.id AND ${test}) == 0` },
  { name: "sum", require: (test) => `SUM(b: B / b.rel == r.id AND ${test} ; b.at) == 0` },
  { name: "a quorum over facts", require: (test) => `at least 1 of b: B(b.rel == r.id, ${test}) : b.ok` },
  { name: "a closed quorum", require: (test) => `at least 1 of all b: B(b.rel == r.id, ${test}) : b.ok` },
  {
    name: "a quorum that asks a condition",
    require: (test) => `at least 1 of all b: B(b.rel == r.id, ${test}) : good(b)`,
    conditions: () => "condition good(b: B) : b.ok",
  },
  {
    name: "a quorum that is not wanted",
    require: (test) => `not (at least 2 of all b: B(b.rel == r.id, ${test}) : b.ok)`,
  },
  ...["", "any ", "every ", "latest ", "every latest "].map((mode) => ({
    name: `from ${mode}`.trim(),
    require: () => "fine(r)",
    conditions: (test: string) =>
      `condition fine(r: Release) : b.ok from ${mode}b: B(b.rel == r.id, ${test})${mode.endsWith("latest ") ? " by b.at" : ""}${mode === "every latest " ? " per b.id" : ""}`,
  })),
];

describe.each(CAUSES)("in a gate, $name", ({ test: inside, sev, says }) => {
  test.each(REQUIREMENTS)("holds it: $name", ({ require, conditions }) => {
    const opened = gateOf(require(inside), conditions?.(inside));
    opened.assert("B", { id: "b", rel: "r", sev, ok: true });
    const answer = opened.gate("g");
    expect(answer.outcome).toBe("hold");
    const [leaf] = leaves(answer.tree);
    const told = [leaf?.reason, ...(leaf?.evidence.map(({ note }) => note) ?? [])].join("; ");
    expect(told).toContain("unclear whether B b matches: ");
    expect(told).toContain(says);
    expect(answer.missing).toHaveLength(1);
    expect(opened.why(answer).upward_rationale).toContain("B b");
  });

  test("holds it for a type that is not declared", () => {
    const opened = gateOf(`not exists b: B(b.rel == r.id, ${inside})`, "", "");
    opened.assert("B", { rel: "r", sev });
    expect(opened.gate("g").outcome).toBe("hold");
  });

  test("is no matter for a fact about somebody else", () => {
    const opened = gateOf(`not exists b: B(b.rel == r.id, ${inside})`);
    opened.assert("B", { id: "b", rel: "other", sev });
    expect(opened.gate("g").outcome).toBe("pass");
  });
});

describe("other facts may decide", () => {
  const unsure = { id: "u", rel: "r", sev: 13, ok: true };
  const sure = { id: "s", rel: "r", sev: 9, ok: true };

  test("exists is true, and not exists false, as soon as one fact is sure", () => {
    const opened = gateOf("exists b: B(b.rel == r.id, risky(b.sev))");
    opened.assert("B", unsure);
    expect(opened.gate("g").outcome).toBe("hold");
    opened.assert("B", sure);
    expect(opened.gate("g").outcome).toBe("pass");
    expect(leaves(opened.gate("g").tree)[0]?.reason).toBe("B s exists");
    opened.retract("B~s");
    expect(opened.gate("g").outcome).toBe("hold");
  });

  test("from any is true with one sure true, from every false with one sure false", () => {
    const text = (mode: string): string =>
      `condition fine(r: Release) : b.ok from ${mode} b: B(b.rel == r.id, risky(b.sev))`;
    const any = gateOf("fine(r)", text("any"));
    any.assert("B", unsure);
    any.assert("B", sure);
    expect(any.gate("g").outcome).toBe("pass");
    const every = gateOf("fine(r)", text("every"));
    every.assert("B", unsure);
    every.assert("B", { ...sure, ok: false });
    expect(every.gate("g").outcome).toBe("fail");
    every.update("B~s", { ok: true });
    expect(every.gate("g").outcome).toBe("hold");
  });

  test("an older fact does not matter to from latest, a newer one does", () => {
    const opened = gateOf(
      "fine(r)",
      "condition fine(r: Release) : b.ok from latest b: B(b.rel == r.id, risky(b.sev)) by b.at",
    );
    opened.assert("B", { ...sure, at: 2 });
    opened.assert("B", { ...unsure, at: 1 });
    expect(opened.gate("g").outcome).toBe("pass");
    opened.update("B~u", { at: 3 });
    expect(opened.gate("g").outcome).toBe("hold");
  });

  test("an unsure vote is an unknown vote", () => {
    const opened = gateOf("at least 2 of all b: B(b.rel == r.id, risky(b.sev)) : b.ok");
    opened.assert("B", sure);
    expect(opened.gate("g").outcome).toBe("fail");
    opened.assert("B", unsure);
    expect(opened.gate("g").outcome).toBe("hold");
    expect(leaves(opened.gate("g").tree)[0]?.reason).toBe(
      "1 true (B s), 0 false, 1 unknown where at least 2 must be true; unclear whether B u matches: risky failed: the service is down",
    );
    opened.assert("B", { ...sure, id: "t" });
    expect(opened.gate("g").outcome).toBe("pass");
  });

  test("when the fact turns out to fit, or not, the gate follows", () => {
    const opened = gateOf("not exists b: B(b.rel == r.id, risky(b.sev))");
    opened.assert("B", unsure);
    expect(opened.gate("g").outcome).toBe("hold");
    opened.update("B~u", { sev: 9 });
    expect(opened.gate("g").outcome).toBe("fail");
    opened.update("B~u", { sev: 1 });
    expect(opened.gate("g").outcome).toBe("pass");
    opened.update("B~u", { sev: 13 });
    expect(opened.gate("g").outcome).toBe("hold");
  });

  test("a test that is false of the fact is enough, and says what a missing field means", () => {
    const opened = gateOf("not exists b: B(b.rel == r.id, b.sev is present and b.sev > 5)");
    opened.assert("B", { id: "b", rel: "r" });
    expect(opened.gate("g").outcome).toBe("pass");
    opened.update("B~b", { sev: "high" });
    expect(opened.gate("g").outcome).toBe("hold");
  });
});

describe("whom a fact is about", () => {
  test("a fact that names nobody is about nobody", () => {
    const opened = gateOf("not exists Link(to == r.id)");
    opened.assert("Link", { from: "x" });
    expect(opened.gate("g").outcome).toBe("pass");
  });

  test.each([
    ["not exists Link(to == r.team)", ""],
    ["COUNT(l: Link / l.to == r.team) == 0", ""],
    ["not EXISTS(l: Link / l.to == r.team)", ""],
    ["free(r)", 'condition free(r: Release) : not exists Link(to == r.team) and r.id == "r"'],
  ])("a subject that does not say whom to look for is held: %s", (require, conditions) => {
    const opened = gateOf(require, conditions);
    expect(opened.gate("g").outcome).toBe("hold");
    expect(leaves(opened.gate("g").tree)[0]?.reason).toContain("Release r has no team");
    opened.update("Release~r", { team: "blue" });
    expect(opened.gate("g").outcome).toBe("pass");
    opened.update("Release~r", { team: null });
    expect(opened.gate("g").outcome).toBe("hold");
  });

  test("too few votes are not too few as long as nobody knows whose votes to count", () => {
    const opened = gateOf("not (at least 2 of all l: Link(l.to == r.team) : l.from == r.id)");
    opened.assert("Link", { from: "r", to: "blue" });
    expect(opened.gate("g").outcome).toBe("hold");
    opened.update("Release~r", { team: "blue" });
    expect(opened.gate("g").outcome).toBe("pass");
    opened.update("Release~r", { team: null });
    expect(opened.gate("g").outcome).toBe("hold");
  });

  test.each([
    "not exists b: B(b.rel == r.boss.name)",
    "not exists b: B(b.rel == r.id, b.ok.level > 3)",
    "COUNT(b: B / b.rel == r.boss.name) == 0",
  ])("a reference that leads nowhere holds it: %s", (require) => {
    const types = `type P(#id: string, name: string, level: number) type Release(#id: string, boss: P?)
      type B(#id: string, rel: string, ok: P?)`;
    const opened = gateOf(require, "", types);
    opened.assert("P", { id: "p", name: "nobody", level: 1 });
    opened.assert("B", { id: "b", rel: "r" });
    expect(opened.gate("g").outcome).toBe("hold");
    opened.update("Release~r", { boss: "P~p" });
    opened.update("B~b", { ok: "P~p" });
    expect(opened.gate("g").outcome).toBe("pass");
    opened.retract("P~p");
    expect(opened.gate("g").outcome).toBe("hold");
  });

  test("a parameter that is not given is looked for in vain", () => {
    const conditions = "condition free(r: Release, who: string?) : not exists b: B(b.rel == who)";
    const opened = gateOf("free(r)", conditions);
    opened.assert("B", { id: "b", rel: "r" });
    expect(opened.gate("g").outcome).toBe("hold");
  });

  test("unless the pattern says that nothing fits then", () => {
    expect(gateOf("not exists Link(r.team is present, to == r.team)").gate("g").outcome).toBe("pass");
  });

  test("what the first fact of a pair lacks keeps the pair from being ruled out", () => {
    const opened = gateOf('not EXISTS(l: Link, m: Link / l.from == r.id AND m.to == l.to AND m.from == "z")');
    opened.assert("Link", { from: "r" });
    expect(opened.gate("g").outcome).toBe("pass");
    opened.assert("Link", { from: "z", to: "w" });
    expect(opened.gate("g").outcome).toBe("hold");
  });
});

test("among many conditions, each is held by a fact that may be its own, however it is found", () => {
  const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
  const opened = gateOf(
    `at least 1 of (${names.map((name) => `free(r, "${name}")`).join(", ")})`,
    "condition free(r: Release, who: string) : not exists b: B(b.rel == r.id, b.sev == who)",
  );
  const values = (): string[] => [...new Set(leaves(opened.gate("g").tree).map(({ value }) => value))];
  expect(values()).toEqual(["true"]);
  for (const sev of [undefined, ["p1"]]) {
    opened.upsert("B", { id: "b", rel: "r", sev: sev ?? null });
    expect(values()).toEqual(["unknown"]);
  }
  opened.update("B~b", { sev: "p7" });
  expect(leaves(opened.gate("g").tree).flatMap(({ value }, n) => (value === "false" ? [n] : []))).toEqual([7]);
});

describe("questions inside patterns", () => {
  test("what an inner question does not know, the outer one does not either", () => {
    const opened = gateOf("not exists l: Link(l.from == r.id, not exists b: B(b.rel == l.from, risky(b.sev)))");
    opened.assert("Link", { from: "r" });
    expect(opened.gate("g").outcome).toBe("fail");
    opened.assert("B", { id: "b", rel: "r", sev: 13 });
    expect(opened.gate("g").outcome).toBe("hold");
    expect(leaves(opened.gate("g").tree)[0]?.reason).toContain("risky failed: the service is down");
    opened.update("B~b", { sev: 9 });
    expect(opened.gate("g").outcome).toBe("pass");
    opened.update("B~b", { sev: 12 });
    expect(opened.gate("g").outcome).toBe("hold");
  });
});

describe("rules choose as before", () => {
  test("a pattern of a rule sees only what is true", () => {
    const opened = session(`action hit(id: string) rule r { when b: B(risky(b.sev)) then hit(b.id) }
      rule n { when Release() not B(risky(sev)) then hit("none") }`);
    opened.assert("B", { id: "b", rel: "r", sev: 13 });
    expect(opened.run().effects.map(({ args }) => args[0])).toEqual(["none"]);
  });
});

// ---------------------------------------------------------------- guardians

function verdict(
  lines: string,
  using = "",
  facts: readonly Readonly<Record<string, unknown>>[] = [],
): {
  readonly verdict: string;
  readonly reasons: readonly string[];
} {
  const opened = session(`guardian "g" for r: Release { retry at most 0 check c ${using} { ${lines} } }`);
  for (const fact of facts) opened.assert("B", fact);
  const answer = opened.verdict("g", "Release~r");
  return { verdict: answer.verdict, reasons: answer.reasons };
}

describe.each(CAUSES)("in a guardian, $name", ({ test: inside, sev, says }) => {
  const facts = [{ id: "b", rel: "r", sev, ok: true }];
  const pattern = `b: B(b.rel == r.id, ${inside})`;

  test.each([
    [`need not exists ${pattern} as "x" do SAFE_REFUSAL`, ""],
    [`forbid exists ${pattern} as "x" do SAFE_REFUSAL`, ""],
    ['need count(b) == 0 as "x" do SAFE_REFUSAL', `using ${pattern}`],
    ['need coalesce(max(b.at), 0) == 5 as "x" do SAFE_REFUSAL', `using ${pattern}`],
    ['need b.ok as "x" do SAFE_REFUSAL', `using ${pattern}`],
    ['forbid b.ok == false as "x" do SAFE_REFUSAL', `using ${pattern}`],
    [`need COUNT(b: B / b.rel == r.id AND ${inside}) == 0 as "x" do SAFE_REFUSAL`, ""],
  ])("does not pass, and is named: %s", (line, using) => {
    const { verdict: said, reasons } = verdict(line, using, facts);
    expect(said).toBe("FAIL");
    if (!line.includes("coalesce")) {
      expect(reasons.join("; ")).toContain("unclear whether B b matches: ");
      expect(reasons.join("; ")).toContain(says);
    }
  });

  test("a remark says nothing of it", () => {
    const opened = session(
      `guardian "g" for r: Release { check c using ${pattern} { flag b.ok as "flagged" } check d { need r.id == "r" as "x" do SAFE_REFUSAL } }`,
    );
    opened.assert("B", facts[0] ?? {});
    expect(opened.verdict("g", "Release~r")).toMatchObject({ verdict: "PASS", flags: [] });
  });
});

test("a guardian follows when it becomes known what fits", () => {
  const opened = session(
    'guardian "g" for r: Release { check c using b: B(b.rel == r.id, risky(b.sev)) { need count(b) == 0 as "x" do SAFE_REFUSAL } }',
  );
  expect(opened.verdict("g", "Release~r").verdict).toBe("PASS");
  opened.assert("B", { id: "b", rel: "r", sev: 13 });
  expect(opened.verdict("g", "Release~r").verdict).not.toBe("PASS");
  opened.update("B~b", { sev: 1 });
  expect(opened.verdict("g", "Release~r").verdict).toBe("PASS");
});

test("a line about facts that cannot be looked for does not pass", () => {
  const opened = session(
    'guardian "g" for r: Release { check c using l: Link(l.to == r.team) { need count(l) == 0 as "x" do SAFE_REFUSAL forbid l.from == "z" as "y" do SAFE_REFUSAL } }',
  );
  opened.assert("Link", { from: "a", to: "b" });
  const { verdict: said, reasons } = opened.verdict("g", "Release~r");
  expect(said).not.toBe("PASS");
  expect(reasons.join("; ")).toContain("Release r has no team");
});

// ---------------------------------------------------------------- pipelines

function decided(step: string, facts: readonly Readonly<Record<string, unknown>>[], more = ""): string {
  const opened = session(`${more} pipeline "p" for r: Release { ${step} otherwise FORWARD "on" }`);
  for (const fact of facts) opened.assert("B", fact);
  const [decision] = opened.run().decisions;
  if (decision === undefined || !("pipeline" in decision)) throw new Error("there is no decision");
  return `${decision.decision} ${decision.value}`;
}

/** What stands behind a first pattern can be any element. */
const ME = "s: Release(s.id == r.id)";

describe.each(CAUSES)("in a pipeline, $name", ({ test: inside, sev }) => {
  const facts = [{ id: "b", rel: "r", sev, ok: true, at: 9 }];
  const pattern = `b: B(b.rel == r.id, ${inside})`;

  test.each([
    `step s BLOCK "no" when ${pattern}`,
    `step s BLOCK "no" when exists ${pattern}`,
    `step s BLOCK "no" when not not exists ${pattern}`,
    `step s BLOCK "no" when ${ME}, not (${pattern})`,
    `step s BLOCK "no" when ${ME}, exists (${pattern})`,
    `step s BLOCK "no" when b: B(b.rel == r.id), where ${inside}`,
    `step s BLOCK "no" when ${ME}, forall (b: B(b.rel == r.id) : ${inside})`,
    `step s BLOCK "no" when ${ME}, n: count() from ${pattern}, where n > 0`,
    `step s BLOCK "no" when ${ME}, n: sum(b.at) from ${pattern}`,
    `step s BLOCK "no" when ${ME}, (${pattern} or b: B(b.id == "nobody"))`,
    `step s BLOCK "no" when COUNT(b: B / b.rel == r.id AND ${inside}) > 0`,
    `step s BLOCK "no" unless not exists ${pattern}`,
    `before not exists ${pattern} else BLOCK "no"`,
    `after not exists ${pattern} else BLOCK "no"`,
  ])("blocks: %s", (step) => {
    expect(decided(step, facts)).toMatch(
      /^BLOCK (?:no$|unknown:(?:s|before|after): |rule_error:(?:s|before|after): )/u,
    );
  });

  test.each([
    `step s ANSWER "yes" when ${pattern}`,
    `step s ANSWER "yes" when exists ${pattern}`,
    `step s FORWARD "there" when ${ME}, not (${pattern})`,
    `step s ANSWER "yes" when ${ME}, forall (b: B(b.rel == r.id) : not (${inside}))`,
    `step s ANSWER "yes" when COUNT(b: B / b.rel == r.id AND ${inside}) == 0`,
  ])("never answers: %s", (step) => {
    expect(decided(step, facts)).toMatch(/^(?:FORWARD on$|BLOCK rule_error:s: )/u);
  });

  test("says nothing that it is not sure of", () => {
    expect(decided(`step s BLOCK b.id when ${pattern}`, facts)).toMatch(/^BLOCK /u);
    expect(decided(`step s ANSWER b.id when ${pattern}`, [...facts, { id: "c", rel: "r", sev: 1 }])).not.toMatch(
      /^ANSWER/u,
    );
  });
});

test("a step that cannot look for facts blocks where it would block", () => {
  expect(decided('step s BLOCK "no" when l: Link(l.to == r.team)', [])).toMatch(/^BLOCK unknown:s: /u);
  expect(decided('step s ANSWER "yes" when l: Link(l.to == r.team)', [])).toBe("FORWARD on");
});

// ---------------------------------------------------------------- what would help

describe("what would open a gate", () => {
  const remedies = (opened: RuleSession): string[] => opened.wouldOpen("g").map(({ words }) => words);

  test("clears the doubt", () => {
    const exists = gateOf("not exists b: B(b.rel == r.id, risky(b.sev))");
    exists.assert("B", { id: "b", rel: "r", sev: 13 });
    expect(remedies(exists)).toEqual(["remove B b"]);
    const count = gateOf("COUNT(b: B / b.rel == r.id AND b.sev > 5) == 0");
    count.assert("B", { id: "b", rel: "r" });
    expect(remedies(count)).toContain("remove B b");
    expect(remedies(count)).toContain("set sev of B b to 5");
  });

  test("is told truly of a session that is not copied whole", () => {
    const opened = gateOf('not exists b: B(b.sev == "x")');
    opened.batch(() => {
      for (let n = 0; n < 2_500; n++) opened.assert("Link", { from: `l${n}` });
    });
    opened.assert("B", { id: "sure", rel: "r", sev: "x" });
    opened.assert("B", { id: "unsure", rel: "r" });
    expect(opened.gate("g").outcome).toBe("fail");
    expect(remedies(opened)).toEqual(["remove B sure, and remove B unsure"]);
  });
});
