/**
 * Many rules, each about few facts: a rule names a product code, a price from which it cares, and a level that the stock must
 * be below. However many rules there are, about three of them name the code of an item, so matches per fact stay the same.
 */
import { below, SEED, seeded } from "./random.ts";

export interface StockRule {
  readonly code: number;
  readonly price: number;
  readonly level: number;
}

export type Item = {
  readonly id: number;
  readonly code: number;
  readonly price: number;
};

/** One for each item, with the same id. */
export type Stock = {
  readonly id: number;
  readonly level: number;
};

export interface StockWork {
  readonly rules: readonly StockRule[];
  readonly items: readonly Item[];
  readonly stocks: readonly Stock[];
  /** How many codes there are. */
  readonly codes: number;
}

const RULES_PER_CODE = 3;

export function stockWork(rules: number, items: number): StockWork {
  const random = seeded(SEED + 8);
  const codes = Math.ceil(rules / RULES_PER_CODE);
  return {
    codes,
    rules: Array.from({ length: rules }, (_, rule) => ({
      code: rule % codes,
      price: below(random, 100),
      level: 10 * below(random, 10),
    })),
    items: Array.from({ length: items }, (_, id) => ({ id, code: below(random, codes), price: below(random, 100) })),
    stocks: Array.from({ length: items }, (_, id) => ({ id, level: below(random, 100) })),
  };
}
