/** Lowers expressions of the tree to expressions of the plan, in which every name is the level of a match. */
import { must, unreachable } from "../base/invariant.ts";
import type { DecisionPart } from "../base/answers.ts";
import { isTimeKind, type TimeKind, timeNumbers, timeTexts } from "../base/time.ts";
import type { Value } from "../base/value.ts";
import { type CalledFunction, OVER_LAST, OVER_LAST_FACTS } from "../functions/window-length.ts";
import type * as ast from "../language/ast.ts";
import { solvedForClock, zoneOf } from "../language/check/clock.ts";
import type { ConditionUse } from "../language/check/condition-uses.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { ComputedFunction } from "../language/check/symbols.ts";
import type { RowType, Type } from "../language/check/types.ts";
import { passedTo } from "../language/passed.ts";
import { expressionText } from "../language/print-part.ts";
import { partsOf } from "../language/ranked.ts";
import { normaliseValue } from "./normalise.ts";
import type { PlanExpr } from "./plan.ts";
import { dataOf } from "./program-data.ts";
import { spanFrom, spanOf, type TimeSpan } from "./time-tests.ts";
import { tableKey } from "./tables.ts";
import { lowerWithin } from "./within.ts";

/** What a variable stands for in a chain of nodes. */
export type Place =
  | { readonly kind: "fact"; readonly level: number; readonly type: string | undefined }
  | {
      readonly kind: "value";
      readonly level: number;
      readonly time?: TimeKind | undefined;
      /** The row of a decision table that the value is; undefined for other values. */
      readonly row?: RowType | undefined;
    }
  | { readonly kind: "const"; readonly value: Value | null }
  /** What was passed for a parameter; `type` when it refers to a fact. */
  | { readonly kind: "expr"; readonly expr: PlanExpr; readonly type: string | undefined };

/** What lowering needs to know of the place of an expression. */
export interface Lowering {
  readonly program: CheckedProgram;
  readonly namedFacts: ReadonlyMap<string, string>;
  /** Returns what a variable stands for. */
  variable(name: string): Place | undefined;
  /** Returns the fact of the pattern around the expression: bare names are its fields. */
  patternFact(): { readonly level: number; readonly type: string | undefined } | undefined;
  /** Returns a field of the fact that a reference leads to. */
  follow(of: PlanExpr, type: string | undefined, field: string): PlanExpr;
  /** The value of `missing()`, in the reactions of a gate. */
  readonly missing?: PlanExpr;
  /** The value of `actions()`, in the reactions of a guardian. */
  readonly actions?: PlanExpr;
  /** Returns the value of an aggregate over the facts of `using`; undefined when the call is none. */
  evidence?(call: ast.CallExpr): PlanExpr | undefined;
  /** Returns the value of an `exists`, an aggregate over facts, or a condition. */
  subquery(expr: Subquery): PlanExpr;
  /** The depths of the loops over items around the expression, by the name of the item. */
  readonly items?: ReadonlyMap<string, number>;
  /** The number of loops around the expression, also around the call of the function that it is in. */
  readonly loops?: number;
  /** Adds whether the clock is inside a span of time. Absent where an expression is evaluated once: there the clock is read. */
  timer?(span: TimeSpan, words: string): PlanExpr;
}

/** What is asked inside an expression. */
export type Subquery = ast.ExistsExpr | ast.ExistsInExpr | ast.AggregateInExpr | ConditionUse;

/** Returns the expression of the plan; adds the nodes that it needs through `lx.follow` and `lx.subquery`. */
export function lowerExpr(lx: Lowering, expr: ast.Value): PlanExpr {
  if ((expr.kind === "call" || expr.kind === "path") && lx.program.conditionUses.has(expr)) return lx.subquery(expr);
  return lx.program.times.texts.has(expr) ? lowerOutput(lx, expr) : lowerInside(lx, expr);
}

/** Returns the expression for a value that leaves the network: times become ISO 8601 text. */
export function lowerOutput(lx: Lowering, expr: ast.Value): PlanExpr {
  const lowered = lowerInside(lx, expr);
  const kind = timeKindOf(lx.program.times.types.get(expr));
  if (kind === undefined) return lowered;
  if (lowered.op !== "const") return { op: "cast", to: `${kind} text`, of: lowered };
  return { op: "const", value: lowered.value === null ? null : (timeTexts(kind, lowered.value) ?? null) };
}

