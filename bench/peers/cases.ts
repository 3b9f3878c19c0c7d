/** How peers are measured: as often as Sluice, for as long, after the same warm-up; and the answer is checked each time. */
import { expectedAlpha, expectedOrders } from "../data/expected.ts";
import { Tally } from "../data/random.ts";
import { type AlphaName, alphaWork } from "../lib/alpha-cases.ts";
import { CannotExpress, type Figures } from "../lib/benchmark.ts";
import { bothAnswers, type OrderName, orderWork } from "../lib/order-cases.ts";
import { repeatSlowly } from "../lib/repeat.ts";
import type { OrderEngine, Peer } from "./peer.ts";

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
  const times = await repeatSlowly({
    make: () => match,
    work: async () => {
      await match(work.facts);
      return tally.take();
    },
    expected: expectedAlpha(name, rules, facts),
  });
  return { build, ...times };
}

export async function ordersOnPeer(peer: Peer, name: OrderName, built: () => void): Promise<Figures> {
  if (peer.orders === undefined) throw new CannotExpress("keeps no facts, so it cannot join them");
  const { inserts, changes } = orderWork(name);
  const tally = new Tally();
  const begin = performance.now();
  const open = await peer.orders(tally.fire, name === "W5");
  const build = performance.now() - begin;
  built();
  const filled = async (): Promise<OrderEngine> => {
    const engine = open();
    await engine.fill(inserts);
    return engine;
  };
  const changed = async (engine: OrderEngine): Promise<ReturnType<Tally["take"]>> => {
    await engine.change(changes);
    return tally.take();
  };
  const times =
    name === "W2"
      ? await repeatSlowly({
          make: open,
          work: async (engine) => {
            await engine.fill(inserts);
            return bothAnswers(tally.take(), await changed(engine));
          },
          expected: bothAnswers(expectedOrders(name).inserts, expectedOrders(name).changes),
        })
      : await repeatSlowly({
          make: async () => {
            const engine = await filled();
            tally.take();
            return engine;
          },
          work: changed,
          expected: expectedOrders(name).changes,
        });
  return { build, ...times };
}
