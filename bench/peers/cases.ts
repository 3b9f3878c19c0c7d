/** How peers are measured: at most 20 seconds each, and the answer is checked. */
import { expectedAlpha, expectedOrders } from "../data/expected.ts";
import { Tally } from "../data/random.ts";
import { type AlphaName, alphaWork } from "../lib/alpha-cases.ts";
import { CannotExpress, type Figures, verify } from "../lib/benchmark.ts";
import { type OrderName, orderWork } from "../lib/order-cases.ts";
import type { Peer } from "./peer.ts";

/** Milliseconds after which no other round is begun. */
const PATIENCE = 4000;
const ROUNDS = 4;

export async function alphaOnPeer(
  peer: Peer,
  name: AlphaName,
  rules: number,
  facts: number,
  built: () => void,
): Promise<Figures> {
  const work = alphaWork(name, rules, facts);
  const tally = new Tally();
  const begin = performance.now();
  const match = await peer.alpha(work, name === "W1" ? "and" : "or", tally.fire);
  const build = performance.now() - begin;
  built();
  let warm = Number.POSITIVE_INFINITY;
  const end = performance.now() + PATIENCE;
  for (let round = 0; round < ROUNDS && (round === 0 || performance.now() < end); round++) {
    const start = performance.now();
    await match(work.facts);
    warm = Math.min(warm, performance.now() - start);
    verify(tally.take(), expectedAlpha(name, rules, facts));
  }
  return { build, warm };
}

export async function ordersOnPeer(peer: Peer, name: OrderName): Promise<Figures> {
  if (peer.orders === undefined) throw new CannotExpress("keeps no facts, so it cannot join them");
  const work = orderWork(name);
  const tally = new Tally();
  const begin = performance.now();
  const engine = await peer.orders(tally.fire, name === "W5");
  const build = performance.now() - begin;
  const start = performance.now();
  await engine.fill(work.inserts);
  const middle = performance.now();
  verify(tally.take(), expectedOrders(name).inserts);
  const changing = performance.now();
  await engine.change(work.changes);
  const end = performance.now();
  verify(tally.take(), expectedOrders(name).changes);
  const changes = end - changing;
  return { build, warm: name === "W2" ? middle - start + changes : changes };
}
