/**
 * What the clock costs: a million instants at which something turns, a log that is replayed, and the next instant after every ping.
 *
 *   npm run bench -- time
 *
 * `now`, `window` and `expiry` move the clock once over as many instants as the size says: a test of a fact turns, a fact leaves a
 * window, a fact expires. `replay` sends a log through a window and an expiry, an event each second, some of them late and some from
 * the future. `ping` asks for the next instant after each sign of life of a host. Times are processor time, so what else the machine
 * does counts less.
 */
import { below, SEED, seeded, shuffle, Tally } from "./data/random.ts";
import { eventsOf, LENGTH, type LogEvent } from "./data/event-log.ts";
import { findBursts } from "./hand/bursts.ts";
import { Silences } from "./hand/silences.ts";
import { type Answer, type Benchmark, type Case, type Figures, verify, WrongAnswer } from "./lib/benchmark.ts";
import { heapUsed, MEGABYTE } from "./lib/heap.ts";
import { open, programOf, runToRest } from "./lib/open.ts";
import { collectGarbage } from "./lib/repeat.ts";

const FLIPS = [10_000, 100_000, 1_000_000];
const EVENTS = [10_000, 100_000, 1_000_000];
const HOSTS = [1000, 10_000, 100_000];
const PINGS = 200_000;
/** The replayed log ends with at most this much more on the heap than there was after a quarter of it. */
const MOST_GROWTH = 4 * MEGABYTE;

const SECOND = 1000;
const DAY = 86_400 * SECOND;

type Turning = "now" | "window" | "expiry";

/** The rule fires when half of the flips are behind. */
const PROGRAMS: Readonly<Record<Turning, (half: number) => string>> = {
  now: (half) => `type E(#id: number, at: instant)
rule "half" { when where COUNT(e: E / now >= e.at) >= ${half} then fire(1, 1) }`,
  window: (half) => `type E(#id: number, @at: instant)
rule "half" { when where COUNT(e: E over last 30 days) <= ${half} then fire(1, 1) }`,
  expiry: (half) => `type E(#id: number, @at: instant) expires 30 days
rule "half" { when where COUNT(e: E) <= ${half} then fire(1, 1) }`,
};

