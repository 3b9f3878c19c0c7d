/**
 * Returns a rule as sentences name it: `rule "flag"`; the reactions of gates, flows, guardians and pipelines have
 * descriptive names already.
 */
export function ruleWords(rule: string): string {
  return isJudge(rule) ? rule : `rule "${rule}"`;
}

/** Returns whether it is a judge itself, such as `gate "deploy"`, or a query, and not one of its reactions, which are rules. */
export function isJudge(rule: string): boolean {
  return /^(?:gate|flow|guardian|pipeline|query) "[^]*"$/u.test(rule);
}

/** Returns the name that the network has for a query. */
export function queryWords(query: string): string {
  return `query "${query}"`;
}
