/**
 * What can be said of an expression before there are facts: whether it always has a value, and of which kind. A test that
 * is always true or false can be a filter in the network; one that may be unknown must be remembered where that counts.
 */
import type { Type } from "../language/check/types.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { callsIn, valuesOf } from "./read/levels.ts";
import type { PlanExpr } from "./plan.ts";

/** What a value is for certain; `undefined` when it may be missing, or of any kind. */
export type ValueKind = "number" | "string" | "bool" | "list" | undefined;

export interface KindContext {
  readonly program: CheckedProgram;
  /** What the values of some levels are for certain. */
  readonly kinds: ReadonlyMap<number, ValueKind>;
}

/** Whether a test is true or false of whatever facts there are. */
export function isAlwaysKnown(site: KindContext, test: PlanExpr): boolean {
  return kindOf(site, test) === "bool";
}

/** Whether a value can always be compared for being equal. */
function isPlain(site: KindContext, value: PlanExpr): boolean {
  const kind = kindOf(site, value);
  return kind !== undefined && kind !== "list";
}

function kindOf(site: KindContext, expr: PlanExpr): ValueKind {
  switch (expr.op) {
    case "const":
      return kindOfConstant(expr.value);
    case "field":
      return kindOfField(site.program, expr.type, expr.field);
    case "fact":
      return "string";
    case "value":
      return site.kinds.get(expr.level);
    case "missing":
      return bool(!mayFail(site, expr.of));
    case "nottrue":
    case "outcome":
      return "bool";
    case "not":
      return bool(isAlwaysKnown(site, expr.of));
    case "and":
    case "or":
      return bool(expr.items.every((item) => isAlwaysKnown(site, item)));
    case "compare":
      return bool(compares(site, expr));
    case "in":
      return bool(isPlain(site, expr.left) && isPlainList(expr.right));
    case "like":
      return bool(isText(site, expr.left) && isText(site, expr.pattern));
    case "matches":
      return bool(isText(site, expr.left));
    case "contains":
      return bool(isText(site, expr.left) && (expr.any ? isTextList(expr.right) : isText(site, expr.right)));
    case "list":
      return expr.items.every((item) => isPlain(site, item)) ? "list" : undefined;
    default:
      return undefined; // a function can fail, a reference lead nowhere, a sum leave what is finite
  }
}

/** Whether something else than a missing value can keep it from being known: a function, or facts that may fit. */
export function mayFail(site: KindContext, expr: PlanExpr): boolean {
  if (callsIn(expr)) return true;
  return [...valuesOf(expr)].some((level) => site.kinds.get(level) === undefined);
}

function bool(certain: boolean): ValueKind {
  return certain ? "bool" : undefined;
}

function isText(site: KindContext, expr: PlanExpr): boolean {
  return kindOf(site, expr) === "string";
}

/** Ordering needs two numbers or two texts. */
function compares(site: KindContext, { by, left, right }: Extract<PlanExpr, { op: "compare" }>): boolean {
  if (by === "==" || by === "!=") return isPlain(site, left) && isPlain(site, right);
  const kind = kindOf(site, left);
  return (kind === "number" || kind === "string") && kindOf(site, right) === kind;
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

/** A field that is declared and not optional is always there, and of its type. */
function kindOfField(program: CheckedProgram, type: string | undefined, name: string): ValueKind {
  const field = type === undefined ? undefined : program.symbols.type(type)?.fields.get(name);
  return field === undefined || (field.optional && !field.key) ? undefined : KINDS[field.type.kind];
}

/** What a value of a type is. A reference is the id of a fact. */
export const KINDS: Readonly<Record<Type["kind"], ValueKind>> = {
  string: "string",
  number: "number",
  bool: "bool",
  any: undefined,
  union: "string",
  list: "list",
  fact: "string",
};
