/** Small helpers for tests that speak to a session in words. */
import { compile, type FactView, type RuleSession } from "../../src/index.ts";

export function open(source: string): RuleSession {
  return compile(source).session({ facts: "none" });
}

/** The matches of a rule, each as `p=A~a q=3`, sorted. */
export function matchesOf(session: RuleSession, rule: string): string[] {
  return session
    .matches(rule)
    .map(({ bindings }) =>
      Object.entries(bindings)
        .map(([name, bound]) => `${name}=${isFact(bound) ? bound.id : JSON.stringify(bound)}`)
        .join(" "),
    )
    .sort();
}

function isFact(bound: unknown): bound is FactView {
  return typeof bound === "object" && bound !== null && "id" in bound && "fields" in bound;
}
