/**
 * `not` over facts with the same key and a larger amount: which bid on an item leads, after every bid.
 *
 *   npm run bench -- negation
 *
 * W8 has 100 items, and after every eight bids one that leads is withdrawn. In W8up all bids are on one item, each higher than all before.
 */
import { type AuctionEvent, auctionWork, risingWork } from "./data/auction-work.ts";
import { Auction } from "./hand/auction.ts";
import { programOf, runToRest } from "./lib/open.ts";
import { benchmarkOf, casesOf, type Task } from "./lib/task.ts";
import { assertion, rulesForClips } from "./peers/clips/clips.ts";

const RULES = `type Bid(#id: number, item: number, amount: number)
action fire(rule: number, id: number)
rule leads { when b: Bid not Bid(item == b.item, amount > b.amount) then fire(0, b.id) }
`;

type Events = readonly AuctionEvent[];

function bidding(work: string, given: (size: number) => Events): Task<Events> {
  return {
    work,
    sizes: [2000, 4000, 8000, 16_000],
    given,
    program: () => programOf(RULES),
    onSluice: (session, events) => ({
      work: () => {
        for (const { comes, bid } of events) {
          if (comes) session.assert("Bid", bid);
          else session.retract(`Bid~${bid.id}`);
          runToRest(session);
        }
      },
    }),
    byHand: (events, fire) => ({
      work: () => {
        const auction = new Auction((bid) => fire(0, bid));
        for (const { comes, bid } of events) {
          if (comes) auction.add(bid);
          else auction.remove(bid);
        }
      },
    }),
    onClips: (events) => {
      const gone = new Set(events.filter(({ comes }) => !comes).map(({ bid }) => bid.id));
      const coming = ({ bid }: AuctionEvent): string =>
        gone.has(bid.id) ? `(bind ?*b${bid.id}* ${assertion("Bid", bid)})` : assertion("Bid", bid);
      return {
        rules: rulesForClips(RULES),
        globals: [...gone].map((id) => `b${id}`),
        timed: events.map((event) => `${event.comes ? coming(event) : `(retract ?*b${event.bid.id}*)`} (run)`),
      };
    },
  };
}

export const tasks = { random: bidding("W8", auctionWork), rising: bidding("W8up", risingWork) };

export const benchmark = benchmarkOf("which bid leads, by not over larger ones (size: bids)", [
  ...casesOf(tasks.random),
  ...casesOf(tasks.rising),
]);
