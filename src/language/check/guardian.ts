/** Checks guardians: tracks, the closed list of actions, and the expressions in reasons. */
import { Report } from "../../base/diagnostic.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import { Source } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { parseExpression } from "../parse.ts";
import { checkActions } from "./actions.ts";
import { GUARDIAN_ACTIONS, TRACKS } from "./builtin-types.ts";
import type { Context, Hole } from "./context.ts";
import { checkOnce, checkSubject, isNoLet } from "./decisions.ts";
import { evidenceIn } from "./evidence.ts";
import { Lets, usesLet, withoutLets } from "./lets.ts";
import { Scope } from "./scope.ts";
import { checkPattern, checkTest, typeOf } from "./typing.ts";
import { describe, isText } from "./types.ts";

export function checkGuardian(cx: Context, guardian: ast.GuardianDecl): void {
  const scope = Scope.root("judging");
  checkSubject(cx, guardian.subject, scope);
  const lets = new Lets(cx);
  for (const setting of guardian.settings) if (setting.kind === "let") lets.add(setting, scope);
  const settings = guardian.settings.filter(isNoLet);
  checkOnce(cx, settings, { track: "track", retry: "retry at most", report: "report all" });
  for (const setting of settings) checkSetting(cx, setting, scope);
  checkAttempt(cx, guardian);
  if (guardian.checks.length === 0) {
    const hint = 'write: check policy { need … as "reason" do ACTION }';
    cx.report.error("E232", guardian.name.span, `guardian "${guardian.name.name}" has no checks`, hint);
  }
  const names = new Set<string>();
  const checks: ast.CheckDecl[] = [];
  for (const check of guardian.checks) {
    const { name, span } = check.name;
    if (names.has(name)) cx.report.error("E204", span, `check "${name}" is defined twice`, "choose another name");
    names.add(name);
    checks.push(checkCheck(cx, check, scope, lets));
  }
  const verdicts = new Set<string>();
  for (const reaction of guardian.reactions) {
    if (verdicts.has(reaction.verdict)) {
      const message = `"on ${reaction.verdict}" appears twice`;
      cx.report.error("E204", reaction.span, message, "merge their actions into one block");
    }
    verdicts.add(reaction.verdict);
    checkActions(cx, reaction.actions, scope.inner("actions"));
  }
  if (!usesLet(guardian)) return;
  cx.elaborated.set(guardian, {
    ...guardian,
    settings: lets.inline(settings),
    checks,
    reactions: guardian.reactions.map((one) => ({ ...one, actions: withoutLets(cx, one.actions, lets) })),
  });
}

function checkSetting(cx: Context, setting: Exclude<ast.GuardianSetting, ast.LetElement>, scope: Scope): void {
  if (setting.kind === "report") return;
  if (setting.kind === "retry") {
    if (!Number.isInteger(setting.most)) {
      cx.report.error(
        "E209",
        setting.span,
        `"retry at most" must be an integer, found ${setting.most}`,
        "write an integer of 0 or more",
      );
    }
    return;
  }
  const value = setting.value;
  if (value.kind === "text") return checkTrackName(cx, value.value, value.span);
  const type = typeOf(cx, value, scope);
  if (isText(type) || type.kind === "any") return;
  cx.report.error("E203", value.span, `track must be "FAST" or "QUALITY", found ${describe(type)}`);
}

/** Reports a missing field `attempt`: without it every draft is the first, and RETRY never ends. */
function checkAttempt(cx: Context, guardian: ast.GuardianDecl): void {
  const { name, span } = guardian.subject.type;
  const declared = cx.symbols.type(name);
  if (declared === undefined) return;
  const attempt = declared.fields.get("attempt")?.type;
  if (attempt !== undefined) {
    if (attempt.kind === "number" || attempt.kind === "any") return;
    const message = `${name}.attempt must be number to count attempts, found ${describe(attempt)}`;
    return cx.report.error("E203", span, message, "declare it as: attempt: number = 0");
  }
  if (!retries(guardian)) return;
  cx.report.warning(
    "W240",
    span,
    `${name} has no field "attempt", so guardian "${guardian.name.name}" answers RETRY without end`,
    `add attempt: number = 0 to ${name}, or "retry at most 0" to the guardian`,
  );
}

/** Returns whether the guardian can return RETRY. */
function retries({ settings, checks }: ast.GuardianDecl): boolean {
  const most = settings.find((setting) => setting.kind === "retry")?.most;
  const track = settings.find((setting) => setting.kind === "track")?.value;
  const fast = track?.kind === "text" && track.value.toUpperCase() === "FAST";
  const again = checks.some((check) => !check.modifiers.some((modifier) => modifier.kind === "never-retry"));
  return most !== 0 && !fast && again;
}

/** Checks a check, and returns it with expressions in place of the names that `let` gives. */
function checkCheck(cx: Context, check: ast.CheckDecl, outer: Scope, outerLets: Lets): ast.CheckDecl {
  const scope = outer.inner("evidence");
  for (const modifier of check.modifiers) {
    if (modifier.kind === "using") checkUsing(cx, modifier.pattern, scope);
    else if (modifier.kind === "on-track") checkTrackName(cx, modifier.track.name, modifier.track.span);
    else if (modifier.kind === "exit") checkGuardianAction(cx, modifier.action);
    else if (modifier.kind === "when" || modifier.kind === "unless") checkTest(cx, modifier.test, scope);
  }
  const single = check.modifiers.filter((modifier) =>
    ["on-track", "risk", "exit", "never-retry"].includes(modifier.kind),
  );
  checkOnce(cx, single, MODIFIER_NAMES);
  if (check.lines.length === 0) {
    cx.report.error(
      "E232",
      check.name.span,
      `check "${check.name.name}" is empty`,
      'add a line: need … as "reason" do ACTION',
    );
  }
  const lets = new Lets(cx, outerLets);
  for (const one of check.lets) lets.add(one, scope);
  for (const line of check.lines) checkLine(cx, check, line, scope, lets);
  return { ...check, modifiers: outerLets.inline(check.modifiers), lets: [], lines: lets.inline(check.lines) };
}

