/** Conditional elements: patterns, `not`, `exists`, `forall`, aggregates, groups. */
import type * as ast from "../ast.ts";
import { amount } from "./expressions.ts";
import { type Enclosed, type Parts, span } from "./parts.ts";
import { timely } from "./within.ts";

export const quantifier = (d: Parts): unknown => d[0];
export const absence = (d: Parts): ast.AbsenceElement => ({
  kind: "absence",
  quantifier: d[0].text,
  elements: d[1].items,
  span: span(d),
});
export const absenceOfOne = (d: Parts): ast.AbsenceElement => absence([d[0], { items: [d[1]], span: d[1].span }]);
export const nested = (d: Parts): Enclosed => ({ items: d[1], span: span(d) });
export const nestedAlternatives = (d: Parts): Enclosed => ({ items: [orElement(d)], span: span(d) });
export const orElement = (d: Parts): ast.OrElement => ({ kind: "or", alternatives: d[1], span: span(d) });
export const twoAlternatives = (d: Parts): unknown[] => [d[0], d[2]];
export const forall = (d: Parts): ast.ForallElement => ({ kind: "forall", pattern: d[2], test: d[4], span: span(d) });
export const aggregate = (d: Parts): ast.AggregateElement => ({
  kind: "aggregate",
  name: d[0],
  fn: d[2],
  value: d[4],
  pattern: d[7],
  span: span(d),
});
export const pattern = (d: Parts): ast.Pattern => ({
  kind: "pattern",
  variable: null,
  type: d[0],
  tests: d[2],
  span: span(d),
});
export const namedPattern = (d: Parts): ast.Pattern => ({
  kind: "pattern",
  variable: d[0],
  type: d[2],
  tests: d[4],
  span: span(d),
});
export const barePattern = (d: Parts): ast.Pattern => ({
  kind: "pattern",
  variable: d[0],
  type: d[2],
  tests: [],
  span: span(d),
});
export const windowed = (d: Parts): ast.Pattern => {
  const [pattern, over, by = null] = d;
  if (over.kind === "within") {
    return { ...pattern, tests: [...pattern.tests, timely(pattern, over, by)], span: span(d) };
  }
  return { ...pattern, window: windowBy([over, by]) as ast.Window, span: span(d) };
};
export const over = (d: Parts): ast.Window => ({ kind: "window", last: d[2], by: null, span: span(d) });
export const overAmount = (d: Parts): ast.Window => {
  const [, , count, unit] = d;
  const at = { start: count.span.start, end: unit.end };
  return over([d[0], d[1], amount([{ value: `${count.value} ${unit.value}`, start: at.start, end: at.end }])]);
};
export const windowBy = (d: Parts): ast.Window | ast.WithinExpr => {
  const [window, by] = d;
  return { ...window, by, span: span(d) };
};
const letElement = (d: Parts): ast.LetElement => ({ kind: "let", name: d[1], value: d[3], span: span(d) });
export { letElement as let };
export const row = (d: Parts): ast.RowElement => ({
  kind: "row",
  variable: d[0],
  query: d[2],
  args: d[4],
  span: span(d),
});
export const items = (d: Parts): ast.ItemsElement => ({
  kind: "items",
  variable: d[0],
  list: d[2],
  span: span(d),
});
export const whereElement = (d: Parts): ast.WhereElement => ({ kind: "where", test: d[1], span: span(d) });
