/** The names of the decision in the test of an `after`: `decision`, `reason`, `answer` and `receiver`. */
import type { DecisionPart } from "../../base/answers.ts";
import type { PathExpr } from "../ast.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import { STRING, type Type, unionOf } from "./types.ts";

const PARTS: Readonly<Record<DecisionPart, Type>> = {
  decision: unionOf("BLOCK", "ANSWER", "FORWARD"),
  reason: STRING,
  answer: STRING,
  receiver: STRING,
};

/**
 * Returns the scope of the test of an `after`, in which the decision has names. They are no reserved words: a variable,
 * constant or fact of the program with such a name keeps it.
 */
export function seeingDecision(cx: Context, outer: Scope): Scope {
  const scope = outer.inner("decision");
  for (const [name, type] of Object.entries(PARTS)) {
    if (!isTaken(cx, outer, name)) scope.add({ name, type, kind: "decision" });
  }
  return scope;
}

function isTaken({ symbols: { constants, facts } }: Context, scope: Scope, name: string): boolean {
  if (scope.get(name) !== undefined || constants.get(name) !== undefined || facts.get(name) !== undefined) return true;
  return constants.isBroken(name) || facts.isBroken(name);
}

/** Reports a name of the decision inside a subquery, whose facts are looked up before there is a decision. */
export function reportInSubquery(cx: Context, { root }: PathExpr, scope: Scope): void {
  if (scope.has("decision")) return;
  const message = `"${root.name}" cannot be used inside a search for facts`;
  const hint = "facts are matched before the pipeline decides: compare it with a field of the request, or with a list";
  cx.report.error("E214", root.span, message, hint);
}

/** Warns of a name that the program gives to something else, where the decision could be meant. */
export function warnOfHidden(cx: Context, path: PathExpr, scope: Scope): void {
  const { name, span } = path.root;
  if (!scope.has("decision") || path.fields.length > 0 || !Object.hasOwn(PARTS, name)) return;
  const what = scope.get(name) !== undefined ? "variable" : (cx.symbols.constants.get(name)?.decl.spelling ?? "fact");
  const message = `"${name}" is the ${what} of this program, not the ${name} of the pipeline`;
  cx.report.warning("W243", span, message, `rename the ${what} to use the ${name} of the pipeline`);
}

/** Returns whether an unknown name is one of the decision that is used outside the test of an `after`; then it is reported. */
export function reportOutsideAfter(cx: Context, { root: { name, span }, fields }: PathExpr, scope: Scope): boolean {
  if (!scope.has("outcomes") || fields.length > 0 || !Object.hasOwn(PARTS, name)) return false;
  cx.report.error("E214", span, `"${name}" is known only in the test of "after"`, 'use it between "after" and "else"');
  return true;
}
