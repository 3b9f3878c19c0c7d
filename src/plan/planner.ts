/** Plans the network of a program: every rule is a chain of nodes that ends in a terminal, shared where rules begin alike. */
import { LayeredMap } from "../base/layered-map.ts";
import { queryWords } from "../base/rule-words.ts";
import type { Steps } from "../base/slices.ts";
import { aggregateNamed } from "../functions/aggregates.ts";
import type * as ast from "../language/ast.ts";
import { namedFactIds, namingFacts } from "./named-facts.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { Value } from "../base/value.ts";
import { RuleBuilder, type PlanContext } from "./rule-builder.ts";
import { planConditionUse } from "./condition-values.ts";
import { aggregatePlace, planElements, planSources, planSubquery } from "./elements.ts";
import { addTerminals } from "./rule-terminals.ts";
import { type Hash, xxHash64 } from "./hash.ts";
import { lowerExpr } from "./lower-expr.ts";
import { conjunctsOf, variablesOf } from "./test-contents.ts";
import { NodeTable } from "./node-table.ts";
import { normaliseValue } from "./normalise.ts";
import { filterBy } from "./patterns.ts";
import { planningDecisions } from "./decisions.ts";
import type { Plan, PlanRule } from "./plan.ts";
import { isOrderWritten } from "./program-data.ts";
import { ruleHashes } from "./read/rule-hash.ts";
import { type JoinChoice, planBlockBody, type PlannedBody, planSourcesBody } from "./rule-body.ts";
import { planningTables } from "./tables.ts";

/** How a program is planned. */
export interface PlanOptions {
  /** Names nodes; xxHash64 when it is left out. */
  readonly hash?: Hash;
  /** Off: every rule gets nodes of its own. */
  readonly sharing?: boolean;
  /** Off: patterns are planned as they are written. */
  readonly arrange?: boolean;
  /** How the order of joining is chosen, unless the program says `option order written`. `chosen` when it is left out. */
  readonly joins?: JoinMode;
}

/** How the order of joining is chosen: by the planner, as written, or for each rule by the number of its patterns. */
export type JoinMode = "chosen" | "written" | ((rule: string, patterns: number) => readonly number[]);

/** In which order the patterns of a rule are planned. */
export interface RuleOrder {
  /** False: everything as it is written. */
  readonly arrange: boolean;
  readonly joins: JoinChoice;
}

/** A plan, and what is needed to plan more rules into it (plan-change.ts). */
export interface PlannedProgram {
  readonly plan: Plan;
  readonly table: NodeTable;
  readonly namedFacts: ReadonlyMap<string, string>;
  readonly arrange: boolean;
  readonly joins: JoinMode;
  /** The order of each rule that is planned. */
  readonly orders: LayeredMap<string, number>;
  /** The number of rules that the program has ever declared. */
  readonly declared: number;
  /** Whether reactions of gates and guardians follow the rules: their order is after that of the last rule. */
  readonly hasReactions: boolean;
}

/** Returns the plan of a program: its rules first, then what judges. One step for each rule. */
export function* planningProgram(program: CheckedProgram, options: PlanOptions = {}): Steps<PlannedProgram> {
  const table = new NodeTable(options.hash ?? xxHash64, options.sharing ?? true);
  const context = planContext(program, table, yield* namingFacts(program));
  const arrange = options.arrange ?? true;
  const joins = isOrderWritten(program) ? "written" : (options.joins ?? "chosen");
  yield;
  const rules: PlanRule[] = [];
  const orders = LayeredMap.empty<string, number>();
  const declared = declaredRules(program);
  for (const { rule, order } of liveRules(program, declared)) {
    rules.push(planRule(context, rule, order, ruleOrder(rule, arrange, joins)));
    orders.set(rule.name.name, order);
    yield;
  }
  const reactions = yield* planningDecisions(context, rules);
  rules.push(...reactions);
  const { namedFacts } = context;
  const hasReactions = reactions.length > 0;
  const plan = yield* planningTables(program, { nodes: table.nodes, rules });
  return { plan, table, namedFacts, arrange, joins, orders, declared: declared.length, hasReactions };
}

