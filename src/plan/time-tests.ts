/**
 * Tests of the clock as spans of time: `now >= i.due` is a span that begins with `i.due`, `today == d` is the day `d`. A timer (rete)
 * adds whether the clock is inside to each match.
 */
import type { Comparator } from "../base/comparator.ts";
import type * as ast from "../language/ast.ts";
import { type SolvedTest, zoneOf } from "../language/check/clock.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { canonicalText } from "./read/canonical.ts";
import { normaliseValue } from "./normalise.ts";
import type { PlanExpr, SpanEndPlan, TimerPlan } from "./plan.ts";

/** A span of time, and what is true inside and outside. */
export type TimeSpan = Pick<TimerPlan, "from" | "until" | "inside" | "outside">;

/** Returns the span in which a test of the clock is true, or false. */
export function spanOf(
  { clock, op, other, steps }: SolvedTest,
  program: CheckedProgram,
  lower: (expr: ast.Value) => PlanExpr,
): TimeSpan {
  const at = normaliseValue(
    steps.reduce<PlanExpr>(
      (so, { operator, operand }) => ({ op: "chain", items: [so, lower(operand)], ops: [operator] }),
      lower(other),
    ),
  );
  const zone = clock === "today" ? zoneOf(program) : undefined;
  const begins: SpanEndPlan = { at, zone, after: op === ">" || op === "<=" };
  const inside = INSIDE[op];
  const until: SpanEndPlan | undefined = op === "==" || op === "!=" ? { at, zone, after: true } : undefined;
  return { from: begins, until, inside, outside: !inside };
}

/** Returns the span for `wait until t`: unknown before t, true from then on. */
export function spanFrom(at: PlanExpr, zone: string | undefined): TimeSpan {
  return { from: { at: normaliseValue(at), zone, after: false }, until: undefined, inside: true, outside: null };
}

/** Returns the span for a window that closes after a time: unknown until then, and false from then on. */
export function spanPending(at: PlanExpr, zone: string | undefined): TimeSpan {
  return { from: { at: normaliseValue(at), zone, after: true }, until: undefined, inside: false, outside: null };
}

/** What a comparison is once the clock has reached the other side. */
const INSIDE: Readonly<Record<Comparator, boolean>> = {
  ">=": true,
  ">": true,
  "<": false,
  "<=": false,
  "==": true,
  "!=": false,
};

/** Returns the canonical text of a span. */
export function spanText({ from, until, inside, outside }: TimeSpan): string {
  const ends = [endText(from), ...(until === undefined ? [] : [`UNTIL ${endText(until)}`])].join(" ");
  return `FROM ${ends}: ${truthText(inside)} ELSE ${truthText(outside)}`;
}

function endText({ at, zone, after }: SpanEndPlan): string {
  return `${after ? "AFTER " : ""}${canonicalText(at)}${zone === undefined ? "" : ` IN ${JSON.stringify(zone)}`}`;
}

function truthText(truth: boolean | null): string {
  return truth === null ? "UNKNOWN" : String(truth);
}
