/** Checks decision tables: their columns, the tests in their cells, and what their rows give. */
import { OPPOSITE } from "../../base/comparator.ts";
import { isTimeKind, timeNumbers } from "../../base/time.ts";
import type { Report } from "../../base/diagnostic.ts";
import type { Value } from "../../base/value.ts";
import { DecisionTable } from "../../tables/decide.ts";
import type { Cell, CellTest, Plain, RowOutput, TableColumn, TableData, TableRow } from "../../tables/table.ts";
import type * as ast from "../ast.ts";
import { expressionText } from "../print-part.ts";
import { policyWords } from "../print-table.ts";
import { forEachNode } from "../walk.ts";
import { paramsOf } from "./arguments.ts";
import { type ConditionUse, isQuestion } from "./condition-uses.ts";
import type { Context } from "./context.ts";
import { checkExpression, plainValue } from "./facts.ts";
import { checkParams, checkTypeRef } from "./fields.ts";
import { Scope } from "./scope.ts";
import { isReserved, place } from "./names.ts";
import { withStrings } from "./table-strings.ts";
import { comparable, describe, holdsRecord, isNumeric, listOf, ordered, type Type } from "./types.ts";
import { typeOf } from "./typing.ts";

/** Checks a table, and notes it for those who call it unless it has an error. */
export function checkTable(program: Context, written: ast.TableDecl): void {
  checkName(program, written);
  if (written.from !== null && written.from.file === undefined) return; // reported when the file was read
  const cx = { ...program, report: reportOf(program, written) };
  const decl = written.from === null ? written : withStrings(cx, written);
  const before = cx.report.diagnostics.length;
  checkParams(cx, decl.params);
  for (const { default: value } of decl.params) {
    if (value === null) continue;
    cx.report.error("E214", value.span, "a parameter of a table cannot have a default", "remove it");
  }
  const scope = Scope.root();
  for (const param of paramsOf(cx, decl.params)) scope.add({ name: param.name, type: param.type, kind: "parameter" });
  const inputs = decl.inputs.map((input) => checkInput(cx, input, scope));
  const outputs = checkOutputs(cx, decl);
  if (decl.rows.length === 0) {
    program.report.error("E232", decl.head.span, `table "${decl.name.name}" has no rows`, "add a row: | - || value |");
  }
  const computed: ast.Expr[] = [];
  const rows = decl.rows.map((row) => checkRow(cx, decl, row, { inputs, outputs, scope, computed }));
  if (decl.rows.length === 0 || cx.report.diagnostics.slice(before).some(({ severity }) => severity === "error"))
    return;
  const [only] = outputs;
  const fields = new Map(outputs.map(({ name, type }) => [name ?? "", type]));
  const result: Type = only?.name === null ? only.type : { kind: "row", table: decl.name.name, fields };
  const data: TableData = {
    name: decl.name.name,
    policy: decl.policy,
    columns: decl.inputs.map((input, column) => columnOf(input, inputs[column])),
    outputs: only?.name === null ? null : outputs.map(({ name }) => name ?? ""),
    rows,
  };
  cx.tables.declared.set(written, { decl, data, table: new DecisionTable(data), inputs, outputs, result, computed });
}

/** Returns where errors in the columns and rows of a table are reported. */
function reportOf({ report, tables }: Context, { from }: ast.TableDecl): Report {
  return (from?.file === undefined ? undefined : tables.reports.get(from.file)) ?? report;
}

function columnOf(input: ast.Expr, type: Type | undefined): TableColumn {
  const text = expressionText(input);
  return type !== undefined && isTimeKind(type.kind) ? { text, time: type.kind } : { text };
}

/** Reports a table whose name a condition has: a call would be ambiguous. */
function checkName(cx: Context, { name }: ast.TableDecl): void {
  const condition = cx.symbols.conditions.get(name.name);
  if (condition === undefined) return;
  const message = `"${name.name}" is also the name of a condition`;
  cx.report.error("E204", name.span, message, `choose another name; the condition is at ${place(condition)}`);
}

