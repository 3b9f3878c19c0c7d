/** Warns of questions whose answer turns when a fact expires (W262): `not Ping(…)` holds again an hour after the last ping. */
import type * as ast from "../../ast.ts";
import { sourceOf } from "../../copied.ts";
import { expressionText } from "../../print-part.ts";
import { forEachNode } from "../../walk.ts";
import type { Context } from "../context.ts";

/** How long the facts of types that expire stay, by type. */
export type Expiries = ReadonlyMap<string, ast.AmountExpr>;

/** Returns the types of a program that expire. */
export function expiriesOf(declarations: readonly ast.Declaration[]): Expiries {
  return new Map(
    declarations.flatMap((decl) =>
      decl.kind === "type" && decl.expires !== undefined ? [[decl.name.name, decl.expires]] : [],
    ),
  );
}

/** Warns of the questions of a statement; `nodes` are all of its nodes. A window, or a test of the clock, bounds what it asks for. */
export function warnOfExpiry(cx: Context, expiries: Expiries, nodes: readonly Record<string, unknown>[]): void {
  if (expiries.size === 0) return;
  for (const node of nodes) {
    for (const { type, span, tests } of askedBy(node)) {
      const stay = expiries.get(type.name);
      if (stay === undefined || sourceOf(node) !== undefined || readsClock(cx, tests)) continue;
      const words = expressionText(stay);
      const message = `the answer turns when a ${type.name} expires, ${words} after its time`;
      cx.report.warning("W262", span, message, `say that only newer facts count: over last ${words}`);
    }
  }
}

interface Asked {
  readonly type: ast.Ident;
  readonly span: ast.Pattern["span"];
  readonly tests: unknown;
}

/** Returns the patterns that a node asks about, without binding their facts. */
function askedBy(node: Record<string, unknown>): readonly Asked[] {
  switch (node["kind"]) {
    case "exists":
    case "forall":
    case "aggregate":
    case "evidence":
    case "fact-quorum":
      return [node["pattern"] as ast.Pattern];
    case "absence":
      return (node as unknown as ast.AbsenceElement).elements.filter((one) => one.kind === "pattern");
    case "exists-in":
    case "aggregate-in": {
      const { sources, test, span } = node as unknown as ast.ExistsInExpr;
      return sources.map(({ type }) => ({ type, span, tests: test }));
    }
    default:
      return [];
  }
}

function readsClock({ resolutions }: Context, tests: unknown): boolean {
  let found = false;
  const ofNumber = new Set<unknown>(); // `over last 20` bounds no time: only that of each fact must have come
  forEachNode(tests, (node) => {
    if (node["kind"] === "last") ofNumber.add((node as unknown as ast.LastExpr).come?.left);
    if (ofNumber.has(node)) return;
    found ||= node["kind"] === "path" && resolutions.get(node as unknown as ast.PathExpr) === "clock";
  });
  return found;
}
