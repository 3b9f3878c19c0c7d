/** Values that might give a test the wanted result; each is verified before it is suggested. */
import type { Maybe, Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { Type } from "../../language/check/types.ts";
import type { FactView } from "../../session/results.ts";
import { evaluate, follow, type EvaluationScope } from "../read/evaluate.ts";
import { fieldOf } from "../read/field.ts";

/** A field of a fact. */
export interface Slot {
  readonly fact: FactView;
  readonly field: string;
}

/** Returns the field that a path reads, if it is a field of an existing fact. */
export function slotOf(path: ast.PathExpr, scope: EvaluationScope): Slot | undefined {
  const { world, ownFact } = scope;
  const resolution = world.context.program.resolutions.get(path);
  if (resolution === "own-field" && path.fields.length === 0) {
    return ownFact === undefined ? undefined : { fact: ownFact, field: path.root.name };
  }
  const last = path.fields.at(-1);
  if (last === undefined || (resolution !== "variable" && resolution !== "own-field" && resolution !== "fact")) {
    return undefined;
  }
  const owner = follow(path, path.fields.length - 1, scope);
  const fact = typeof owner === "string" ? world.get(owner) : undefined;
  return fact === undefined ? undefined : { fact, field: last.name };
}

/** Returns every path in an expression that is not inside an EXISTS or an aggregate. */
export function pathsIn(expr: ast.Value): ast.PathExpr[] {
  switch (expr.kind) {
    case "path":
      return [expr];
    case "compare":
    case "in":
    case "contains":
      return [expr.left, expr.right].flatMap(pathsIn);
    case "like":
      return [expr.left, expr.pattern].flatMap(pathsIn);
    case "matches":
      return pathsIn(expr.left);
    case "list":
    case "chain":
      return expr.items.flatMap(pathsIn);
    case "call":
      return expr.args.flatMap(pathsIn);
    case "negate":
    case "cast":
    case "presence":
      return pathsIn(expr.operand);
    default:
      return [];
  }
}

const MAX_EXISTING_VALUES = 6;
const PROBES: readonly number[] = [0, 1, -1, 2, 3, 10, 100, 1000];

/** Returns values to try for a field, likely ones first; null clears the field. */
export function guesses(test: ast.Expr, slot: Slot, scope: EvaluationScope): (Value | null)[] {
  const { world } = scope;
  const declared = world.context.program.symbols.type(slot.fact.type)?.fields.get(slot.field);
  const now = fieldOf(slot.fact, slot.field);
  const bases = operandValues(test, scope);
  const all: (Value | null)[] = [
    ...(test.kind === "like" ? [] : bases),
    ...numbersAround(bases),
    ...textsAround(test, bases, now),
    ...listsAround(bases, now),
    true,
    false,
    ...optionsOf(declared?.type, scope),
    ...world.someValues(slot.fact.type, slot.field, MAX_EXISTING_VALUES),
    ...PROBES,
    "",
    "x",
  ];
  if (test.kind === "presence" && (declared === undefined || declared.optional)) all.unshift(null);
  const fitting = all.filter((value) => value !== now && (value === null || fits(value, declared?.type)));
  return fitting.filter((value, index) => fitting.indexOf(value) === index);
}

/** Returns the current values of the operands of a test. */
function operandValues(test: ast.Expr, scope: EvaluationScope): Value[] {
  const operands = operandsOf(test);
  return operands.map((operand) => evaluate(operand, scope)).filter((value) => value !== undefined);
}

function operandsOf(test: ast.Expr): ast.Value[] {
  switch (test.kind) {
    case "compare":
    case "contains":
    case "in":
      return [test.left, test.right].flatMap((side) => (side.kind === "list" ? [side, ...side.items] : [side]));
    case "like":
      return [test.left, test.pattern];
    default:
      return [];
  }
}

function numbersAround(bases: readonly Value[]): number[] {
  return bases.flatMap((base) => (typeof base === "number" ? [base + 1, base - 1] : []));
}

function textsAround(test: ast.Expr, bases: readonly Value[], now: Maybe): string[] {
  const texts = bases.filter((base) => typeof base === "string");
  const listed = bases.flatMap((base) => (Array.isArray(base) ? base.filter((item) => typeof item === "string") : []));
  const current = typeof now === "string" ? now : "";
  const like = test.kind === "like" ? texts.map((text) => text.replaceAll("%", "").replaceAll("_", "a")) : [];
  return [...like, ...listed, ...texts.flatMap((text) => [current + text, `${text}x`])];
}

function listsAround(bases: readonly Value[], now: Maybe): Value[] {
  const list: readonly Value[] = Array.isArray(now) ? now : [];
  return bases.flatMap((base) =>
    typeof base === "object"
      ? [...(Array.isArray(base) ? (base as Value[]) : [])]
      : [[...list, base], list.filter((item) => item !== base)],
  );
}

const MAX_REFERENCES = 5;

function optionsOf(type: Type | undefined, { world }: EvaluationScope): Value[] {
  if (type?.kind === "union") return [...type.options];
  return type?.kind === "fact"
    ? world
        .ofType(type.type)
        .slice(0, MAX_REFERENCES)
        .map(({ id }) => id)
    : [];
}

/** Returns whether a field of a declared type can hold a value. */
function fits(value: Value, type: Type | undefined): boolean {
  switch (type?.kind) {
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "union":
      return typeof value === "string" && type.options.includes(value);
    case "fact":
      return typeof value === "string" && value.startsWith(`${type.type}~`);
    case "list":
      return Array.isArray(value) && value.every((item) => fits(item as Value, type.item));
    default:
      return true;
  }
}

/** Returns a value for a required field that no test reads. */
export function plainGuess(type: Type, { world }: Pick<EvaluationScope, "world">): Value {
  switch (type.kind) {
    case "number":
      return 0;
    case "bool":
      return false;
    case "union":
      return type.options[0] ?? "";
    case "list":
      return [];
    case "fact":
      return world.ofType(type.type)[0]?.id ?? `${type.type}~new`;
    default:
      return "new";
  }
}
