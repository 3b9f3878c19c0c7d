/** Checks conditional elements in written order, and decides which variables are visible after them. */
import { unreachable } from "../../base/invariant.ts";
import type * as ast from "../ast.ts";
import { bind, hideAll } from "./bind.ts";
import type { Context } from "./context.ts";
import { type Scope } from "./scope.ts";
import { checkPattern, checkTest, typeOfAggregate } from "./typing.ts";
import { sameType } from "./types.ts";

export function checkElements(cx: Context, elements: readonly ast.Element[], scope: Scope): void {
  for (const element of elements) checkElement(cx, element, scope);
}

function checkElement(cx: Context, element: ast.Element, scope: Scope): void {
  switch (element.kind) {
    case "pattern":
      return checkPattern(cx, element, scope);
    case "absence":
      return checkAbsence(cx, element, scope);
    case "or":
      return checkOr(cx, element, scope);
    case "forall":
      return checkForall(cx, element, scope);
    case "aggregate":
      return checkAggregate(cx, element, scope);
    case "where":
      return checkTest(cx, element.test, scope);
    default:
      unreachable(element);
  }
}

function checkAbsence(cx: Context, element: ast.AbsenceElement, scope: Scope): void {
  const inner = scope.inner();
  checkElements(cx, element.elements, inner);
  hideAll(scope, inner, `bound only inside "${element.quantifier}"`);
}

function checkForall(cx: Context, element: ast.ForallElement, scope: Scope): void {
  const inner = scope.inner();
  checkPattern(cx, element.pattern, inner);
  checkTest(cx, element.test, inner);
  hideAll(scope, inner, 'bound only inside "forall"');
}

function checkAggregate(cx: Context, element: ast.AggregateElement, scope: Scope): void {
  const inner = scope.inner();
  checkPattern(cx, element.pattern, inner);
  const type = typeOfAggregate(cx, element.fn, element.value, inner);
  hideAll(scope, inner, `bound only inside "${element.fn.name}"`);
  bind(cx, element.name, scope, { type, kind: "value" });
}

/** Checks an `or`. A variable is visible after it when every alternative binds it to the same type. */
function checkOr(cx: Context, element: ast.OrElement, scope: Scope): void {
  const scopes = element.alternatives.map((alternative) => {
    const inner = scope.inner();
    checkElements(cx, alternative, inner);
    return inner;
  });
  const [first, ...others] = scopes;
  if (first === undefined) return;
  for (const inner of scopes) hideAll(scope, inner, 'bound in only some alternatives of "or"');
  for (const variable of first.added()) {
    const everywhere = others.every((other) =>
      [...other.added()].some((twin) => twin.name === variable.name && sameType(twin.type, variable.type)),
    );
    if (everywhere) scope.add(variable);
  }
}
