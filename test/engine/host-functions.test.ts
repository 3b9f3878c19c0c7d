/**
 * Tests host functions: they are called only with arguments of their declared types, their results are checked, and failures
 * are reported, in rules as in gates, guardians and pipelines.
 */
import { describe, expect, test } from "vitest";
import { compile, type CompileOptions, type Problem, type RuleSession } from "../../src/index.ts";

type Signatures = NonNullable<CompileOptions["functions"]>;
type Kind = "string" | "number" | "bool" | "any";

const takes = (kind: Kind, result: Kind = "bool", optional = false): Signatures[string] => ({
  params: [{ name: "x", type: { kind }, optional }],
  result: { kind: result },
});

const TYPES = "type R(#id: string, x: string?, y: any?)\n";

/** One test in a gate, a guardian, a pipeline and a rule. */
const judged = (asked: string): string => `${TYPES}
  gate "g" for r: R { require ${asked} }
  guardian "d" for r: R { retry at most 0 check c { need ${asked} as "no" do SAFE_REFUSAL } }
  pipeline "p" for r: R { before ${asked} else BLOCK "no" otherwise FORWARD "yes" }
  rule q { when r: R where ${asked} then log(r.id) }`;

interface Tried {
  readonly session: RuleSession;
  readonly calls: (readonly unknown[])[];
  readonly outcome: string;
  readonly verdict: string;
  readonly decision: string;
  readonly fired: number;
  readonly problems: readonly Problem[];
}

function tried(
  asked: string,
  signature: Signatures[string],
  given: (...args: unknown[]) => unknown,
  fields: Readonly<Record<string, unknown>> = {},
): Tried {
  const calls: (readonly unknown[])[] = [];
  const f = (...args: unknown[]): unknown => {
    calls.push(args);
    return given(...args);
  };
  const session = compile(judged(asked), { functions: { f: signature } }).session({
    functions: { f: f as never },
    now: () => 0,
  });
  session.assert("R", { id: "r", ...fields });
  const { fired, gates, verdicts, decisions, problems = [] } = session.run();
  return {
    session,
    calls,
    outcome: gates[0]?.outcome ?? "",
    verdict: verdicts[0]?.verdict ?? "",
    decision: decisions.flatMap((one) => ("decision" in one ? [one.decision] : []))[0] ?? "",
    fired: fired.length,
    problems,
  };
}

const CLOSED = { outcome: "hold", verdict: "FAIL", decision: "BLOCK", fired: 0 } as const;
const OPEN = { outcome: "pass", verdict: "PASS", decision: "FORWARD", fired: 1 } as const;

describe("a missing argument", () => {
  test.each(["string", "any"] as const)(
    "of type %s is not passed: the test is unknown, and nothing has failed",
    (kind) => {
      const asked = kind === "any" ? "not f(r.y)" : "not f(r.x)";
      const found = tried(asked, takes(kind), () => false);
      expect(found).toMatchObject({ ...CLOSED, calls: [], problems: [] });
    },
  );

  test("is passed as undefined where the parameter is optional", () => {
    const found = tried("not f(r.x)", takes("string", "bool", true), () => false);
    expect(found).toMatchObject({ ...OPEN, problems: [] });
    expect(found.calls.length).toBeGreaterThan(0);
    for (const args of found.calls) expect(args).toEqual([undefined]);
  });

  test("makes the result missing, so that coalesce and is missing apply", () => {
    expect(tried("coalesce(f(r.x), true)", takes("string"), () => false)).toMatchObject(OPEN);
    expect(tried("f(r.x) is missing", takes("string"), () => false)).toMatchObject(OPEN);
  });
});

describe("an argument of the wrong type", () => {
  const WRONG: readonly (readonly [Signatures[string]["params"][number]["type"], unknown, string])[] = [
    [{ kind: "string" }, 5, "a string"],
    [{ kind: "number" }, "5", "a number"],
    [{ kind: "bool" }, 1, "true or false"],
    [{ kind: "union", options: ["a", "b"] }, "c", '"a" or "b"'],
    [{ kind: "list", item: { kind: "string" } }, ["a", 1], "a list of strings"],
    [{ kind: "list", item: { kind: "any" } }, "a", "a list"],
    [{ kind: "fact", type: "R" }, 1, "the id of a fact"],
  ];

  test.each(WRONG)("does not reach a function that takes %j: %j", (type, y, wanted) => {
    const signature = { params: [{ name: "x", type, optional: false }], result: { kind: "bool" } } as const;
    const found = tried("not f(r.y)", signature, () => false, { y });
    expect(found).toMatchObject({ ...CLOSED, calls: [] });
    expect(found.problems.length).toBeGreaterThan(0);
    for (const problem of found.problems) {
      expect(problem).toMatchObject({ code: "E521", function: "f", facts: ["R~r"] });
      expect(problem.message).toContain(`x must be ${wanted}`);
    }
    expect(tried("coalesce(f(r.y), true)", signature, () => false, { y })).toMatchObject({ ...CLOSED, calls: [] });
  });

  test("is looked for in repeated parameters too", () => {
    const signature = { ...takes("string"), repeats: true };
    expect(tried('not f("a", r.y)', signature, () => false, { y: 1 })).toMatchObject({ ...CLOSED, calls: [] });
    expect(tried('not f("a", r.y)', signature, () => false, { y: "b" })).toMatchObject(OPEN);
  });
});

describe("a function that returns nothing", () => {
  const FALLBACKS: readonly (readonly [Kind, string])[] = [
    ["bool", "coalesce(f(r.id), true)"],
    ["number", "coalesce(f(r.id), 0) < 5"],
    ["string", 'coalesce(f(r.id), "a") == "a"'],
    ["any", "coalesce(f(r.id), 0) == 0"],
    ["bool", "f(r.id) is missing"],
  ];

  for (const nothing of [undefined, null]) {
    test.each(FALLBACKS)(`has failed when it returns ${nothing}: %s, %s`, (kind, asked) => {
      const found = tried(asked, takes("string", kind), () => nothing);
      expect(found).toMatchObject(CLOSED);
      expect(found.problems.length).toBeGreaterThan(0);
      expect(found.problems[0]?.message).toContain(`f("r") returned ${nothing}`);
    });

    test.each(FALLBACKS)(`may return ${nothing} where its result is optional: %s, %s`, (kind, asked) => {
      const signature = { ...takes("string"), result: { kind, optional: true } } as const;
      expect(tried(asked, signature, () => nothing)).toMatchObject({ ...OPEN, problems: [] });
    });
  }
});

test("a failure is reported for whatever calls the function, and each has its place", () => {
  const found = tried("f(r.id)", takes("string"), () => {
    throw new Error("down");
  });
  expect(found).toMatchObject(CLOSED);
  const named = new Set(found.problems.flatMap((problem) => ("rules" in problem ? problem.rules : [])));
  expect([...named].sort()).toEqual(['gate "g"', 'guardian "d"', 'pipeline "p"', "q"]);
  expect(found.problems.map(({ message }) => message).join("\n")).toContain('f("r") failed: down, with R r');
  expect(found.session.warnings.map(({ line }) => line).sort((a, b) => a - b)).toEqual([3, 4, 5, 6]);
});
