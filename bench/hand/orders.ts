/** W2 and W5 by hand: two maps by id, and the orders of each customer. Every pair is tested when its second half comes. */
import type { Customer, Item, Order } from "../data/order-work.ts";

type Fire = (rule: number, id: number) => void;

export class Orders {
  readonly #customers = new Map<number, Customer>();
  readonly #orders = new Map<number, Order>();
  readonly #ordersOf = new Map<number, Set<Order>>();
  readonly #fire: Fire;
  /** W5 has two rules about an order alone. */
  readonly #single: boolean;

  constructor(fire: Fire, single: boolean) {
    this.#fire = fire;
    this.#single = single;
  }

  add(item: Item): void {
    if (item.type === "Order") this.#addOrder(item);
    else this.#addCustomer(item);
  }

  remove(type: Item["type"], id: number): void {
    if (type === "Customer") {
      this.#customers.delete(id);
      return;
    }
    const order = this.#orders.get(id);
    if (order === undefined) return;
    this.#orders.delete(id);
    this.#ordersOf.get(order.cust)?.delete(order);
  }

  #addOrder(order: Order): void {
    this.#orders.set(order.id, order);
    const others = this.#ordersOf.get(order.cust);
    if (others === undefined) this.#ordersOf.set(order.cust, new Set([order]));
    else others.add(order);
    const customer = this.#customers.get(order.cust);
    if (customer !== undefined) this.#pair(order, customer);
    if (!this.#single) return;
    if (order.status === "open" && order.amount >= 1900) this.#fire(3, order.id);
    if (order.status === "void" && order.amount < 100) this.#fire(4, order.id);
  }

  #addCustomer(customer: Customer): void {
    this.#customers.set(customer.id, customer);
    for (const order of this.#ordersOf.get(customer.id) ?? []) this.#pair(order, customer);
  }

  #pair(order: Order, customer: Customer): void {
    if (order.amount >= 1500 && customer.tier === "gold") this.#fire(0, order.id);
    if (order.status !== "open") return;
    if (customer.limit < order.amount) this.#fire(1, order.id);
    if (customer.blocked === "yes") this.#fire(2, order.id);
  }
}
