/** Computes the types of aggregates, and checks what they take of each fact. */
import { AGGREGATES } from "../../functions/aggregates.ts";
import type { Aggregate } from "../../functions/built-in.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { Context, Typing } from "./context.ts";
import type { Scope } from "./scope.ts";
import { ANY, describe, holdsTime, isHostType, isNumeric, isText, ordered, REPORTED, type Type } from "./types.ts";

/** Returns the type of an aggregate, and checks what it takes: the value, and its key and number if it has them. */
export function typeOfTaken(
  cx: Context,
  fn: ast.Ident,
  taken: ast.Expr | null,
  scope: Scope,
  { typeOf }: Pick<Typing, "typeOf">,
): Type {
  const type = typeOfParts(cx, fn, taken, scope, typeOf);
  if (holdsTime(type)) cx.times.aggregates.set(fn, type);
  return type;
}

function typeOfParts(cx: Context, fn: ast.Ident, taken: ast.Expr | null, scope: Scope, typeOf: Typing["typeOf"]): Type {
  const parts = taken?.kind === "ranked" ? taken : { value: taken, key: null, count: null };
  const typed = (part: ast.Expr | null): Type => (part === null ? ANY : typeOf(cx, part, scope));
  const [type, key, count] = [typed(parts.value), typed(parts.key), typed(parts.count)];
  if (taken?.kind === "ranked" && holdsTime(type)) cx.times.types.set(taken, type);
  const aggregate = AGGREGATES.get(fn.name.toLowerCase());
  if (aggregate === undefined) {
    const known = `aggregates: ${[...AGGREGATES.keys()].join(", ")}`;
    cx.report.error("E212", fn.span, `unknown aggregate "${fn.name}"`, known);
    return REPORTED;
  }
  if (!hasItsForm(cx, fn, taken, aggregate)) return REPORTED;
  if (parts.key !== null) checkOrder(cx, parts.key, key);
  if (parts.count !== null) checkCount(cx, fn, parts.count, count, aggregate, scope);
  if (parts.value !== null) checkValue(cx, fn, parts.value, type, aggregate);
  if (aggregate.takes === "numbers" && type.kind === "duration") return type;
  return isHostType(type) ? aggregate.result(type) : ANY;
}

/** Reports an aggregate that lacks its value, its key or its number, or has one that it does not take. */
function hasItsForm(cx: Context, fn: ast.Ident, taken: ast.Expr | null, aggregate: Aggregate): boolean {
  const { takes, count } = aggregate;
  if (taken === null) {
    if (takes === "facts") return true;
    cx.report.error("E209", fn.span, `"${fn.name}" needs a value`, `for example ${exampleOf(fn.name, aggregate)}`);
    return false;
  }
  const { count: n, key } = taken.kind === "ranked" ? taken : { count: null, key: null };
  const fault =
    n === null && count !== undefined
      ? `"${fn.name}" needs a number (${count.name}) before the value`
      : n !== null && count === undefined
        ? `"${fn.name}" takes no number before the value`
        : key === null && takes === "keyed"
          ? `"${fn.name}" needs a key to order the facts by`
          : key !== null && takes !== "keyed"
            ? `"${fn.name}" takes no key: it does not order the facts`
            : undefined;
  if (fault === undefined) return true;
  cx.report.error("E209", taken.span, fault, `for example ${exampleOf(fn.name, aggregate)}`);
  return false;
}

function exampleOf(name: string, { takes, count }: Aggregate): string {
  if (takes === "facts") return `${name}()`;
  const number = count === undefined ? "" : takes === "keyed" ? "3, " : "95, ";
  return `${name}(${number}x.total${takes === "keyed" ? " by x.at" : ""})`;
}

function checkOrder(cx: Context, key: ast.Expr, type: Type): void {
  if (ordered(type, type)) return;
  const message = `facts cannot be ordered by values of type ${describe(type)}`;
  cx.report.error("E203", key.span, message, "use a number, a string or a time");
}

/** Checks the number before the value: one for all facts, so it reads none of them. */
function checkCount(cx: Context, fn: ast.Ident, count: ast.Expr, type: Type, aggregate: Aggregate, scope: Scope): void {
  const inner = new Set([...scope.added()].map(({ name }) => name));
  let read: string | undefined;
  forEachNode(count, (node) => {
    if (node["kind"] !== "path") return;
    const { name } = (node as unknown as ast.PathExpr).root;
    if (inner.has(name) || scope.get(name)?.evidence === true) read ??= name;
  });
  if (read !== undefined) {
    const message = `the number in "${fn.name}" is the same for all facts, so it cannot read "${read}"`;
    cx.report.error("E209", count.span, message, "use a number, a constant or a variable from outside");
    return;
  }
  const { name, allowed, allows } = aggregate.count ?? {};
  if (!isNumeric(type) && type.kind !== "any") {
    cx.report.error("E203", count.span, `${name} of "${fn.name}" must be a number, found ${describe(type)}`);
  } else if (count.kind === "number" && allows?.(count.value) === false) {
    cx.report.error("E209", count.span, `${name} of "${fn.name}" must be ${allowed}`);
  }
}

function checkValue(cx: Context, fn: ast.Ident, value: ast.Expr, type: Type, { takes }: Aggregate): void {
  if (type.kind === "row") {
    cx.report.error("E203", value.span, `a ${describe(type)} cannot be stored`, "use one of its outputs");
  } else if (takes === "numbers" && !isNumeric(type) && type.kind !== "any" && type.kind !== "duration") {
    const hint = isText(type) ? "convert a string with (number) x" : undefined;
    cx.report.error("E203", value.span, `"${fn.name}" needs numbers, found ${describe(type)}`, hint);
  } else if (takes === "ordered" && !ordered(type, type)) {
    const message = `values of type ${describe(type)} cannot be ordered`;
    cx.report.error("E203", value.span, message, "use a number, a string or a time");
  }
}
