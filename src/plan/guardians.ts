/**
 * Plans guardians. Each line becomes a watch below the chain of the subjects; what it tests and says is kept with the
 * guardian and worked out when the verdict is asked for. Reactions become rules over `Verdict`.
 */
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import { evidenceIn } from "../language/check/evidence.ts";
import { authorText } from "./author-text.ts";
import { RuleBuilder, type PlanContext } from "./rule-builder.ts";
import { addTerminals } from "./rule-terminals.ts";
import { lowerExpr } from "./lower-expr.ts";
import { planPattern, planTests } from "./patterns.ts";
import type { CheckPlan, GuardianPlan, LinePlan, PlanExpr, PlanRule, PlanText, WatchedTest } from "./plan.ts";
import { addWatch, planQuestionsAhead, SharedQuestions, planSubject, branchSharing, usingOf } from "./watches.ts";
import type { Track } from "../base/judging.ts";

/** Gives the rules that the reactions become. */
export function planGuardians(context: PlanContext, free: (name: string) => string): Omit<PlanRule, "order">[] {
  const reactions: Omit<PlanRule, "order">[] = [];
  for (const { decl, source } of context.program.symbols.guardians.values()) {
    planGuardian(context, decl, source);
    for (const reaction of decl.reactions) {
      const name = free(`guardian "${decl.name.name}" on ${reaction.verdict}`);
      reactions.push(planReaction(new RuleBuilder(context, name), decl, reaction));
    }
  }
  return reactions;
}

function planGuardian(context: PlanContext, decl: ast.GuardianDecl, source: Source): void {
  const { name } = decl.name;
  const { builder: subjects, level: subjectLevel } = planSubject(context, `guardian "${name}"`, decl.subject);
  const checks = decl.checks.map((check) => planCheck(subjects, check, source));
  const settings = planSettings(subjects, decl);
  const retry = decl.settings.find((one) => one.kind === "retry");
  const max = retry?.most ?? DEFAULT_RETRIES;
  const subjectType = decl.subject.type.name;
  const about = { guardian: name, subjectType, subjectLevel, max, settings, checks };
  const text = JSON.stringify(about);
  const { node: left, level } = subjects;
  const node = { kind: "guardian", left, level, ...about, text } as const;
  context.table.add(node, `${subjects.text} guardian ${text}`, subjects.rule);
}

const DEFAULT_RETRIES = 2;

/** The attempt is the field of that name; a type without one is always at its first. */
function planSettings(subjects: RuleBuilder, decl: ast.GuardianDecl): GuardianPlan["settings"] {
  const builder = subjects.branch();
  const setting = decl.settings.find((one) => one.kind === "track");
  const track = setting === undefined ? undefined : trackOf(builder, setting.value);
  const type = decl.subject.type.name;
  const declared = builder.program.symbols.type(type);
  const counts = declared === undefined || declared.fields.has("attempt");
  const subjectLevel = subjects.facts.at(-1) ?? 0;
  const attempt: PlanExpr = counts
    ? { op: "field", level: subjectLevel, field: "attempt", type }
    : { op: "const", value: 0 };
  const exprs = track === undefined ? [attempt] : [track, attempt];
  return { ...addWatch(subjects, builder, exprs), track, attempt };
}

/** `track FAST`, as a bare word, is the text. */
function trackOf(builder: RuleBuilder, value: ast.Expr): PlanExpr {
  return lowerExpr(builder, value);
}

// ---------------------------------------------------------------- checks

type Kind = ast.CheckModifier["kind"];

function modifiersOf<K extends Kind>(check: ast.CheckDecl, kind: K): Extract<ast.CheckModifier, { kind: K }>[] {
  return check.modifiers.filter((one): one is Extract<ast.CheckModifier, { kind: K }> => one.kind === kind);
}

/** What the lines of a check ask about facts is asked once, on a chain that all of them go on from. */
function planCheck(subjects: RuleBuilder, check: ast.CheckDecl, source: Source): CheckPlan {
  const limits = [...modifiersOf(check, "when"), ...modifiersOf(check, "unless")];
  const patterns = modifiersOf(check, "using").map((one) => one.pattern);
  const site = { subjects, source, patterns, asked: new SharedQuestions() };
  const builder = branchForCheck(site, subjects, site.asked);
  const holes = check.lines.flatMap((line) => subjects.program.holes.get(line.reason) ?? []);
  planQuestionsAhead(builder, [
    limits,
    check.lines.map((line) => [line.limits, line.test]),
    holes.map((hole) => hole.expr),
  ]);
  return {
    name: check.name.name,
    track: trackName(modifiersOf(check, "on-track")[0]),
    risk: modifiersOf(check, "risk")[0]?.level ?? DEFAULT_RISK,
    exit: modifiersOf(check, "exit")[0]?.action.name,
    neverRetry: modifiersOf(check, "never-retry").length > 0,
    lines: check.lines.map((line) => planLine(site, builder, line, limits)),
  };
}

interface CheckContext {
  readonly subjects: RuleBuilder;
  readonly source: Source;
  readonly patterns: readonly ast.Pattern[];
  /** What was asked for the whole check. */
  readonly asked: SharedQuestions;
}

/** A chain that goes on from another, and remembers what it asks. */
function branchForCheck(
  { subjects, source, patterns }: CheckContext,
  from: RuleBuilder,
  asked: SharedQuestions,
): RuleBuilder {
  const builder = branchSharing(from, subjects.context, source, asked);
  builder.using = usingOf(patterns, source, asked);
  return builder;
}

const DEFAULT_RISK = "med";

