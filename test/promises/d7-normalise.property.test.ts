/** D7: normalising a test is idempotent, independent of order, and keeps its meaning in all three truth values. */
import { Clock } from "../../src/rete/clock.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Maybe } from "../../src/base/value.ts";
import { canonicalText } from "../../src/plan/read/canonical.ts";
import { JudgeQueries } from "../../src/assemble/gate-queries.ts";
import { NO_JUDGES } from "../../src/assemble/judges.ts";
import { compileExpr } from "../../src/assemble/expression.ts";
import { normalise } from "../../src/plan/normalise.ts";
import type { Comparator } from "../../src/base/comparator.ts";
import type { PlanExpr } from "../../src/plan/plan.ts";
import { Fact, Layout, Shape } from "../../src/rete/fact.ts";
import { runs } from "../support/cases.ts";

const FIELDS = ["a", "b", "c"];
const VALUES: readonly Maybe[] = [undefined, 0, 1, 2, "", "1", "x", true, false];
const shape = new Shape(new Layout("T", FIELDS));

const field = fc.constantFrom(...FIELDS).map((name): PlanExpr => ({ op: "field", level: 0, field: name, type: "T" }));
const constant = fc
  .constantFrom<string | number | boolean>(0, 1, 2, "", "1", "x", true, false, "a AND b", '"')
  .map((value): PlanExpr => ({ op: "const", value }));
const operand = fc.oneof({ weight: 3, arbitrary: field }, { weight: 2, arbitrary: constant });
const comparator = fc.constantFrom<Comparator>("==", "!=", "<", "<=", ">", ">=");

const { test: anyTest } = fc.letrec<{ test: PlanExpr; atom: PlanExpr }>((tie) => ({
  atom: fc.oneof(
    fc.record({ op: fc.constant("compare" as const), by: comparator, left: operand, right: operand }),
    fc.record({ op: fc.constant("missing" as const), of: field }),
    fc.record({
      op: fc.constant("in" as const),
      left: field,
      right: fc.constant<PlanExpr>({ op: "const", value: [1, "x"] }),
    }),
    field,
    fc.record({
      op: fc.constant("compare" as const),
      by: fc.constant<Comparator>("=="),
      left: tie("test"),
      right: field,
    }),
  ),
  test: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    tie("atom"),
    fc.record({ op: fc.constant("not" as const), of: tie("test") }),
    fc.record({
      op: fc.constantFrom("and" as const, "or" as const),
      items: fc.array(tie("test"), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

const fact = fc
  .tuple(...FIELDS.map(() => fc.constantFrom(...VALUES)))
  .map((values) => new Fact("T~@1", shape, values, 1, 1));

const SITE = {
  functions: new Map(),
  facts: { get: () => undefined, facts: () => [], count: () => 0 },
  gates: new JudgeQueries({ refreshed: () => NO_JUDGES }),
  clock: new Clock(),
};

function evaluate(expr: PlanExpr, on: Fact): Maybe {
  const scope = {
    matchLevel: -1,
    factLevel: 0,
    shapes: { of: () => shape },
    functions: new Map(),
    regex: undefined,
    table: () => {
      throw new Error("no table");
    },
    site: () => SITE,
    failed: () => undefined,
    failures: () => 0,
    dividedByZero: () => undefined,
    tooLong: () => undefined,
  };
  const value = compileExpr(expr, scope)(undefined, on);
  return typeof value === "boolean" ? value : undefined;
}

/** The same expression with the items of every AND and OR turned around and every comparison mirrored. */
function turned(expr: PlanExpr): PlanExpr {
  switch (expr.op) {
    case "and":
    case "or":
      return { ...expr, items: expr.items.map(turned).toReversed() };
    case "not":
      return { ...expr, of: turned(expr.of) };
    case "compare":
      return { ...expr, by: MIRROR[expr.by], left: turned(expr.right), right: turned(expr.left) };
    default:
      return expr;
  }
}

const MIRROR: Readonly<Record<Comparator, Comparator>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

test("the meaning stays, in all three values", () => {
  fc.assert(
    fc.property(anyTest, fact, (expr, on) => {
      expect(evaluate(normalise(expr), on)).toBe(evaluate(expr, on));
    }),
    { numRuns: runs() },
  );
});

test("normalising twice is normalising once", () => {
  fc.assert(
    fc.property(anyTest, (expr) => {
      expect(canonicalText(normalise(normalise(expr)))).toBe(canonicalText(normalise(expr)));
    }),
    { numRuns: runs() },
  );
});

test("the order in which terms are written does not matter", () => {
  fc.assert(
    fc.property(anyTest, (expr) => {
      expect(canonicalText(normalise(turned(expr)))).toBe(canonicalText(normalise(expr)));
    }),
    { numRuns: runs() },
  );
});

test("equal canonical texts mean equal tests", () => {
  const byText = new Map<string, PlanExpr>();
  fc.assert(
    fc.property(anyTest, fact, (expr, on) => {
      const normal = normalise(expr);
      const text = canonicalText(normal);
      const before = byText.get(text);
      if (before === undefined) byText.set(text, expr);
      else expect(evaluate(before, on)).toBe(evaluate(expr, on));
    }),
    { numRuns: runs() },
  );
});
