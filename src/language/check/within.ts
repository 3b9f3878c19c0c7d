/** Checks windows such as `within 30 days after i.issued`: which time of the facts counts, and what it is compared with. */
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { Field } from "./builtin-types.ts";
import { clockPath } from "./clock.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import type { Symbols } from "./symbols.ts";
import { describe, REPORTED, type Type } from "./types.ts";
import { checkWithinLength } from "./window-length.ts";

/** The field that is the time of a window's facts. */
export interface WindowTime {
  readonly field: string;
  readonly kind: "instant" | "date";
}

/** Returns the field that is the time of a window's facts; undefined where the checker has reported it. */
export function windowTime(symbols: Symbols, { by, type }: ast.WithinExpr): WindowTime | undefined {
  const fields = symbols.type(type.name)?.fields;
  const named = by?.fields.at(-1)?.name ?? by?.root.name;
  const field = named === undefined ? [...(fields?.values() ?? [])].find(({ at }) => at === true) : fields?.get(named);
  const kind = field?.type.kind;
  return field === undefined || (kind !== "instant" && kind !== "date") ? undefined : { field: field.name, kind };
}

/** Checks a window. Its anchor and length are outside the pattern; `typeOf` finds the type of an expression. */
export function checkWithin(
  cx: Context,
  expr: ast.WithinExpr,
  scope: Scope,
  typeOf: (cx: Context, expr: ast.Expr, scope: Scope) => Type,
): void {
  const outer = scope.outsidePattern();
  const length = typeOf(cx, expr.length, outer);
  const anchor = typeOf(cx, expr.anchor, outer);
  refuseOwn(cx, expr);
  if (expr.by !== null && isOwnField(cx, expr, expr.by)) typeOf(cx, expr.by, scope);
  const time = windowTime(cx.symbols, expr);
  if (time === undefined) return reportTime(cx, expr);
  cx.resolutions.set(clockPath(time.kind === "date" ? "today" : "now", expr.span), "clock");
  const path = pathTo(expr, time);
  cx.resolutions.set(path, expr.variable === null ? "own-field" : "variable");
  cx.times.types.set(path, { kind: time.kind });
  timePaths.set(expr, path);
  if (anchor !== REPORTED && anchor.kind !== time.kind) {
    const message = `the window begins or ends with ${describe(anchor)}, but "${time.field}" of ${expr.type.name} is ${describe({ kind: time.kind })}`;
    const hint = isTimePoint(anchor) ? "convert one of them: date(i, zone) or instant(d, zone)" : undefined;
    cx.report.error("E203", expr.anchor.span, message, hint);
  }
  if (length === REPORTED) return;
  if (length.kind === "duration" || (length.kind === "months" && time.kind === "date")) {
    checkWithinLength(cx, expr);
    return;
  }
  const hint =
    length.kind === "months"
      ? "months have no fixed length: use a number of days, or a time of type date"
      : length.kind === "number"
        ? "give the number a unit: x * 1 day"
        : "for example: within 30 days after …";
  cx.report.error("E203", expr.length.span, `the length of a window is a duration, found ${describe(length)}`, hint);
}

const timePaths = new WeakMap<ast.WithinExpr, ast.PathExpr>();

/** Returns the time of a window's fact as if it were written: `p.at`; undefined for a window that was copied. */
export function timePath(expr: ast.WithinExpr): ast.PathExpr | undefined {
  return timePaths.get(expr);
}

function pathTo({ variable, span }: ast.WithinExpr, { field }: WindowTime): ast.PathExpr {
  const name = { name: field, span };
  return variable === null
    ? { kind: "path", root: name, fields: [], span }
    : { kind: "path", root: variable, fields: [name], span };
}

function isTimePoint({ kind }: Type): boolean {
  return kind === "instant" || kind === "date";
}

/** Reports a window that depends on the fact which it selects. */
function refuseOwn(cx: Context, { variable, length, anchor }: ast.WithinExpr): void {
  if (variable === null) return;
  forEachNode([length, anchor], (node) => {
    const path = node as unknown as ast.PathExpr;
    if (path.kind !== "path" || path.root.name !== variable.name || cx.resolutions.get(path) !== "variable") return;
    const message = `the window of "${variable.name}" cannot depend on "${variable.name}" itself`;
    cx.report.error("E214", path.span, message, "compare its times in a test: a <= b");
  });
}

/** Returns whether `by` names a field of the fact, and reports where it does not. */
function isOwnField(cx: Context, { variable, type }: ast.WithinExpr, by: ast.PathExpr): boolean {
  const isOwn = variable === null ? by.fields.length === 0 : by.fields.length === 1 && by.root.name === variable.name;
  if (isOwn) return true;
  const field = by.fields.at(-1)?.name ?? by.root.name;
  const hint = `write: by ${variable === null ? field : `${variable.name}.${field}`}`;
  cx.report.error("E214", by.span, `"by" must be a field of ${type.name}`, hint);
  return false;
}

/** Reports that it is not said which time of the facts counts. */
function reportTime(cx: Context, { by, type, variable, span }: ast.WithinExpr): void {
  const fields = cx.symbols.type(type.name)?.fields;
  if (fields === undefined && (cx.symbols.excuses(cx.symbols.types, type.name) || !cx.symbols.open)) return;
  if (by !== null && fields !== undefined) {
    const named = by.fields.at(-1)?.name ?? by.root.name;
    const found = fields.get(named);
    if (found === undefined) return; // reported as an unknown field
    const message = `a window needs a time, found "${named}" of type ${describe(found.type)}`;
    cx.report.error("E203", by.span, message, "use a field of type instant or date");
    return;
  }
  const times = [...(fields?.values() ?? [])].filter((field: Field) => isTimePoint(field.type)).map(({ name }) => name);
  const [first] = times;
  const candidates = times.length === 0 ? "" : `: ${times.join(", ")}`;
  const message = `it is not said which field of ${type.name} is its time${candidates}`;
  const name = variable === null ? first : `${variable.name}.${first}`;
  const hint =
    first === undefined
      ? `declare one: type ${type.name}(…, @at: instant)`
      : `mark it in the type, @${first}, or write: by ${name}`;
  cx.report.error("E209", span, message, hint);
}

/** Returns the windows among the tests of patterns and of other questions: those of this level, not of questions inside them. */
export function windowsIn(tests: readonly ast.Expr[]): ast.WithinExpr[] {
  return tests.flatMap((test) => {
    if (test.kind === "within") return [test];
    return test.kind === "logic" && test.op === "and" ? windowsIn(test.items) : [];
  });
}

/** Returns the windows of the patterns of elements, also of those inside `not`, `exists` and `or`. */
export function windowsOf(elements: readonly ast.Element[]): ast.WithinExpr[] {
  return elements.flatMap((element): ast.WithinExpr[] => {
    switch (element.kind) {
      case "pattern":
        return windowsIn(element.tests);
      case "forall":
      case "aggregate":
        return windowsIn(element.pattern.tests);
      case "absence":
        return windowsOf(element.elements);
      case "or":
        return element.alternatives.flatMap(windowsOf);
      default:
        return [];
    }
  });
}
