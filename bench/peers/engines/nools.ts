/** nools: a RETE engine; conditions are texts, facts are instances of classes. */
import type { Item } from "../../data/order-work.ts";
import { conditionText, type Fire, load, type OrderEngine, type Peer } from "../peer.ts";

interface Package {
  readonly flow: (name: string, define: (flow: Flow) => void) => Flow;
}

interface Flow {
  rule(name: string, patterns: readonly unknown[], action: (facts: Record<string, { id: number }>) => void): void;
  getSession(): Session;
}

interface Session {
  assert(fact: object): object;
  retract(fact: object): void;
  match(): PromiseLike<unknown>;
}

class Thing {
  readonly id: number;

  constructor(fields: { readonly id: number }) {
    this.id = fields.id;
    Object.assign(this, fields);
  }
}
class Order extends Thing {}
class Customer extends Thing {}

function orderRules(flow: Flow, fire: Fire, single: boolean): void {
  const join = (number: number, order: string, customer: string): void =>
    flow.rule(
      `r${number}`,
      [
        [Order, "o", order],
        [Customer, "c", `c.id == o.cust && ${customer}`],
      ],
      (facts) => fire(number, facts["o"]?.id ?? 0),
    );
  join(0, "o.amount >= 1500", "c.tier == 'gold'");
  join(1, "o.status == 'open'", "c.limit < o.amount");
  join(2, "o.status == 'open'", "c.blocked == 'yes'");
  if (!single) return;
  const alone = (number: number, order: string): void =>
    flow.rule(`r${number}`, [Order, "o", order], (facts) => fire(number, facts["o"]?.id ?? 0));
  alone(3, "o.status == 'open' && o.amount >= 1900");
  alone(4, "o.status == 'void' && o.amount < 100");
}

class NoolsOrders implements OrderEngine {
  readonly #session: Session;
  readonly #known = new Map<string, object>();

  constructor(session: Session) {
    this.#session = session;
  }

  async fill(inserts: readonly Item[]): Promise<void> {
    for (const item of inserts) this.#add(item);
    await this.#session.match();
  }

  async change(changes: Parameters<OrderEngine["change"]>[0]): Promise<void> {
    for (const { type, id, by } of changes) {
      const old = this.#known.get(`${type}~${id}`);
      if (old !== undefined) this.#session.retract(old);
      this.#add(by);
      await this.#session.match();
    }
  }

  #add({ type, ...fields }: Item): void {
    const fact = type === "Order" ? new Order(fields) : new Customer(fields);
    this.#known.set(`${type}~${fields.id}`, this.#session.assert(fact));
  }
}

export const nools: Peer = {
  name: "nools",
  alpha: async (work, joined, fire) => {
    const { flow } = await load<Package>("nools");
    const words = { before: "t.", joined: joined === "and" ? " && " : " || " };
    const program = flow("alpha", (self) => {
      for (const [rule, positions] of work.rules.entries()) {
        self.rule(`r${rule}`, [Thing, "t", conditionText(work, positions, words)], (facts) =>
          fire(rule, facts["t"]?.id ?? 0),
        );
      }
    });
    return async (facts) => {
      const session = program.getSession();
      for (const fact of facts) session.assert(new Thing(fact));
      await session.match();
    };
  },
  orders: async (fire, single) => {
    const { flow } = await load<Package>("nools");
    const program = flow("orders", (self) => orderRules(self, fire, single));
    return () => new NoolsOrders(program.getSession());
  },
};
