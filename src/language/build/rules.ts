/** Rules of both forms, with their attributes and sources. */
import type * as ast from "../ast.ts";
import { type Enclosed, type Parts, span } from "./parts.ts";

export const blockRule = (d: Parts): ast.RuleDecl => ({
  kind: "rule",
  name: d[1],
  attributes: d[2],
  body: d[4],
  span: span(d),
});
export const blockBody = (d: Parts): ast.BlockBody => ({ kind: "block", elements: d[1], actions: d[3], span: span(d) });
export const bracedBody = (d: Parts): ast.BlockBody => ({
  kind: "block",
  elements: d[2],
  actions: d[6],
  span: span(d),
  legacy: "braces",
});
export const bracedRule = (d: Parts): ast.RuleDecl => ({
  kind: "rule",
  name: d[1],
  attributes: d[2],
  body: bracedBody(d.slice(3)),
  span: span(d),
});
export const slashRule = (d: Parts): ast.RuleDecl => ({
  kind: "rule",
  name: d[1],
  attributes: d[2],
  body: slashBody(d.slice(4)),
  span: span(d),
});
export const whenSlashRule = (d: Parts): ast.RuleDecl => ({ ...slashRule(d), legacy: "when-slash" });
/** Builds a rule without a name; the parser numbers it later. */
export const unnamedRule = (d: Parts): ast.RuleDecl => ({
  kind: "rule",
  name: { name: "", quoted: false, span: { start: span(d).start, end: span(d).start } },
  attributes: [],
  body: slashBody(d),
  span: span(d),
  legacy: "unnamed-rule",
});

/** Builds `sources / test ==> actions`. */
function slashBody(d: Parts): ast.SlashBody {
  return {
    kind: "slash",
    sources: d[0].map((braces: Enclosed) => braces.items),
    test: d[2],
    actions: d[4],
    span: span(d),
  };
}

export const sourceBraces = (d: Parts): Enclosed => ({ items: d[1], span: span(d) });

export const salience = (d: Parts): ast.SalienceAttribute => ({ kind: "salience", value: d[1].value, span: span(d) });
export const noLoop = (d: Parts): ast.NoLoopAttribute => ({ kind: "no-loop", span: span(d) });
export const group = (d: Parts): ast.GroupAttribute => ({ kind: "group", name: d[1].value, span: span(d) });
export const disabled = (d: Parts): ast.DisabledAttribute => ({ kind: "disabled", span: span(d) });
export const sourceVar = (d: Parts): ast.SourceVar => ({ kind: "source", variable: d[0], type: d[2], span: span(d) });
export const aggregateSource = (d: Parts): ast.AggregateSource => ({
  kind: "aggregate-source",
  variable: d[0],
  fn: d[2],
  value: d[4],
  span: span(d),
});
