/** The stock work as rules of Sluice. */
import type { StockRule } from "../data/stock-work.ts";

const TYPES = `type Item(#id: number, code: number, price: number)
type Stock(#id: number, level: number)
action fire(rule: number, id: number)
`;

export function stockRules(rules: readonly StockRule[]): string {
  return TYPES + rules.map(ruleText).join("");
}

function ruleText({ code, price, level }: StockRule, rule: number): string {
  const item = `i: Item(code == ${code}, price >= ${price})`;
  const stock = `Stock(id == i.id, level < ${level})`;
  return `rule r${rule} { when ${item} ${stock} then fire(${rule}, i.id) }\n`;
}
