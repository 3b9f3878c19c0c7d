/**
 * Plans guardians. Each line becomes a watch after the chain of the subjects; its test and its reason are kept with the
 * guardian and evaluated when the verdict is asked for. Reactions become rules over `Verdict`.
 */
import type { Steps } from "../base/slices.ts";
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import { evidenceIn } from "../language/check/evidence.ts";
import { authorText } from "./author-text.ts";
import { RuleBuilder, type PlanContext } from "./rule-builder.ts";
import { addTerminals } from "./rule-terminals.ts";
import { lowerExpr, lowerOutput } from "./lower-expr.ts";
import { planPattern, planTests } from "./patterns.ts";
import type {
  CheckPlan,
  GuardianPlan,
  LinePlan,
  PlanExpr,
  PlanRule,
  PlanText,
  SentencePlan,
  WatchedTest,
} from "./plan.ts";
import { uses } from "./read/levels.ts";
import { addWatch, planQuestionsAhead, SharedQuestions, planSubject, branchSharing, usingOf } from "./watches.ts";
import type { Track } from "../base/judging.ts";

/**
 * Plans the guardians, one in a step, and returns the rules that their reactions become; `free` returns a name that no rule has.
 */
export function* planningGuardians(
  context: PlanContext,
  free: (name: string) => string,
): Steps<Omit<PlanRule, "order">[]> {
  const reactions: Omit<PlanRule, "order">[] = [];
  for (const { decl, source } of context.program.symbols.guardians.values()) {
    planGuardian(context, decl, source);
    for (const reaction of decl.reactions) {
      const name = free(`guardian "${decl.name.name}" on ${reaction.verdict}`);
      reactions.push(planReaction(new RuleBuilder(context, name), decl, reaction));
    }
    yield;
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
  const reportAll = decl.settings.some((one) => one.kind === "report");
  const subjectType = decl.subject.type.name;
  const about = { guardian: name, subjectType, subjectLevel, max, reportAll, settings, checks };
  const text = JSON.stringify(about);
  const { node: left, level } = subjects;
  const node = { kind: "guardian", left, level, ...about, text } as const;
  context.table.add(node, subjects.rule);
}

const DEFAULT_RETRIES = 2;

/** Plans the track and the attempt. The attempt is the field of that name; a type without one is always at its first. */
function planSettings(subjects: RuleBuilder, decl: ast.GuardianDecl): GuardianPlan["settings"] {
  const builder = subjects.branch();
  const setting = decl.settings.find((one) => one.kind === "track");
  const track = setting === undefined ? undefined : lowerExpr(builder, setting.value);
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

// ---------------------------------------------------------------- checks

type Kind = ast.CheckModifier["kind"];

function modifiersOf<K extends Kind>(check: ast.CheckDecl, kind: K): Extract<ast.CheckModifier, { kind: K }>[] {
  return check.modifiers.filter((one): one is Extract<ast.CheckModifier, { kind: K }> => one.kind === kind);
}

/** Plans a check. The subqueries of its lines are planned once, on a builder that all of them branch from. */
function planCheck(subjects: RuleBuilder, check: ast.CheckDecl, source: Source): CheckPlan {
  const limits = [...modifiersOf(check, "when"), ...modifiersOf(check, "unless")];
  const patterns = modifiersOf(check, "using").map((one) => one.pattern);
  const context = { subjects, source, patterns, questions: new SharedQuestions() };
  const builder = branchForCheck(context, subjects, context.questions);
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
    lines: check.lines.map((line) => planLine(context, builder, line, limits)),
  };
}

interface CheckContext {
  readonly subjects: RuleBuilder;
  readonly source: Source;
  readonly patterns: readonly ast.Pattern[];
  /** The subqueries that all lines of the check share. */
  readonly questions: SharedQuestions;
}

/** Returns a branch on which each subquery is planned once, with the patterns of `using`. */
function branchForCheck(
  { subjects, source, patterns }: CheckContext,
  from: RuleBuilder,
  questions: SharedQuestions,
): RuleBuilder {
  const builder = branchSharing(from, subjects.context, source, questions);
  builder.using = usingOf(patterns, source, questions);
  return builder;
}

const DEFAULT_RISK = "med";

function trackName(on: ast.OnTrack | null | undefined): Track | undefined {
  if (on === null || on === undefined) return undefined;
  return on.track.name.toUpperCase() === "FAST" ? "FAST" : "QUALITY";
}

function planLine(
  context: CheckContext,
  from: RuleBuilder,
  line: ast.CheckLine,
  checkLimits: readonly Limit[],
): LinePlan {
  const questions = context.questions.copy();
  const builder = branchForCheck(context, from, questions);
  const limits = [...checkLimits, ...line.limits];
  const holes = builder.program.holes.get(line.reason) ?? [];
  const exprs = [line.test, ...limits.map((limit) => limit.test), ...holes.map((hole) => hole.expr)];
  const wanted = joinNamedFacts(builder, exprs, context.source);
  const off = wanted === undefined || isRemark(line) ? undefined : planOff(context, from, limits);
  const test = testOf(builder, line, limits);
  const reason = textOf(builder, line.reason);
  const sentence = line.sentence === null ? undefined : planSentence(context, builder, line.sentence, questions);
  const { fits } = builder;
  const read = [test, ...expressionsIn(reason), ...(fits === undefined ? [] : [fits.test]), ...(sentence?.here ?? [])];
  const { words } = questions;
  const about = { polarity: line.polarity, track: trackName(line.track), wanted, fits, off, reason };
  const actions = line.actions.map((action) => action.name);
  const watched = addWatch(context.subjects, builder, read);
  return { ...watched, test, words, ...about, sentence: sentence?.plan(watched.watch), actions };
}

/** Joins the facts of `using` that a line names one by one, and returns the patterns in words; undefined when there are none. */
function joinNamedFacts(builder: RuleBuilder, exprs: readonly ast.Expr[], source: Source): string | undefined {
  const patterns = builder.using?.patterns ?? new Map<string, ast.Pattern>();
  const names = evidenceIn(exprs, (name) => patterns.has(name));
  const texts: string[] = [];
  for (const [name, pattern] of patterns) {
    if (!names.has(name)) continue;
    planPattern(builder, { variable: name, type: pattern.type.name, tests: pattern.tests });
    texts.push(authorText(source, pattern.span).replace(/^[^:(]*:\s*/u, ""));
  }
  return texts.length === 0 ? undefined : texts.join(", ");
}

/** Plans the limits that name no fact of `using`: they can let a line off where there is no such fact. */
function planOff(context: CheckContext, from: RuleBuilder, limits: readonly Limit[]): WatchedTest | undefined {
  const questions = context.questions.copy();
  const builder = branchForCheck(context, from, questions);
  const isEvidence = (name: string): boolean => builder.using?.patterns.has(name) === true;
  const apart = limits.filter((limit) => evidenceIn(limit.test, isEvidence).size === 0);
  if (apart.length === 0) return undefined;
  const test: PlanExpr = { op: "or", items: apart.map((limit) => lifted(builder, limit)) };
  return { ...addWatch(context.subjects, builder, [test]), test, words: questions.words };
}

/** Returns a test that is true when the limit lets the line off. */
function lifted(builder: RuleBuilder, limit: Limit): PlanExpr {
  const test = lowerExpr(builder, limit.test);
  return limit.kind === "when" ? { op: "not", of: test } : test;
}

type Limit = ast.WhenModifier | ast.UnlessModifier;

function isRemark({ polarity }: ast.CheckLine): boolean {
  return polarity === "warn" || polarity === "flag";
}

/**
 * Returns a test that is true when the line passes. A limit that is unknown does not let the line off: the line then passes
 * only by its own test.
 */
function testOf(builder: RuleBuilder, line: ast.CheckLine, limits: readonly Limit[]): PlanExpr {
  const test = lowerExpr(builder, line.test);
  const off = limits.map((limit) => lifted(builder, limit));
  if (isRemark(line)) return { op: "and", items: [...off.map((of): PlanExpr => ({ op: "not", of })), test] };
  const wanted: PlanExpr = line.polarity === "forbid" ? { op: "not", of: test } : test;
  return off.length === 0 ? wanted : { op: "or", items: [...off, wanted] };
}

interface PlannedSentence {
  /** What the watch of the line reads for it. */
  readonly here: readonly PlanExpr[];
  /** Returns the plan; `lineWatch` is the watch of the line. */
  readonly plan: (lineWatch: number) => SentencePlan;
}

/**
 * Plans the sentence of a line on a branch after the line, so that what it reads decides nothing. A sentence about what the line
 * has found already shares the watch of the line; any other has a watch of its own.
 */
function planSentence(
  context: CheckContext,
  line: RuleBuilder,
  sentence: ast.TextExpr,
  questions: SharedQuestions,
): PlannedSentence {
  const builder = branchForCheck(context, line, questions.copy());
  const text = textOf(builder, sentence);
  const read = expressionsIn(text);
  const { level } = builder;
  if (read.length === 0) return { here: [], plan: () => ({ text, watch: undefined, level }) };
  const asksOthers = read.some((expr) => OTHERS.some((op) => uses(expr, op)));
  if (builder.node === line.node && !asksOthers) return { here: read, plan: (watch) => ({ text, watch, level }) };
  return { here: [], plan: () => ({ text, ...addWatch(context.subjects, builder, read) }) };
}

/** What can be in doubt although the facts of a line are not: the answers of gates and guardians, and facts of any type. */
const OTHERS = ["outcome", "unmet", "follow"] as const;

function expressionsIn(text: PlanText): PlanExpr[] {
  return text.filter((piece) => typeof piece !== "string");
}

function textOf(builder: RuleBuilder, text: ast.TextExpr): PlanText {
  const pieces: (string | PlanExpr)[] = [];
  let at = 0;
  for (const hole of builder.program.holes.get(text) ?? []) {
    pieces.push(text.value.slice(at, hole.start), lowerOutput(builder, hole.expr));
    at = hole.end;
  }
  pieces.push(text.value.slice(at));
  return pieces.filter((piece) => piece !== "");
}

// ---------------------------------------------------------------- reactions

/** Plans `on PASS then …` as a rule over `Verdict`. The subject is looked up, so that an update of it does not repeat the reaction. */
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
