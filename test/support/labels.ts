/** Matches in terms of what the facts are, for comparing sessions that gave them different ids. */
import type { MatchView, RuleSession } from "../../src/index.ts";
import { canonical } from "../../src/prove/compare.ts";
import type { Value } from "../../src/base/value.ts";
import { isFact, type MatchTexts } from "./rig.ts";

/** The matches of each rule; a fact is shown by its label, and lists without their order. */
export function labelledTexts(
  session: RuleSession,
  rules: Iterable<string>,
  labels: ReadonlyMap<string, string>,
): MatchTexts {
  return new Map(
    [...rules].map((rule) => [
      rule,
      session
        .matches(rule)
        .map((match) => textOf(match, labels))
        .sort(),
    ]),
  );
}

function textOf({ bindings }: MatchView, labels: ReadonlyMap<string, string>): string {
  const parts = Object.entries(bindings).map(([name, bound]) => {
    return `${name}=${isFact(bound) ? (labels.get(bound.id) ?? bound.id) : unordered(bound)}`;
  });
  return parts.sort().join(" ");
}

/** Lists are collected in the order of the facts, which is what differs. */
function unordered(value: Value | undefined): string {
  return Array.isArray(value) ? `[${value.map(canonical).sort().join(",")}]` : canonical(value);
}
