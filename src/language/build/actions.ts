/** The actions of rules. */
import type * as ast from "../ast.ts";
import { type Parts, span } from "./parts.ts";

export const callAction = (d: Parts): ast.CallAction => ({ kind: "call", name: d[0], args: d[2], span: span(d) });
export const insert = (d: Parts): ast.InsertAction => ({ kind: "insert", logical: false, fact: d[1], span: span(d) });
export const insertCall = (d: Parts): ast.InsertAction => ({
  kind: "insert",
  logical: false,
  fact: d[2],
  span: span(d),
});
export const insertLogical = (d: Parts): ast.InsertAction => ({
  kind: "insert",
  logical: true,
  fact: d[2],
  span: span(d),
});
export const update = (d: Parts): ast.UpdateAction => ({ kind: "update", target: d[2], changes: d[4], span: span(d) });
export const assign = (d: Parts): ast.AssignAction => ({ kind: "assign", target: d[0], value: d[2], span: span(d) });
export const retractCall = (d: Parts): ast.RetractAction => ({ kind: "retract", target: d[2], span: span(d) });
export const retract = (d: Parts): ast.RetractAction => ({ kind: "retract", target: d[1], span: span(d) });
export const halt = (d: Parts): ast.HaltAction => ({ kind: "halt", span: span(d) });
export const xuple = (d: Parts): ast.XupleAction => ({ kind: "xuple", space: d[2], fact: d[4], span: span(d) });
export const decide = (d: Parts): ast.DecideAction => ({ kind: "decide", gate: d[1], args: d[3], span: span(d) });
export const verify = (d: Parts): ast.VerifyAction => ({ kind: "verify", guardian: d[1], args: d[3], span: span(d) });