function trackName(on: ast.OnTrack | null | undefined): Track | undefined {
  if (on === null || on === undefined) return undefined;
  return on.track.name.toUpperCase() === "FAST" ? "FAST" : "QUALITY";
}

function planLine(site: CheckContext, from: RuleBuilder, line: ast.CheckLine, checkLimits: readonly Limit[]): LinePlan {
  const asked = site.asked.copy();
  const builder = branchForCheck(site, from, asked);
  const limits = [...checkLimits, ...line.limits];
  const holes = builder.program.holes.get(line.reason) ?? [];
  const spoken = [line.test, ...limits.map((limit) => limit.test), ...holes.map((hole) => hole.expr)];
  const wanted = joinSpokenOf(builder, spoken, site.source);
  const off = wanted === undefined || isRemark(line) ? undefined : planOff(site, from, limits);
  const test = testOf(builder, line, limits);
  const reason = reasonOf(builder, line.reason);
  const { fits } = builder;
  const read = [
    test,
    ...reason.filter((piece) => typeof piece !== "string"),
    ...(fits === undefined ? [] : [fits.test]),
  ];
  const { words } = asked;
  const about = { polarity: line.polarity, track: trackName(line.track), wanted, fits, off, reason };
  const actions = line.actions.map((action) => action.name);
  return { ...addWatch(site.subjects, builder, read), test, words, ...about, actions };
}

/** Facts of `using` that a line speaks of one by one are joined; gives what is looked for, in words. */
function joinSpokenOf(builder: RuleBuilder, spoken: readonly ast.Expr[], source: Source): string | undefined {
  const patterns = builder.using?.patterns ?? new Map<string, ast.Pattern>();
  const names = evidenceIn(spoken, (name) => patterns.has(name));
  const texts: string[] = [];
  for (const [name, pattern] of patterns) {
    if (!names.has(name)) continue;
    planPattern(builder, { variable: name, type: pattern.type.name, tests: pattern.tests });
    texts.push(authorText(source, pattern.span).replace(/^[^:(]*:\s*/u, ""));
  }
  return texts.length === 0 ? undefined : texts.join(", ");
}

/** The limits that do not speak of facts of `using` one by one can let a line off where there is no such fact. */
function planOff(site: CheckContext, from: RuleBuilder, limits: readonly Limit[]): WatchedTest | undefined {
  const asked = site.asked.copy();
  const builder = branchForCheck(site, from, asked);
  const isEvidence = (name: string): boolean => builder.using?.patterns.has(name) === true;
  const apart = limits.filter((limit) => evidenceIn(limit.test, isEvidence).size === 0);
  if (apart.length === 0) return undefined;
  const test: PlanExpr = { op: "or", items: apart.map((limit) => lifted(builder, limit)) };
  return { ...addWatch(site.subjects, builder, [test]), test, words: asked.words };
}

/** True when the limit lets the line off. */
function lifted(builder: RuleBuilder, limit: Limit): PlanExpr {
  const test = lowerExpr(builder, limit.test);
  return limit.kind === "when" ? { op: "not", of: test } : test;
}

type Limit = ast.WhenModifier | ast.UnlessModifier;

function isRemark({ polarity }: ast.CheckLine): boolean {
  return polarity === "warn" || polarity === "flag";
}

/**
 * True when the line passes. A limit that is unknown does not let the line off: the line passes then only when its own
 * test is as it should be.
 */
function testOf(builder: RuleBuilder, line: ast.CheckLine, limits: readonly Limit[]): PlanExpr {
  const own = lowerExpr(builder, line.test);
  const off = limits.map((limit) => lifted(builder, limit));
  if (isRemark(line)) return { op: "and", items: [...off.map((of): PlanExpr => ({ op: "not", of })), own] };
  const wanted: PlanExpr = line.polarity === "forbid" ? { op: "not", of: own } : own;
  return off.length === 0 ? wanted : { op: "or", items: [...off, wanted] };
}

function reasonOf(builder: RuleBuilder, reason: ast.TextExpr): PlanText {
  const pieces: (string | PlanExpr)[] = [];
  let at = 0;
  for (const hole of builder.program.holes.get(reason) ?? []) {
    pieces.push(reason.value.slice(at, hole.start), lowerExpr(builder, hole.expr));
    at = hole.end;
  }
  pieces.push(reason.value.slice(at));
  return pieces.filter((piece) => piece !== "");
}

// ---------------------------------------------------------------- reactions

/** `on PASS then …` is a rule over `Verdict`; the subject is looked up, so that an update of it does not repeat it. */
function planReaction(
  builder: RuleBuilder,
  decl: ast.GuardianDecl,
  { verdict, actions }: ast.VerdictReaction,
): Omit<PlanRule, "order"> {
  const field = (name: string): PlanExpr => ({ op: "field", level: 1, field: name, type: VERDICT });
  const equals = (name: string, value: string): PlanExpr => ({
    op: "compare",
    by: "==",
    left: field(name),
    right: { op: "const", value },
  });
  planTests(builder, { variable: undefined, type: VERDICT }, [
    equals("guardian", decl.name.name),
    equals("verdict", verdict),
  ]);
  const { variable, type } = decl.subject;
  const level = builder.lookup(field("subject"), type.name);
  builder.filter({ op: "not", of: { op: "missing", of: { op: "fact", level } } });
  if (variable !== null) builder.places.set(variable.name, { kind: "fact", level, type: type.name });
  const layouts = addTerminals([builder], actions, { actions: field("required_actions") });
  return { name: builder.rule, salience: 0, group: undefined, noLoop: false, layouts, reaction: true };
}

const VERDICT = "Verdict";