/** Returns the type of what a column looks at, and reports what no constant can be compared with. */
function checkInput(cx: Context, input: ast.Expr, scope: Scope): Type {
  const type = typeOf(cx, input, scope);
  refuseQuestions(cx, input);
  if (type.kind === "fact" || type.kind === "record" || type.kind === "list" || type.kind === "months") {
    const hint =
      type.kind === "fact" || type.kind === "record"
        ? "look at one of its fields"
        : "look at a single value, such as length(x)";
    cx.report.error("E203", input.span, `a column cannot look at a value of type ${describe(type)}`, hint);
  }
  return type;
}

/** Reports what a table cannot ask: it is a function of its parameters and of nothing else. */
function refuseQuestions(cx: Context, expr: ast.Expr): void {
  forEachNode(expr, (node) => {
    const asks = isQuestion(node) || cx.conditionUses.has(node as unknown as ConditionUse);
    const isClock = cx.resolutions.get(node as unknown as ast.PathExpr) === "clock";
    if (!asks && !isClock && !callsTable(cx, node, new Set())) return;
    const what = asks ? "ask about facts" : isClock ? "read the clock" : "call a table";
    const { span } = node as unknown as ast.Expr;
    cx.report.error("E214", span, `a table cannot ${what}`, "pass the value as a parameter of the table");
  });
}

/** Returns whether a node is the call of a table, or of a function of the program that calls one. */
function callsTable(cx: Context, node: Readonly<Record<string, unknown>>, seen: Set<string>): boolean {
  if (node["kind"] !== "call") return false;
  const { name } = (node as unknown as ast.CallExpr).name;
  if (cx.symbols.tables.get(name) !== undefined) return true;
  const body = cx.symbols.functions.get(name)?.decl.body ?? null;
  if (body === null || seen.has(name)) return false;
  seen.add(name);
  let calls = false;
  forEachNode(body, (inner) => (calls ||= callsTable(cx, inner, seen)));
  return calls;
}

// ---------------------------------------------------------------- outputs

type Outputs = readonly { readonly name: string | null; readonly type: Type; readonly wanted: Type }[];

/** Returns the outputs with their types: `type` is what a call gives, `wanted` what a row gives. */
function checkOutputs(cx: Context, decl: ast.TableDecl): Outputs {
  const seen = new Set<string>();
  return decl.outputs.map(({ name, type: ref, span }) => {
    checkTypeRef(cx, ref);
    if (name === null && decl.outputs.length > 1) {
      cx.report.error("E209", span, "several outputs need names", "write: name: type");
    }
    if (name !== null) checkOutputName(cx, name, seen);
    const wanted = cx.symbols.typeOfRef(ref);
    if (wanted.kind === "fact" || holdsRecord(wanted)) {
      cx.report.error(
        "E203",
        ref.span,
        `an output cannot be of type ${describe(wanted)}`,
        "give a string, a number or a time",
      );
    }
    checkCollected(cx, decl, wanted, span);
    return { name: name?.name ?? null, wanted, type: decl.policy === "list" ? listOf(wanted) : wanted };
  });
}

function checkOutputName(cx: Context, { name, span }: ast.Ident, seen: Set<string>): void {
  if (isReserved(name)) cx.report.error("E210", span, `"${name}" is a reserved name`, "choose another name");
  if (seen.has(name)) cx.report.error("E204", span, `output "${name}" is defined twice`, "choose another name");
  seen.add(name);
}

/** Checks that what a row gives can be added, or ordered. */
function checkCollected(cx: Context, { policy }: ast.TableDecl, type: Type, span: ast.TableOutput["span"]): void {
  const fits = policy === "sum" ? isNumeric(type) : policy === "min" || policy === "max" ? ordered(type, type) : true;
  if (fits) return;
  const message = `"${policyWords(policy)}" cannot be used with an output of type ${describe(type)}`;
  cx.report.error("E203", span, message, policy === "sum" ? "use a number" : "use a number, a string or a time");
}

