/** Prepares timers: the nodes whose values turn by themselves when the clock reaches an end of a span of time. */
import { isDay } from "../base/civil.ts";
import { timeText } from "../base/time.ts";
import type { Maybe } from "../base/value.ts";
import { zoneNamed } from "../base/zone.ts";
import type { Match } from "../rete/match.ts";
import { type SpanEnd, TimerNode } from "../rete/timer.ts";
import type { SpanEndPlan, TimerPlan } from "../plan/plan.ts";
import { callsIn, valuesOf } from "../plan/read/levels.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { MakingContext } from "./making-context.ts";
import type { MakeNode } from "./node-spec.ts";
import { unknownReason } from "./unknown-reasons.ts";

/** Prepares the node that adds whether the clock is inside a span of time. */
export function makeTimer(plan: TimerPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name, inside, outside } = plan;
  const exprs = (plan.until === undefined ? [plan.from] : [plan.from, plan.until]).map(({ at }) => at);
  const [begins = NEVER, ends = NEVER] = exprs.map((expr) => expressions.matchValue(expr, plan.level - 1));
  const from = spanEnd(plan.from, begins);
  const until = plan.until === undefined ? undefined : spanEnd(plan.until, ends);
  const threw = exprs.some(callsIn) ? (match: Match) => expressions.failureIn([begins, ends], match) : () => undefined;
  const reads = expressions.reads(...exprs);
  const values = new Set(exprs.flatMap((expr) => [...valuesOf(expr)]));
  const unknown = unknownReason(exprs);
  const waits = outside === null ? waitWords(plan, expressions) : undefined;
  return (live) => {
    const { flushQueue, tally, clock } = live.network;
    const left = live.beta(above);
    const truths = { inside: inside ?? undefined, outside: outside ?? undefined };
    const spec = { name, left, from, until, ...truths, reads, values, unknown, threw, waits };
    const node = new TimerNode(spec, clock, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }], forget: () => node.cancelAll() };
  };
}

/** The end of a span that has none. */
const NEVER = (): undefined => undefined;

/** Returns what says until when the value of a timer is unknown. */
function waitWords({ from, inside, level }: TimerPlan, expressions: ExpressionCompiler): (match: Match) => string {
  const value = expressions.matchValue(from.at, level - 1);
  const kind = from.zone === undefined ? "instant" : "date";
  return (match) => {
    const end = value(match);
    const shown = typeof end === "number" ? firstOf(end, from.after) - (from.after ? 1 : 0) : undefined;
    const text = shown === undefined ? "an unknown time" : timeText(kind, shown);
    return inside === true ? `waits until ${text}` : `the window closes after ${text}`;
  };
}

/** Returns an end of a span as an instant: the first instant that belongs to what follows it. */
function spanEnd({ zone, after }: SpanEndPlan, value: (match: Match) => Maybe): SpanEnd {
  return (match) => {
    const end = value(match);
    if (typeof end !== "number") return undefined;
    const first = firstOf(end, after);
    return zone === undefined ? first : startOfDay(first, zone);
  };
}

/** Returns the first integer that is not before an end, or with `after` the first after it. */
function firstOf(end: number, after: boolean): number {
  return after ? Math.floor(end) + 1 : Math.ceil(end);
}

/** Returns the first instant of a day; infinite beyond all dates. */
function startOfDay(day: number, zone: string): number {
  const start = isDay(day) ? zoneNamed(zone)?.startOf(day) : undefined;
  return start ?? (day > 0 ? Infinity : -Infinity);
}
