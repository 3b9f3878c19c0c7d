/** For every way to test the clock: a program, n facts that turn at an instant each, and changes whose cost must not depend on how many there are. */
import type { RuleSession } from "../../src/index.ts";
import type { Scenario } from "./step-scenarios.ts";

const SECOND = 1000;
const TYPES = `type K(#k: string)
type T(#id: string, k: string, @at: instant)
type X(#id: string, k: string, @at: instant) expires 1 h
`;

function text(ms: number): string {
  return new Date(ms).toISOString();
}

/** A scrambled order, the same on every run. */
const mixed = (at: number): number => (at * 7919) % 10_007;

/** Sets the clock to a day, and brings in n facts that happen in the seconds after it, and a K for each. */
function fill(type: string): Scenario["fill"] {
  return (session, n) => {
    session.advance(text(0));
    for (let at = 0; at < n; at++) {
      session.assert("K", { k: `k${at}` });
      session.assert(type, { id: `t${at}`, k: `k${at}`, at: text((mixed(at) + 1) * SECOND) });
    }
    session.run({ collect: false });
  };
}

/** Moves the clock to the next instant at which something turns. */
function wake(session: RuleSession): void {
  const { nextTime } = session;
  if (nextTime !== undefined) session.advance(nextTime);
  session.run({ collect: false });
}

/** The clock moves, a fact comes that turns first, another one that turns last, both change and go. */
const changes = (type: string): Scenario["changes"] => [
  { name: "wake", make: wake },
  { name: "wake again", make: wake },
  { name: "one that is first", make: (session) => session.assert(type, { id: "first", k: "k3", at: text(500) }) },
  {
    name: "one that is last",
    make: (session) => session.assert(type, { id: "last", k: "k3", at: text(20_000 * SECOND) }),
  },
  { name: "later", make: (session) => session.update(`${type}~last`, { at: text(21_000 * SECOND) }) },
  { name: "now", make: (session) => session.update(`${type}~last`, { at: text(100) }) },
  { name: "next time", make: (session) => session.nextTime },
  { name: "less", make: (session) => session.retract(`${type}~last`) },
  { name: "wake at last", make: wake },
];

/** Everything turns, one instant after the other: n instants cost n times as much as one. */
function over(one: Scenario, type: string): Scenario {
  return {
    ...one,
    name: `${one.name}, all of it`,
    fill: (session, n) => {
      fill(type)(session, n);
      session.advance(text(40_000 * SECOND));
    },
    changes: [],
  };
}

function scenarios(name: string, when: string, type = "T"): Scenario[] {
  const one = {
    name,
    source: `${TYPES}rule r { when ${when} then log(1) }`,
    fill: fill(type),
    changes: changes(type),
  };
  return [one, over(one, type)];
}

const OF = "t: T(k == k.k)";

export const TIMES: readonly Scenario[] = [
  ...scenarios("test of now", "t: T(now >= at)"),
  ...scenarios("range of now", "t: T(now in [at..at + 5 min))"),
  ...scenarios("window", `k: K ${OF} over last 5 min`),
  ...scenarios("window of all", "where COUNT(t: T over last 1 h) > 3"),
  ...scenarios("counts in a window", `k: K n: count() from ${OF} over last 5 min where n > 0`),
  ...scenarios(
    "two windows",
    `k: K where COUNT(t: T / t.k == k.k over last 5 min) > COUNT(t: T / t.k == k.k over last 1 h)`,
  ),
  ...scenarios("not in a window", `k: K not T(k == k.k) over last 5 min`),
  ...scenarios("last facts of all", "t: T over last 20"),
  ...scenarios("last facts of each", `k: K ${OF} over last 3`),
  ...scenarios("counts of last facts", "where SUM(t: T over last 20 ; 1) > 3 and COUNT(t: T over last 3) == 3"),
  ...scenarios("after a fact", `t: T u: T(k == t.k) within 5 min after t.at`),
  ...scenarios("none after a fact", `t: T not T(k == t.k, id != t.id) within 5 min after t.at`),
  ...scenarios("expiry", "x: X", "X"),
  ...scenarios("expiry and a window", "k: K where COUNT(x: X / x.k == k.k over last 5 min) > 0", "X"),
];