/** Returns the plan of a query, with values for its parameters. */
export function planQuery(
  program: CheckedProgram,
  query: ast.QueryDecl,
  args: ReadonlyMap<string, Value | null>,
  options: PlanOptions = {},
): Plan {
  const params = query.params.map(({ name }) => [name.name, args.get(name.name) ?? null] as const);
  return planQuestion(program, { ...query, name: query.name.name, names: new Map(params) }, options);
}

/** What is asked of a session: elements, and values for some names in them. With `actions` each answer has their arguments. */
export interface Question {
  readonly name: string;
  readonly names: ReadonlyMap<string, Value | null>;
  readonly elements: readonly ast.Element[];
  readonly actions?: readonly ast.Action[];
}

/** Returns the plan of a question: one rule that nobody fires. */
export function planQuestion(program: CheckedProgram, question: Question, options: PlanOptions = {}): Plan {
  const table = new NodeTable(options.hash ?? xxHash64, options.sharing ?? true);
  const builder = new RuleBuilder(planContext(program, table), queryWords(question.name));
  for (const [name, value] of question.names) builder.places.set(name, { kind: "const", value });
  const layouts = addTerminals(planElements(builder, question.elements), question.actions ?? []);
  const rule = { name: builder.rule, order: 0, salience: 0, group: undefined, noLoop: false, layouts };
  return { nodes: table.nodes, rules: [rule] };
}

/** Returns what the builders of a plan have in common. */
export function planContext(
  program: CheckedProgram,
  table: NodeTable,
  namedFacts: ReadonlyMap<string, string> = namedFactIds(program),
): PlanContext {
  return {
    program,
    table,
    namedFacts,
    subquery: (builder, expr) =>
      expr.kind === "call" || expr.kind === "path" ? planConditionUse(builder, expr) : planSubquery(builder, expr),
  };
}

function declaredRules({ files }: CheckedProgram): ast.RuleDecl[] {
  return files.flatMap((file) => rulesIn(file.declarations));
}

/** Returns the rules among statements. */
export function rulesIn(declarations: readonly ast.Declaration[]): ast.RuleDecl[] {
  return declarations.filter((decl): decl is ast.RuleDecl => decl.kind === "rule");
}

/**
 * Returns those of the declared rules that are neither disabled nor removed. The order counts all rules from the first one on, so that
 * it stays when one is taken out.
 */
export function liveRules(
  { symbols }: CheckedProgram,
  declared: readonly ast.RuleDecl[],
  first = 0,
): { readonly rule: ast.RuleDecl; readonly order: number }[] {
  return declared
    .map((rule, index) => ({ rule, order: first + index }))
    .filter(({ rule }) => symbols.rules.get(rule.name.name)?.decl === rule && !isDisabled(rule));
}

/** Returns whether a rule is switched off by its author. */
export function isDisabled(rule: ast.RuleDecl): boolean {
  return rule.attributes.some((attribute) => attribute.kind === "disabled");
}

// ---------------------------------------------------------------- rules

/** Returns how the patterns of a rule are planned. */
export function ruleOrder(rule: ast.RuleDecl, arrange: boolean, joins: JoinMode): RuleOrder {
  if (typeof joins === "string") return { arrange, joins };
  const { body } = rule;
  const parts: readonly { readonly kind: string }[] = body.kind === "block" ? body.elements : body.sources.flat();
  const patterns = parts.filter(({ kind }) => kind === "pattern" || kind === "source").length;
  return { arrange, joins: joins(rule.name.name, patterns) };
}

