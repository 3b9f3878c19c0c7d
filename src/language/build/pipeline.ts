/** Pipelines. */
import type * as ast from "../ast.ts";
import { type Parts, span } from "./parts.ts";

export const pipelineDecl = (d: Parts): ast.PipelineDecl => ({
  kind: "pipeline",
  name: d[1],
  subject: d[3],
  items: d[5],
  span: span(d),
});
export const border = (d: Parts): ast.BorderItem => ({
  kind: d[0].text,
  test: d[1],
  action: d[3].text.toUpperCase(),
  value: d[4],
  span: span(d),
});
export const stepValue = (d: Parts): ast.Expr => d[0];
export const step = (d: Parts): ast.StepItem => ({
  kind: "step",
  name: d[1],
  action: d[2].text.toUpperCase(),
  value: d[3],
  when: d[4],
  unless: d[5],
  span: span(d),
});
export const whenTest = (d: Parts): ast.TestCondition => ({ kind: "test-condition", test: d[1], span: span(d) });
export const whenPatterns = (d: Parts): ast.PatternCondition => ({
  kind: "pattern-condition",
  elements: d[1],
  span: span(d),
});
export const otherwise = (d: Parts): ast.OtherwiseItem => ({
  kind: "otherwise",
  action: d[1].text.toUpperCase(),
  value: d[2],
  span: span(d),
});
export const audit = (d: Parts): ast.AuditItem => ({ kind: "audit", to: d[2].value, span: span(d) });
