/** The stock work by hand: the rules of each code, and both halves by id. */
import type { Item, Stock, StockRule, StockWork } from "../data/stock-work.ts";

type Fire = (rule: number, id: number) => void;

interface Numbered extends StockRule {
  readonly rule: number;
}

export class Stocks {
  readonly #rulesOf: Numbered[][];
  readonly #items = new Map<number, Item>();
  readonly #stocks = new Map<number, Stock>();
  readonly #fire: Fire;

  constructor({ rules, codes }: Pick<StockWork, "rules" | "codes">, fire: Fire) {
    this.#rulesOf = Array.from({ length: codes }, () => []);
    for (const [rule, one] of rules.entries()) this.#rulesOf[one.code]?.push({ ...one, rule });
    this.#fire = fire;
  }

  addItem(item: Item): void {
    this.#items.set(item.id, item);
    const stock = this.#stocks.get(item.id);
    if (stock !== undefined) this.#pair(item, stock);
  }

  addStock(stock: Stock): void {
    this.#stocks.set(stock.id, stock);
    const item = this.#items.get(stock.id);
    if (item !== undefined) this.#pair(item, stock);
  }

  #pair(item: Item, stock: Stock): void {
    for (const { rule, price, level } of this.#rulesOf[item.code] ?? []) {
      if (item.price >= price && stock.level < level) this.#fire(rule, item.id);
    }
  }
}

/** What fires when everything is there. */
export function stockAnswer(work: StockWork, fire: Fire): void {
  const stocks = new Stocks(work, fire);
  for (const item of work.items) stocks.addItem(item);
  for (const stock of work.stocks) stocks.addStock(stock);
}
