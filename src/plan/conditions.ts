/**
 * Plans the leaves of requirements. Each becomes a condition node after the chain of the gate's subjects. What is passed
 * for the parameters of a named condition takes their place, so a constant such as "alice" becomes an alpha test, and a
 * fact of evidence finds its condition by the value of its field.
 */
import { unreachable } from "../base/invariant.ts";
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import type { ConditionUse, DeclaredCondition } from "../language/check/condition-uses.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { windowsIn } from "../language/check/within.ts";
import { loweringAtFiring } from "./actions.ts";
import { authorText } from "./author-text.ts";
import { canonicalText } from "./read/canonical.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import { fitsText } from "./unknown-tests.ts";
import { parameterPlaces, readingOf } from "./condition-values.ts";
import { planSources } from "./elements.ts";
import { callsIn, levelsOf } from "./read/levels.ts";
import { lowerExpr, lowerOutput, type Place } from "./lower-expr.ts";
import { conjunctsOf, forEachPath, hasSubquery, variablesOf } from "./test-contents.ts";
import { normalise, normaliseValue } from "./normalise.ts";
import { planPattern } from "./patterns.ts";
import type { AskedPlan, ConditionCall, PlanExpr, WantedPlan, WantedTest } from "./plan.ts";
import type { Logic, Reading } from "../base/judging.ts";

/** The gate that a leaf belongs to, as far as leaves depend on it. */
export interface LeafContext {
  /** Ends with the subjects; leaves are planned on branches of it. */
  readonly subjects: RuleBuilder;
  readonly source: Source;
  readonly logic: Logic;
  /** The field that must be `verified`; undefined when all evidence counts. */
  readonly trustField: string | undefined;
}

/** A leaf of a requirement, planned. */
export interface PlannedLeaf {
  /** The id of its condition node. */
  readonly condition: number;
  /** The canonical text of the leaf: equal for equal leaves. */
  readonly text: string;
  /** What a named condition stands for, in the author's words. */
  readonly definition: string | undefined;
  readonly call?: ConditionCall | undefined;
}

/** Plans the condition of a leaf: a named condition, a quorum of facts, or a test. */
export function planLeaf(context: LeafContext, expr: ast.Expr): PlannedLeaf {
  const { program } = context.subjects;
  const named = namedCondition(program, expr);
  if (named !== undefined) return planNamed(context, named.condition, named.args);
  const builder = context.subjects.branch().judging();
  if (expr.kind === "fact-quorum") return planFactQuorum(context, builder, expr);
  return { ...planTest(context, builder, expr, context.source), definition: undefined };
}

/** Returns the condition that an expression asks, with or without arguments; undefined for a test. */
function namedCondition(
  { conditionUses }: CheckedProgram,
  expr: ast.Expr,
): { readonly condition: DeclaredCondition; readonly args: readonly ast.Value[] } | undefined {
  const condition = conditionUses.get(expr as ConditionUse);
  return condition === undefined ? undefined : { condition, args: expr.kind === "call" ? expr.args : [] };
}

function planNamed(context: LeafContext, { decl, source }: DeclaredCondition, args: readonly ast.Value[]): PlannedLeaf {
  const builder = context.subjects.branch().judging();
  const places = parameterPlaces(builder, decl, args);
  builder.rename(places);
  const end = (decl.evidence ?? decl.test).span.end;
  const definition = authorText(source, { start: decl.test.span.start, end });
  const planned =
    decl.evidence === null
      ? planTest(context, builder, decl.test, source)
      : planEvidence(context, builder, decl.evidence, decl.test, readingOf(decl.evidence), source);
  return { ...planned, definition, call: callOf(decl.name.name, [...places.values()], context.subjects.level) };
}

/** Returns a call whose arguments can be read off its subject; undefined when one needs more than fields. */
function callOf(name: string, places: readonly Place[], level: number): ConditionCall | undefined {
  const args = places.map(argumentOf);
  const isRead = args.every((arg) => !callsIn(arg) && levelsOf(arg).every((one) => one <= level));
  return isRead ? { name, args } : undefined;
}

function argumentOf(place: Place): PlanExpr {
  switch (place.kind) {
    case "fact":
    case "value":
      return { op: place.kind, level: place.level };
    case "const":
      return { op: "const", value: place.value };
    case "expr":
      return place.expr;
    default:
      return unreachable(place);
  }
}

// ---------------------------------------------------------------- kinds of leaves

type Planned = Omit<PlannedLeaf, "definition">;

/** Plans a test. An `exists` that is the whole test is evaluated fact by fact, so that a trace can name the facts. */
function planTest(context: LeafContext, builder: RuleBuilder, expr: ast.Expr, source: Source): Planned {
  const { body, negated } = withoutNots(expr);
  if (body.kind === "exists") return planExists(context, builder, body.pattern, negated, source);
  if (body.kind === "exists-in") return planExistsIn(context, builder, body, negated);
  const test = normalise(lowerExpr(builder, expr));
  const reading: Reading = expr.kind === "wait" ? { kind: "test", waits: true } : { kind: "test" };
  return add(context, builder, { ...NO_PARTS, reading, test });
}

