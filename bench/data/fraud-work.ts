/**
 * W6: payments of accounts, and 50 rules about them. A rule counts or adds up the payments of an account from an amount on, and fires with
 * every payment that leaves the count or sum at or above its bound.
 */
import { below, type Random, SEED, seeded } from "./random.ts";

export interface FraudRule {
  readonly what: "count" | "sum";
  /** The least amount of a payment that counts. */
  readonly from: number;
  readonly bound: number;
}

export type Payment = {
  readonly id: number;
  readonly account: number;
  readonly amount: number;
};

export interface FraudWork {
  readonly accounts: number;
  readonly payments: readonly Payment[];
}

/** How many payments an account has, on average. */
const EACH = 50;
/** The share of payments that belong to an account that nobody watches. */
const OTHERS = 0.2;
const MOST = 1000;
/** Bounds are so many times what an account has on average. */
const TIMES = [1, 1.15, 1.3, 1.45, 1.6];

export const FRAUD_RULES: readonly FraudRule[] = [
  ...[100, 300, 500, 700, 900].flatMap((from) => TIMES.map((times) => counting(from, times))),
  ...[1, 200, 400, 600, 800].flatMap((from) => TIMES.map((times) => adding(from, times))),
];

function counting(from: number, times: number): FraudRule {
  return { what: "count", from, bound: Math.ceil(EACH * times * (1 - Math.sqrt(from / MOST))) };
}

function adding(from: number, times: number): FraudRule {
  const mean = (MOST * (1 - (from / MOST) ** 1.5)) / 3;
  return { what: "sum", from, bound: Math.round(EACH * times * mean) };
}

export function fraudWork(count: number): FraudWork {
  const random = seeded(SEED + 14);
  const accounts = Math.round(((1 - OTHERS) * count) / EACH);
  const payments = Array.from({ length: count }, (_, id): Payment => {
    const watched = random() >= OTHERS;
    return { id, account: below(random, accounts) + (watched ? 0 : accounts), amount: amountOf(random) };
  });
  return { accounts, payments };
}

/** Small amounts are more frequent than large ones. */
function amountOf(random: Random): number {
  return Math.max(1, Math.floor(MOST * random() ** 2));
}
