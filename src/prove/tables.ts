/** Decision tables, row by row: no index, and no data but the tree of the table. */
import type { Truth } from "../base/truth.ts";
import type { Maybe, Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import { outputOf, type TableUse } from "../language/check/table-uses.ts";
import type { Type } from "../language/check/types.ts";
import { aggregate } from "./aggregates.ts";
import { allOf, anyOf, canonical, isEqual, isSame, negation } from "./compare.ts";
import type { Place } from "./place.ts";
import { orderOfTimes, overTimes } from "./times.ts";

type Evaluate = (expr: ast.Value, place: Place) => Maybe;

/** A row that applies; when not `sure`, one that may apply. */
interface Candidate {
  readonly row: number;
  readonly sure: boolean;
}

/** Returns what a table gives for a call. Rows that apply against the hit policy count as a call that failed. */
export function tableValue(call: ast.CallExpr, place: Place, evaluate: Evaluate): Maybe {
  const use = place.world.program.tables.uses.get(call);
  if (use === undefined) return undefined;
  return decided(use, place, evaluate);
}

function decided(use: TableUse, place: Place, evaluate: Evaluate): Maybe {
  const { decl, outputs } = use.table;
  const inputs = use.inputs.map((input) => evaluate(input, place));
  const truths = decl.rows.map(({ cells }) =>
    allOf(cells.map((cell, column) => passes(cell, inputs[column], use.table.inputs[column], place, evaluate))),
  );
  const possible = truths.flatMap((truth, row): Candidate[] =>
    truth === false ? [] : [{ row, sure: truth === true }],
  );
  const firstSure = possible.findIndex(({ sure }) => sure);
  const counted = decl.policy === "first" && firstSure !== -1 ? possible.slice(0, firstSure + 1) : possible;
  const sure = counted.filter((one) => one.sure);
  if (decl.policy === "unique" && sure.length > 1) {
    place.world.failures += 1;
    return undefined;
  }
  if (sure.length === 0 && decl.policy !== "sum" && decl.policy !== "list") return undefined;
  const given = (row: number, output: number): Maybe => {
    const expr = outputOf(use, row, output);
    return expr === undefined ? undefined : evaluate(expr, place);
  };
  const values = outputs.map(({ type }, output) => combined(decl.policy, counted, type, (row) => given(row, output)));
  if (decl.policy === "any" && outputs.some((_, output) => disagree(sure.map(({ row }) => given(row, output))))) {
    place.world.failures += 1;
  }
  if (outputs[0]?.name === null) return values[0];
  const known = outputs.flatMap(({ name }, output) => (values[output] === undefined ? [] : [[name, values[output]]]));
  return Object.fromEntries(known) as Value;
}

function disagree(values: readonly Maybe[]): boolean {
  return new Set(values.filter((value) => value !== undefined).map(canonical)).size > 1;
}

// ---------------------------------------------------------------- cells

function passes(
  { tests }: ast.TableCell,
  input: Maybe,
  type: Type | undefined,
  place: Place,
  evaluate: Evaluate,
): Truth {
  if (tests.length === 0) return true;
  return anyOf(
    tests.map((test) => {
      const truth = unary(test, input, type, place, evaluate);
      return test.negated ? negation(truth) : truth;
    }),
  );
}

function unary(
  { op, right }: ast.UnaryTest,
  input: Maybe,
  type: Type | undefined,
  place: Place,
  evaluate: Evaluate,
): Truth {
  if (right.kind === "range") {
    const from = compare(">=", input, evaluate(right.from, place), type);
    return allOf([from, compare(right.open ? "<" : "<=", input, evaluate(right.to, place), type)]);
  }
  const value = evaluate(right, place);
  if (op !== "in") return compare(op, input, value, type);
  return Array.isArray(value) ? anyOf(value.map((item: Maybe) => isEqual(input, item))) : undefined;
}

function compare(op: ast.Comparator, left: Maybe, right: Maybe, type: Type | undefined): Truth {
  if (op === "==" || op === "!=") return op === "==" ? isEqual(left, right) : negation(isEqual(left, right));
  const order = orderOfTimes(type, left, right);
  if (order === undefined) return undefined;
  return op === "<" ? order < 0 : op === "<=" ? order <= 0 : op === ">" ? order > 0 : order >= 0;
}

// ---------------------------------------------------------------- hit policies

function combined(
  policy: ast.TablePolicy,
  rows: readonly Candidate[],
  type: Type,
  given: (row: number) => Maybe,
): Maybe {
  const sure = rows.filter((one) => one.sure).map(({ row }) => given(row));
  const maybe = rows.filter((one) => !one.sure).map(({ row }) => given(row));
  const all = rows.map(({ row }) => given(row));
  switch (policy) {
    case "first":
    case "any":
      return all.every((value) => value !== undefined && isSame(value, all[0])) ? all[0] : undefined;
    case "unique":
      return all.length === 1 ? all[0] : undefined;
    case "list":
      return maybe.length > 0 || all.includes(undefined) ? undefined : (all as readonly Value[]);
    case "sum":
      return maybe.some((value) => value !== 0) ? undefined : aggregate("sum", all);
    case "min":
    case "max": {
      const over = (values: readonly Maybe[]): Maybe => extreme(policy, values, type);
      return all.includes(undefined) || !isSame(over(sure), over(all)) ? undefined : over(sure);
    }
  }
}

function extreme(policy: "min" | "max", values: readonly Maybe[], type: Type): Maybe {
  const over = (all: readonly Maybe[]): Maybe => aggregate(policy, all);
  const isTime = type.kind === "date" || type.kind === "instant" || type.kind === "duration";
  return isTime ? overTimes(type, values, over) : over(values);
}
