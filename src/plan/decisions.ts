/** Plans gates, flows, guardians and pipelines. The reactions of a gate become rules over its results. */
import type { Steps } from "../base/slices.ts";
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import { loweringAtFiring } from "./actions.ts";
import { authorText } from "./author-text.ts";
import { RuleBuilder, type PlanContext } from "./rule-builder.ts";
import { addTerminals } from "./rule-terminals.ts";
import { lowerExpr } from "./lower-expr.ts";
import { planPattern, planTests } from "./patterns.ts";
import type { FlowPlan, GatePlan, PlanExpr, PlanRule } from "./plan.ts";
import { planningGuardians } from "./guardians.ts";
import { planningPipelines } from "./pipelines.ts";
import { type LeafContext, planLeaf } from "./conditions.ts";
import type { Requirement } from "../base/judging.ts";

/**
 * Plans everything that judges, and returns the rules that the reactions become; their order follows that of the other rules. One step
 * for each gate, flow, guardian and pipeline.
 */
export function* planningDecisions(context: PlanContext, rules: readonly PlanRule[]): Steps<PlanRule[]> {
  const { gates, flows, rules: named } = context.program.symbols;
  const { guardians } = context.program.symbols;
  const names = new Set(gates.isEmpty && guardians.isEmpty ? [] : named.names());
  let order = rules.reduce((last, rule) => Math.max(last, rule.order), -1);
  const reactions: PlanRule[] = [];
  for (const { decl, source } of gates.values()) {
    planGate(context, decl, source);
    for (const reaction of decl.reactions) {
      order += 1;
      const name = free(`gate "${decl.name.name}" on ${reaction.outcome}`, names);
      reactions.push({ ...planReaction(new RuleBuilder(context, name), decl, reaction), order });
    }
    yield;
  }
  for (const { decl } of flows.values()) {
    planFlow(context, decl);
    yield;
  }
  for (const reaction of yield* planningGuardians(context, (name) => free(name, names))) {
    order += 1;
    reactions.push({ ...reaction, order });
  }
  yield* planningPipelines(context);
  return reactions;
}

/** Returns a name that no rule has: an author may have given a rule the name of a reaction. */
function free(name: string, taken: ReadonlySet<string>): string {
  let one = name;
  while (taken.has(one)) one += "'";
  return one;
}

// ---------------------------------------------------------------- gate

function planGate(context: PlanContext, decl: ast.GateDecl, source: Source): void {
  const { name } = decl.name;
  const { builder: subjects, level: subjectLevel } = planSubjects(context, `gate "${name}"`, decl.subject);
  const logic = setting(decl, "logic-of")?.logic ?? "kleene";
  const verified = setting(decl, "trust")?.level === "verified";
  const trustField = verified ? (setting(decl, "trust-field")?.field.name ?? "trust") : undefined;
  const leaves = new Leaves({ subjects, source, logic, trustField });
  const requirement = requirementOf(leaves, source, setting(decl, "require")?.test ?? undefined);
  const { node: left, level } = subjects;
  const { planned } = leaves;
  const subjectType = decl.subject?.type.name;
  const text = JSON.stringify([name, logic, requirement, subjectLevel, planned.map((one) => one.definition)]);
  const about = { left, level, gate: name, logic, subjectType, subjectLevel };
  const node = { kind: "gate", ...about, requirement, leaves: planned, text } as const;
  context.table.add(node, subjects.rule);
}

function setting<Kind extends ast.GateSetting["kind"]>(
  decl: ast.GateDecl,
  kind: Kind,
): Extract<ast.GateSetting, { kind: Kind }> | undefined {
  return decl.settings.find((one): one is Extract<ast.GateSetting, { kind: Kind }> => one.kind === kind);
}

/** Returns a builder that ends with the subjects, and the level of the subject's fact. */
function planSubjects(
  context: PlanContext,
  name: string,
  subject: ast.Pattern | null,
): { readonly builder: RuleBuilder; readonly level: number | undefined } {
  const builder = new RuleBuilder(context, name);
  if (subject === null) return { builder, level: undefined };
  planPattern(builder, { variable: subject.variable?.name, type: subject.type.name, tests: subject.tests });
  return { builder, level: builder.facts.at(-1) };
}

