/** Turns planned rules into what the session runs: functions of a match. */
import { unreachable } from "../base/invariant.ts";
import { type TimeKind, timeTexts } from "../base/time.ts";
import type { Maybe, Value } from "../base/value.ts";
import type { Fact } from "../rete/fact.ts";
import { Item } from "../rete/item.ts";
import { compareMatches, type Match } from "../rete/match.ts";
import type { ActionPlan, Binding, FieldValues, ItemIdentity, Production } from "../rete/production.ts";
import { SimpleArg } from "../rete/simple-arg.ts";
import { compileExpr } from "./expression.ts";
import type { Evaluate } from "./scope.ts";
import type { ExpressionCompiler, WatchedScope } from "./expression-compiler.ts";
import { callsIn, uses } from "../plan/read/levels.ts";
import type { Layout, PlanAction, PlanBinding, PlanExpr, PlanField, PlanRule } from "../plan/plan.ts";
import { actionExpressions } from "../plan/read/expressions.ts";
import type { SupportPlan } from "../base/support.ts";

/**
 * How the matches of one alternative are read: where its facts and variables are, and the scope of its actions. A rule with
 * a direct terminal has no matches; its functions are given the fact.
 */
interface Reading {
  readonly scope: WatchedScope;
  readonly layout: Layout;
  /** Returns the fact at a level. */
  readonly fact: (match: Match | undefined, fact: Fact | undefined, level: number) => Fact | undefined;
  /** Returns the value at a level. */
  readonly value: (match: Match | undefined, level: number) => Maybe;
}

/** Returns the productions of a rule, one for each alternative; `levels` are those of its terminals. */
export function productionsOf(
  rule: PlanRule,
  levels: readonly number[],
  support: SupportPlan | undefined,
  expressions: ExpressionCompiler,
): Production[] {
  return rule.layouts.map((layout, alternative) =>
    productionOf(rule, alternative, support, {
      layout,
      scope: expressions.at(layout.actions.flatMap(actionExpressions), must(levels[alternative]) - 1),
      fact: (match, _, level) => match?.at(level).fact,
      value: (match, level) => match?.at(level).value,
    }),
  );
}

/** Returns the production of a rule with a single pattern, which reads the fact alone. */
export function directProduction(rule: PlanRule, expressions: ExpressionCompiler): Production {
  const layout = must(rule.layouts[0]);
  return productionOf(rule, 0, undefined, {
    layout,
    scope: expressions.at(layout.actions.flatMap(actionExpressions), 0, 1),
    fact: (_, fact) => fact,
    value: () => undefined,
  });
}

function productionOf(
  rule: PlanRule,
  alternative: number,
  support: SupportPlan | undefined,
  reading: Reading,
): Production {
  const { layout, scope } = reading;
  const factNames = factNamesOf(layout);
  return {
    name: rule.name,
    order: rule.order,
    salience: rule.salience,
    group: rule.group,
    noLoop: rule.noLoop,
    alternative,
    reaction: rule.reaction === true,
    bindings: layout.bindings.map((binding) => bindingOf(binding, reading)),
    facts: (match, fact) => factsOf(reading, match, fact),
    factLevels: layout.facts,
    ...(factNames === undefined ? {} : { factNames }),
    ...orderedItems(layout),
    compare: (a, b, newestFirst) => compareMatches(layout.order ?? layout.facts, a, b, newestFirst),
    ...(support === undefined ? {} : { support }),
    identity: (match, fact) => identityOf(reading, match, fact),
    actions: layout.actions.map((action) => compileAction(action, scope)),
  };
}

/** Returns what decides the order of matches with items of lists; nothing where there are none. */
function orderedItems({ facts, order }: Layout): Pick<Production, "orderLevels" | "leadingFacts" | "items"> {
  if (order === undefined) return {};
  const leadingFacts = order.findIndex((level) => !facts.includes(level));
  return { orderLevels: order, leadingFacts, items: (match) => itemsOf(order, match) };
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("every layout has the same actions");
  return value;
}

// ---------------------------------------------------------------- bindings

function bindingOf(binding: PlanBinding, reading: Reading): Binding {
  const { name, level } = binding;
  if (binding.kind === "fact") return { name, read: (match, fact) => reading.fact(match, fact, level) };
  const { time, times } = binding;
  if (times !== undefined) return { name, read: (match) => rowOutside(reading.value(match, level), times) };
  if (time === undefined) return { name, read: (match) => reading.value(match, level) };
  return { name, read: (match) => timeTexts(time, reading.value(match, level)) };
}

/** Returns a row of a decision table with ISO 8601 text in place of its times. */
function rowOutside(row: Maybe, times: Readonly<Record<string, TimeKind>>): Maybe {
  if (typeof row !== "object" || Array.isArray(row)) return row;
  const entries = Object.entries(row).map(([name, value]: [string, Value]): [string, Maybe] => {
    const kind = Object.hasOwn(times, name) ? times[name] : undefined;
    return [name, kind === undefined ? value : timeTexts(kind, value)];
  });
  return Object.fromEntries(entries) as Value;
}

/** Returns the variable of each fact; undefined when a fact has none. */
function factNamesOf({ bindings, facts }: Layout): string[] | undefined {
  const names = facts.map((level) => bindings.find((one) => one.kind === "fact" && one.level === level)?.name);
  return names.every((name) => name !== undefined) ? names : undefined;
}

