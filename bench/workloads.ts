/**
 * W1, W2, W4 and W5 on Sluice, and beside it a program written by hand for exactly this work: the practical limit.
 *
 *   npm run bench -- workloads
 */
import { alphaByHand, type AlphaName, alphaOnSluice } from "./lib/alpha-cases.ts";
import type { Benchmark, Case } from "./lib/benchmark.ts";
import { type OrderName, ordersByHand, ordersOnSluice } from "./lib/order-cases.ts";

const FACTS = 10_000;

function alpha(work: AlphaName, size: number): Case[] {
  return [
    { work, size, engine: "sluice", measure: () => alphaOnSluice(work, size, FACTS) },
    { work, size, engine: "hand", measure: () => alphaByHand(work, size, FACTS) },
  ];
}

function orders(work: OrderName, size: number): Case[] {
  return [
    { work, size, engine: "sluice", measure: () => ordersOnSluice(work) },
    { work, size, engine: "hand", measure: () => ordersByHand(work) },
  ];
}

export const benchmark: Benchmark = {
  about: "the same work on Sluice and written by hand (size: rules in W1 and W4, facts in W2, replacements in W5)",
  picture: "works",
  processes: 5,
  figures: [
    { key: "build", title: "build", unit: "ms" },
    { key: "first", title: "first run", unit: "ms" },
    { key: "warm", title: "warm", unit: "ms" },
    { key: "filling", title: "filling", unit: "ms" },
  ],
  versus: "warm",
  cases: [
    ...[10, 100, 1000, 5000].flatMap((rules) => alpha("W1", rules)),
    ...[100, 1000].flatMap((rules) => alpha("W4", rules)),
    ...orders("W2", 11_000),
    ...orders("W5", 10_000),
  ],
};
