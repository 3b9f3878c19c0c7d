/**
 * Plans the leaves of requirements. Each becomes a condition node after the chain of the gate's subjects. What is passed
 * for the parameters of a named condition takes their place, so a constant such as "alice" becomes an alpha test, and a
 * fact of evidence finds its condition by the value of its field.
 */
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import { loweringAtFiring } from "./actions.ts";
import { authorText } from "./author-text.ts";
import { canonicalText } from "./read/canonical.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import { fitsText } from "./unknown-tests.ts";
import { planSources } from "./elements.ts";
import { levelsOf } from "./read/levels.ts";
import { lowerExpr, type Place } from "./lower-expr.ts";
import { conjunctsOf, forEachPath, hasSubquery, variablesOf } from "./test-contents.ts";
import type { NodeTable } from "./node-table.ts";
import { normalise, normaliseValue } from "./normalise.ts";
import { planPattern } from "./patterns.ts";
import type { PlanExpr, WantedPlan } from "./plan.ts";
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
}

/** Plans the condition of a leaf: a named condition, a quorum of facts, or a test. */
export function planLeaf(context: LeafContext, expr: ast.Expr): PlannedLeaf {
  const { program } = context.subjects;
  const bare = expr.kind === "path" && program.resolutions.get(expr) === "condition";
  const name = bare ? expr.root.name : expr.kind === "call" ? expr.name.name : undefined;
  const condition = name === undefined ? undefined : program.symbols.conditions.get(name);
  if (condition !== undefined) return planNamed(context, condition, expr.kind === "call" ? expr.args : []);
  const builder = context.subjects.branch().judging();
  if (expr.kind === "fact-quorum") return planFactQuorum(context, builder, expr);
  return { ...planTest(context, builder, expr, context.source), definition: undefined };
}

function planNamed(
  context: LeafContext,
  { decl, source }: { readonly decl: ast.ConditionDecl; readonly source: Source },
  args: readonly ast.Value[],
): PlannedLeaf {
  const builder = context.subjects.branch().judging();
  const places = decl.params.map((param, index) => argument(builder, param, args[index]));
  builder.places.clear();
  for (const [index, param] of decl.params.entries()) {
    const place = places[index];
    if (place !== undefined) builder.places.set(param.name.name, place);
  }
  const end = (decl.evidence ?? decl.test).span.end;
  const definition = authorText(source, { start: decl.test.span.start, end });
  const planned =
    decl.evidence === null
      ? planTest(context, builder, decl.test, source)
      : planEvidence(context, builder, decl.evidence, decl.test, { kind: decl.evidence.mode }, source);
  return { ...planned, definition };
}

/** Returns what a parameter stands for: the subject itself, or the value of an expression. */
function argument(builder: RuleBuilder, param: ast.FieldDecl, arg: ast.Value | undefined): Place {
  const passed = arg ?? param.default;
  if (passed === null) return { kind: "const", value: null };
  if (passed.kind === "path" && passed.fields.length === 0) {
    const place =
      builder.program.resolutions.get(passed) === "variable" ? builder.variable(passed.root.name) : undefined;
    if (place !== undefined) return place;
  }
  const name = param.type.kind === "named" ? param.type.name : "";
  const type = builder.program.symbols.type(name) === undefined ? undefined : name;
  return { kind: "expr", expr: normaliseValue(lowerExpr(builder, passed)), type };
}

// ---------------------------------------------------------------- kinds of leaves

type Planned = Omit<PlannedLeaf, "definition">;

/** Plans a test. An `exists` that is the whole test is evaluated fact by fact, so that a trace can name the facts. */
function planTest(context: LeafContext, builder: RuleBuilder, expr: ast.Expr, source: Source): Planned {
  const { body, negated } = withoutNots(expr);
  if (body.kind === "exists") return planExists(context, builder, body.pattern, negated, source);
  if (body.kind === "exists-in") return planExistsIn(context, builder, body, negated);
  const test = normalise(lowerExpr(builder, expr));
  return add(context, builder, { reading: { kind: "test" }, test, by: undefined, trust: undefined, wanted: undefined });
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
  return add(context, builder, { reading, test: undefined, by: undefined, trust, wanted: { ...wanted, level } });
}

