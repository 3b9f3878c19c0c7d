/** What the logical facts of a rule depend on, as plain data: the planner works it out, and the session keeps facts by it. */

/** What the logical facts of a rule depend on besides the facts that its matches name. */
export interface SupportPlan {
  /**
   * Undefined when the named facts are all that matters: circles of logical facts are then found by looking at supports. Otherwise
   * they are found by taking facts out for a trial, which costs more.
   */
  readonly unnamed: UnnamedFacts | undefined;
  /** For types of logical facts: a type depends only on types with a lower number, or with the same one. */
  readonly strata: ReadonlyMap<string, number>;
}

/** Types of facts that a match looks at without naming them. */
interface UnnamedFacts {
  /** A match can depend on facts of these types (`exists`): it may lose its support when one goes. */
  readonly needs: ReadonlySet<string>;
  /** Facts of these types take away the support of a match (a `not` inside an `exists`) when they come. */
  readonly minds: ReadonlySet<string>;
}

/** In a list of types: all of them. */
export const ANY_TYPE = "*";