/** Returns the kind of the times that values of a type are, or that their items are. */
export function timeKindOf(type: Type | undefined): TimeKind | undefined {
  if (type?.kind === "list") return timeKindOf(type.item);
  return type !== undefined && isTimeKind(type.kind) ? type.kind : undefined;
}

function lowerInside(lx: Lowering, expr: ast.Value): PlanExpr {
  switch (expr.kind) {
    case "text":
    case "number":
    case "bool":
    case "time":
    case "amount":
      return { op: "const", value: expr.value };
    case "list":
      return lowerList(lx, expr.items);
    case "object":
      return {
        op: "object",
        entries: expr.entries.map(({ name, value }) => ({ name: name.name, value: lowerExpr(lx, value) })),
      };
    case "item-test":
    case "comprehension":
      return lowerLoop(lx, expr);
    case "item":
      return { op: "at", list: lowerExpr(lx, expr.list), index: lowerExpr(lx, expr.at) };
    case "property": {
      const of = lowerExpr(lx, expr.of);
      const { name: field } = expr.field;
      return lx.program.valueFields.has(expr)
        ? asTime(lx, expr, { op: "property", of, field })
        : lx.follow(of, undefined, field);
    }
    case "path":
      return asTime(lx, expr, fromAnyFact(lx, expr, lowerPath(lx, expr)));
    case "call":
      return lowerTable(lx, expr) ?? lowerSpecial(lx, expr) ?? lowerCall(lx, expr);
    case "negate":
      return { op: "negate", of: lowerExpr(lx, expr.operand) };
    case "not":
      return { op: "not", of: lowerExpr(lx, expr.operand) };
    case "chain":
      return {
        op: "chain",
        items: expr.items.map((item) => lowerExpr(lx, item)),
        ops: lx.program.times.operators.get(expr) ?? expr.ops,
      };
    case "compare":
      return lowerComparison(lx, expr, expr);
    case "in": {
      if (expr.right.kind === "range") return lowerRange(lx, expr, expr.right);
      const test: PlanExpr = { op: "in", left: lowerExpr(lx, expr.left), right: lowerExpr(lx, expr.right) };
      return expr.negated ? { op: "not", of: test } : test;
    }
    case "contains":
      return {
        op: "contains",
        left: lowerExpr(lx, expr.left),
        right: lowerExpr(lx, expr.right),
        any: expr.any,
        ...(expr.all === true && { all: true }),
      };
    case "like":
      return { op: "like", left: lowerExpr(lx, expr.left), pattern: lowerExpr(lx, expr.pattern) };
    case "matches":
      return { op: "matches", left: lowerExpr(lx, expr.left), pattern: expr.pattern.value };
    case "presence": {
      const missing: PlanExpr = { op: "missing", of: lowerExpr(lx, expr.operand) };
      return expr.missing ? missing : { op: "not", of: missing };
    }
    case "logic":
      return { op: expr.op, items: expr.items.map((item) => lowerExpr(lx, item)) };
    case "cast":
      return { op: "cast", to: expr.to, of: lowerExpr(lx, expr.operand) };
    case "if": {
      const [test, whenTrue, whenFalse] = [expr.test, expr.whenTrue, expr.whenFalse] as const;
      return {
        op: "if",
        test: lowerExpr(lx, test),
        whenTrue: lowerExpr(lx, whenTrue),
        whenFalse: lowerExpr(lx, whenFalse),
      };
    }
    case "exists":
    case "exists-in":
    case "aggregate-in":
      return lx.subquery(expr);
    case "ranked":
      return lowerList(lx, partsOf(expr));
    case "outcome": {
      const [subject = { op: "const", value: null }] = expr.args.map((arg) => lowerExpr(lx, arg));
      return { op: "outcome", of: expr.of, name: expr.name.name, outcome: expr.outcome, subject };
    }
    case "wait":
      return lowerWait(lx, expr);
    case "within":
      return lowerWithin(lx, expr, (part) => lowerExpr(lx, part));
    case "last":
      throw new Error("a number of facts is planned with its pattern");
    case "quorum":
    case "fact-quorum":
      throw new Error(`${expr.kind} is refused by the checker outside gates`);
    default:
      return unreachable(expr);
  }
}

