/** The limits that hold for every program, checked before the work is done that they bound. */
export interface Limits {
  /** Bytes of one source text, as UTF-8. */
  readonly sourceBytes: number;
  /** Words and signs of one statement; plain facts do not count. */
  readonly statementLexemes: number;
  /** Brackets and prefix operators inside each other. */
  readonly nesting: number;
  /** Operators inside each other below the root of a gate's requirement. */
  readonly gateNesting: number;
  /** Partial matches that are alive at once. */
  readonly liveMatches: number;
  /** Alternatives after multiplying out `or` between patterns. */
  readonly alternatives: number;
  /** Characters of a pattern for `matches`. */
  readonly matchesPattern: number;
  /** Characters of a pattern for `like`. */
  readonly likePattern: number;
  /** UTF-16 units of one text value. */
  readonly text: number;
  /** Fields of one fact. */
  readonly fields: number;
  /** Lists and objects inside each other in one field of a fact. */
  readonly valueNesting: number;
  /** Items of all lists and objects of one fact together. */
  readonly valueItems: number;
  /** Files that import each other, one inside the other. */
  readonly importNesting: number;
}

/** How much work a question may cost before its answer says that it stopped; every one can be raised where it is asked. */
export interface Budgets {
  /** Boxes and arrows of a picture of the network; beyond that parts are drawn together. */
  readonly graph: number;
  /**
   * Steps of one `why`, `whyNot`, `wouldOpen` or `wouldPass`: facts that are looked at, states that a search visits, and facts that
   * are copied to try a change.
   */
  readonly explainSteps: number;
  /** Facts that the naive matcher of `sluice prove` looks at in all cases together. */
  readonly proveSteps: number;
}

export const DEFAULT_BUDGETS: Budgets = {
  graph: 600,
  explainSteps: 5_000_000,
  proveSteps: 50_000_000,
};

export const DEFAULT_LIMITS: Limits = {
  sourceBytes: 4 * 1024 * 1024,
  statementLexemes: 100_000,
  nesting: 256,
  gateNesting: 32,
  liveMatches: 5_000_000,
  alternatives: 4096,
  matchesPattern: 1000,
  likePattern: 256,
  text: 1024 * 1024,
  fields: 1000,
  valueNesting: 32,
  valueItems: 1_000_000,
  importNesting: 256,
};