function checkUsing(cx: Context, pattern: ast.Pattern, scope: Scope): void {
  checkPattern(cx, pattern, scope);
  const name = pattern.variable?.name;
  const variable = name === undefined ? undefined : scope.get(name);
  if (variable !== undefined) scope.add({ ...variable, evidence: true });
}

const MODIFIER_NAMES: Readonly<Record<ast.CheckModifier["kind"], string>> = {
  "on-track": "on",
  risk: "risk",
  exit: "exit",
  "never-retry": "never retry",
  using: "using",
  when: "when",
  unless: "unless",
};

function checkLine(cx: Context, check: ast.CheckDecl, line: ast.CheckLine, scope: Scope, lets: Lets): void {
  if (line.track !== null) checkTrackName(cx, line.track.track.name, line.track.track.span);
  checkTest(cx, line.test, scope);
  for (const limit of line.limits) checkTest(cx, limit.test, scope);
  checkHoles(cx, line.reason, scope, lets);
  if (line.sentence !== null) checkSentence(cx, check, line, line.sentence, scope, lets);
  for (const action of line.actions) checkGuardianAction(cx, action);
}

function checkTrackName(cx: Context, name: string, span: Span): void {
  if (TRACKS.has(name.toUpperCase())) return;
  const hint = didYouMean(nearest(name, TRACKS)) ?? "the tracks are FAST and QUALITY";
  cx.report.error("E241", span, `unknown track "${name}"`, hint);
}

function checkGuardianAction(cx: Context, action: ast.Ident): void {
  if (GUARDIAN_ACTIONS.has(action.name)) return;
  const meant = nearest(action.name, GUARDIAN_ACTIONS);
  const hint = didYouMean(meant) ?? "see the list of guardian actions in docs/language.md";
  cx.report.error("E240", action.span, `unknown guardian action "${action.name}"`, hint);
}

// ---------------------------------------------------------------- reasons and sentences

/**
 * Checks the sentence of a line. It must not decide what the line tests: it can name single facts of `using` only where the line
 * does, because a line that names them passes or fails fact by fact.
 */
function checkSentence(
  cx: Context,
  check: ast.CheckDecl,
  line: ast.CheckLine,
  sentence: ast.TextExpr,
  scope: Scope,
  lets: Lets,
): void {
  const isFine = checkHoles(cx, sentence, scope, lets);
  if (sentence.value.trim() === "") {
    cx.report.error("E214", sentence.span, 'the sentence after "says" is empty', 'write a sentence, or remove "says"');
  }
  if (!isFine) return;
  const isEvidence = (name: string): boolean => scope.get(name)?.evidence === true;
  const inHoles = (text: ast.TextExpr): readonly ast.Expr[] => (cx.holes.get(text) ?? []).map(({ expr }) => expr);
  const limits = check.modifiers.filter(({ kind }) => kind === "when" || kind === "unless");
  const tested = evidenceIn(lets.inline([limits, line.test, line.limits, inHoles(line.reason)]), isEvidence);
  for (const name of evidenceIn(inHoles(sentence), isEvidence)) {
    if (tested.has(name)) continue;
    const message = `the sentence names single facts of "${name}", but the line does not test them one by one`;
    cx.report.error(
      "E214",
      sentence.span,
      message,
      `use an aggregate, such as count(${name}) or collect(${name}.field)`,
    );
  }
}

/**
 * Checks the expressions in the braces of a reason or sentence, `low(avg={avg(e.confidence)})`, which are computed for
 * each verdict. Returns whether there is no error in them.
 */
function checkHoles(cx: Context, reason: ast.TextExpr, scope: Scope, lets: Lets): boolean {
  const holes: Hole[] = [];
  let isFine = true;
  for (const hole of reason.value.matchAll(/\{([^{}]*)\}/gu)) {
    const written = hole[1] ?? "";
    const inner = new Report(new Source(cx.report.source.file, written));
    const parsed = parseExpression(inner, cx.limits);
    if (parsed !== undefined) {
      const isLocal = (name: string): boolean => scope.get(name) !== undefined;
      const expr = cx.symbols.modules?.expression(parsed, cx.report.source, inner, isLocal) ?? parsed;
      typeOf({ ...cx, report: inner }, expr, scope);
      holes.push({
        start: hole.index,
        end: hole.index + hole[0].length,
        text: written.trim(),
        expr: lets.inline(expr),
      });
    }
    const span = holeSpan(cx, reason, hole.index, hole[0].length);
    for (const fault of inner.diagnostics.filter(({ severity }) => severity === "error")) {
      isFine = false;
      cx.report.error(fault.code, span, `in "{${written}}": ${fault.message}`, fault.hint);
    }
  }
  cx.holes.set(reason, holes);
  return isFine;
}

/** Returns the span of the hole; of the whole string when it contains escapes. */
function holeSpan(cx: Context, reason: ast.TextExpr, index: number, length: number): Span {
  const start = reason.span.start + 1 + index;
  const written = cx.report.source.text.slice(start, start + length);
  return written === reason.value.slice(index, index + length) ? { start, end: start + length } : reason.span;
}
