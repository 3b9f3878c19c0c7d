/** Queries and tests. */
import type * as ast from "../ast.ts";
import { OUTCOMES } from "./outcomes.ts";
import { type Parts, span } from "./parts.ts";

export const queryDecl = (d: Parts): ast.QueryDecl => ({
  kind: "query",
  name: d[1],
  params: d[2] ?? [],
  elements: d[4],
  span: span(d),
});
export const testDecl = (d: Parts): ast.TestDecl => ({ kind: "test", name: d[1], items: d[3], span: span(d) });
export const given = (d: Parts): ast.GivenItem => ({ kind: "given", name: null, fact: d[1], span: span(d) });
export const givenCall = (d: Parts): ast.GivenCall => ({ kind: "given-call", call: d[1], value: d[3], span: span(d) });
export const namedGiven = (d: Parts): ast.GivenItem => ({ kind: "given", name: d[1], fact: d[3], span: span(d) });
export const clockItem = (d: Parts): ast.ClockItem => ({ kind: "clock", at: d[1], span: span(d) });
export const advanceItem = (d: Parts): ast.AdvanceItem => ({ kind: "advance", by: d[1], span: span(d) });
export const expectRule = (d: Parts): ast.ExpectRule => ({
  kind: "expect-rule",
  rule: d[2],
  times: d[4] === null ? null : d[4].value,
  span: span(d),
});
export const expectEffect = (d: Parts): ast.ExpectEffect => ({
  kind: "expect-effect",
  isAbsent: false,
  effect: d[2],
  span: span(d),
});
export const expectNoEffect = (d: Parts): ast.ExpectEffect => ({
  kind: "expect-effect",
  isAbsent: true,
  effect: d[3],
  span: span(d),
});
export const expectGate = (d: Parts): ast.ExpectGate => ({
  kind: "expect-gate",
  gate: d[2],
  args: d[4],
  outcome: OUTCOMES[d[7].text as keyof typeof OUTCOMES],
  span: span(d),
});
export const expectVerdict = (d: Parts): ast.ExpectVerdict => ({
  kind: "expect-verdict",
  guardian: d[2],
  args: d[4],
  verdict: d[7].text.toUpperCase(),
  span: span(d),
});
export const expectDecision = (d: Parts): ast.ExpectDecision => ({
  kind: "expect-decision",
  pipeline: d[2],
  args: d[4],
  decision: d[7].text.toUpperCase(),
  span: span(d),
});
export const expectSome = (d: Parts): ast.ExpectFacts => ({
  kind: "expect-facts",
  count: null,
  pattern: d[1],
  span: span(d),
});
export const expectNone = (d: Parts): ast.ExpectFacts => ({
  kind: "expect-facts",
  count: 0,
  pattern: d[2],
  span: span(d),
});
export const expectCount = (d: Parts): ast.ExpectFacts => ({
  kind: "expect-facts",
  count: d[1].value,
  pattern: d[2],
  span: span(d),
});
