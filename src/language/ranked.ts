/** What aggregates take of each fact when it is more than a value: `r.value by r.at`, `3, o.total by o.at`, `95, r.took`. */
import { AGGREGATES } from "../functions/aggregates.ts";
import type * as ast from "./ast.ts";

/** Returns the parts in the order in which aggregates take them: the value, then its key and the number, if there are any. */
export function partsOf({ count, value, key }: ast.RankedExpr): readonly ast.Expr[] {
  return [value, ...(key === null ? [] : [key]), ...(count === null ? [] : [count])];
}

/** Returns the value alone, without a key or a number. */
export function valueTaken(taken: ast.Expr): ast.Expr {
  return taken.kind === "ranked" ? taken.value : taken;
}

const written = new WeakMap<ast.CallExpr, ast.RankedExpr>();

/**
 * Returns what a call takes of each fact of `using` when it is an aggregate over them; undefined when it is none. `percentile(95, e.took)` reads like the call of a function
 * with two arguments. It is always the same node, for what the checker notes about it.
 */
export function takenBy(call: ast.CallExpr): ast.Value | undefined {
  const [first, second] = call.args;
  const aggregate = AGGREGATES.get(call.name.name.toLowerCase());
  if (aggregate === undefined || second === undefined || first === undefined) {
    return aggregate === undefined ? undefined : first;
  }
  if (call.args.length > 2 || aggregate.count === undefined || aggregate.takes === "keyed") return undefined;
  if (first.kind === "object" || second.kind === "object") return undefined;
  let taken = written.get(call);
  if (taken === undefined) {
    const span = { start: first.span.start, end: second.span.end };
    written.set(call, (taken = { kind: "ranked", count: first, value: second, key: null, span }));
  }
  return taken;
}