function factsOf({ layout, fact: factAt }: Reading, match: Match | undefined, beside: Fact | undefined): Fact[] {
  const facts: Fact[] = [];
  for (const level of layout.facts) {
    const fact = factAt(match, beside, level);
    if (fact !== undefined) facts.push(fact);
  }
  return facts;
}

/** Returns the facts of all patterns in written order, the values of the variables, and the items, as one string. */
function identityOf(reading: Reading, match: Match | undefined, beside: Fact | undefined): string {
  const bindings = reading.layout.bindings.map(({ name, kind, level }) => [
    name,
    kind === "fact" ? { fact: reading.fact(match, beside, level)?.id } : { value: reading.value(match, level) },
  ]);
  const ids = factsOf(reading, match, beside).map((fact) => fact.id);
  const { order } = reading.layout;
  const items = order === undefined || match === undefined ? [] : [itemsOf(order, match)];
  return JSON.stringify([ids, bindings.sort(byName), ...items]);
}

/** Returns the items of a match in written order. */
function itemsOf(order: readonly number[], match: Match): ItemIdentity[] {
  return order.flatMap((level): ItemIdentity[] => {
    const { held } = match.at(level);
    return held instanceof Item ? [[held.value, held.nth]] : [];
  });
}

function byName(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}

// ---------------------------------------------------------------- actions

/**
 * Compiles a value for an action. Throws where a function fails and the value is unknown without it: an error is not a missing
 * value. An object with such a property fails as a whole.
 */
function valueFor(expr: PlanExpr, scope: WatchedScope): Evaluate {
  const evaluate = compileExpr(expr, scope);
  if (!callsIn(expr)) return evaluate;
  const whole = !uses(expr, "object");
  return (match, fact) => {
    scope.begin(match, fact);
    const before = scope.failures(match, fact);
    const value = evaluate(match, fact);
    if (scope.failures(match, fact) === before) return value;
    if (value === undefined || !whole) throw scope.failure(match, fact);
    scope.known(match, fact);
    return value;
  };
}

function compileAction(action: PlanAction, scope: WatchedScope): ActionPlan {
  switch (action.kind) {
    case "effect": {
      const args = action.args.map((arg) => valueFor(arg, scope));
      const simple = simpleArguments(action.args, scope);
      return {
        kind: "effect",
        name: action.name,
        args: argumentsOf(args),
        ...(simple === undefined ? {} : { simple }),
      };
    }
    case "focus": {
      const group = valueFor(action.group, scope);
      return { kind: "focus", group: (match, fact) => group(match, fact) };
    }
    case "insert": {
      const fields = compileFields(action.fields, scope);
      return { kind: "insert", type: action.type, logical: action.logical, fields };
    }
    case "xuple":
      return { kind: "xuple", space: action.space, type: action.type, fields: compileFields(action.fields, scope) };
    case "xuple-fact":
      return { kind: "xuple-fact", space: action.space, target: compileTarget(action.target, scope) };
    case "update":
      return {
        kind: "update",
        target: compileTarget(action.target, scope),
        changes: compileFields(action.fields, scope),
      };
    case "retract":
      return { kind: "retract", target: compileTarget(action.target, scope) };
    case "decide": {
      const { gate } = action;
      const subject = action.subject === undefined ? undefined : valueFor(action.subject, scope);
      return {
        kind: "decide",
        answer: (match, fact) => scope.site(match, fact).gates.decide(gate, subject?.(match, fact)),
      };
    }
    case "verify": {
      const { guardian } = action;
      const subject = action.subject === undefined ? undefined : valueFor(action.subject, scope);
      return {
        kind: "verify",
        answer: (match, fact) => scope.site(match, fact).gates.verify(guardian, subject?.(match, fact)),
      };
    }
    case "halt":
      return { kind: "halt" };
    default:
      return unreachable(action);
  }
}

/** Returns the arguments when all of them are constants and fields; undefined otherwise. */
function simpleArguments(args: readonly PlanExpr[], scope: WatchedScope): readonly SimpleArg[] | undefined {
  const simple = args.flatMap((arg): SimpleArg[] => {
    if (arg.op === "const") return [SimpleArg.constant(arg.value ?? undefined)];
    if (arg.op !== "field" || arg.type === undefined) return [];
    const up = arg.level === scope.factLevel ? -1 : scope.matchLevel - arg.level;
    return [SimpleArg.field(scope.shapes.of(arg.type).slot(arg.field), up)];
  });
  return simple.length === args.length ? simple : undefined;
}

/** Returns the values of arguments. Written out for up to two: this is called for every firing. */
function argumentsOf(args: readonly Evaluate[]): (match: Match | undefined, fact?: Fact) => Maybe[] {
  const [first, second] = args;
  if (first === undefined) return () => [];
  if (second === undefined) return (match, fact) => [first(match, fact)];
  if (args.length === 2) return (match, fact) => [first(match, fact), second(match, fact)];
  return (match, fact) => args.map((arg) => arg(match, fact));
}

function compileFields(
  fields: readonly PlanField[],
  scope: WatchedScope,
): (match: Match | undefined, fact?: Fact) => FieldValues {
  const names = fields.map(({ name }) => name);
  const values = argumentsOf(fields.map(({ value }) => valueFor(value, scope)));
  return (match, fact) => ({ names, values: values(match, fact) });
}

function compileTarget(
  target: PlanExpr,
  scope: WatchedScope,
): (match: Match | undefined, fact?: Fact) => Fact | undefined {
  const id = valueFor(target, scope);
  return (match, fact) => {
    const found = id(match, fact);
    return typeof found === "string" ? scope.site(match, fact).facts.get(found) : undefined;
  };
}
