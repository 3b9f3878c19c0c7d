/**
 * W242, string comparisons that miss what they look for.
 *
 * In a guardian or a pipeline, `contains` on a string compares character by character, and the author of the string can
 * evade it with a second space, a hidden character or a mark. `phrases_in` and similar functions fold both sides first.
 *
 * Anywhere, the result of `folded` is never equal to a constant that is not folded itself.
 */
import { fold } from "../../base/fold.ts";
import { FUNCTIONS } from "../../functions/functions.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import type { Type } from "./types.ts";

export function warnOfExactText(cx: Context, expr: ast.ContainsExpr, left: Type, scope: Scope): void {
  if (!scope.has("judging") || left.kind !== "string" || !isWrittenOutside(expr.left)) return;
  const text = words(cx, withoutCase(expr.left));
  const phrases = expr.any || expr.all === true ? words(cx, expr.right) : `[${words(cx, expr.right)}]`;
  cx.report.warning(
    "W242",
    expr.span,
    `"contains" compares ${text} character by character: a second space or a hidden character bypasses it`,
    `to forbid the phrase, write count(phrases_in(${text}, ${phrases})) > 0; to require it, count(written_in(…)) > 0`,
  );
}

/** Returns whether a value is a field, also joined with others. The result of `folded` or of a host function is not. */
function isWrittenOutside(expr: ast.Value): boolean {
  if (expr.kind === "path") return true;
  if (expr.kind === "chain") return expr.items.some(isWrittenOutside);
  if (expr.kind !== "call" || !expr.args.some(isWrittenOutside)) return false;
  return FUNCTIONS.get(expr.name.name.toLowerCase())?.keepsText === true;
}

/** Returns the value without case conversion: `phrases_in` itself folds case and trims spaces. */
function withoutCase(expr: ast.Value): ast.Value {
  const inner = expr.kind === "call" && CASES.has(expr.name.name.toLowerCase()) ? expr.args[0] : undefined;
  return inner === undefined ? expr : withoutCase(inner);
}

const CASES: ReadonlySet<string> = new Set(["lower", "upper", "trim"]);
const MAX_QUOTE_LENGTH = 60;

/** Returns the text of a value as written, when it is short. */
function words(cx: Context, { span }: ast.Value): string {
  const written = cx.report.source.text.slice(span.start, span.end);
  return written.length > MAX_QUOTE_LENGTH || written.includes("\n") ? "…" : written;
}

// ---------------------------------------------------------------- folded(x) contains "É"

export function warnOfUnfolded(cx: Context, expr: ast.CompareExpr | ast.InExpr | ast.ContainsExpr): void {
  if (expr.right.kind === "range") return;
  const constants = isFolded(expr.left)
    ? constantsOf(cx, expr.right)
    : isFolded(expr.right)
      ? constantsOf(cx, expr.left)
      : [];
  for (const constant of constants) {
    const folded = fold(constant);
    if (folded === undefined || folded === constant) continue;
    cx.report.warning(
      "W242",
      expr.span,
      `${JSON.stringify(constant)} never occurs in a folded string, which has no capitals, accents, hyphens or double spaces`,
      `write ${JSON.stringify(folded)}`,
    );
  }
}

function isFolded(expr: ast.Value): boolean {
  if (expr.kind !== "call") return false;
  const name = expr.name.name.toLowerCase();
  return name === "folded" || ((name === "trim" || name === "lower") && expr.args.some(isFolded));
}

/** Returns the strings of a constant, of a list of them, or of a name of one. */
function constantsOf(cx: Context, expr: ast.Value): readonly string[] {
  if (expr.kind === "text") return [expr.value];
  const named = expr.kind === "path" && expr.fields.length === 0 ? cx.symbols.constants.get(expr.root.name) : undefined;
  if (named !== undefined) return named.decl.value.kind === "path" ? [] : constantsOf(cx, named.decl.value);
  return expr.kind === "list" ? expr.items.flatMap((item) => (item.kind === "text" ? [item.value] : [])) : [];
}
