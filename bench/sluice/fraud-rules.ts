/** W6 as rules of Sluice. */
import { FRAUD_RULES, type FraudRule } from "../data/fraud-work.ts";

const TYPES = `type Account(#id: number)
type Payment(#id: number, account: number, amount: number)
action fire(rule: number, id: number)
`;

export function fraudRules(): string {
  return TYPES + FRAUD_RULES.map(ruleText).join("");
}

function ruleText({ what, from, bound }: FraudRule, rule: number): string {
  const value = what === "count" ? "count()" : "sum(p.amount)";
  const payments = `p: Payment(p.account == a.id, p.amount >= ${from})`;
  return `rule r${rule} { when a: Account n: ${value} from ${payments} where n >= ${bound} then fire(${rule}, a.id) }\n`;
}
