/** The names of the conflict strategies; {@link Strategy} says what each does. */
export const STRATEGIES = ["breadth", "depth", "lex"] as const;

/**
 * The order in which activations of equal salience fire: `breadth` oldest change first, `depth` newest change first,
 * `lex` by the recency of all facts of the match.
 */
export type Strategy = (typeof STRATEGIES)[number];
