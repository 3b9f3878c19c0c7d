/** Decision tables in explanations: the engine's own tables, with times as text outside. */
import { isTimeKind, type TimeKind, timeNumbers, timeTexts } from "../../base/time.ts";
import type { Maybe, Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { TableUse } from "../../language/check/table-uses.ts";
import type { Type } from "../../language/check/types.ts";
import type { Decision } from "../../tables/decide.ts";

/** Returns what a table decides about inputs; `evaluate` gives the values of expressions, with times as text. */
export function tableDecision(
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
