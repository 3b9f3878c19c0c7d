/**
 * Plans conditions inside tests: what is passed for the parameters takes their place. A condition without evidence is its test,
 * written out; one with evidence becomes an aggregate over the evidence, whose value the test reads at a level.
 *
 * A condition has the same value wherever it is used: its patterns are judged, also inside a rule.
 */
import { EVIDENCE_READINGS, type EvidenceReading } from "../base/judging.ts";
import { must } from "../base/invariant.ts";
import type * as ast from "../language/ast.ts";
import type { ConditionUse } from "../language/check/condition-uses.ts";
import { expressionText } from "../language/print-part.ts";
import { lowerExpr, passedPlace, type Place } from "./lower-expr.ts";
import { normalise, normaliseValue } from "./normalise.ts";
import { planPattern } from "./patterns.ts";
import type { PlanExpr } from "./plan.ts";
import type { RuleBuilder } from "./rule-builder.ts";

/** Returns the value of a condition inside a test; adds the nodes that it needs. */
export function planConditionUse(builder: RuleBuilder, use: ConditionUse): PlanExpr {
  const { decl } = must(builder.program.conditionUses.get(use), "a condition that resolved");
  const places = parameterPlaces(builder, decl, use.kind === "call" ? use.args : []);
  return builder.asCondition(places, () => {
    const { evidence, test } = decl;
    return evidence === null ? lowerExpr(builder, test) : planEvidence(builder, evidence, test, expressionText(use));
  });
}

function planEvidence(builder: RuleBuilder, evidence: ast.Evidence, test: ast.Expr, asked: string): PlanExpr {
  const { pattern, by, per } = evidence;
  const inner = builder.question();
  planPattern(inner, { variable: pattern.variable?.name, type: pattern.type.name, tests: pattern.tests });
  const holds = normalise(lowerExpr(inner, test));
  const parts = [
    { name: "by", expr: by },
    { name: "per", expr: per },
  ].flatMap(({ name, expr }) => (expr === null ? [] : [{ name, value: normaliseValue(lowerExpr(inner, expr)) }]));
  const value: PlanExpr =
    parts.length === 0 ? holds : { op: "object", entries: [{ name: "holds", value: holds }, ...parts] };
  builder.aggregate([inner], evidenceAggregate(readingOf(evidence)), value, true, asked);
  return { op: "value", level: builder.level };
}

/** Returns how the pieces of evidence become one value. */
export function readingOf({ mode, per }: ast.Evidence): EvidenceReading {
  if (mode === "any latest") return { kind: "newest", over: "any" };
  if (mode === "every latest") return { kind: "newest", over: "every" };
  return mode === "latest" && per !== null ? { kind: "newest", over: "agree" } : { kind: mode };
}

function evidenceAggregate(reading: EvidenceReading): string {
  const text = JSON.stringify(reading);
  const found = [...EVIDENCE_READINGS].find(([, one]) => JSON.stringify(one) === text);
  return must(found, "a reading of evidence")[0];
}

// ---------------------------------------------------------------- parameters

/** Returns what the parameters of a condition stand for. */
export function parameterPlaces(
  builder: RuleBuilder,
  decl: ast.ConditionDecl,
  args: readonly ast.Value[],
): ReadonlyMap<string, Place> {
  return new Map(decl.params.map((param, index) => [param.name.name, passedPlace(builder, param, args[index])]));
}
