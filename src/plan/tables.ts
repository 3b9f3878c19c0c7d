/** The decision tables of a program in its plan. */
import { mapped, type Steps } from "../base/slices.ts";
import { isTimeKind, type TimeKind } from "../base/time.ts";
import { plainXxHash64 } from "../base/xxhash64.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { RowType } from "../language/check/types.ts";
import type { TableData } from "../tables/table.ts";
import type { Plan, PlanNode, PlanRule } from "./plan.ts";

const keys = new WeakMap<TableData, string>();

/**
 * Returns the name that expressions refer to a table with: its name and a hash of its content, so that expressions with tables of the
 * same name and other rows differ.
 */
export function tableKey(table: TableData): string {
  const known = keys.get(table);
  if (known !== undefined) return known;
  const key = `${table.name}~${plainXxHash64(JSON.stringify(table)).toString(16).padStart(16, "0")}`;
  keys.set(table, key);
  return key;
}

/** Returns a plan with the tables of its program. One step for each table. */
export function* planningTables(
  { tables }: CheckedProgram,
  plan: { readonly nodes: readonly PlanNode[]; readonly rules: readonly PlanRule[] },
): Steps<Plan> {
  if (tables.declared.size === 0) return plan;
  const byKey = yield* mapped(tables.declared.values(), ({ data }) => [tableKey(data), data] as const);
  return { ...plan, tables: Object.fromEntries(byKey) };
}

/** Returns the kinds of the outputs of a row that are times; undefined when none is. */
export function timesOf(row: RowType | undefined): Readonly<Record<string, TimeKind>> | undefined {
  const times = [...(row?.fields ?? [])].flatMap(([name, type]) => {
    const { kind } = type.kind === "list" ? type.item : type;
    return isTimeKind(kind) ? [[name, kind] as const] : [];
  });
  return times.length === 0 ? undefined : Object.fromEntries(times);
}
