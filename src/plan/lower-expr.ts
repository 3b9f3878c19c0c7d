/** Lowers expressions of the tree to expressions of the plan, in which every name is the level of a match. */
import { must, unreachable } from "../base/invariant.ts";
import type { DecisionPart } from "../base/answers.ts";
import type { Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { Comparator, PlanExpr } from "./plan.ts";

/** What a variable stands for in a chain of nodes. */
export type Place =
  | { readonly kind: "fact"; readonly level: number; readonly type: string | undefined }
  | { readonly kind: "value"; readonly level: number }
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
  /** Returns the value of an `exists` or an aggregate over facts. */
  subquery(expr: ast.ExistsExpr | ast.ExistsInExpr | ast.AggregateInExpr): PlanExpr;
}

/** Returns the expression of the plan; adds the nodes that it needs through `lx.follow` and `lx.subquery`. */
export function lowerExpr(lx: Lowering, expr: ast.Value): PlanExpr {
  switch (expr.kind) {
    case "text":
    case "number":
    case "bool":
      return { op: "const", value: expr.value };
    case "list":
      return lowerList(lx, expr.items);
    case "object":
      return {
        op: "object",
        entries: expr.entries.map(({ name, value }) => ({ name: name.name, value: lowerExpr(lx, value) })),
      };
    case "path":
      return lowerPath(lx, expr);
    case "call":
      return (
        lowerSpecial(lx, expr) ?? {
          op: "call",
          name: lx.program.symbols.functionName(expr.name.name),
          args: expr.args.map((arg) => lowerExpr(lx, arg)),
          signature: must(lx.program.symbols.function(expr.name.name), `the function ${expr.name.name}`),
        }
      );
    case "negate":
      return { op: "negate", of: lowerExpr(lx, expr.operand) };
    case "not":
      return { op: "not", of: lowerExpr(lx, expr.operand) };
    case "chain":
      return { op: "chain", items: expr.items.map((item) => lowerExpr(lx, item)), ops: expr.ops };
    case "compare":
      return {
        op: "compare",
        by: expr.op satisfies Comparator,
        left: lowerExpr(lx, expr.left),
        right: lowerExpr(lx, expr.right),
      };
    case "in": {
      const test: PlanExpr = { op: "in", left: lowerExpr(lx, expr.left), right: lowerExpr(lx, expr.right) };
      return expr.negated ? { op: "not", of: test } : test;
    }
    case "contains":
      return { op: "contains", left: lowerExpr(lx, expr.left), right: lowerExpr(lx, expr.right), any: expr.any };
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
    case "exists":
    case "exists-in":
    case "aggregate-in":
      return lx.subquery(expr);
    case "outcome": {
      const [subject = { op: "const", value: null }] = expr.args.map((arg) => lowerExpr(lx, arg));
      return { op: "outcome", of: expr.of, name: expr.name.name, outcome: expr.outcome, subject };
    }
    case "quorum":
    case "fact-quorum":
      throw new Error(`${expr.kind} is refused by the checker outside gates`);
    default:
      return unreachable(expr);
  }
}

/** Returns the value of a call that is no function: `missing()`, `actions()`, `avg(e.confidence)`. */
function lowerSpecial(lx: Lowering, call: ast.CallExpr): PlanExpr | undefined {
  const name = call.name.name.toLowerCase();
  if (name === "missing" && lx.missing !== undefined) return lx.missing;
  if (name === "actions" && lx.actions !== undefined) return lx.actions;
  return lx.evidence?.(call);
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
  const [first, ...rest] = path.fields.map((field) => field.name);
  switch (lx.program.resolutions.get(path)) {
    case "own-field": {
      const fact = must(lx.patternFact(), "a bare field stands in a pattern");
      return followAll(lx, fieldOf(lx, fact, name), first === undefined ? [] : [first, ...rest]);
    }
    case "list":
      return lowerList(lx, must(lx.program.symbols.lists.get(name), "a list that resolved").decl.items);
    case "word":
      return { op: "const", value: name };
    case "null":
      return { op: "const", value: null };
    case "decision":
      return { op: "decided", part: name as DecisionPart };
    case "fact": {
      const id = must(lx.namedFacts.get(name), "a named fact that resolved");
      const type = lx.program.symbols.facts.get(name)?.decl.fact.type.name;
      const fact = { expr: { op: "const", value: id }, type } as const;
      return followAll(lx, fact, first === undefined ? [] : [first, ...rest]);
    }
    default:
      return lowerVariable(lx, must(lx.variable(name), `the variable ${name}`), first, rest);
  }
}

interface Typed {
  readonly expr: PlanExpr;
  /** The type of the fact that the value refers to, when that is known. */
  readonly type: string | undefined;
}

function lowerVariable(lx: Lowering, place: Place, first: string | undefined, rest: readonly string[]): PlanExpr {
  const fields = first === undefined ? [] : [first, ...rest];
  if (place.kind === "value")
    return followAll(lx, { expr: { op: "value", level: place.level }, type: undefined }, fields);
  if (place.kind === "const")
    return followAll(lx, { expr: { op: "const", value: place.value }, type: undefined }, fields);
  if (place.kind === "expr") return followAll(lx, place, fields);
  if (first === undefined) return { op: "fact", level: place.level };
  return followAll(lx, fieldOf(lx, place, first), rest);
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

function followAll(lx: Lowering, from: Typed, fields: readonly string[]): PlanExpr {
  let { expr, type } = from;
  for (const field of fields) {
    expr = lx.follow(expr, type, field);
    type = referred(lx, type, field);
  }
  return expr;
}
