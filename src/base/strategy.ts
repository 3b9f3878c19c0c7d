/** The conflict strategies by name. What each does is in session/agenda/strategies.ts. */
export const STRATEGIES = ["breadth", "depth", "lex"] as const;

/**
 * The order in which activations of equal salience fire: `breadth` oldest change first, `depth` newest change first,
 * `lex` by the recency of all facts of the match.
 */
export type Strategy = (typeof STRATEGIES)[number];
