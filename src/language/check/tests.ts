/** Checks `test` blocks: the given facts, and the expectations. */
import { didYouMean, nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { checkActionCall, checkActionName } from "./actions.ts";
import type { Context } from "./context.ts";
import { checkGivenCalls } from "./given-calls.ts";
import { checkFact } from "./facts.ts";
import { isKeyOf } from "./keys.ts";
import { Keys } from "./keys-in-use.ts";
import { isKnown } from "./paths.ts";
import { Scope } from "./scope.ts";
import { checkPattern, typeOf } from "./typing.ts";
import { describe, factOf, STRING, type Type } from "./types.ts";

export function checkTestDecl(cx: Context, decl: ast.TestDecl): void {
  const scope = Scope.root();
  const keys = new Keys();
  for (const item of decl.items) {
    if (item.kind === "given" && item.name !== null) nameGiven(cx, item.name, item.fact, scope);
  }
  for (const item of decl.items) {
    if (item.kind !== "given") continue;
    checkFact(cx, item.fact, { kind: "data", scope });
    keys.take(cx, item.fact);
  }
  checkGivenCalls(
    cx,
    decl.items.filter((item) => item.kind === "given-call"),
    scope,
  );
  checkClockItems(cx, decl);
  for (const item of decl.items) {
    if (isExpectation(item)) checkExpectation(cx, item, scope);
  }
}

/** Checks that a test sets the clock first and once, and then moves it on. */
function checkClockItems(cx: Context, { items }: ast.TestDecl): void {
  let now: number | undefined;
  for (const [index, item] of items.entries()) {
    if (item.kind !== "clock" && item.kind !== "advance") continue;
    const given = item.kind === "clock" ? item.at : item.by;
    if (item.kind === "clock" && index > 0) {
      const hint = 'make it the first line of the test; "advance" moves the clock later';
      cx.report.error("E214", item.span, '"clock" sets the clock when the test begins', hint);
    }
    if (item.kind === "advance" && now === undefined) {
      const hint = "begin the test with: clock @2026-11-16T12:00:00Z";
      cx.report.error("E214", item.span, "this test does not set the clock, so it cannot be moved", hint);
    }
    const to = instantOf(item, now);
    if (to === undefined) {
      const wanted = item.kind === "clock" ? "an instant" : "a duration or an instant";
      const hint = item.kind === "clock" ? "write clock @2026-11-16T12:00:00Z" : "write advance 10 min";
      cx.report.error("E203", given.span, `"${item.kind}" needs ${wanted}`, hint);
    } else if (now !== undefined && to < now) {
      cx.report.error("E214", item.span, "the clock never goes back", "give a later time");
    }
    now = to ?? now ?? 0;
  }
}

/** Returns the instant that an item moves the clock to; undefined when it says none. */
export function instantOf(item: ast.ClockItem | ast.AdvanceItem, now: number | undefined): number | undefined {
  const given = item.kind === "clock" ? item.at : item.by;
  if (given.kind === "time") return given.of === "instant" ? given.value : undefined;
  return item.kind === "advance" && given.of === "duration" ? (now ?? 0) + Math.floor(given.value) : undefined;
}

function nameGiven(cx: Context, name: ast.Ident, fact: ast.FactLiteral, scope: Scope): void {
  if (scope.get(name.name) !== undefined) {
    cx.report.error("E204", name.span, `the name "${name.name}" is given twice`, "choose another name");
  }
  scope.add({ name: name.name, type: factOf(fact.type.name), kind: "fact" });
}

type Expectation = Exclude<ast.TestItem, ast.GivenItem | ast.GivenCall | ast.ClockItem | ast.AdvanceItem>;

function isExpectation(item: ast.TestItem): item is Expectation {
  return item.kind !== "given" && item.kind !== "given-call" && item.kind !== "clock" && item.kind !== "advance";
}

function checkExpectation(cx: Context, item: Expectation, scope: Scope): void {
  switch (item.kind) {
    case "expect-rule":
      checkTimes(cx, item.times, item.span);
      return checkRuleName(cx, item.rule);
    case "expect-effect":
      return checkEffect(cx, item, scope);
    case "expect-gate":
      return checkJudged(cx, "gate", item.gate, item.args, scope);
    case "expect-verdict":
      return checkJudged(cx, "guardian", item.guardian, item.args, scope);
    case "expect-decision":
      checkDecision(cx, item);
      return checkJudged(cx, "pipeline", item.pipeline, item.args, scope);
    case "expect-facts":
      checkTimes(cx, item.count, item.span);
      return checkPattern(cx, item.pattern, scope.inner());
  }
}

/** Checks an expected effect; an absent one without arguments needs a known action only. */
function checkEffect(cx: Context, { isAbsent, effect }: ast.ExpectEffect, scope: Scope): void {
  const { name, span } = effect.name;
  if (isAbsent && name.toLowerCase() === "focus") {
    cx.report.error(
      "E214",
      span,
      "focus is not an effect",
      "expect that no rule of the group fires: expect rule name fires 0",
    );
  } else if (isAbsent && effect.args.length === 0) checkActionName(cx, effect.name);
  else checkActionCall(cx, effect, scope);
}

function checkTimes(cx: Context, times: number | null, span: Span): void {
  if (times === null || Number.isInteger(times)) return;
  cx.report.error("E209", span, `${times} is not a number of times`, "write an integer of 0 or more");
}

/** Checks an expected decision; ALLOW and NOTE never end a pipeline. */
function checkDecision(cx: Context, item: ast.ExpectDecision): void {
  if (item.decision !== "ALLOW" && item.decision !== "NOTE") return;
  const hint = "use BLOCK, ANSWER, FORWARD or ERROR";
  cx.report.error("E214", item.span, `a pipeline never ends in ${item.decision}`, hint);
}

function checkRuleName(cx: Context, rule: ast.Label): void {
  if (cx.symbols.rules.get(rule.name) !== undefined || cx.symbols.isRemovedRule(rule.name)) return;
  if (cx.symbols.excuses(cx.symbols.rules, rule.name)) return;
  cx.report.error(
    "E207",
    rule.span,
    `unknown rule "${rule.name}"`,
    didYouMean(nearest(rule.name, cx.symbols.written(cx.symbols.rules, cx.report.source))),
  );
}

/**
 * Checks the subject of an expectation: a given fact, a fact of the program, or the key or id of one: `deploy(r1)`,
 * `deploy("Release~r1")`.
 */
function checkJudged(
  cx: Context,
  of: "gate" | "guardian" | "pipeline",
  name: ast.Label,
  args: readonly ast.Expr[],
  scope: Scope,
): void {
  const names = { gate: cx.symbols.gates, guardian: cx.symbols.guardians, pipeline: cx.symbols.pipelines }[of];
  const found = names.get(name.name);
  if (found === undefined) {
    if (cx.symbols.excuses(names, name.name)) return;
    const hint = didYouMean(nearest(name.name, cx.symbols.written(names, cx.report.source)));
    cx.report.error("E213", name.span, `unknown ${of} "${name.name}"`, hint);
    return;
  }
  const wanted = found.decl.subject === null ? 0 : 1;
  if (args.length !== wanted) {
    const message = `${of} ${name.name} takes ${wanted === 0 ? "no subject" : "1 subject"}, found ${args.length}`;
    cx.report.error("E209", name.span, message);
  }
  const type = found.decl.subject?.type.name;
  for (const arg of args) checkSubjectOf(cx, `${of} ${name.name}`, type, arg, scope);
}

function checkSubjectOf(cx: Context, judge: string, wanted: string | undefined, arg: ast.Expr, scope: Scope): void {
  const found = subjectType(cx, arg, scope);
  if (wanted === undefined || fits(cx, wanted, arg, found)) return;
  const hint = `use a fact of type ${wanted}, or its key or id in quotes`;
  cx.report.error("E209", arg.span, `${judge} takes a fact of type ${wanted}, found ${describe(found)}`, hint);
}

function subjectType(cx: Context, arg: ast.Expr, scope: Scope): Type {
  if (arg.kind === "path" && arg.fields.length === 0 && !isKnown(cx, arg, scope)) {
    cx.resolutions.set(arg, "word");
    return STRING;
  }
  return typeOf(cx, arg, scope);
}

function fits(cx: Context, wanted: string, arg: ast.Expr, found: Type): boolean {
  if (found.kind === "any" || found.kind === "fact") return found.kind === "any" || found.type === wanted;
  if (arg.kind === "text" && arg.value.startsWith(`${wanted}~`)) return true;
  const plain = arg.kind === "text" || arg.kind === "number" || arg.kind === "path";
  return plain && (found.kind === "string" || found.kind === "number") && isKeyOf(cx, factOf(wanted), found.kind);
}
