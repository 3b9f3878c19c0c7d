/**
 * The lines of a check as plain tests: `avg(e.confidence)` over the facts of `using` becomes an aggregate over their
 * pattern, which can be evaluated, explained and repaired like any other.
 */
import { aggregateNamed } from "../../functions/aggregates.ts";
import type * as ast from "../../language/ast.ts";
import { evidenceIn, isAggregateOver } from "../../language/check/evidence.ts";
import { takenBy } from "../../language/ranked.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import { setInnerParts, patternPart, type PatternPart } from "./parts.ts";

export interface PlainLine {
  readonly line: ast.CheckLine;
  readonly test: ast.Expr;
  /** The limits of the check, then those of the line. */
  readonly limits: readonly Limit[];
  /** The patterns of `using` whose facts the line tests one by one: it must pass for each. */
  readonly each: readonly PatternPart[];
  /** All patterns of `using`. */
  readonly using: readonly PatternPart[];
}

interface Limit {
  readonly kind: "when" | "unless";
  readonly test: ast.Expr;
  /** True when the line tests none of the facts one by one. */
  readonly withoutFacts: boolean;
}

const linesByCheck = new WeakMap<ast.CheckDecl, readonly PlainLine[]>();

export function plainLines(check: ast.CheckDecl, { holes }: CheckedProgram): readonly PlainLine[] {
  let lines = linesByCheck.get(check);
  if (lines === undefined) linesByCheck.set(check, (lines = check.lines.map((line) => plainLine(check, line, holes))));
  return lines;
}

function plainLine(check: ast.CheckDecl, line: ast.CheckLine, holes: CheckedProgram["holes"]): PlainLine {
  const patterns = check.modifiers.flatMap((one) => (one.kind === "using" ? [one.pattern] : []));
  const using = new Map(
    patterns.flatMap((one) => (one.variable === null ? [] : [[one.variable.name, patternPart(one)] as const])),
  );
  const isEvidence = (name: string): boolean => using.has(name);
  const written = [...check.modifiers.filter((one) => one.kind === "when" || one.kind === "unless"), ...line.limits];
  const filled = (holes.get(line.reason) ?? []).map(({ expr }) => expr);
  const spoken = evidenceIn([line.test, written.map(({ test }) => test), filled], isEvidence);
  return {
    line,
    test: plain(line.test, using) as ast.Expr,
    limits: written.map(({ kind, test }) => {
      return { kind, test: plain(test, using) as ast.Expr, withoutFacts: evidenceIn(test, isEvidence).size === 0 };
    }),
    each: [...using].flatMap(([name, part]) => (spoken.has(name) ? [part] : [])),
    using: [...using.values()],
  };
}

/**
 * Returns the same tree with aggregates replaced; nodes without a change are shared, because resolutions are stored by
 * node.
 */
function plain(node: unknown, using: ReadonlyMap<string, PatternPart>): unknown {
  if (Array.isArray(node)) {
    const items = node.map((item: unknown) => plain(item, using));
    return items.some((item, index) => item !== node[index]) ? items : node;
  }
  if (typeof node !== "object" || node === null || (node as ast.Expr).kind === "path") return node;
  const expr = node as ast.Expr;
  if (expr.kind === "call" && isAggregateOver(expr, (name) => using.has(name))) return aggregateOver(expr, using);
  const entries = Object.entries(node).map(([key, child]) => [key, key === "span" ? child : plain(child, using)]);
  return entries.some(([key, child]) => child !== (node as Record<string, unknown>)[key as string])
    ? Object.fromEntries(entries)
    : node;
}

function aggregateOver(call: ast.CallExpr, using: ReadonlyMap<string, PatternPart>): ast.AggregateInExpr {
  const { name, span } = call;
  const arg = (takenBy(call) ?? null) as ast.Expr | null;
  const inner = [...evidenceIn(arg, (one) => using.has(one))].flatMap((one) => using.get(one) ?? []);
  const sources = inner.flatMap(({ element }) =>
    element?.variable ? [{ kind: "source", variable: element.variable, type: element.type, span } as const] : [],
  );
  const value = aggregateNamed(name.name).takes === "facts" ? null : arg;
  const expr: ast.AggregateInExpr = { kind: "aggregate-in", name, sources, test: null, value, span };
  setInnerParts(expr, inner);
  return expr;
}
