/** Warns of values that are written as in other languages, and mean something else here: `$"${name}"` (W248), `list[-1]` (W249). */
import type * as ast from "../../ast.ts";
import { sourceOf } from "../../copied.ts";
import type { Context } from "../context.ts";
import { writtenAs } from "../habits.ts";
import { checkedPath } from "../paths.ts";
import { isNumeric } from "../types.ts";

/** Warns of the values of a statement; `nodes` are all of its nodes. */
export function warnOfSlips(cx: Context, nodes: readonly Record<string, unknown>[]): void {
  for (const node of nodes) {
    if (sourceOf(node) !== undefined) continue;
    if (node["kind"] === "chain") warnOfDollars(cx, node as unknown as ast.ChainExpr);
    if (node["kind"] === "item") warnOfPlace(cx, node as unknown as ast.ItemExpr);
  }
}

/** Warns of a dollar sign before a brace, unless what follows may be a sum of money. */
function warnOfDollars({ report }: Context, { items, template }: ast.ChainExpr): void {
  if (template !== true) return;
  for (const [index, text] of items.entries()) {
    const hole = items[index + 1];
    if (text.kind !== "text" || !text.value.endsWith("$") || hole?.kind !== "path") continue;
    const type = checkedPath(hole)?.type;
    if (type === undefined || type.kind === "any" || isNumeric(type)) continue;
    const start = report.source.text.lastIndexOf("$", hole.span.start);
    const span = { start, end: start + 1 };
    const fix = report.fix('leave out the "$"', span, "");
    report.warning("W248", span, '"$" before a brace is part of the text', 'leave out the "$"', fix);
  }
}

/** Warns of a place at which no list has an item: items are counted from 0. */
function warnOfPlace(cx: Context, { list, at, span }: ast.ItemExpr): void {
  if (at.kind !== "number" || (at.value >= 0 && Number.isInteger(at.value))) return;
  const last = `last(${writtenAs(cx, list)})`;
  const isLast = at.value === -1;
  const hint = isLast ? `write ${last}` : "items are counted from 0";
  const fix = isLast ? cx.report.fix(hint, span, last) : undefined;
  cx.report.warning("W249", at.span, `no list has an item at ${at.value}`, hint, fix);
}
