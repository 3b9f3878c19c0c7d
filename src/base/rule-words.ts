/** `rule "flag"`; what a gate, flow, guardian or pipeline does goes by a name that already says what it is. */
export function ruleWords(rule: string): string {
  return isJudge(rule) ? rule : `rule "${rule}"`;
}

/** `gate "deploy"`, but not a reaction of it, which is a rule. */
export function isJudge(rule: string): boolean {
  return /^(?:gate|flow|guardian|pipeline) "[^]*"$/u.test(rule);
}