/** Returns a loop over the items of a list. Its items are known by the depth of the loop, so that their names make no difference. */
function lowerLoop(lx: Lowering, expr: ast.ItemTestExpr | ast.ComprehensionExpr): PlanExpr {
  const list = lowerExpr(lx, expr.list);
  const depth = (lx.loops ?? 0) + 1;
  const inner = inItems(lx, new Map([...(lx.items ?? []), [expr.variable.name, depth]]), depth);
  if (expr.kind === "item-test") {
    return { op: "each", quantifier: expr.quantifier, depth, list, test: lowerExpr(inner, expr.test) };
  }
  const test = expr.test === null ? undefined : lowerExpr(inner, expr.test);
  return { op: "collect", depth, list, ...(test !== undefined && { test }), value: lowerExpr(inner, expr.value) };
}

/** Returns the same lowering with the items of loops. */
function inItems(lx: Lowering, items: ReadonlyMap<string, number>, loops: number): Lowering {
  return {
    program: lx.program,
    namedFacts: lx.namedFacts,
    variable: (name) => lx.variable(name),
    patternFact: () => lx.patternFact(),
    follow: (of, type, field) => lx.follow(of, type, field),
    ...(lx.missing !== undefined && { missing: lx.missing }),
    ...(lx.actions !== undefined && { actions: lx.actions }),
    evidence: (call) => lx.evidence?.(call),
    subquery: (asked) => lx.subquery(asked),
    items,
    loops,
  };
}

/** Returns a comparison. One with the clock becomes a span of time: its value turns when the clock reaches an end of it. */
function lowerComparison(lx: Lowering, { op, left, right }: Comparison, words: ast.Expr): PlanExpr {
  const solved = lx.timer === undefined ? undefined : solvedForClock(lx.program, { op, left, right });
  if (solved === undefined || lx.timer === undefined) {
    return { op: "compare", by: op, left: lowerExpr(lx, left), right: lowerExpr(lx, right) };
  }
  const span = spanOf(solved, lx.program, (expr) => lowerExpr(lx, expr));
  return lx.timer(span, expressionText(words));
}

/** Returns the value of `wait until t`, which becomes true by itself. */
function lowerWait(lx: Lowering, expr: ast.WaitExpr): PlanExpr {
  if (lx.timer === undefined) throw new Error("the checker refuses to wait where an expression is evaluated once");
  const zone = lx.program.times.types.get(expr.until)?.kind === "date" ? zoneOf(lx.program) : undefined;
  return lx.timer(spanFrom(lowerExpr(lx, expr.until), zone), expressionText(expr));
}

type Comparison = Pick<ast.CompareExpr, "op" | "left" | "right">;

/** Returns `x in 1..10` as two comparisons, which are indexed and shared like any others. */
function lowerRange(lx: Lowering, test: ast.InExpr, { from, to, open }: ast.RangeExpr): PlanExpr {
  const { left, negated } = test;
  const between = lx.timer === undefined ? undefined : clockRange(lx, left, { from, to, open });
  if (between !== undefined && lx.timer !== undefined) {
    const inside = lx.timer(between, expressionText(test));
    return negated ? { op: "not", of: inside } : inside;
  }
  const items: PlanExpr[] = [
    lowerComparison(lx, { op: ">=", left, right: from }, test),
    lowerComparison(lx, { op: open ? "<" : "<=", left, right: to }, test),
  ];
  return negated ? { op: "not", of: { op: "and", items } } : { op: "and", items };
}

/** Returns the one span in which the clock is in a range; undefined when the clock is not there, or the range turns around. */
function clockRange(
  lx: Lowering,
  left: ast.Expr,
  { from, to, open }: Pick<ast.RangeExpr, "from" | "to" | "open">,
): TimeSpan | undefined {
  const begins = solvedForClock(lx.program, { op: ">=", left, right: from });
  const ends = solvedForClock(lx.program, { op: open ? "<" : "<=", left, right: to });
  if (begins?.op !== ">=" || ends === undefined || begins.clock !== ends.clock) return undefined;
  const lower = (expr: ast.Value): PlanExpr => lowerExpr(lx, expr);
  const { from: first } = spanOf(begins, lx.program, lower);
  const { from: until } = spanOf(ends, lx.program, lower);
  return { from: first, until, inside: true, outside: false };
}

/** Returns what a decision table gives; undefined when the call is of none. */
function lowerTable(lx: Lowering, call: ast.CallExpr): PlanExpr | undefined {
  const use = lx.program.tables.uses.get(call);
  if (use === undefined) return undefined;
  return {
    op: "table",
    table: tableKey(use.table.data),
    inputs: use.inputs.map((input) => lowerExpr(lx, input)),
    computed: use.computed.map((output) => lowerExpr(lx, output)),
  };
}

