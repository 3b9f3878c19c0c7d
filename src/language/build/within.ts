/** Windows that begin or end with a time: `within 30 days after i.issued`. */
import type * as ast from "../ast.ts";
import { type Parts, span } from "./parts.ts";

/** Builds the test of a window over facts of one variable. */
export const timely = (
  { variable, type }: Pick<ast.Pattern, "variable" | "type">,
  window: ast.WithinExpr,
  by: ast.PathExpr | null,
): ast.WithinExpr => ({
  ...window,
  variable,
  type,
  by,
  span: by === null ? window.span : span([window, by]),
});
/** Builds a window, of which it is not known yet over which facts. */
export const within = (d: Parts): ast.WithinExpr => ({
  kind: "within",
  variable: null,
  type: { name: "", span: span(d) },
  length: d[1],
  side: d[2][0].text,
  anchor: d[3],
  by: null,
  span: span(d),
});
