/**
 * What the clock costs, counted: a host is woken exactly at the instants at which something turns, the work of each does not grow with
 * their number, and timers are only kept for facts that are alive.
 */
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

function text(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

/** Numbers below `end` in a scrambled order, each once; `end` is no multiple of the factor. */
function scrambled(end: number): number[] {
  return Array.from({ length: end }, (_, at) => (at * 7919) % end);
}

/** Moves the clock as a host does, from one next instant to the other; returns them. */
function wakeUps(session: RuleSession): string[] {
  const instants: string[] = [];
  for (let next = session.nextTime; next !== undefined; next = session.nextTime) {
    instants.push(next);
    session.runUntil(next);
  }
  return instants;
}

function sorted(instants: readonly number[]): string[] {
  return [...new Set(instants)].sort((a, b) => a - b).map(text);
}

const TYPES = `type E(#id: number, key: number, @at: instant)
type H(#id: number, key: number?, @at: instant) expires 90 s
type S(#id: number, since: instant)
`;

/** Facts of E whose times are before, at and after the clock, which is at the tenth minute; some at the same instant. */
const TIMES = Array.from({ length: 60 }, (_, id) => Math.floor((id * 7) % 40) * 30 * SECOND);
const NOW = 10 * MINUTE;

const comes = (at: number): number[] => [at];
const inWindow = (length: number) => (at: number) => [at, at + length];

const SINCE = NOW + 3 * MINUTE;
const never = (): number[] => [];

/** A rule, of which facts of E it tests the time, and when that turns for one. */
const TURNS: readonly (readonly [when: string, about: (id: number) => boolean, instants: (at: number) => number[]])[] =
  [
    ["e: E(now >= at)", () => true, comes],
    ["e: E(now > at)", () => true, (at) => [at + 1]],
    ["e: E(now == at)", () => true, (at) => [at, at + 1]],
    ["e: E(now < at + 90 s)", () => true, (at) => [at + 90 * SECOND]],
    ["e: E over last 5 min", () => true, inWindow(5 * MINUTE)],
    ["e: E(key > 2) over last 5 min", (id) => id % 4 > 2, inWindow(5 * MINUTE)],
    ["where COUNT(e: E over last 5 min) > 3", () => true, inWindow(5 * MINUTE)],
    ["e: E not f: E(key == e.key, id != e.id) over last 1 ms", () => true, inWindow(1)],
    ["s: S e: E(key == 1) within 3 min after s.since", (id) => id % 4 === 1, (at) => (at <= SINCE ? [at] : [])],
    ["s: S(id > 1) not E(key == 1) within 3 min after s.since", () => true, never],
    ["s: S not E(key == 9) within 3 min after s.since", (id) => id === 0, () => [SINCE + 1]],
  ];

test.each(TURNS)("a host is woken exactly when something turns: %s", (when, about, instants) => {
  const session = compile(`${TYPES}rule r { when ${when} then log(1) }`).session({ clock: text(NOW) });
  session.assert("S", { id: 1, since: text(NOW) });
  for (const [id, at] of TIMES.entries()) session.assert("E", { id, key: id % 4, at: text(at) });
  const all = TIMES.flatMap((at, id) => (about(id) ? instants(at) : []));
  expect(wakeUps(session)).toEqual(sorted(all.filter((at) => at > NOW)));
});

test("a host is woken when facts expire, and not for those that were retracted or moved", () => {
  const session = compile(TYPES).session({ clock: text(NOW) });
  for (const [id, at] of TIMES.entries()) if (at > NOW) session.assert("H", { id, at: text(at) });
  const live = TIMES.flatMap((at, id) => (at > NOW ? [{ id, at }] : []));
  for (const { id } of live) if (id % 3 === 0) session.retract(`H~${id}`);
  for (const { id, at } of live) if (id % 3 === 1) session.update(`H~${id}`, { at: text(at + 1) });
  const ends = live.flatMap(({ id, at }) => (id % 3 === 0 ? [] : [at + (id % 3 === 1 ? 1 : 0) + 90 * SECOND]));
  expect(wakeUps(session)).toEqual(sorted(ends));
  expect(session.counters()).toMatchObject({ facts: 0, timers: 0 });
});

// ---------------------------------------------------------------- many

const WORKS = {
  "a test of now": ["E", "COUNT(e: E / now >= e.at) < 0"],
  "the end of a window": ["E", "COUNT(e: E over last 30 days) < 0"],
  expiry: ["H", "COUNT(h: H) < 0"],
} as const;

/** Moves the clock over n instants at which one of n facts turns; returns how many timers were moved in the queue for each. */
function movesPerInstant(work: keyof typeof WORKS, n: number): number {
  const [type, test] = WORKS[work];
  const session = compile(`${TYPES}rule r { when where ${test} then log(1) }`).session({ clock: text(0) });
  if (work === "the end of a window") session.advance(text(n * SECOND)); // all facts are in it before the first leaves
  for (const id of scrambled(n)) session.assert(type, { id, key: 0, at: text((id + 1) * SECOND) });
  expect(session.counters().timers).toBe(n);
  expect(wakeUps(session)).toHaveLength(n);
  expect(session.counters().timers).toBe(0);
  return session.counters().timerSteps / n;
}

test.each(Object.keys(WORKS) as (keyof typeof WORKS)[])(
  "each of many instants costs as much as each of few: %s",
  (work) => {
    const [few = 0, more = 0, many = 0] = [1000, 4000, 16_000].map((n) => movesPerInstant(work, n));
    // Four times as many timers make the heap one level deeper: a move more to come in, and one more to go.
    expect(more - few).toBeLessThanOrEqual(2);
    expect(many - more).toBeLessThanOrEqual(2);
  },
);

/** Replays a log with an event each second, some of them late and some from the future; returns the most that there was of each counter. */
function replayed(events: number): { readonly timers: number; readonly matches: number; readonly facts: number } {
  const session = compile(`type K(#k: number)
type H(#id: number, key: number, @at: instant) expires 90 s
type Seen(#id: number, @at: instant) expires 30 s
rule "many" { when k: K where COUNT(h: H / h.key == k.k over last 1 min) > 12 then log(k.k) }
rule "first" { when h: H(key == 1) over last 20 s, not g: H(key == 1, id < h.id) then insert logical Seen(id: h.id, at: h.at) }
rule "alone" { when h: H(key == 2) not H(key == 3) within 20 s after h.at then log(h.id) }
condition followed(h: H) : exists H(key == h.key, id != h.id) within 10 s after h.at
gate "followed" for h: H { require followed(h) on pass then log(h.id) }`).session({ history: 10 });
  for (let k = 0; k < 4; k++) session.assert("K", { k });
  const most = { timers: 0, matches: 0, facts: 0 };
  for (let id = 0; id < events; id++) {
    const now = (id + 1000) * SECOND;
    const apart = id % 20 === 7 ? -((id * 31) % 80) : id % 100 === 50 ? (id * 17) % 60 : 0;
    session.advance(text(now));
    session.assert("H", { id, key: (id * 7) % 4, at: text(now + apart * SECOND) });
    session.run({ collect: false });
    if (id % 10 !== 0) continue;
    const { timers, matches, facts } = session.counters();
    most.timers = Math.max(most.timers, timers);
    most.matches = Math.max(most.matches, matches);
    most.facts = Math.max(most.facts, facts);
  }
  return most;
}

test("a replayed log leaves nothing behind: timers and matches are for facts that are alive", () => {
  const [few, many] = [replayed(500), replayed(2000)];
  expect(many.facts).toBe(few.facts);
  expect(many.timers).toBeLessThanOrEqual(1.05 * few.timers);
  expect(many.matches).toBeLessThanOrEqual(1.05 * few.matches);
  expect(few.timers).toBeLessThan(4 * few.facts);
});
