/** W1 and W4 as rules of Sluice. */
import { type AlphaWork, POOL, type Test } from "../data/alpha-work.ts";
import type { Condition } from "../data/sharing-work.ts";

const NUMBERS = Array.from({ length: 8 }, (_, index) => `n${index}: number`).join(", ");
const TYPES = `type Thing(#id: number, ${NUMBERS}, c0: string, c1: string)\naction fire(rule: number, id: number)\n`;

export function conjunctionRules(work: AlphaWork): string {
  return TYPES + rulesOf(work, ", ");
}

export function orRules(work: AlphaWork): string {
  return TYPES + rulesOf(work, " OR ");
}

function rulesOf({ tests, rules }: AlphaWork, joined: string): string {
  return rules
    .map((positions, rule) => ruleText(rule, positions.map((position) => testText(tests[position])).join(joined)))
    .join("");
}

/** Conjunctions of disjunctions. */
export function conditionRules(conditions: readonly Condition[]): string {
  const texts = conditions.map((condition, rule) => {
    const parts = condition.map((terms) => terms.map((position) => testText(POOL[position])).join(" OR "));
    return ruleText(rule, parts.length === 1 ? parts.join("") : parts.map((part) => `(${part})`).join(" AND "));
  });
  return TYPES + texts.join("");
}

function ruleText(rule: number, condition: string): string {
  return `rule r${rule} { when t: Thing(${condition}) then fire(${rule}, t.id) }\n`;
}

function testText(test: Test | undefined): string {
  return test === undefined ? "true" : `${test.field} ${test.op} ${JSON.stringify(test.value)}`;
}