// ---------------------------------------------------------------- rows

interface RowContext {
  readonly inputs: readonly Type[];
  readonly outputs: Outputs;
  readonly scope: Scope;
  /** The outputs that are no constants; those of the row are added. */
  readonly computed: ast.Expr[];
}

function checkRow(cx: Context, decl: ast.TableDecl, row: ast.TableRowDecl, context: RowContext): TableRow {
  checkCount(cx, row.span, row.cells.length, decl.inputs.length, INPUTS);
  checkCount(cx, row.span, row.outputs.length, decl.outputs.length, OUTPUTS);
  const cells = row.cells.slice(0, context.inputs.length).map((cell, column) => {
    const type = context.inputs[column];
    return type === undefined || cell.tests.length === 0 ? null : checkCell(cx, cell, type, context.scope);
  });
  const outputs = row.outputs.slice(0, context.outputs.length).map((output, at) => {
    const { name = null, wanted } = context.outputs[at] ?? {};
    if (wanted === undefined) return { computed: 0 };
    checkExpression(cx, `${decl.name.name}${name === null ? "" : `.${name}`}`, wanted, output, context.scope);
    refuseQuestions(cx, output);
    return outputOf(cx, output, wanted, context.computed);
  });
  return { cells, outputs };
}

const INPUTS = { what: "column", where: "before", hint: 'write "-" for any value' } as const;
const OUTPUTS = { what: "output", where: "after", hint: undefined } as const;

function checkCount(
  cx: Context,
  span: ast.TableRowDecl["span"],
  found: number,
  wanted: number,
  { what, where, hint }: typeof INPUTS | typeof OUTPUTS,
): void {
  if (found === wanted) return;
  const cells = found === 1 ? "1 cell" : `${found} cells`;
  const columns = wanted === 1 ? `1 ${what}` : `${wanted} ${what}s`;
  cx.report.error("E209", span, `this row has ${cells} ${where} "||"; the table has ${columns}`, hint);
}

function outputOf(cx: Context, output: ast.Expr, wanted: Type, computed: ast.Expr[]): RowOutput {
  const value = constantValue(cx, output, wanted);
  if (value !== undefined) return { value };
  computed.push(output);
  return { computed: computed.length - 1 };
}

// ---------------------------------------------------------------- cells

function checkCell(cx: Context, cell: ast.TableCell, type: Type, scope: Scope): Cell {
  return cell.tests.flatMap((test) => checkUnary(cx, test, type, scope) ?? []);
}

/** Returns a test as data; undefined where an error was reported. */
function checkUnary(cx: Context, test: ast.UnaryTest, type: Type, scope: Scope): CellTest | undefined {
  const { op, right, negated } = test;
  if (right.kind === "range") return checkRange(cx, right, type, negated, scope);
  if (op === "in") return checkAmong(cx, right, type, negated, scope);
  const value = checkConstant(cx, right, type, scope, op === "==" || op === "!=" ? comparable : ordered);
  return value === undefined ? undefined : { op: negated ? OPPOSITE[op] : op, value };
}

function checkRange(
  cx: Context,
  range: ast.RangeExpr,
  type: Type,
  negated: boolean,
  scope: Scope,
): CellTest | undefined {
  const from = checkConstant(cx, range.from, type, scope, ordered);
  const to = checkConstant(cx, range.to, type, scope, ordered);
  if (from === undefined || to === undefined) return undefined;
  if (typeof from === "number" && typeof to === "number" && (from > to || (from === to && range.open))) {
    cx.report.error("E203", range.span, "nothing is in this range", "write the smaller end first");
  }
  return { op: negated ? "outside" : "within", from, to, open: range.open };
}