/** Plans a rule. */
export function planRule(context: PlanContext, rule: ast.RuleDecl, order: number, ordered: RuleOrder): PlanRule {
  const builder = new RuleBuilder(context, rule.name.name);
  const { ends, joined } = planBody(builder, rule.body, ordered);
  const attribute = <Kind extends ast.Attribute["kind"]>(
    kind: Kind,
  ): Extract<ast.Attribute, { kind: Kind }> | undefined =>
    rule.attributes.find((one): one is Extract<ast.Attribute, { kind: Kind }> => one.kind === kind);
  return {
    name: rule.name.name,
    order,
    salience: attribute("salience")?.value ?? 0,
    group: attribute("group")?.name,
    noLoop: attribute("no-loop") !== undefined,
    layouts: addTerminals(ends, rule.body.actions),
    ...(joined !== undefined && { joined: { ...joined, hash: hashAsWritten(context, rule) } }),
  };
}

/** Returns the hash of a rule whose patterns are joined in written order: it is planned apart from the others. */
function hashAsWritten(context: PlanContext, rule: ast.RuleDecl): string {
  const table = new NodeTable(() => 0n, true);
  const planned = planRule({ ...context, table }, rule, 0, { arrange: true, joins: "written" });
  return ruleHashes({ nodes: table.nodes, rules: [planned] })(planned.name);
}

function planBody(builder: RuleBuilder, body: ast.RuleDecl["body"], { arrange, joins }: RuleOrder): PlannedBody {
  if (body.kind === "slash") return planSlash(builder, body, arrange ? joins : "written");
  if (arrange) return planBlockBody(builder, body, joins);
  return { ends: planElements(builder, body.elements), joined: undefined };
}

/**
 * Plans the slash form: the variables of all braces are patterns. With aggregates in the first braces, the later braces are
 * what they run over: tests that name a variable of theirs select the facts, tests that name an aggregate come after it.
 */
function planSlash(builder: RuleBuilder, body: ast.SlashBody, joins: JoinChoice): PlannedBody {
  const tests = body.test === null ? [] : conjunctsOf([body.test]);
  const aggregates = body.sources.flat().filter((source) => source.kind === "aggregate-source");
  if (aggregates.length === 0) {
    return { ends: [builder], joined: planSourcesBody(builder, sourceVars(body.sources.flat()), tests, joins) };
  }
  const [first = [], ...later] = body.sources;
  const inner = sourceVars(later.flat());
  const innerNames = new Set(inner.map((source) => source.variable.name));
  const aggregateNames = new Set(aggregates.map((source) => source.variable.name));
  const names = (test: ast.Expr, among: ReadonlySet<string>): boolean =>
    [...variablesOf(builder.program, test)].some((name) => among.has(name));
  const after = tests.filter((test) => names(test, aggregateNames));
  const inside = tests.filter((test) => !after.includes(test) && names(test, innerNames));
  const plain = tests.filter((test) => !after.includes(test) && !inside.includes(test));
  const joined = planSourcesBody(builder, sourceVars(first), plain, joins);
  for (const aggregate of aggregates) planAggregateSource(builder, aggregate, inner, inside);
  for (const test of after) filterBy(builder, test);
  return { ends: [builder], joined };
}

function planAggregateSource(
  builder: RuleBuilder,
  source: ast.AggregateSource,
  sources: readonly ast.SourceVar[],
  tests: readonly ast.Expr[],
): void {
  const inner = builder.branch();
  planSources(inner, sources, tests);
  const aggregate = source.fn.name.toLowerCase();
  const value =
    aggregateNamed(aggregate).takes === "facts" ? undefined : normaliseValue(lowerExpr(inner, source.value));
  builder.aggregate([inner], aggregate, value, false);
  builder.places.set(source.variable.name, aggregatePlace(builder, source.fn));
}

function sourceVars(sources: readonly (ast.SourceVar | ast.AggregateSource)[]): ast.SourceVar[] {
  return sources.filter((source): source is ast.SourceVar => source.kind === "source");
}
