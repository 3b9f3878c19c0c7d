/**
 * Returns a rule as sentences name it: `rule "flag"`; the reactions of gates, flows, guardians and pipelines have
 * descriptive names already.
 */
export function ruleWords(rule: string): string {
  return isJudge(rule) ? rule : `rule "${rule}"`;
}

/** Returns whether it is a judge itself, such as `gate "deploy"`, and not one of its reactions, which are rules. */
export function isJudge(rule: string): boolean {
  return /^(?:gate|flow|guardian|pipeline) "[^]*"$/u.test(rule);
}