function checkAmong(cx: Context, list: ast.Expr, type: Type, negated: boolean, scope: Scope): CellTest | undefined {
  if (list.kind === "list") {
    const values = list.items.map((item) =>
      item.kind === "object" ? notConstant(cx, item) : checkConstant(cx, item, type, scope, comparable),
    );
    return values.some((value) => value === undefined)
      ? undefined
      : { op: negated ? "not among" : "among", values: values as readonly Plain[] };
  }
  const found = typeOf(cx, list, scope);
  if (found.kind !== "list" && found.kind !== "any") {
    cx.report.error(
      "E203",
      list.span,
      `"in" needs a list or a range, found ${describe(found)}`,
      "write the value alone",
    );
    return undefined;
  }
  if (found.kind === "list" && !comparable(type, found.item)) return incomparable(cx, list, type, found.item);
  const values = constantValue(cx, list, listOf(type));
  if (!Array.isArray(values) || !values.every(isPlain)) return notConstant(cx, list);
  return { op: negated ? "not among" : "among", values };
}

/** Returns the value of a constant in a cell; undefined where an error was reported. */
function checkConstant(
  cx: Context,
  expr: ast.Expr,
  type: Type,
  scope: Scope,
  fits: (a: Type, b: Type) => boolean,
): Plain | undefined {
  const found = typeOf(cx, expr, scope);
  if (!fits(type, found)) return incomparable(cx, expr, type, found);
  if (type.kind === "union" && (expr.kind === "text" || expr.kind === "number") && !type.options.includes(expr.value)) {
    cx.report.error("E203", expr.span, `${JSON.stringify(expr.value)} is not one of ${describe(type)}`);
    return undefined;
  }
  const value = constantValue(cx, expr, found);
  return isPlain(value) ? value : notConstant(cx, expr);
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function incomparable(cx: Context, expr: ast.Expr, type: Type, found: Type): undefined {
  const hint = found.kind === "list" ? "write: in […], or the values with commas between them" : undefined;
  const message = `the column is of type ${describe(type)} and cannot be compared with ${describe(found)}`;
  cx.report.error("E203", expr.span, message, hint);
}

function notConstant(cx: Context, expr: ast.Value): undefined {
  const hint = "write a value or the name of a constant; what is computed can be a column of its own";
  cx.report.error("E214", expr.span, "a cell is compared with constants only", hint);
}

/** Returns the value of a literal, a constant or a list of them, with times as numbers; undefined when it is computed. */
function constantValue(cx: Context, expr: ast.Value, type: Type): Value | undefined {
  switch (expr.kind) {
    case "number":
    case "bool":
    case "time":
    case "amount":
      return expr.value;
    case "text":
      return inside(expr.value, type);
    case "list": {
      const item = type.kind === "list" ? type.item : type;
      const items = expr.items.map((one) => constantValue(cx, one, item));
      return items.every((one) => one !== undefined) ? items : undefined;
    }
    case "path": {
      if (cx.resolutions.get(expr) !== "constant" || expr.fields.length > 0) return undefined;
      const decl = cx.symbols.constants.get(expr.root.name)?.decl;
      return decl === undefined ? undefined : constantData(cx, decl.value, type);
    }
    default:
      return undefined;
  }
}

/** Returns the value of a constant, which is plain data. */
function constantData(cx: Context, value: ast.Value, type: Type): Value | undefined {
  if (value.kind === "list") {
    const items = value.items.map((one) => constantData(cx, one, type.kind === "list" ? type.item : type));
    return items.every((one) => one !== undefined) ? items : undefined;
  }
  const plain = plainValue(value, cx.symbols);
  return isPlain(plain) ? inside(plain, type) : undefined;
}

/** Returns a value as the engine computes with it: the text of a time as a number. */
function inside(value: Plain, type: Type): Value | undefined {
  return typeof value === "string" && isTimeKind(type.kind) ? timeNumbers(type.kind, value) : value;
}