/** Returns an instant as text. */
function text(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns the processor time so far, in microseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Moves the clock over so many flips, one each second, of facts that came in another order; returns the microseconds. */
function turned(work: Turning, flips: number): number {
  const half = flips / 2;
  const tally = new Tally();
  const session = open(programOf(PROGRAMS[work](half)), { fire: tally.fire });
  const times = shuffle(
    seeded(SEED),
    Array.from({ length: flips }, (_, at) => (at + 1) * SECOND),
  );
  // What leaves a window or expires was there before the first of them goes.
  const begin = work === "now" ? 0 : flips * SECOND;
  session.advance(text(begin));
  for (const [id, at] of times.entries()) session.assert("E", { id, at: text(at) });
  const first = work === "now" ? 0 : 30 * DAY;
  const answer = (): Answer => ({ fired: runToRest(session), facts: session.size });
  const live = (passed: number): number => (work === "expiry" ? flips - passed : flips);
  verify(answer(), { fired: 0, facts: flips });
  collectGarbage();
  const start = processorTime();
  session.advance(text(first + half * SECOND - 1));
  const before = answer();
  session.advance(text(first + half * SECOND));
  const after = answer();
  session.advance(text(first + flips * SECOND));
  const took = processorTime() - start;
  verify(before, { fired: 0, facts: live(half - 1) });
  verify(after, { fired: 1, facts: live(half) });
  verify({ ...session.counters(), ...answer() }, { fired: 0, facts: live(flips), timers: 0 });
  return took;
}

/** The time of each flip, and the power of the number of flips with which the time grows: 1 is linear. */
function measureFlips(work: Turning, flips: number): Figures {
  const [smallest = 0] = FLIPS;
  turned(work, smallest);
  const fewer = turned(work, flips > smallest ? flips / 10 : smallest);
  const took = turned(work, flips);
  const grows = flips > smallest ? { grows: Math.log10(took / fewer) } : {};
  return { each: took / flips, ...grows };
}

const REPLAY = `type Key(#k: number)
type Hit(#id: number, key: number, @at: instant) expires ${LENGTH.expiry / SECOND} s
rule "burst" { when k: Key where COUNT(h: Hit / h.key == k.k over last ${LENGTH.window / SECOND} s) > ${LENGTH.most} then fire(k.k, 0) }`;

function measureReplay(events: number): Figures {
  const tally = new Tally();
  findBursts(eventsOf(events), tally.fire);
  const wanted = tally.take();
  let event = 0;
  const session = open(programOf(REPLAY), { fire: (key) => tally.fire(Number(key), event) });
  for (let k = 0; k < LENGTH.keys; k++) session.assert("Key", { k });
  const heap: number[] = [];
  const quarter = events / 4;
  let took = 0;
  let start = processorTime();
  const step = ({ id, key, time, clock }: LogEvent): void => {
    event = id;
    session.advance(text(clock));
    session.assert("Hit", { id, key, at: text(time) });
    runToRest(session);
  };
  for (const one of eventsOf(events)) {
    step(one);
    if ((one.id + 1) % quarter !== 0) continue;
    took += processorTime() - start;
    heap.push(heapUsed());
    start = processorTime();
  }
  verify(tally.take(), wanted);
  const [first = 0, second = 0, third = 0, last = 0] = heap;
  if (last - first > MOST_GROWTH) throw new WrongAnswer(`${Math.round((last - first) / MEGABYTE)} MB more at the end`);
  const mb = { first: first / MEGABYTE, half: second / MEGABYTE, third: third / MEGABYTE, last: last / MEGABYTE };
  return { each: took / events, ...mb };
}

const PING = `type Host(#id: number, seen: instant)
rule "silent" { when h: Host(now >= h.seen + 5 min) then fire(1, h.id) }`;

/** A ping each millisecond from one of the hosts. */
function measurePings(hosts: number): Figures {
  const random = seeded(SEED);
  const pings = Array.from({ length: PINGS }, () => below(random, hosts));
  const tally = new Tally();
  const session = open(programOf(PING), { fire: tally.fire });
  session.advance(text(0));
  for (let id = 0; id < hosts; id++) session.assert("Host", { id, seen: text(0) });
  const asked: number[] = [];
  collectGarbage();
  const start = processorTime();
  for (const [at, id] of pings.entries()) {
    session.runUntil(text(at + 1), { collect: false });
    session.update(`Host~${id}`, { seen: text(at + 1) });
    asked.push(Date.parse(session.nextTime ?? ""));
  }
  const took = processorTime() - start;
  const byHand = new Silences(hosts, 300 * SECOND);
  for (const [at, id] of pings.entries()) {
    byHand.moveTo(at + 1, (host) => tally.fire(1, host));
    byHand.ping(id, at + 1);
    verify({ next: asked[at] ?? 0 }, { next: byHand.next });
  }
  verify({ silent: tally.firings }, { silent: 2 * byHand.silent });
  return { each: took / PINGS };
}

function cases(work: string, sizes: readonly number[], measure: (size: number) => Figures): Case[] {
  return sizes.map((size) => ({ work, size, engine: "sluice", measure: () => measure(size) }));
}

export const benchmark: Benchmark = {
  about: "moving the clock (size: instants at which something turns, events, hosts)",
  processes: 1,
  shows: "each",
  picture: "curves",
  figures: [
    { key: "each", title: "each", unit: "µs" },
    { key: "grows", title: "exponent", unit: "x" },
    { key: "first", title: "heap at 25 %", unit: "MB" },
    { key: "half", title: "50 %", unit: "MB" },
    { key: "third", title: "75 %", unit: "MB" },
    { key: "last", title: "100 %", unit: "MB" },
  ],
  cases: [
    ...cases("now", FLIPS, (size) => measureFlips("now", size)),
    ...cases("window", FLIPS, (size) => measureFlips("window", size)),
    ...cases("expiry", FLIPS, (size) => measureFlips("expiry", size)),
    ...cases("replay", EVENTS, measureReplay),
    ...cases("ping", HOSTS, measurePings),
  ],
};
