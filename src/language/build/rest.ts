/** Constants, imports, options, removals, tuple spaces. */
import type * as ast from "../ast.ts";
import { type Parts, span } from "./parts.ts";

const named = (spelling: ast.ConstDecl["spelling"], d: Parts): ast.ConstDecl => ({
  kind: "const",
  name: d[1],
  value: d[3],
  spelling,
  span: span(d),
});
export const listDecl = (d: Parts): ast.ConstDecl => named("list", d);
export const constDecl = (d: Parts): ast.ConstDecl => named("const", d);
export const paramDecl = (d: Parts): ast.ParamDecl => ({
  kind: "param",
  name: d[1],
  type: d[3],
  default: d[4],
  span: span(d),
});
export const functionDecl = (d: Parts): ast.FunctionDecl => ({
  kind: "function",
  name: d[1],
  params: d[2],
  result: d[4],
  optional: d[5] !== null,
  body: d[6],
  span: span(d),
});
export const importDecl = (d: Parts): ast.ImportDecl => ({
  kind: "import",
  path: d[1],
  alias: d[3] ?? null,
  span: span(d),
});
export const privateDecl = (d: Parts): ast.Declaration => ({ ...d[1], private: true, span: span(d) });
export const privateFact = (d: Parts): ast.Declaration => ({
  kind: "fact",
  name: d[1],
  fact: d[3],
  private: true,
  span: span(d),
});
export const optionDecl = (d: Parts): ast.OptionDecl => ({ kind: "option", name: d[1], value: d[2], span: span(d) });
export const removeRule = (d: Parts): ast.RemoveRuleDecl => ({ kind: "remove-rule", rule: d[2], span: span(d) });
export const removeFact = (d: Parts): ast.RemoveFactDecl => ({
  kind: "remove-fact",
  type: d[2],
  keys: d[3],
  span: span(d),
});
export const resetDecl = (d: Parts): ast.ResetDecl => ({ kind: "reset", span: span(d) });
export const xupleSpace = (d: Parts): ast.XupleSpaceDecl => ({
  kind: "xuple-space",
  name: d[1],
  settings: d[3],
  span: span(d),
});
export const xupleSetting = (d: Parts): ast.XupleSetting => ({
  kind: "xuple-setting",
  name: d[0],
  value: d[2],
  span: span(d.slice(0, 3)),
});
export const limited = (d: Parts): ast.LimitedValue => ({ kind: "limited", count: d[2].value, span: span(d) });
export const duration = (d: Parts): ast.DurationValue => ({ kind: "duration", text: d[2].value, span: span(d) });
