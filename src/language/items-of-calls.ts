/** `l in split(o.tags, ",")` reads as the row of a query. Where the name is that of a function, it means the items of what is called. */
import type * as ast from "./ast.ts";

/** Returns the items of a call in place of the row of a query. */
export function itemsOfCall({ variable, query, args, span }: ast.RowElement): ast.ItemsElement {
  const list: ast.CallExpr = {
    kind: "call",
    name: query,
    args,
    span: { start: query.span.start, end: span.end },
  };
  return { kind: "items", variable, list, span };
}