/** Returns the value of a call that is no function: `missing()`, `actions()`, `avg(e.confidence)`. */
function lowerSpecial(lx: Lowering, call: ast.CallExpr): PlanExpr | undefined {
  const name = call.name.name.toLowerCase();
  if (name === "missing" && lx.missing !== undefined) return lx.missing;
  if (name === "actions" && lx.actions !== undefined) return lx.actions;
  return lx.evidence?.(call);
}

function lowerCall(lx: Lowering, { name: { name }, args }: ast.CallExpr): PlanExpr {
  const { symbols } = lx.program;
  for (const length of [OVER_LAST, OVER_LAST_FACTS]) if (name === length.name) return lowerLength(lx, length, args);
  const computed = symbols.computedFunction(name);
  if (computed !== undefined) return lowerExpr(insideFunction(lx, computed, args), computed.body);
  const declared = symbols.declaredFunction(name);
  const passed = declared === undefined ? args : passedTo(declared.params, args);
  return {
    op: "call",
    name: symbols.functionName(name),
    args: passed.map((arg) => (arg === null ? { op: "const", value: null } : lowerExpr(lx, arg))),
    signature: must(symbols.function(name), `the function ${name}`),
  };
}

/** Returns the length of a window, which is refused only where it is not known yet. */
function lowerLength(
  lx: Lowering,
  { name, compute, signature }: CalledFunction,
  [last]: readonly ast.Value[],
): PlanExpr {
  const length = lowerExpr(lx, must(last, "the length of a window"));
  if (length.op === "const" && compute(length.value ?? undefined) !== undefined) return length;
  return { op: "call", name, args: [length], signature };
}

/** Returns the lowering of the expression of a function: only its parameters are known, and each stands for what is passed. */
function insideFunction(lx: Lowering, { params }: ComputedFunction, args: readonly ast.Value[]): Lowering {
  const known = new Map<string, Place>();
  return {
    program: lx.program,
    namedFacts: lx.namedFacts,
    variable: (name) => {
      const index = params.findIndex((param) => param.name.name === name);
      const param = params[index];
      if (param === undefined) return undefined;
      // Lowered when it is used: an argument may need nodes of its own.
      const place = known.get(name) ?? passedPlace(lx, param, args[index]);
      known.set(name, place);
      return place;
    },
    patternFact: () => undefined,
    follow: (of, type, field) => lx.follow(of, type, field),
    ...(lx.loops !== undefined && { loops: lx.loops }),
    subquery: () => {
      throw new Error("the checker refuses questions about facts in functions");
    },
  };
}

/** Returns what a parameter stands for: a fact, or the value of an expression. */
export function passedPlace(lx: Lowering, param: ast.FieldDecl, arg: ast.Value | undefined): Place {
  const passed = arg ?? param.default;
  if (passed === null) return { kind: "const", value: null };
  if (passed.kind === "path" && passed.fields.length === 0 && !lx.program.times.texts.has(passed)) {
    const place = lx.program.resolutions.get(passed) === "variable" ? lx.variable(passed.root.name) : undefined;
    if (place !== undefined) return place;
  }
  const name = param.type.kind === "named" ? param.type.name : "";
  const type = lx.program.symbols.type(name) === undefined ? undefined : name;
  return { kind: "expr", expr: normaliseValue(lowerExpr(lx, passed)), type };
}

function lowerList(lx: Lowering, items: readonly ast.Value[]): PlanExpr {
  const lowered = items.map((item) => lowerExpr(lx, item));
  const values = lowered.map((item) => (item.op === "const" ? item.value : undefined));
  return values.every((value): value is Value => value !== undefined && value !== null)
    ? { op: "const", value: values }
    : { op: "list", items: lowered };
}

// ---------------------------------------------------------------- paths

