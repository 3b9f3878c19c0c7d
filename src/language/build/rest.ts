/** Lists, imports, options, removals, tuple spaces. */
import type * as ast from "../ast.ts";
import { type Parts, span } from "./parts.ts";

export const listDecl = (d: Parts): ast.ListDecl => ({ kind: "list-decl", name: d[1], items: d[4], span: span(d) });
export const importDecl = (d: Parts): ast.ImportDecl => ({ kind: "import", path: d[1], span: span(d) });
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
