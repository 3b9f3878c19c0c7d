/**
 * What is known of an expression before there are facts: whether it always has a value, and of which kind. A test that is
 * always true or false can be a filter in the network; where something is judged, one that may be unknown is evaluated again
 * (unknown-tests.ts).
 */
import { isNumeric, type Type } from "../language/check/types.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { callsIn, valuesOf } from "./read/levels.ts";
import type { PlanExpr } from "./plan.ts";

/** The kind of a value that is always there; `undefined` when it may be missing, or of any kind. */
export type ValueKind = "number" | "string" | "bool" | "list" | undefined;

/** What the kind of an expression depends on. */
export interface KindContext {
  readonly program: CheckedProgram;
  /** The kinds of the values of aggregates and names, by level. */
  readonly kinds: ReadonlyMap<number, ValueKind>;
}

/** Returns whether a test is true or false, and never unknown, whatever facts there are. */
export function isAlwaysKnown(context: KindContext, test: PlanExpr): boolean {
  return kindOf(context, test) === "bool";
}

/** Returns whether a value is always there and can be compared for equality. */
function isPlain(context: KindContext, value: PlanExpr): boolean {
  const kind = kindOf(context, value);
  return kind !== undefined && kind !== "list";
}

/** Returns the kind of the value that an expression always has; undefined when it may be unknown. */
export function kindOf(context: KindContext, expr: PlanExpr): ValueKind {
  switch (expr.op) {
    case "const":
      return kindOfConstant(expr.value);
    case "field":
      return kindOfField(context.program, expr.type, expr.field);
    case "fact":
      return "string";
    case "decided":
      return expr.part === "decision" || expr.part === "reason" ? "string" : undefined;
    case "value":
      return context.kinds.get(expr.level);
    case "missing":
      return bool(!mayFail(context, expr.of));
    case "nottrue":
      return "bool";
    case "outcome":
      return bool(expr.of === "guardian" || expr.outcome === "hold");
    case "not":
      return bool(isAlwaysKnown(context, expr.of));
    case "and":
    case "or":
      return bool(expr.items.every((item) => isAlwaysKnown(context, item)));
    case "compare":
      return bool(compares(context, expr));
    case "in":
      return bool(isPlain(context, expr.left) && isPlainList(expr.right));
    case "like":
      return bool(isText(context, expr.left) && isText(context, expr.pattern));
    case "matches":
      return bool(isText(context, expr.left));
    case "contains":
      return bool(
        isText(context, expr.left) &&
          (expr.any || expr.all === true ? isTextList(expr.right) : isText(context, expr.right)),
      );
    case "if":
      return kindOfChoice(context, expr);
    case "list":
      return expr.items.every((item) => isPlain(context, item)) ? "list" : undefined;
    default:
      return undefined; // a function can fail, a reference lead nowhere, a sum leave what is finite
  }
}

/** Returns the kind of a choice: of both sides, when its test is always known. */
function kindOfChoice(context: KindContext, expr: Extract<PlanExpr, { op: "if" }>): ValueKind {
  const kind = kindOf(context, expr.whenTrue);
  return isAlwaysKnown(context, expr.test) && kindOf(context, expr.whenFalse) === kind ? kind : undefined;
}

/** Returns whether a value can be unknown though it is not missing: because of a function, or of facts that may fit. */
export function mayFail(context: KindContext, expr: PlanExpr): boolean {
  if (callsIn(expr)) return true;
  return [...valuesOf(expr)].some((level) => context.kinds.get(level) === undefined);
}

function bool(certain: boolean): ValueKind {
  return certain ? "bool" : undefined;
}

function isText(context: KindContext, expr: PlanExpr): boolean {
  return kindOf(context, expr) === "string";
}

/** Returns whether a comparison is always known: ordering needs two numbers or two strings. */
function compares(context: KindContext, { by, left, right }: Extract<PlanExpr, { op: "compare" }>): boolean {
  if (by === "==" || by === "!=") return isPlain(context, left) && isPlain(context, right);
  const kind = kindOf(context, left);
  return (kind === "number" || kind === "string") && kindOf(context, right) === kind;
}

function kindOfConstant(value: unknown): ValueKind {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "string") return typeof value as "number" | "string";
  return Array.isArray(value) ? "list" : undefined;
}

function isPlainList(list: PlanExpr): boolean {
  return list.op === "const" && Array.isArray(list.value) && list.value.every((item) => typeof item !== "object");
}

function isTextList(list: PlanExpr): boolean {
  return list.op === "const" && Array.isArray(list.value) && list.value.every((item) => typeof item === "string");
}

/** Returns the kind of a field. One that is declared and not optional is always there, and of its type. */
function kindOfField(program: CheckedProgram, type: string | undefined, name: string): ValueKind {
  const field = type === undefined ? undefined : program.symbols.type(type)?.fields.get(name);
  return field === undefined || (field.optional && !field.key) ? undefined : kindOfType(field.type);
}

/** Returns the kind of the values of a type. A reference is the id of a fact. */
export function kindOfType(type: Type): ValueKind {
  switch (type.kind) {
    case "any":
    case "row":
    case "record":
      return undefined;
    case "fact":
      return "string";
    case "union":
      return isNumeric(type) ? "number" : "string";
    case "date":
    case "instant":
    case "duration":
    case "months":
      return "number";
    default:
      return type.kind;
  }
}