function lowerPath(lx: Lowering, path: ast.PathExpr): PlanExpr {
  const { name } = path.root;
  const fields = stepsOf(lx, path);
  switch (lx.program.resolutions.get(path)) {
    case "own-field": {
      const fact = must(lx.patternFact(), "a bare field stands in a pattern");
      return followAll(lx, fieldOf(lx, fact, name), fields);
    }
    case "constant": {
      const { decl } = must(lx.program.symbols.constants.get(name), "a constant that resolved");
      const value = dataOf(lx.program, decl.value, lx.namedFacts) as Value;
      const kind = timeKindOf(lx.program.times.types.get(path));
      const given = propertyOf(value, path.fields);
      return { op: "const", value: kind === undefined || given === null ? given : (timeNumbers(kind, given) ?? null) };
    }
    case "item": {
      const depth = must(lx.items?.get(name), `the item ${name}`);
      return followAll(lx, { expr: { op: "item", depth }, type: undefined }, fields);
    }
    case "word":
      return { op: "const", value: name };
    case "null":
      return { op: "const", value: null };
    case "decision":
      return { op: "decided", part: name as DecisionPart };
    case "clock":
      return { op: "clock", zone: name === "today" ? zoneOf(lx.program) : undefined };
    case "fact": {
      const id = must(lx.namedFacts.get(name), "a named fact that resolved");
      const type = lx.program.symbols.facts.get(name)?.decl.fact.type.name;
      const fact = { expr: { op: "const", value: id }, type } as const;
      return followAll(lx, fact, fields);
    }
    default:
      return lowerVariable(lx, must(lx.variable(name), `the variable ${name}`), fields);
  }
}

/** A field of a fact whose type nobody knows may hold a time. Where no time is expected it is text, as outside the engine. */
function fromAnyFact(lx: Lowering, path: ast.PathExpr, lowered: PlanExpr): PlanExpr {
  const { times, symbols } = lx.program;
  if (lowered.op !== "field" && lowered.op !== "step" && lowered.op !== "follow") return lowered;
  if (lowered.op !== "follow" && lowered.type !== undefined) return lowered;
  if (times.types.has(path) || !symbols.hasTimes) return lowered;
  return { ...lowered, timesAsText: true };
}

/** Returns the number of a time that is read off a record, which holds it as text. */
function asTime(lx: Lowering, expr: ast.PathExpr | ast.PropertyExpr, lowered: PlanExpr): PlanExpr {
  const kind = lx.program.times.held.has(expr) ? timeKindOf(lx.program.times.types.get(expr)) : undefined;
  if (kind === undefined || lowered.op === "const") return lowered;
  return { op: "cast", to: `${kind} number`, of: lowered };
}

/** Returns what a path into an object finds; null when it has no such property. */
function propertyOf(value: Value, fields: readonly ast.Ident[]): Value | null {
  let found: unknown = value;
  for (const { name } of fields) {
    const isObject = typeof found === "object" && found !== null && !Array.isArray(found) && Object.hasOwn(found, name);
    found = isObject ? (found as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return (found as Value | undefined) ?? null;
}

interface Typed {
  readonly expr: PlanExpr;
  /** The type of the fact that the value refers to, when that is known. */
  readonly type: string | undefined;
}

/** A field of a path: read off a value, or of the fact that the value before it refers to. */
interface FieldStep {
  readonly name: string;
  readonly ofValue: boolean;
}

function stepsOf(lx: Lowering, path: ast.PathExpr): FieldStep[] {
  const flags = lx.program.valueFields.get(path);
  return path.fields.map(({ name }, at) => ({ name, ofValue: flags?.[at] === true }));
}

function lowerVariable(lx: Lowering, place: Place, fields: readonly FieldStep[]): PlanExpr {
  const [first, ...rest] = fields;
  if (place.kind === "value" && place.row !== undefined && first !== undefined)
    return { op: "property", of: { op: "value", level: place.level }, field: first.name };
  if (place.kind === "value")
    return followAll(lx, { expr: { op: "value", level: place.level }, type: undefined }, fields);
  if (place.kind === "const")
    return followAll(lx, { expr: { op: "const", value: place.value }, type: undefined }, fields);
  if (place.kind === "expr") return followAll(lx, place, fields);
  if (first === undefined) return { op: "fact", level: place.level };
  return followAll(lx, fieldOf(lx, place, first.name), rest);
}

function fieldOf(
  lx: Lowering,
  of: { readonly level: number; readonly type: string | undefined },
  field: string,
): Typed {
  return { expr: { op: "field", level: of.level, field, type: of.type }, type: referred(lx, of.type, field) };
}

/** Returns the type of facts that a declared field refers to. */
function referred(lx: Lowering, type: string | undefined, field: string): string | undefined {
  const declared = type === undefined ? undefined : lx.program.symbols.type(type)?.fields.get(field)?.type;
  return declared?.kind === "fact" ? declared.type : undefined;
}

function followAll(lx: Lowering, from: Typed, fields: readonly FieldStep[]): PlanExpr {
  let { expr, type } = from;
  for (const { name, ofValue } of fields) {
    expr = ofValue ? { op: "property", of: expr, field: name } : lx.follow(expr, type, name);
    type = ofValue ? undefined : referred(lx, type, name);
  }
  return expr;
}
