/**
 * What the logical facts of a rule depend on, as plain data: the planner computes it, and the session keeps facts by
 * it.
 */

/** The dependencies of a rule's logical facts besides the facts that its matches name. */
export interface SupportPlan {
  /**
   * The types of facts that matches depend on without naming them. Undefined when there are none: cycles of logical
   * facts are then found by following supports. Otherwise they are found by removing facts on trial, which costs more.
   */
  readonly unnamed: UnnamedFacts | undefined;
  /** The stratum of each type of logical facts: a type depends only on types of a lower or the same stratum. */
  readonly strata: ReadonlyMap<string, number>;
}

/** Types of facts that a match depends on without naming them. */
interface UnnamedFacts {
  /** The types of which a match needs a fact (`exists`): it may lose its support when one is removed. */
  readonly needs: ReadonlySet<string>;
  /** The types of which a new fact can remove the support of a match (a `not` inside an `exists`). */
  readonly minds: ReadonlySet<string>;
}

/** Stands for all types in a set of types. */
export const ANY_TYPE = "*";
