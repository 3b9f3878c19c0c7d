/** Binds a variable in a scope: once, and not under a reserved name. */
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import type { Scope, Variable } from "./scope.ts";
import { isReserved } from "./names.ts";
import { REPORTED, factOf, type Type } from "./types.ts";

export function bind(cx: Context, name: ast.Ident, scope: Scope, what: Omit<Variable, "name">): void {
  if (isReserved(name.name)) {
    cx.report.error("E210", name.span, `"${name.name}" is a reserved name`, "choose another name");
  } else if (scope.get(name.name) !== undefined && scope.get(name.name)?.kind !== "decision") {
    const message = `variable "${name.name}" is already bound`;
    cx.report.error("E204", name.span, message, "choose another name");
  }
  scope.add({ name: name.name, ...what });
}

/** Binds a variable to a fact. For a type already reported as unknown, nothing more is reported. */
export function bindFact(cx: Context, name: ast.Ident, type: ast.Ident, scope: Scope): void {
  bind(cx, name, scope, { type: typeOfFacts(cx, type.name), kind: "fact" });
}

/** Hides the variables of an inner scope from the outer one; the reason is reported where one of them is used. */
export function hideAll(scope: Scope, inner: Scope, reason: string): void {
  for (const variable of inner.added()) scope.hide(variable.name, reason);
}

function typeOfFacts(cx: Context, name: string): Type {
  return cx.symbols.open || cx.symbols.type(name) !== undefined ? factOf(name) : REPORTED;
}
