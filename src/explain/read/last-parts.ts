/** The patterns of windows such as `over last 20`: which facts are counted with the one that is asked about. */
import type * as ast from "../../language/ast.ts";
import type { PatternPart } from "./parts.ts";

const bareParts = new WeakMap<ast.LastExpr, PatternPart>();

/** Notes for the window of a pattern which facts it counts: those of the pattern without it. */
export function noteLast(part: PatternPart): PatternPart {
  const isLast = (test: ast.Expr): test is ast.LastExpr => test.kind === "last";
  const others = (tests: readonly ast.Expr[]): ast.Expr[] => tests.filter((test) => !isLast(test));
  for (const last of [...part.tests, ...part.early].filter(isLast)) {
    bareParts.set(last, { ...part, tests: others(part.tests), early: others(part.early) });
  }
  return part;
}

/** Returns the pattern of a window without it. */
export function bareOf(last: ast.LastExpr): PatternPart | undefined {
  return bareParts.get(last);
}
