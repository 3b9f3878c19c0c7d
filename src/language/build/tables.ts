/** Decision tables: columns, rows, and the tests in their cells. */
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { openRange, range, shutRange } from "./expressions.ts";
import { type Parts, span } from "./parts.ts";

interface Head {
  readonly inputs: readonly ast.Expr[];
  readonly outputs: readonly ast.TableOutput[];
  readonly span: Span;
}

export const tableDecl = (d: Parts): ast.TableDecl => {
  const head: Head = d[5];
  return {
    kind: "table",
    name: d[1],
    params: d[2],
    policy: d[3].policy,
    hit: { span: d[3].span },
    inputs: head.inputs,
    outputs: head.outputs,
    rows: d[6],
    head: { span: head.span },
    from: null,
    span: span(d),
  };
};
export const tableFrom = (d: Parts): ast.TableDecl => ({
  kind: "table",
  name: d[1],
  params: d[2] ?? [],
  policy: d[5].policy,
  hit: { span: d[5].span },
  inputs: [],
  outputs: [],
  rows: [],
  head: { span: d[4].span },
  from: { path: d[4], hasParams: d[2] !== null, file: undefined },
  span: span(d),
});
export const policy = (d: Parts): { readonly policy: ast.TablePolicy; readonly span: Span } => ({
  policy: d[0][0].text,
  span: span(d),
});
export const collectPolicy = (d: Parts): { readonly policy: ast.TablePolicy; readonly span: Span } => ({
  policy: d[1][0].text,
  span: span(d),
});
export const tableHead = (d: Parts): Head => ({ inputs: d[1], outputs: d[3], span: span(d) });
export const namedOutput = (d: Parts): ast.TableOutput => ({ name: d[0], type: d[2], span: span(d) });
export const output = (d: Parts): ast.TableOutput => ({ name: null, type: d[0], span: span(d) });
export const unionInParens = (d: Parts): ast.UnionTypeRef => ({ kind: "union", options: d[1], span: span(d) });
export const tableRow = (d: Parts): ast.TableRowDecl => ({ cells: d[1], outputs: d[3], span: span(d) });
export const anyCell = (d: Parts): ast.TableCell => ({ tests: [], span: span(d) });
export const cell = (d: Parts): ast.TableCell => ({ tests: d[0], span: span(d) });

const unary = (op: ast.UnaryTest["op"], right: ast.UnaryTest["right"], d: Parts): ast.UnaryTest => ({
  kind: "unary",
  op,
  right,
  negated: false,
  span: span(d),
});
export const isUnary = (d: Parts): ast.UnaryTest => unary("==", d[0], d);
export const compareUnary = (d: Parts): ast.UnaryTest => unary(d[0], d[1], d);
export const inUnary = (d: Parts): ast.UnaryTest => unary("in", d[1], d);
export const rangeUnary = (d: Parts): ast.UnaryTest => unary("in", range(d), d);
export const shutRangeUnary = (d: Parts): ast.UnaryTest => unary("in", shutRange(d), d);
export const openRangeUnary = (d: Parts): ast.UnaryTest => unary("in", openRange(d), d);
export const notUnary = (d: Parts): ast.UnaryTest => ({ ...d[1], negated: true, span: span(d) });
