/**
 * Words in the files of tables: `FR` in a column of strings is the string "FR", unless the program has a constant of that name. What a
 * column looks at, and what the outputs are, decides; a program itself writes its strings in quotes.
 */
import { originOf } from "../copied.ts";
import type * as ast from "../ast.ts";
import { paramsOf } from "./arguments.ts";
import type { Context } from "./context.ts";
import { Report } from "../../base/diagnostic.ts";
import { Scope } from "./scope.ts";
import { isText } from "./types.ts";
import { typeOf } from "./typing.ts";

/** Returns a table from a file with strings in place of the words that are no names. */
export function withStrings(cx: Context, decl: ast.TableDecl): ast.TableDecl {
  const silent = { ...cx, report: new Report(cx.report.source) };
  const params = paramsOf(silent, decl.params);
  const scope = Scope.root();
  for (const param of params) scope.add({ name: param.name, type: param.type, kind: "parameter" });
  const inputs = decl.inputs.map((input) => {
    const before = silent.report.diagnostics.length;
    const type = typeOf(silent, input, scope);
    // What is wrong with the column is reported, and not its cells for what they cannot be then.
    return isText(type) || silent.report.diagnostics.length > before;
  });
  const outputs = decl.outputs.map(({ type }) => isText(cx.symbols.typeOfRef(type)));
  const names = new Set(params.map(({ name }) => name));
  // A name that only another file declares is none here.
  const isConstant = (path: ast.PathExpr): boolean =>
    path.root.name === "null" || (originOf(path) !== "local" && cx.symbols.constants.get(path.root.name) !== undefined);
  const asString = <Node extends ast.Expr | ast.RangeExpr>(node: Node): Node | ast.TextExpr =>
    node.kind === "path" && node.fields.length === 0 && !isConstant(node)
      ? { kind: "text", value: node.root.name, span: node.span }
      : node;
  const isParameter = (node: ast.Expr): boolean => node.kind === "path" && names.has(node.root.name);
  const rows = decl.rows.map((row): ast.TableRowDecl => ({
    ...row,
    cells: row.cells.map((cell, column) =>
      inputs[column] === true
        ? {
            ...cell,
            tests: cell.tests.map((test) => (test.op === "in" ? test : { ...test, right: asString(test.right) })),
          }
        : cell,
    ),
    outputs: row.outputs.map((output, at) =>
      outputs[at] === true && !isParameter(output) ? asString(output) : output,
    ),
  }));
  return { ...decl, rows };
}