/** The leaves of a gate in the order in which they first occur, each once. */
class Leaves {
  readonly planned: GatePlan["leaves"][number][] = [];
  readonly #context: LeafContext;
  readonly #numbers = new Map<string, number>();

  constructor(context: LeafContext) {
    this.#context = context;
  }

  /** Plans a leaf, and returns its number; equal leaves have the same. */
  number(expr: ast.Expr): number {
    const { condition, text, definition, call } = planLeaf(this.#context, expr);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.planned.length;
    this.planned.push({ condition, definition, call });
    this.#numbers.set(text, number);
    return number;
  }
}

function requirementOf(leaves: Leaves, source: Source, expr: ast.Expr | undefined): Requirement {
  if (expr === undefined) throw new Error("the checker refuses a gate that requires nothing");
  const text = authorText(source, expr.span);
  const all = (items: readonly ast.Expr[]): Requirement[] => items.map((item) => requirementOf(leaves, source, item));
  switch (expr.kind) {
    case "not":
      return { kind: "not", min: 1, items: all([expr.operand]), text };
    case "logic":
      if (expr.op === "and") return { kind: "all", min: expr.items.length, items: all(expr.items), text };
      return { kind: "any", min: 1, items: all(expr.items), text };
    case "quorum":
      return { kind: "at least", min: expr.count.value, items: all(expr.items), text };
    default:
      return { kind: "leaf", leaf: leaves.number(expr), text };
  }
}

// ---------------------------------------------------------------- reactions

/**
 * `on pass then …` is a rule over `GateResult(gate == "…", outcome == "pass")`. The subject is looked up by its id and is
 * not a pattern: an update of the subject must not make the reaction happen again.
 */
function planReaction(
  builder: RuleBuilder,
  decl: ast.GateDecl,
  { outcome, actions }: ast.GateReaction,
): Omit<PlanRule, "order"> {
  const gate = decl.name.name;
  const field = (name: string): PlanExpr => ({ op: "field", level: 1, field: name, type: RESULT });
  const equals = (name: string, value: string): PlanExpr => ({
    op: "compare",
    by: "==",
    left: field(name),
    right: { op: "const", value },
  });
  planTests(builder, { variable: undefined, type: RESULT }, [equals("gate", gate), equals("outcome", outcome)]);
  const subject = decl.subject === null ? undefined : field("subject");
  if (decl.subject !== null && subject !== undefined) bindSubject(builder, decl.subject, subject);
  const missing: PlanExpr = { op: "unmet", gate, subject: subject ?? { op: "const", value: null } };
  const layouts = addTerminals([builder], actions, { missing });
  return { name: builder.rule, salience: 0, group: undefined, noLoop: false, layouts, reaction: true };
}

const RESULT = "GateResult";

/** Looks up the subject. While it is gone and the result is still there, there is nothing to react to. */
function bindSubject(builder: RuleBuilder, { variable, type }: ast.Pattern, subject: PlanExpr): void {
  const level = builder.lookup(subject, type.name);
  builder.filter({ op: "not", of: { op: "missing", of: { op: "fact", level } } });
  if (variable !== null) builder.places.set(variable.name, { kind: "fact", level, type: type.name });
}

// ---------------------------------------------------------------- flow

function planFlow(context: PlanContext, decl: ast.FlowDecl): void {
  const { name } = decl.name;
  const { builder, level: subjectLevel } = planSubjects(context, `flow "${name}"`, decl.subject);
  const stages = decl.stages.map((stage, index) => planStage(builder, stage, decl.stages[index + 1]));
  const text = JSON.stringify([name, stages, subjectLevel]);
  const { node: left, level } = builder;
  const node = { kind: "flow", left, level, flow: name, subjectLevel, stages, text } as const;
  context.table.add(node, builder.rule);
}

function planStage(
  builder: RuleBuilder,
  stage: ast.StageDecl,
  next: ast.StageDecl | undefined,
): FlowPlan["stages"][number] {
  const { decide } = stage;
  const [subject] = decide?.args.map((arg) => lowerExpr(loweringAtFiring(builder), arg)) ?? [];
  return {
    name: stage.name.name,
    final: stage.final,
    decide: decide === null ? undefined : { gate: decide.gate.name, subject },
    branches: stage.branches.map(({ on, goto }) => ({ on, goto: goto?.name ?? next?.name.name ?? "" })),
  };
}
