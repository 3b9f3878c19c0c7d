/** Tests that what a gate misses costs no more for a large minimum, and is bounded for large requirements. */
import { describe, expect, test } from "vitest";
import { missingLeaves } from "../../src/gates/missing.ts";
import { type Code, UNKNOWN } from "../../src/gates/requirement.ts";
import { compile, decideGate, GateJsonError, gateSource, type RuleSession } from "../../src/index.ts";
import type { Requirement } from "../../src/base/judging.ts";

const QUORUM = (min: number, settings = ""): string => `
type R(#id: string)
type V(#id: string, r: string)
type A(r: string, v: string, ok: bool)
condition appr(r: R, v: string) : a.ok from a: A(a.r == r.id, a.v == v)
condition other(r: R) : a.ok from a: A(a.r == r.id, a.v == "other")
gate "g" for r: R { ${settings} require at least ${min} of v: V(v.r == r.id) : appr(r, v.id) }
gate "either" for r: R { ${settings} require any(at least ${min} of v: V(v.r == r.id) : appr(r, v.id), other(r)) }
R("r") V("v1", "r") V("v2", "r") V("v3", "r")
A("r", "v1", true)
A("r", "v2", false)
`;

function opened(min: number, settings?: string): RuleSession {
  const session = compile(QUORUM(min, settings)).session();
  session.run();
  return session;
}

describe("a large minimum of an open quorum", () => {
  test.each([3, 1000, 20_000_000, 5_000_000_000])("at least %i: the unknown member and the rest", (min) => {
    const missing = opened(min).gate("g", "R~r").missing;
    expect(missing.map(({ text }) => text)).toEqual([
      "appr(r, v.id) for V v3",
      `at least ${min} of v: V(v.r == r.id) : appr(r, v.id)`,
    ]);
    expect(missing[1]?.needs).toMatch(new RegExp(`^needs ${min - 2} more `, "u"));
  });

  test("counts every fact that it lacks when another way is compared with it", () => {
    const texts = (min: number): string[] =>
      opened(min)
        .gate("either", "R~r")
        .missing.map(({ text }) => text);
    expect(texts(2)).toEqual(["appr(r, v.id) for V v3"]);
    expect(texts(5_000_000_000)).toEqual(["other(r)"]);
  });

  test("with Bochvar's logic every unknown member is needed", () => {
    const missing = opened(2, "logic bochvar").gate("g", "R~r").missing;
    expect(missing.map(({ text }) => text)).toEqual(["appr(r, v.id) for V v3"]);
  });

  test.each(["appr(r, v.id)", "v.id == r.id"])(
    "what would open it is not searched when it is out of reach: %s",
    (asked) => {
      const source = QUORUM(2).replace(
        "at least 2 of v: V(v.r == r.id) : appr(r, v.id) }",
        `at least 900 of v: V(v.r == r.id) : ${asked} }`,
      );
      const session = compile(source).session();
      session.run();
      expect(session.wouldOpen("g", "R~r")).toEqual([]);
    },
  );
});

test("an open quorum waits for new facts before recorded refusals are changed", () => {
  const session = compile(`
type R(#id: string)
type A(#r: string, #v: string, ok: bool)
gate "g" for r: R { require at least 2 of a: A(a.r == r.id) : a.ok }
R("r") A("r", "v0", false) A("r", "v1", false) A("r", "v2", false)`).session();
  session.run();
  const [first] = session.wouldOpen("g", "R~r");
  expect(first?.edits.map(({ op }) => op)).toEqual(["assert", "assert"]);
});

describe("large requirements", () => {
  const leaf = (number: number): Requirement => ({ kind: "leaf", leaf: number, text: "" });

  /** Counts how often the value of a leaf is read: `size` leaves in pairs, of which the first six occur twice. */
  function reads(size: number): number {
    let count = 0;
    const pairs = Array.from({ length: size }, (_, at): Requirement => {
      return { kind: "any", min: 1, items: [leaf(at), leaf(at < 6 ? (at + 1) % 6 : size + at)], text: "" };
    });
    const value = (): Code => {
      count += 1;
      return UNKNOWN;
    };
    const found = missingLeaves({ kind: "all", min: size, items: pairs, text: "" }, "kleene", value);
    expect(found.length).toBeGreaterThanOrEqual(size - 3);
    return count;
  }

  test("tied conditions are tried in every way only up to a budget", () => {
    expect(reads(400)).toBeGreaterThan(2 ** 6 * 800);
    expect(reads(20_000)).toBeLessThan(400_000);
  });

  test("a condition with many names is numbered once", () => {
    const items = Array.from({ length: 30_000 }, (_, at) => ({ kind: "condition", name: `c${at}` }) as const);
    const answer = decideGate({ name: "g", requirement: { kind: "any", items } }, { c29999: true });
    expect(answer.outcome).toBe("pass");
  });
});

describe("gates as source", () => {
  const program = compile(
    'type R(#id: string, ok: bool)\ncondition tests_ok(r: R) : r.ok\ngate "g" for r: R { require tests_ok(r) }',
  );

  test.each(["tests_ok(r) // ", "tests_ok(r) /* x */"])("a comment in a leaf is refused: %s", (name) => {
    const make = (): string => gateSource(program, { kind: "condition", name }, { name: "n", like: "g" });
    expect(make).toThrow(GateJsonError);
    expect(make).toThrow("contains a comment; remove it");
  });

  test.each(["a\bb", "a\fb", "a\u2028b", 'say "x" {y} \\'])("the name %j can be read again", (name) => {
    const source = gateSource(program, { kind: "condition", name: "tests_ok" }, { name, like: "g" });
    expect([...program.extend(source).checked.symbols.gates.names()]).toContain(name);
  });
});
