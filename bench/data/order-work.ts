/**
 * W2 and W5: orders joined with customers.
 *
 * W2 inserts 11,000 facts, fires, and then replaces 110 of them one by one. W5 does the same with 100,000 facts and 10,000
 * replacements, and has two more rules that look at one order alone. Sums are over rule and order.
 */
import { below, type Random, SEED, seeded, shuffle } from "./random.ts";

export interface Customer {
  readonly type: "Customer";
  readonly id: number;
  readonly tier: string;
  readonly limit: number;
  readonly blocked: string;
}

export interface Order {
  readonly type: "Order";
  readonly id: number;
  readonly cust: number;
  readonly amount: number;
  readonly status: string;
}

export type Item = Customer | Order;

/** One fact goes and one comes, then rules fire. */
interface Replacement {
  readonly type: Item["type"];
  readonly id: number;
  readonly by: Item;
}

export interface OrderWork {
  readonly inserts: readonly Item[];
  readonly changes: readonly Replacement[];
}

export function joinWork(): OrderWork {
  const random = seeded(SEED + 2);
  const inserts = items(random, 1000, 10_000);
  const changes: Replacement[] = [];
  distinct(random, 10_000, 100, (id) => changes.push(replaced(orderOf(random, id, 1000))));
  distinct(random, 1000, 10, (id) => changes.push(replaced(customerOf(random, id))));
  return { inserts, changes: shuffle(random, changes) };
}

export function changeWork(): OrderWork {
  return replacing(10_000, 90_000, 10_000);
}

/** W5 in any size: ten orders for each customer. */
export function loadWork(facts: number, count: number): OrderWork {
  const customers = Math.round(facts / 11);
  return replacing(customers, facts - customers, count);
}

function replacing(customers: number, orders: number, count: number): OrderWork {
  const random = seeded(SEED + 5);
  const inserts = items(random, customers, orders);
  const alive = Array.from({ length: orders }, (_, id) => id);
  const changes: Replacement[] = [];
  let next = orders;
  for (let change = 0; change < count; change++) {
    if (random() < 0.9) {
      const position = below(random, alive.length);
      const id = alive[position] ?? 0;
      alive[position] = next;
      changes.push({ type: "Order", id, by: orderOf(random, next++, customers) });
    } else {
      changes.push(replaced(customerOf(random, below(random, customers))));
    }
  }
  return { inserts, changes };
}

function items(random: Random, customers: number, orders: number): Item[] {
  const all: Item[] = [];
  for (let id = 0; id < customers; id++) all.push(customerOf(random, id));
  for (let id = 0; id < orders; id++) all.push(orderOf(random, id, customers));
  return shuffle(random, all);
}

function customerOf(random: Random, id: number): Customer {
  const luck = random();
  const tier = luck < 0.1 ? "gold" : luck < 0.4 ? "silver" : "bronze";
  return { type: "Customer", id, tier, limit: below(random, 2000), blocked: random() < 0.05 ? "yes" : "no" };
}

function orderOf(random: Random, id: number, customers: number): Order {
  const cust = below(random, customers);
  const amount = below(random, 2000);
  const luck = random();
  return { type: "Order", id, cust, amount, status: luck < 0.5 ? "open" : luck < 0.9 ? "paid" : "void" };
}

function replaced(by: Item): Replacement {
  return { type: by.type, id: by.id, by };
}

function distinct(random: Random, end: number, count: number, each: (id: number) => void): void {
  const seen = new Set<number>();
  while (seen.size < count) {
    const id = below(random, end);
    if (seen.has(id)) continue;
    seen.add(id);
    each(id);
  }
}
