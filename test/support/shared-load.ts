/**
 * Many clients on one session: they submit orders, look at them, change and withdraw them, while handlers are slow, fail and time out. At
 * the end everything that was acknowledged must be there, and nothing else. Used by a short test and by `scripts/load.mjs`.
 */
import {
  type ActionContext,
  compile,
  type FactChange,
  SeededRandom,
  type Session,
  SessionError,
} from "../../src/index.ts";

const SOURCE = `
  type Order(#num: number, client: number, total: number)
  type Paid(#num: number, total: number)
  action pay(num: number, total: number)
  rule "pay" { when o: Order(total > 50) not Paid(num == o.num) then pay(o.num, o.total) insert Paid(num: o.num, total: o.total) }`;

/** What the load did, and what was found at the end. */
export interface LoadReport {
  readonly calls: number;
  readonly acknowledged: number;
  /** Submissions in whose run something failed. */
  readonly failedRuns: number;
  /** Orders that should be there and are not, or the other way round, or with another total. */
  readonly wrong: readonly number[];
  /** Payments of one firing that the outbox of the host has more than once. */
  readonly paidTwice: number;
  /** The bytes of the heap in use after each tenth of the calls; empty when the garbage cannot be collected. */
  readonly heap: readonly number[];
}

/** Makes `calls` mixed calls by `clients` concurrent clients. */
export async function sharedLoad(calls: number, clients: number, seed = 1): Promise<LoadReport> {
  const load = new Load(seed);
  const heap: number[] = [];
  for (let tenth = 1; tenth <= 10; tenth++) {
    await Promise.all(Array.from({ length: clients }, (_, client) => load.work(client, calls / clients / 10)));
    const used = heapUsed();
    if (used !== undefined) heap.push(used);
  }
  return load.report(heap);
}

class Load {
  readonly #random: SeededRandom;
  readonly #session: Session;
  /** The orders that were acknowledged, by number. */
  readonly #orders = new Map<number, number>();
  /** What the host did, by the key of the effect: a repeated call does nothing. */
  readonly #outbox = new Set<string>();
  #calls = 0;
  #acknowledged = 0;
  #failedRuns = 0;
  #paidTwice = 0;
  #next = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    const pay = async (key: string, num: number): Promise<void> => this.#pay(key, num);
    this.#session = compile(SOURCE).session({
      history: 100,
      actions: {
        async pay(this: ActionContext, num: number) {
          await pay(this.key, num);
        },
      },
    });
  }

  /** Makes calls, one after the other. An order belongs to one client, so its last acknowledged total is known. */
  async work(client: number, calls: number): Promise<void> {
    const own: number[] = [];
    for (let call = 0; call < calls; call++) {
      this.#calls += 1;
      await this.#call(client, own);
      if (own.length > 20) await this.#withdraw(own.shift() ?? 0);
    }
    for (const num of own) await this.#withdraw(num);
  }

  report(heap: readonly number[]): LoadReport {
    const found = new Map(this.#session.facts("Order").map(({ fields }) => [fields["num"], fields["total"]]));
    const all = new Set([...this.#orders.keys(), ...(found.keys() as Iterable<number>)]);
    const wrong = [...all].filter((num) => found.get(num) !== this.#orders.get(num));
    const acknowledged = this.#acknowledged;
    const failedRuns = this.#failedRuns;
    return { calls: this.#calls, acknowledged, failedRuns, wrong, paidTwice: this.#paidTwice, heap };
  }

  async #call(client: number, own: number[]): Promise<void> {
    const session = this.#session;
    const num = own[this.#below(own.length)];
    const total = this.#below(100);
    switch (this.#below(5)) {
      case 0:
        if (num !== undefined && session.fact(`Order~${num}`)?.fields["total"] !== this.#orders.get(num)) {
          throw new Error(`order ${num} is not as it was acknowledged`);
        }
        return;
      case 1: // at once, while others are awaited
        if (num !== undefined && session.update(`Order~${num}`, { total })) this.#acknowledge(num, total);
        return;
      case 2: // refused: nothing may change
        await this.#submit({ op: "assert", type: "Order", fields: { num: "none", client, total } });
        return;
      default: {
        this.#next += 1;
        const fresh = this.#next;
        if (await this.#submit({ op: "assert", type: "Order", fields: { num: fresh, client, total } })) {
          own.push(fresh);
          this.#acknowledge(fresh, total);
        }
      }
    }
  }

  async #withdraw(num: number): Promise<void> {
    const changes = [{ op: "retract", fact: `Order~${num}` } as const, { op: "retract", fact: `Paid~${num}` } as const];
    if (await this.#submit(...changes)) {
      this.#orders.delete(num);
      this.#acknowledged += 1;
    }
  }

  /** Returns whether the changes were made: they are, also when something fails in the run that follows them. */
  async #submit(...changes: FactChange[]): Promise<boolean> {
    try {
      const { failed } = await this.#session.submit(changes, { collect: false });
      if (failed !== undefined) this.#failedRuns += 1;
      return true;
    } catch (error) {
      if (error instanceof SessionError && error.code === "E407") return false;
      throw error;
    }
  }

  async #pay(key: string, num: number): Promise<void> {
    await Promise.resolve();
    if (this.#below(50) === 0) throw new Error(`the bank is down for ${num}`);
    if (this.#outbox.has(key)) this.#paidTwice += 1;
    this.#outbox.add(key);
    if (this.#outbox.size > 1000) this.#outbox.delete(this.#outbox.values().next().value ?? "");
  }

  #acknowledge(num: number, total: number): void {
    this.#orders.set(num, total);
    this.#acknowledged += 1;
  }

  #below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }
}

function heapUsed(): number | undefined {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) return undefined;
  gc();
  return process.memoryUsage().heapUsed;
}
