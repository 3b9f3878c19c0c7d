/** Decision tables in explanations: the engine's own tables, with times as text outside. */
import { isTimeKind, type TimeKind, timeNumbers, timeTexts } from "../../base/time.ts";
import type { Maybe, Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { TableUse } from "../../language/check/table-uses.ts";
import type { Type } from "../../language/check/types.ts";
import { clashWords } from "../../tables/clash-words.ts";
import type { Decision } from "../../tables/decide.ts";
import { failureWords, recordFailure } from "./failure.ts";
import type { Evaluate, EvaluationScope } from "./scope.ts";

/** What a decision table decides for a call, and about which inputs. */
export interface TableAnswer {
  readonly use: TableUse;
  readonly inputs: readonly Maybe[];
  readonly decision: Decision;
}

/** Returns what a decision table decides for a call; undefined when the call is of none. */
export function tableAnswer(expr: ast.CallExpr, scope: EvaluationScope, evaluate: Evaluate): TableAnswer | undefined {
  const use = scope.world.context.program.tables.uses.get(expr);
  if (use === undefined) return undefined;
  const inputs = use.inputs.map((input) => evaluate(input, scope));
  return { use, inputs, decision: tableDecision(use, inputs, (output) => evaluate(output, scope)) };
}

/** Returns what a decision table gives. One whose hit policy is broken has failed. */
export function tableValue(expr: ast.CallExpr, scope: EvaluationScope, evaluate: Evaluate): Maybe {
  const answer = tableAnswer(expr, scope, evaluate);
  if (answer === undefined) return undefined;
  const { use, inputs, decision } = answer;
  if (decision.clash !== undefined) {
    const [how] = clashWords(use.table.data, decision.clash);
    recordFailure(failureWords(expr.name.name, inputs, how), scope);
  }
  return decision.value;
}

/** Returns what a table decides about inputs; `evaluate` gives the values of expressions, with times as text. */
function tableDecision(
  { table, computed }: TableUse,
  inputs: readonly Maybe[],
  evaluate: (expr: ast.Expr) => Maybe,
): Decision {
  const inside = inputs.map((input, column) => inputInside(table, column, input));
  const types = computedTypes(table);
  const decision = table.table.decide(inside, (index) => {
    const output = computed[index];
    return output === undefined ? undefined : insideOf(types[index], evaluate(output));
  });
  return { ...decision, value: rowOutside(table, decision.value) };
}

/** Returns an input as the table compares it: a time as a number. */
export function inputInside({ inputs }: TableUse["table"], column: number, input: Maybe): Maybe {
  return insideOf(inputs[column], input);
}

/** Returns the types of the computed outputs. */
function computedTypes({ data, outputs }: TableUse["table"]): (Type | undefined)[] {
  const types: (Type | undefined)[] = [];
  for (const row of data.rows) {
    for (const [output, given] of row.outputs.entries()) {
      if ("computed" in given) types[given.computed] = outputs[output]?.type;
    }
  }
  return types;
}

function rowOutside({ data, outputs }: TableUse["table"], value: Maybe): Maybe {
  if (data.outputs === null) return outsideOf(outputs[0]?.type, value);
  if (typeof value !== "object" || Array.isArray(value)) return value;
  const row = value as Readonly<Record<string, Value>>;
  const known = outputs.flatMap(({ name, type }) => {
    const one = name === null || !Object.hasOwn(row, name) ? undefined : outsideOf(type, row[name]);
    return one === undefined ? [] : [[name, one] as const];
  });
  return Object.fromEntries(known) as Value;
}

function kindOf(type: Type | undefined): TimeKind | undefined {
  const { kind } = type?.kind === "list" ? type.item : (type ?? { kind: "any" });
  return isTimeKind(kind) ? kind : undefined;
}

function insideOf(type: Type | undefined, value: Maybe): Maybe {
  const kind = kindOf(type);
  return kind === undefined ? value : timeNumbers(kind, value);
}

function outsideOf(type: Type | undefined, value: Maybe): Maybe {
  const kind = kindOf(type);
  return kind === undefined ? value : timeTexts(kind, value);
}
