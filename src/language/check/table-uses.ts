/**
 * Calls of decision tables, `discount(o.buyer, o)`: what the columns of the table look at, with what is passed in place of the
 * parameters. Planning, explanations and the brute-force matcher evaluate these expressions where the call stands.
 */
import type { Report } from "../../base/diagnostic.ts";
import type { DecisionTable } from "../../tables/decide.ts";
import type { TableData } from "../../tables/table.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { carryTimes } from "./times.ts";
import type { RowType, Type } from "./types.ts";
import { carryValueFields, fieldsOfValue, joinValueFields } from "./value-fields.ts";

/** A table after checking. */
export interface CheckedTable {
  readonly decl: ast.TableDecl;
  readonly data: TableData;
  /** The same with an index over its rows. */
  readonly table: DecisionTable;
  /** The types of the columns. */
  readonly inputs: readonly Type[];
  readonly outputs: readonly { readonly name: string | null; readonly type: Type }[];
  /** The type of a call. */
  readonly result: Type;
  /** The outputs that are no constants, in terms of the parameters. */
  readonly computed: readonly ast.Expr[];
}

/** A call of a table. */
export interface TableUse {
  readonly table: CheckedTable;
  /** What the columns look at, where the call stands. */
  readonly inputs: readonly ast.Expr[];
  readonly computed: readonly ast.Expr[];
}

type Note<Key, Found> = ReadonlyMap<Key, Found> & { set(key: Key, found: Found): unknown };

/** What the checker notes about tables. */
export interface TableNotes {
  /** The tables of the program. One with an error is not among them. */
  readonly declared: Note<ast.TableDecl, CheckedTable>;
  readonly uses: Note<ast.CallExpr, TableUse>;
  /** The expressions whose value is a row with several outputs. */
  readonly rows: Note<ast.Value, RowType>;
  /** Where the errors of tables in files are reported, by file. */
  readonly reports: Map<string, Report>;
}

export function noTables(): TableNotes {
  return { declared: new Map(), uses: new Map(), rows: new Map(), reports: new Map() };
}

/** Returns the output of a row as it is written, for a call where it is computed. */
export function outputOf({ table, computed }: TableUse, row: number, output: number): ast.Expr | undefined {
  const given = table.data.rows[row]?.outputs[output];
  if (given === undefined) return undefined;
  return "computed" in given ? computed[given.computed] : table.decl.rows[row]?.outputs[output];
}

/** Notes what a call of a table asks. */
export function noteTableUse(cx: Context, call: ast.CallExpr, table: CheckedTable): void {
  const passed = new Map(table.decl.params.map(({ name }, index) => [name.name, call.args[index]]));
  const inPlace = (expr: ast.Expr): ast.Expr => passedInto(cx, expr, passed, call);
  const inputs = table.decl.inputs.map(inPlace);
  cx.tables.uses.set(call, { table, inputs, computed: table.computed.map(inPlace) });
}

/** Notes of a copy what is noted of a call; `change` is what made the copy. */
export function carryTableUse(
  { tables }: Context,
  from: ast.CallExpr,
  to: ast.CallExpr,
  change: (expr: ast.Expr) => ast.Expr,
): void {
  const use = tables.uses.get(from);
  if (use === undefined) return;
  tables.uses.set(to, { ...use, inputs: use.inputs.map(change), computed: use.computed.map(change) });
}

/** Returns an expression of a table with what is passed in place of its parameters; a part without them stays the same object. */
function passedInto<Node>(
  cx: Context,
  node: Node,
  passed: ReadonlyMap<string, ast.Value | undefined>,
  call: ast.CallExpr,
): Node {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) {
    const items = node.map((item: unknown) => passedInto(cx, item, passed, call));
    return items.some((item, at) => item !== node[at]) ? (items as Node) : node;
  }
  if ("kind" in node && node.kind === "path") {
    return inPlaceOf(cx, node as unknown as ast.PathExpr, passed, call) as Node;
  }
  const changed = Object.entries(node).flatMap(([key, child]: [string, unknown]) => {
    const written = key === "span" ? child : passedInto(cx, child, passed, call);
    return written === child ? [] : [[key, written] as const];
  });
  if (changed.length === 0) return node;
  const copy = { ...node, ...Object.fromEntries(changed) };
  carryTimes(cx, node as unknown as ast.Expr, copy as unknown as ast.Expr);
  carryValueFields(cx, node, copy);
  return copy;
}

/** Returns what a path of a table stands for where the table is called. */
function inPlaceOf(
  cx: Context,
  path: ast.PathExpr,
  passed: ReadonlyMap<string, ast.Value | undefined>,
  call: ast.CallExpr,
): ast.Expr {
  const { name } = path.root;
  if (cx.resolutions.get(path) !== "variable" || !passed.has(name)) return path;
  const arg = passed.get(name);
  if (arg === undefined) {
    const missing: ast.PathExpr = {
      kind: "path",
      root: { name: "null", span: call.span },
      fields: [],
      span: call.span,
    };
    cx.resolutions.set(missing, "null");
    return missing;
  }
  if (path.fields.length === 0 && arg.kind !== "object") return arg;
  const read = arg.kind === "path" || arg.kind === "object" ? undefined : fieldsOfValue(cx, path, arg);
  if (read !== undefined) return read;
  if (arg.kind !== "path") {
    const message = `a field of "${name}" is needed here, so a variable or a field must be passed for it`;
    cx.report.error("E214", arg.span, message, "give the value a name first: let name = …");
    return path;
  }
  const longer = { ...arg, fields: [...arg.fields, ...path.fields] };
  const resolution = cx.resolutions.get(arg);
  if (resolution !== undefined) cx.resolutions.set(longer, resolution);
  carryTimes(cx, path, longer);
  joinValueFields(cx, arg, path, longer);
  return longer;
}
