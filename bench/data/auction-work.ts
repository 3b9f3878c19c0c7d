/** W8: bids on items, some of them withdrawn. W8up: bids on one item, each higher than all before. */
import { below, SEED, seeded } from "./random.ts";

export type Bid = {
  readonly id: number;
  readonly item: number;
  readonly amount: number;
};

/** A bid comes, or the bid goes. */
export interface AuctionEvent {
  readonly comes: boolean;
  readonly bid: Bid;
}

const ITEMS = 100;
const AMOUNTS = 1000;
/** After so many bids one that leads is withdrawn. */
const BETWEEN = 8;

export function auctionWork(bids: number): AuctionEvent[] {
  const random = seeded(SEED + 13);
  const live: Bid[][] = Array.from({ length: ITEMS }, () => []);
  const events: AuctionEvent[] = [];
  for (let id = 0; id < bids; id++) {
    const bid = { id, item: below(random, ITEMS), amount: below(random, AMOUNTS) };
    live[bid.item]?.push(bid);
    events.push({ comes: true, bid });
    if (id % BETWEEN !== BETWEEN - 1) continue;
    const item = below(random, ITEMS);
    const gone = leaderOf(live[item] ?? []);
    if (gone === undefined) continue;
    live[item] = (live[item] ?? []).filter((other) => other !== gone);
    events.push({ comes: false, bid: gone });
  }
  return events;
}

function leaderOf(bids: readonly Bid[]): Bid | undefined {
  const most = Math.max(...bids.map(({ amount }) => amount));
  return bids.find(({ amount }) => amount === most);
}

export function risingWork(bids: number): AuctionEvent[] {
  return Array.from({ length: bids }, (_, id) => ({ comes: true, bid: { id, item: 0, amount: 10 * id } }));
}