function withoutNots(expr: ast.Expr): { readonly body: ast.Expr; readonly negated: boolean } {
  let body = expr;
  let negated = false;
  for (; body.kind === "not"; body = body.operand) negated = !negated;
  return { body, negated };
}

function planExists(
  context: LeafContext,
  builder: RuleBuilder,
  pattern: ast.Pattern,
  negated: boolean,
  source: Source,
): Planned {
  const wanted = wantedTests(builder, pattern, source, context.subjects.level);
  const level = join(builder, pattern);
  const trust = trusted(context, pattern.type.name, level);
  const reading: Reading = { kind: "exists", negated };
  return add(context, builder, { ...NO_PARTS, reading, trust, wanted: { ...wanted, level } });
}

function planExistsIn(context: LeafContext, builder: RuleBuilder, expr: ast.ExistsInExpr, negated: boolean): Planned {
  const before = builder.facts.length;
  planSources(builder, expr.sources, expr.test === null ? [] : [expr.test]);
  const levels = builder.facts.slice(before);
  const tests = expr.sources.flatMap((source, index) => trusted(context, source.type.name, levels[index] ?? 0) ?? []);
  const trust = tests.length === 0 ? undefined : normalise({ op: "and", items: tests });
  const type = expr.sources.map((source) => source.type.name).join(" and ");
  const wanted = { type, level: levels.at(-1) ?? 0, tests: [], counted: [] };
  return add(context, builder, { ...NO_PARTS, reading: { kind: "exists", negated }, trust, wanted });
}

/** Plans a quorum over facts. A condition after the colon becomes a condition node with the facts as its subjects. */
function planFactQuorum(context: LeafContext, builder: RuleBuilder, expr: ast.FactQuorumExpr): PlannedLeaf {
  const { count, closed, pattern, test } = expr;
  const { source } = context;
  const reading: Reading = { kind: "quorum", min: count.value, closed, logic: context.logic };
  const named = namedCondition(builder.program, test);
  if (named === undefined) {
    const planned = planEvidence(context, builder, { pattern, by: null, per: null }, test, reading, source);
    return { ...planned, definition: undefined };
  }
  const text = authorText(source, test.span);
  const wanted = wantedTests(builder, pattern, source, context.subjects.level);
  const level = join(builder, pattern);
  const trust = trusted(context, pattern.type.name, level);
  const member = planNamed({ ...context, subjects: builder.question() }, named.condition, named.args);
  const asked = { condition: member.condition, text, definition: member.definition, call: member.call };
  const counted = [{ text, value: undefined }];
  const parts = { ...NO_PARTS, reading, asked, trust, wanted: { ...wanted, counted, level } };
  return { ...add(context, builder, parts, member.text), definition: undefined };
}

function planEvidence(
  context: LeafContext,
  builder: RuleBuilder,
  { pattern, by, per }: Pick<ast.Evidence, "pattern" | "by" | "per">,
  expr: ast.Expr,
  reading: Reading,
  source: Source,
): Planned {
  const { level: subjectLevel } = context.subjects;
  const wanted = wantedTests(builder, pattern, source, subjectLevel);
  const level = join(builder, pattern);
  const test = normalise(lowerExpr(builder, expr));
  const order = by === null ? undefined : normaliseValue(lowerExpr(builder, by));
  const group = per === null ? undefined : normaliseValue(lowerExpr(builder, per));
  const trust = trusted(context, pattern.type.name, level);
  const counted = reading.kind === "quorum" ? countedTests(builder, pattern, expr, source, subjectLevel) : [];
  return add(context, builder, {
    ...NO_PARTS,
    reading,
    test,
    by: order,
    per: group,
    trust,
    wanted: { ...wanted, counted, level },
  });
}

/** Adds a pattern, and returns the level of its fact. */
function join(builder: RuleBuilder, { variable, type, tests }: ast.Pattern): number {
  planPattern(builder, { variable: variable?.name, type: type.name, tests });
  return builder.facts.at(-1) ?? 0;
}

/** Returns the test that a fact is verified; undefined for types that are declared without the field, which carry no trust. */
function trusted({ subjects, trustField: field }: LeafContext, type: string, level: number): PlanExpr | undefined {
  const declared = subjects.program.symbols.type(type);
  if (field === undefined || (declared !== undefined && !declared.fields.has(field))) return undefined;
  const trust: PlanExpr = { op: "field", level, field, type };
  return { op: "compare", by: "==", left: trust, right: { op: "const", value: "verified" } };
}

// ---------------------------------------------------------------- the node

interface ConditionParts {
  readonly reading: Reading;
  readonly test: PlanExpr | undefined;
  readonly asked: AskedPlan | undefined;
  readonly by: PlanExpr | undefined;
  readonly per: PlanExpr | undefined;
  readonly trust: PlanExpr | undefined;
  readonly wanted: WantedPlan | undefined;
}

const NO_PARTS = {
  test: undefined,
  asked: undefined,
  by: undefined,
  per: undefined,
  trust: undefined,
  wanted: undefined,
} as const;