function planExistsIn(context: LeafContext, builder: RuleBuilder, expr: ast.ExistsInExpr, negated: boolean): Planned {
  const before = builder.facts.length;
  planSources(builder, expr.sources, expr.test === null ? [] : [expr.test]);
  const levels = builder.facts.slice(before);
  const tests = expr.sources.flatMap((source, index) => trusted(context, source.type.name, levels[index] ?? 0) ?? []);
  const trust = tests.length === 0 ? undefined : normalise({ op: "and", items: tests });
  const type = expr.sources.map((source) => source.type.name).join(" and ");
  const wanted = { type, level: levels.at(-1) ?? 0, tests: [] };
  return add(context, builder, { reading: { kind: "exists", negated }, test: undefined, by: undefined, trust, wanted });
}

function planFactQuorum(context: LeafContext, builder: RuleBuilder, expr: ast.FactQuorumExpr): PlannedLeaf {
  const reading: Reading = { kind: "quorum", min: expr.count.value, logic: context.logic };
  const evidence = { pattern: expr.pattern, by: null };
  return { ...planEvidence(context, builder, evidence, expr.test, reading, context.source), definition: undefined };
}

function planEvidence(
  context: LeafContext,
  builder: RuleBuilder,
  { pattern, by }: Pick<ast.Evidence, "pattern" | "by">,
  expr: ast.Expr,
  reading: Reading,
  source: Source,
): Planned {
  const wanted = wantedTests(builder, pattern, source, context.subjects.level);
  const level = join(builder, pattern);
  const test = normalise(lowerExpr(builder, expr));
  const order = by === null ? undefined : normaliseValue(lowerExpr(builder, by));
  const trust = trusted(context, pattern.type.name, level);
  return add(context, builder, { reading, test, by: order, trust, wanted: { ...wanted, level } });
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
  readonly by: PlanExpr | undefined;
  readonly trust: PlanExpr | undefined;
  readonly wanted: WantedPlan | undefined;
}

function add({ subjects }: LeafContext, builder: RuleBuilder, parts: ConditionParts): Planned {
  const { reading, test, by, trust } = parts;
  const { node: left, level } = subjects;
  const { node: inner, level: innerLevel, fits, gaps } = builder;
  const exprs = [test, by, trust].map((expr) => (expr === undefined ? "" : canonicalText(expr)));
  const fitting = builder.doubtful ? fitsText([fits, ...gaps.map((gap) => gap.fits)]) : "";
  const text = `${JSON.stringify(reading)} ${exprs.join(" | ")}${fitting}`;
  const fullText = `${structure(builder.context.table, inner)} condition ${text}`;
  const node = { kind: "condition", left, level, inner, innerLevel, ...parts, fits, gaps, text } as const;
  return { condition: builder.context.table.add(node, fullText, builder.rule).id, text: fullText };
}

/** Returns everything that a chain does as text, the tests on its facts included: equal for equal chains, shared or not. */
function structure(table: NodeTable, id: number | undefined): string {
  const node = id === undefined ? undefined : table.get(id);
  if (node === undefined) return "";
  const of = (one: number | undefined): string => structure(table, one);
  if (node.kind === "alpha") return `${of(node.input)} ${node.type}: ${node.text}`;
  const right = node.kind === "join" ? of(node.right) : "";
  const inner = node.kind === "aggregate" ? node.inner.map((one) => `{${of(one)} }`).join("") : "";
  return `${of(node.left)}${inner} ${node.kind} ${node.text} [${right}]`;
}

// ---------------------------------------------------------------- words

/** Returns what a pattern looks for: `release == "r-42"` where the value can be read off the subject, else the author's text. */
function wantedTests(
  builder: RuleBuilder,
  pattern: ast.Pattern,
  source: Source,
  subjectLevel: number,
): Omit<WantedPlan, "level"> {
  const tests = conjunctsOf(pattern.tests).map((test) => {
    const known = comparedWith(builder, pattern, test);
    if (known === undefined || !levelsOf(known.value).every((level) => level <= subjectLevel)) {
      return { text: authorText(source, test.span), value: undefined };
    }
    return known;
  });
  return { type: pattern.type.name, tests };
}

/** Returns a test `field op value` where only the field is of the pattern's own fact; undefined for other tests. */
function comparedWith(
  builder: RuleBuilder,
  pattern: ast.Pattern,
  test: ast.Expr,
): { readonly text: string; readonly value: PlanExpr } | undefined {
  if (test.kind !== "compare") return undefined;
  const field = ownField(builder, pattern, test.left);
  if (field === undefined || mentionsOwn(builder, pattern, test.right)) return undefined;
  return { text: `${field} ${test.op}`, value: lowerExpr(loweringAtFiring(builder), test.right) };
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
  return bare || hasSubquery(expr) || (variable !== undefined && variablesOf(builder.program, expr).has(variable));
}
