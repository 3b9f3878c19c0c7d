/** W1 and W4 as rules of Sluice. */
import type { AlphaWork, Test } from "../data/alpha-work.ts";

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
    .map((positions, rule) => {
      const condition = positions.map((position) => testText(tests[position])).join(joined);
      return `rule r${rule} { when t: Thing(${condition}) then fire(${rule}, t.id) }\n`;
    })
    .join("");
}

function testText(test: Test | undefined): string {
  return test === undefined ? "true" : `${test.field} ${test.op} ${JSON.stringify(test.value)}`;
}
