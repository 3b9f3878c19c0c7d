/** The limits of a program. They are checked before the work that they bound. */
export interface Limits {
  /** Bytes of one source text in UTF-8. Default: 4 MiB. */
  readonly sourceBytes: number;
  /** Lexemes of one statement. Plain facts do not count. Default: 100,000. */
  readonly statementLexemes: number;
  /** Nested brackets and prefix operators. Default: 256. */
  readonly nesting: number;
  /** Nested operators below the root of a gate's requirement. Default: 32. */
  readonly gateNesting: number;
  /** Live partial matches of a session. Default: 5,000,000. */
  readonly liveMatches: number;
  /** Alternatives of a rule after multiplying out `or` between patterns. Default: 4,096. */
  readonly alternatives: number;
  /** Characters in a pattern of `matches`. Default: 1,000. */
  readonly matchesPattern: number;
  /** Characters in a pattern of `like`. Default: 256. */
  readonly likePattern: number;
  /** UTF-16 units of one string value. Default: 1,048,576. */
  readonly text: number;
  /** Fields of one fact. Default: 1,000. */
  readonly fields: number;
  /** Nested lists and objects in one field of a fact. Default: 32. */
  readonly valueNesting: number;
  /** Items of all lists and objects of one fact together. Default: 1,000,000. */
  readonly valueItems: number;
  /** Nested imports. Default: 256. */
  readonly importNesting: number;
}

/** The work that a question may cost before it stops. An answer that stopped early says so. */
export interface Budgets {
  /** Boxes and arrows in a picture of the network. Beyond it, parts are merged. */
  readonly graph: number;
  /**
   * Steps of one `why`, `whyNot`, `wouldOpen` or `wouldPass`: facts read, search states visited, facts copied to
   * verify a change.
   */
  readonly explainSteps: number;
  /** Facts that the brute-force matcher of `sluice prove` reads in all cases together. */
  readonly proveSteps: number;
}

/** The default budgets. */
export const DEFAULT_BUDGETS: Budgets = {
  graph: 600,
  explainSteps: 5_000_000,
  proveSteps: 50_000_000,
};

/** The default limits. */
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

/** The most definitions of one kind, such as conditions, that each use the one before. It bounds how deep programs are read. */
export const LONGEST_CHAIN = 256;

/** The most UTF-16 units of a string that an expression makes. A longer one is unknown, and reported (E521). */
export const LONGEST_MADE_STRING: number = 1024 * 1024;
