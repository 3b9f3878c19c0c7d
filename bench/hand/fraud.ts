/** W6 by hand: a count and a sum for each account and least amount, and the rules of each. */
import { FRAUD_RULES, type Payment } from "../data/fraud-work.ts";

type Fire = (rule: number, id: number) => void;

interface Group {
  readonly from: number;
  readonly counts: boolean;
  /** With the least bound first. */
  readonly rules: { readonly rule: number; readonly bound: number }[];
}

const GROUPS = groups();

function groups(): Group[] {
  const all = new Map<string, Group>();
  for (const [rule, { what, from, bound }] of FRAUD_RULES.entries()) {
    const group = all.get(`${what} ${from}`) ?? { from, counts: what === "count", rules: [] };
    group.rules.push({ rule, bound });
    all.set(`${what} ${from}`, group);
  }
  for (const { rules } of all.values()) rules.sort((a, b) => a.bound - b.bound);
  return [...all.values()];
}

export class Fraud {
  readonly #values: Float64Array;
  readonly #accounts: number;
  readonly #fire: Fire;

  constructor(accounts: number, fire: Fire) {
    this.#accounts = accounts;
    this.#values = new Float64Array(accounts * GROUPS.length);
    this.#fire = fire;
  }

  add({ account, amount }: Payment): void {
    if (account >= this.#accounts) return;
    for (const [position, { from, counts, rules }] of GROUPS.entries()) {
      if (amount < from) continue;
      const at = account * GROUPS.length + position;
      const value = (this.#values[at] ?? 0) + (counts ? 1 : amount);
      this.#values[at] = value;
      for (const { rule, bound } of rules) {
        if (value < bound) break;
        this.#fire(rule, account);
      }
    }
  }
}