/** Adds the node of a condition; `member` is the text of the condition that it asks. */
function add({ subjects }: LeafContext, builder: RuleBuilder, parts: ConditionParts, member: string = ""): Planned {
  const { reading, test, asked, by, per, trust } = parts;
  const { node: left, level } = subjects;
  const { node: inner, level: innerLevel, fits, gaps } = builder;
  const exprs = [test, by, trust].map((expr) => (expr === undefined ? "" : canonicalText(expr)));
  const fitting = builder.doubtful ? fitsText([fits, ...gaps.map((gap) => gap.fits)]) : "";
  const asking = asked === undefined ? "" : ` asks ${JSON.stringify([asked.text, asked.definition, member])}`;
  const grouping = per === undefined ? "" : ` per ${canonicalText(per)}`;
  const text = `${JSON.stringify(reading)} ${exprs.join(" | ")}${grouping}${fitting}${asking}`;
  const fullText = `${builder.context.table.workOf(inner)} condition ${text}`;
  const node = { kind: "condition", left, level, inner, innerLevel, ...parts, fits, gaps, text } as const;
  return { condition: builder.context.table.add(node, builder.rule).id, text: fullText };
}

// ---------------------------------------------------------------- words

/** Returns what a pattern looks for: `release == "r-42"` where the value can be read off the subject, else the author's text. */
function wantedTests(
  builder: RuleBuilder,
  pattern: ast.Pattern,
  source: Source,
  subjectLevel: number,
): Omit<WantedPlan, "level"> {
  const [window] = windowsIn(pattern.tests);
  const looked = conjunctsOf(pattern.tests).filter((test) => test !== window);
  const tests = looked.map((test) => testInWords(builder, pattern, test, source, subjectLevel));
  const inTime = window === undefined ? {} : { inTime: authorText(source, window.span) };
  return { type: pattern.type.name, tests, counted: [], ...inTime };
}

/** Returns what a quorum asks of each fact, in the same words; `a.ok` is `ok == true`. */
function countedTests(
  builder: RuleBuilder,
  pattern: ast.Pattern,
  test: ast.Expr,
  source: Source,
  subjectLevel: number,
): WantedTest[] {
  return conjunctsOf([test]).map((one) => {
    const { body, negated } = withoutNots(one);
    const flag = ownField(builder, pattern, body);
    if (flag !== undefined) return { text: `${flag} == ${String(!negated)}`, value: undefined };
    return testInWords(builder, pattern, one, source, subjectLevel);
  });
}

function testInWords(
  builder: RuleBuilder,
  pattern: ast.Pattern,
  test: ast.Expr,
  source: Source,
  subjectLevel: number,
): WantedTest {
  const known = comparedWith(builder, pattern, test);
  if (known !== undefined && levelsOf(known.value).every((level) => level <= subjectLevel)) return known;
  return { text: authorText(source, test.span), value: undefined };
}

/** Returns a test `field op value` where only the field is of the pattern's own fact; undefined for other tests. */
function comparedWith(
  builder: RuleBuilder,
  pattern: ast.Pattern,
  test: ast.Expr,
): (WantedTest & { readonly value: PlanExpr }) | undefined {
  if (test.kind !== "compare") return undefined;
  const field = ownField(builder, pattern, test.left);
  if (field === undefined || mentionsOwn(builder, pattern, test.right)) return undefined;
  const known = { text: `${field} ${test.op}`, value: lowerOutput(loweringAtFiring(builder), test.right) };
  return refersToFact(builder, pattern, field, test.right) ? { ...known, refers: true } : known;
}

/** Returns whether a field is compared with a fact: by its declared type, or because the other side is a variable. */
function refersToFact(builder: RuleBuilder, pattern: ast.Pattern, field: string, other: ast.Value): boolean {
  if (builder.program.symbols.type(pattern.type.name)?.fields.get(field)?.type.kind === "fact") return true;
  const isVariable = other.kind === "path" && builder.program.resolutions.get(other) === "variable";
  return isVariable && other.fields.length === 0 && builder.places.get(other.root.name)?.kind === "fact";
}

function ownField(builder: RuleBuilder, pattern: ast.Pattern, expr: ast.Expr): string | undefined {
  if (expr.kind !== "path") return undefined;
  const resolution = builder.program.resolutions.get(expr);
  if (resolution === "own-field" && expr.fields.length === 0) return expr.root.name;
  const isOwn = resolution === "variable" && expr.root.name === pattern.variable?.name && expr.fields.length === 1;
  return isOwn ? expr.fields[0]?.name : undefined;
}

function mentionsOwn(builder: RuleBuilder, pattern: ast.Pattern, expr: ast.Expr): boolean {
  const variable = pattern.variable?.name;
  let bare = false;
  forEachPath(expr, (path) => (bare ||= builder.program.resolutions.get(path) === "own-field"));
  return (
    bare ||
    hasSubquery(builder.program, expr) ||
    (variable !== undefined && variablesOf(builder.program, expr).has(variable))
  );
}
