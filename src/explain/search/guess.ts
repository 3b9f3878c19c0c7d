/** Values that might give a test the wanted result; each is verified before it is suggested. */
import { isTimeKind } from "../../base/time.ts";
import type { Maybe, Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { RecordType, Type } from "../../language/check/types.ts";
import { timePath } from "../../language/check/within.ts";
import type { FactView } from "../../session/results.ts";
import { evaluate, follow } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { fieldOf } from "../read/field.ts";
import { solvedFor } from "./arithmetic.ts";
import { type Domain, PLACEHOLDER, PLACEHOLDERS, rounded } from "./domain.ts";
import { isDraft } from "./fresh-fact.ts";
import { recordCandidates } from "./records.ts";

/** A field of a fact. */
export interface Slot {
  readonly fact: FactView;
  readonly field: string;
}

/** Returns the field that a path reads, if it is a field of an existing fact. */
export function slotOf(path: ast.PathExpr, scope: EvaluationScope): Slot | undefined {
  return slotAt(path, path.fields.length, scope);
}

/** Returns the fields that a path reads, its last first: `p.order.buyer` reads `buyer` of an order and `order` of p. */
export function slotsOn(path: ast.PathExpr, scope: EvaluationScope): Slot[] {
  const slots: Slot[] = [];
  for (let length = path.fields.length; length >= 0; length--) {
    const slot = slotAt(path, length, scope);
    if (slot !== undefined) slots.push(slot);
  }
  return slots;
}

/** Returns the field that a path reads at one of its fields; 0 is its root. */
function slotAt(path: ast.PathExpr, length: number, scope: EvaluationScope): Slot | undefined {
  const { world, ownFact } = scope;
  const resolution = world.context.program.resolutions.get(path);
  if (length === 0) {
    return resolution === "own-field" && ownFact !== undefined ? { fact: ownFact, field: path.root.name } : undefined;
  }
  const last = path.fields[length - 1];
  if (last === undefined || (resolution !== "variable" && resolution !== "own-field" && resolution !== "fact")) {
    return undefined;
  }
  const owner = follow(path, length - 1, scope);
  const fact = typeof owner === "string" ? world.get(owner) : undefined;
  return fact === undefined ? undefined : { fact, field: last.name };
}

/** Returns every path in an expression that is not inside an EXISTS or an aggregate. */
export function pathsIn(expr: ast.Value): ast.PathExpr[] {
  switch (expr.kind) {
    case "path":
      return [expr];
    case "in":
      return [expr.left, ...sidesOf(expr)].flatMap(pathsIn);
    case "compare":
    case "contains":
      return [expr.left, expr.right].flatMap(pathsIn);
    case "like":
      return [expr.left, expr.pattern].flatMap(pathsIn);
    case "matches":
      return pathsIn(expr.left);
    case "list":
    case "chain":
    case "logic":
      return expr.items.flatMap(pathsIn);
    case "call":
      return expr.args.flatMap(pathsIn);
    case "negate":
    case "not":
    case "cast":
    case "presence":
      return pathsIn(expr.operand);
    case "if":
      return [expr.test, expr.whenTrue, expr.whenFalse].flatMap(pathsIn);
    case "item-test":
      return [expr.list, expr.test].flatMap(pathsIn);
    case "comprehension":
      return [expr.list, expr.value, ...(expr.test === null ? [] : [expr.test])].flatMap(pathsIn);
    case "item":
      return [expr.list, expr.at].flatMap(pathsIn);
    case "ranked":
      return [expr.value, ...(expr.key === null ? [] : [expr.key])].flatMap(pathsIn);
    case "property":
      return pathsIn(expr.of);
    case "wait":
      return pathsIn(expr.until);
    case "within":
      return [timePath(expr) ?? [], pathsIn(expr.anchor)].flat();
    case "last":
      return [...pathsIn(expr.count), ...(expr.key === null ? [] : [expr.key])];
    default:
      return [];
  }
}

/** Returns what is on the right of `in`: a list, or the ends of a range. */
function sidesOf({ right }: ast.InExpr): ast.Expr[] {
  return right.kind === "range" ? [right.from, right.to] : [right];
}

const MAX_EXISTING_VALUES = 6;
const PROBES: readonly number[] = [0, 1, 2, 3, 10, 100, 1000];

/** Returns values to try for a field, likely ones first; null clears the field. */
export function guesses(test: ast.Expr, slot: Slot, scope: EvaluationScope, domain: Domain): (Value | null)[] {
  const { world } = scope;
  const { type } = slot.fact;
  const declared = domain.field(type, slot.field);
  const now = fieldOf(slot.fact, slot.field);
  const bases = [...operandValues(test, scope), ...solutions(test, slot, scope)];
  const all: Value[] = [
    ...(test.kind === "like" ? [] : bases),
    ...bases.flatMap((base) => (typeof base === "number" ? domain.around(type, slot.field, base) : [])),
    ...stringsFor(test, bases),
    ...listsAround(bases, now),
    true,
    false,
    ...optionsOf(declared?.type, scope),
    ...(declared?.type.kind === "record" ? recordsAround(declared.type, bases, slot, scope, domain) : []),
    ...world.someValues(type, slot.field, MAX_EXISTING_VALUES),
    ...PROBES,
    ...(declared?.type.kind === "string" ? PLACEHOLDERS : []),
  ];
  const allowed: (Value | null)[] = all.filter(
    (value) => value !== now && !isDraft(value) && domain.allows(type, slot.field, value),
  );
  if (test.kind === "presence" && now !== undefined && (declared === undefined || declared.optional))
    allowed.unshift(null);
  return allowed.filter((value, index) => allowed.indexOf(value) === index);
}

/** Returns the current values of the operands of a test. */
function operandValues(test: ast.Expr, scope: EvaluationScope): Value[] {
  const operands = operandsOf(test);
  return operands.map((operand) => evaluate(operand, scope)).filter((value) => value !== undefined);
}

/** Returns the numbers in a field with which arithmetic in a comparison has the result that it is compared with. */
function solutions(test: ast.Expr, slot: Slot, scope: EvaluationScope): number[] {
  if (test.kind !== "compare") return testsInside(test).flatMap((one) => solutions(one, slot, scope));
  const numberOf = (expr: ast.Value): number | undefined => {
    const value = pathsIn(expr).some((path) => isAt(slot, path, scope)) ? undefined : evaluate(expr, scope);
    return typeof value === "number" ? value : undefined;
  };
  const sides = [[test.left, test.right] as const, [test.right, test.left] as const];
  return sides.flatMap(([side, other]) => {
    const result = side.kind === "path" ? undefined : numberOf(other);
    if (result === undefined) return [];
    return pathsIn(side).flatMap((path) => {
      const number = isAt(slot, path, scope) ? solvedFor(path, side, result, numberOf) : undefined;
      return number === undefined ? [] : [number, rounded(number)];
    });
  });
}

function isAt({ fact, field }: Slot, path: ast.PathExpr, scope: EvaluationScope): boolean {
  const slot = slotOf(path, scope);
  return slot?.fact.id === fact.id && slot.field === field;
}

function operandsOf(test: ast.Expr): ast.Value[] {
  switch (test.kind) {
    case "in":
      return [test.left, ...sidesOf(test)].flatMap((side) => (side.kind === "list" ? [side, ...side.items] : [side]));
    case "compare":
    case "contains":
      return [test.left, test.right].flatMap((side) => {
        if (side.kind === "if") return [side, ...operandsOf(side)];
        return side.kind === "list" ? [side, ...side.items] : [side];
      });
    case "like":
      return [test.left, test.pattern];
    case "item-test":
      return operandsOf(test.test);
    case "within":
      return [test.anchor];
    case "last":
      return test.key === null ? [] : [test.key];
    default:
      return testsInside(test).flatMap(operandsOf);
  }
}

/** Returns the tests that a choice, or a test inside of one, consists of. */
function testsInside(test: ast.Expr): readonly ast.Expr[] {
  switch (test.kind) {
    case "if":
      return [test.test, test.whenTrue, test.whenFalse];
    case "logic":
      return test.items;
    case "not":
      return [test.operand];
    default:
      return [];
  }
}

/** Returns strings that a pattern or a list names. */
function stringsFor(test: ast.Expr, bases: readonly Value[]): string[] {
  const listed = bases.flatMap((base) => (Array.isArray(base) ? base.filter((item) => typeof item === "string") : []));
  if (test.kind !== "like") return listed;
  const texts = bases.filter((base) => typeof base === "string");
  return [...texts.map((text) => text.replaceAll("%", "").replaceAll("_", PLACEHOLDER)), ...listed];
}

function listsAround(bases: readonly Value[], now: Maybe): Value[] {
  const list: readonly Value[] = Array.isArray(now) ? now : [];
  return bases.flatMap((base) =>
    typeof base === "object"
      ? [...(Array.isArray(base) ? (base as Value[]) : [])]
      : [[...list, base], list.filter((item) => item !== base)],
  );
}

/** Returns records with one of the values that a test names in one of their fields. */
function recordsAround(
  record: RecordType,
  bases: readonly Value[],
  { fact, field }: Slot,
  { world }: EvaluationScope,
  domain: Domain,
): Value[] {
  const now = fieldOf(fact, field);
  const known = now === undefined ? world.someValues(fact.type, field, MAX_EXISTING_VALUES) : [now];
  const blank = domain.plain(record, world) ?? {};
  return recordCandidates(record, known, blank, (type) => {
    if (type.kind === "bool") return [true, false];
    if (type.kind === "union") return type.options;
    const numbers = bases.filter((base) => typeof base === "number");
    if (type.kind === "number") return numbers.flatMap((base) => [base, base + 1, base - 1]);
    const times = isTimeKind(type.kind) ? domain.reading.times[type.kind] : [];
    return [...bases.filter((base) => typeof base === "string"), ...times];
  });
}

const MAX_REFERENCES = 20;

function optionsOf(type: Type | undefined, { world }: EvaluationScope): Value[] {
  if (type?.kind === "union") return [...type.options];
  return type?.kind === "fact"
    ? world
        .ofType(type.type)
        .slice(0, MAX_REFERENCES)
        .map(({ id }) => id)
    : [];
}
