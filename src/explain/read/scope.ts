/** What the expressions of an explanation are evaluated with. */
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import type { Chosen } from "./chosen.ts";
import type { World } from "./world.ts";

/** The bindings that an expression is evaluated with. */
export interface EvaluationScope {
  readonly world: World;
  readonly chosen: Chosen;
  /** The fact whose fields bare names mean. */
  readonly ownFact: FactView | undefined;
  /** Inside a function: what is passed for each parameter, and where. It is evaluated whenever the parameter is read. */
  readonly passed?: ReadonlyMap<string, { readonly value: ast.Value; readonly scope: EvaluationScope }>;
}

/** Evaluates an expression: for files that `evaluate.ts` itself uses. */
export type Evaluate = (expr: ast.Value, scope: EvaluationScope) => Maybe;
