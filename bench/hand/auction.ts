/** W8 and W8up by hand: the bids of each item in ascending order. A bid that begins to lead is reported, and those with the same amount. */
import type { Bid } from "../data/auction-work.ts";

export class Auction {
  readonly #byItem = new Map<number, Bid[]>();
  readonly #lead: (bid: number) => void;

  constructor(lead: (bid: number) => void) {
    this.#lead = lead;
  }

  add(bid: Bid): void {
    const bids = this.#bidsOn(bid.item);
    bids.splice(firstFrom(bids, bid.amount), 0, bid);
    if ((bids.at(-1)?.amount ?? 0) === bid.amount) this.#lead(bid.id);
  }

  remove(bid: Bid): void {
    const bids = this.#bidsOn(bid.item);
    const led = bids.at(-1)?.amount === bid.amount;
    bids.splice(bids.indexOf(bid, firstFrom(bids, bid.amount)), 1);
    const most = bids.at(-1)?.amount ?? bid.amount;
    if (!led || most === bid.amount) return; // others with this amount led as well
    for (let index = firstFrom(bids, most); index < bids.length; index++) this.#lead(bids[index]?.id ?? 0);
  }

  #bidsOn(item: number): Bid[] {
    let bids = this.#byItem.get(item);
    if (bids === undefined) {
      bids = [];
      this.#byItem.set(item, bids);
    }
    return bids;
  }
}

/** Returns how many bids are below an amount. */
function firstFrom(bids: readonly Bid[], amount: number): number {
  let low = 0;
  let high = bids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bids[middle]?.amount ?? 0) < amount) low = middle + 1;
    else high = middle;
  }
  return low;
}
