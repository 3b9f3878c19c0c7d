/** For every kind of node: a program, n facts, and changes whose cost must not depend on how many there are. */
import { AGGREGATES } from "../../src/functions/aggregates.ts";
import type { RuleSession } from "../../src/index.ts";
import { aggregatesOver, capitals, NUMBER_AGGREGATES, RANKED_NUMBERS, takenWords } from "./built-ins.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Scenario {
  readonly name: string;
  readonly source: string | ((n: number) => string);
  /** Brings in n facts. */
  fill(session: RuleSession, n: number): void;
  /** Each is one change, made one after the other. */
  readonly changes: readonly Change[];
  /** How many times as much twice as many facts may take to load; 2.4 when absent: twice, and a little for the logarithm. */
  readonly doubled?: number;
}

interface Change {
  readonly name: string;
  make(session: RuleSession, n: number): unknown;
}

/** One fact comes, changes and goes. */
function comesAndGoes(type: string, fields: Fields, changes: Fields, after?: (session: RuleSession) => void): Change[] {
  let id = "";
  const change = (name: string, make: (session: RuleSession) => void): Change => ({
    name: `${name} ${type}`,
    make: (session) => {
      make(session);
      after?.(session);
    },
  });
  return [
    change("assert", (session) => (id = session.assert(type, fields).id)),
    change("update", (session) => session.update(id, changes)),
    change("retract", (session) => void session.retract(id)),
  ];
}

/** n facts of a type, the fields by their number. */
function many(type: string, fields: (at: number) => Fields): Scenario["fill"] {
  return (session, n) => {
    for (let at = 0; at < n; at++) session.assert(type, fields(at));
  };
}

const all =
  (...fills: readonly Scenario["fill"][]): Scenario["fill"] =>
  (session, n) => {
    for (const fill of fills) fill(session, n);
  };

/** A scrambled order, the same on every run. */
const mixed = (at: number): number => (at * 7919) % 10_007;

const TYPES = `type P(#id: string, k: string, v: number, w: number?)
type Q(#id: string, k: string, v: number)
type R(#id: string, k: string, p: P?)
`;

const p = (at: number): Fields => ({ id: `p${at}`, k: `k${at}`, v: mixed(at) });
const q = (at: number): Fields => ({ id: `q${at}`, k: `k${at}`, v: mixed(at) });
const ONE_P = { id: "one", k: "one", v: 3 };
const ONE_Q = { id: "one", k: "one", v: 3 };

const run = (session: RuleSession): void => void session.run();

function rule(when: string): string {
  return `${TYPES}rule r { when ${when} then log(1) }`;
}

// ---------------------------------------------------------------- patterns, joins, absence

/** n pairs of facts, each with a key of its own; another pair comes and goes. */
const pairs = (name: string, when: string, ...more: readonly string[]): Scenario => ({
  name,
  source: `${rule(when)}\n${more.join("\n")}`,
  fill: all(many("P", p), many("Q", q)),
  changes: [
    ...comesAndGoes("P", ONE_P, { v: 4 }),
    ...comesAndGoes("Q", { ...ONE_Q, k: "k7" }, { v: 5 }),
    ...comesAndGoes("Q", ONE_Q, { k: "k8" }),
  ],
});

const rulesOver = (name: string, tests: (at: number) => string): Scenario => ({
  name,
  source: (n) => {
    const rules = Array.from({ length: n / 5 }, (_, at) => `rule r${at} { when p: P(${tests(at)}) then log(1) }`);
    return `${TYPES}${rules.join("\n")}`;
  },
  fill: () => undefined,
  changes: comesAndGoes("P", { ...ONE_P, v: -1 }, { v: -2 }),
});

const LISTS = `${TYPES}type L(#id: string, xs: string[], n: number)
`;

/** n facts with lists of three items, or one fact with a list of n; another item, and what belongs to it, comes and goes. */
const ITEMS: readonly Scenario[] = [
  {
    name: "items of many lists",
    source: `${LISTS}rule r { when l: L x in l.xs q: Q(k == x) not P(k == x, v > q.v) then log(l.id, x) }
query asked(name: string) { l: L(id == name) x in l.xs }`,
    fill: all(
      many("Q", q),
      many("L", (at) => ({ id: `l${at}`, xs: [`k${at}`, `k${at}`, `k${at + 1}`], n: 0 })),
      run,
      (session) => void session.query("asked", { name: "l1" }), // which makes its nodes
    ),
    changes: [
      ...comesAndGoes("L", { id: "one", xs: ["k1", "one", "k2"], n: 0 }, { xs: ["one", "k2", "k1", "k1"] }, run),
      ...comesAndGoes("Q", { ...ONE_Q, k: "k7" }, { v: 5 }, run),
      ...comesAndGoes("Q", ONE_Q, { k: "k8" }, run),
      { name: "update of another field", make: (session) => session.update("L~l3", { n: 1 }) },
      { name: "ask", make: (session) => session.query("asked", { name: "l5" }) },
    ],
  },
  {
    name: "items of one list",
    source: `${LISTS}rule r { when l: L x in l.xs q: Q(k == x) then log(l.id, x) }`,
    fill: (session, n) => {
      session.assert("L", { id: "all", xs: Array.from({ length: n }, (_, at) => `k${at % (n / 2)}`), n: 0 });
    },
    changes: [
      ...comesAndGoes("Q", { ...ONE_Q, k: "k7" }, { v: 5 }, run),
      ...comesAndGoes("Q", ONE_Q, { k: "k8" }, run),
      { name: "update of another field", make: (session) => session.update("L~all", { n: 1 }) },
    ],
  },
];

export const PATTERNS: readonly Scenario[] = [
  ...ITEMS,
  pairs("alpha test", "p: P(v > 5)"),
  pairs("alpha test with or", 'p: P(v > 5 or k == "k3")'),
  pairs("join with a key", "p: P q: Q(k == p.k)"),
  pairs("join with a key and a test", "p: P q: Q(k == p.k, v > p.v)"),
  pairs("not", "p: P not Q(k == p.k)"),
  pairs("exists", "p: P exists Q(k == p.k)"),
  pairs("join with an interval", "p: P q: Q(v >= p.v, v < p.v + 1)"),
  pairs("not with a bound", "p: P not Q(v > p.v)"),
  pairs("exists with a bound", "p: P exists Q(v < p.v)"),
  {
    name: "not with a bound over rising facts",
    source: rule("p: P not P(k == p.k, v > p.v)"),
    fill: many("P", (at) => ({ id: `p${at}`, k: "k", v: at })),
    changes: [
      ...comesAndGoes("P", { id: "one", k: "k", v: 1_000_000 }, { v: 2_000_000 }),
      ...comesAndGoes("P", { id: "other", k: "k", v: 7.5 }, { v: 8.5 }),
    ],
  },
  {
    name: "facts in intervals",
    // A fact also asks every block of 128 intervals whether it ends too early: a second level of blocks is left out.
    doubled: 2.6,
    source: `${TYPES}type S(#id: string, from: number, to: number)
rule r { when s: S q: Q(v in [s.from..s.to)) then log(1) }`,
    fill: all(
      many("S", (at) => ({ id: `s${at}`, from: 5 * at, to: 5 * at + 5 })),
      many("Q", q),
    ),
    changes: [
      ...comesAndGoes("Q", { ...ONE_Q, v: 203 }, { v: 407 }),
      ...comesAndGoes("S", { id: "one", from: 3, to: 4 }, { from: 4, to: 5 }),
    ],
  },
  {
    name: "bounds that are all equal",
    source: rule("p: P not Q(v > p.v)"),
    fill: all(
      many("P", (at) => ({ ...p(at), v: 1 })),
      many("Q", (at) => ({ ...q(at), v: 1 })),
    ),
    changes: [...comesAndGoes("P", { ...ONE_P, v: 1 }, { v: 2 }), ...comesAndGoes("Q", { ...ONE_Q, v: 1 }, { v: 0 })],
  },
  pairs("not over a group", "p: P not (q: Q(k == p.k) P(k == q.k, v > q.v))"),
  pairs("exists over a group", "p: P exists (q: Q(k == p.k) P(k == q.k))"),
  pairs("nested groups", "p: P not (q: Q(k == p.k) not (P(k == q.k) exists Q(k == q.k)))"),
  pairs("forall", "p: P forall (q: Q(k == p.k) : q.v > p.v)"),
  pairs("filter", "p: P q: Q(k == p.k) where p.v + q.v > 3"),
  pairs("or between elements", "p: P() (Q(k == p.k, v > 3) or Q(k == p.k, v <= 3))"),
  {
    name: "update of a field that only another rule reads",
    source: `${TYPES}rule pairs { when p: P q: Q(k == p.k) where q.v >= 0 then log(1) }
rule other { when p: P r: R(k == p.w) then log(1) }
rule third { when p: P where p.w > 3 then log(1) }
rule fourth { when p: P not R(k == p.w) then log(1) }`.replaceAll("R(k == p.w)", "Q(v == p.w)"),
    fill: all(
      (session) => void session.assert("P", ONE_P),
      many("Q", (at) => ({ ...q(at), k: "one" })),
    ),
    changes: [
      { name: "update", make: (session) => session.update("P~one", { w: -4 }) },
      { name: "update again", make: (session) => session.update("P~one", { w: 7.5 }) },
    ],
  },
  pairs("count inside a test", "p: P where COUNT(q: Q / q.k == p.k) >= 1"),
  pairs("exists inside a test", "p: P where EXISTS(q: Q / q.k == p.k) or p.v > 3"),
  rulesOver("rules that name a value", (at) => `v == ${at}`),
  rulesOver("rules with a bound", (at) => `v > ${at}`),
  rulesOver("rules with an or", (at) => `v == ${at} or k == "n${at}"`),
  {
    name: "lookup",
    source: rule("r: R where r.p.v > 3"),
    fill: all(
      many("P", p),
      many("R", (at) => ({ id: `r${at}`, k: "a", p: `P~p${at}` })),
    ),
    changes: [
      ...comesAndGoes("R", { id: "one", k: "a", p: "P~p3" }, { p: "P~p4" }),
      ...comesAndGoes("P", ONE_P, { v: 4 }),
    ],
  },
  {
    name: "lookup, all of one fact",
    source: rule("r: R where r.p.v > 3"),
    fill: (session, n) => {
      session.assert("P", p(0));
      many("R", (at) => ({ id: `r${at}`, k: "a", p: "P~p0" }))(session, n);
    },
    changes: comesAndGoes("R", { id: "one", k: "a", p: "P~p0" }, { p: null }),
  },
  {
    name: "join without a key: only what matches",
    source: rule("p: P q: Q(v > p.v)"),
    fill: all((session) => void session.assert("P", ONE_P), many("Q", q)),
    changes: comesAndGoes("Q", { id: "one", k: "one", v: 1 }, { v: 9 }),
  },
  ...["not", "exists"].map((word): Scenario => ({
    name: `${word}, many facts in the way`,
    source: rule(`p: P ${word} Q(k == p.k)`),
    fill: all(
      (session) => void session.assert("P", ONE_P),
      many("Q", (at) => ({ ...q(at), k: "one" })),
    ),
    changes: [
      ...comesAndGoes("Q", ONE_Q, { v: 4 }),
      { name: "retract the first in the way", make: (session) => session.retract("Q~q0") },
      { name: "retract the next in the way", make: (session) => session.retract("Q~q1") },
    ],
  })),
];

// ---------------------------------------------------------------- aggregates

/** All n facts are one group; a value comes, changes and goes, also the smallest and the largest. */
const group = (name: string, source: string, v: (at: number) => number = mixed): Scenario => ({
  name,
  source,
  fill: all(
    (session) => void session.assert("P", ONE_P),
    many("Q", (at) => ({ id: `q${at}`, k: "one", v: v(at) })),
  ),
  changes: [
    ...comesAndGoes("Q", { id: "low", k: "one", v: -5 }, { v: -6 }),
    ...comesAndGoes("Q", { id: "high", k: "one", v: 20_000.5 }, { v: 30_000 }),
    ...comesAndGoes("Q", { id: "same", k: "one", v: v(3) }, { v: v(4) }),
    { name: "update an old one", make: (session) => session.update("Q~q5", { v: 77.25 }) },
    { name: "retract the first", make: (session) => session.retract("Q~q0") },
    { name: "update the owner", make: (session) => session.update("P~one", { v: 8 }) },
  ],
});

const few = (at: number): number => at % 5;

/** A fifth of n rules with one aggregate over a group of few facts, each with a test of its own. */
const rulesOn = (name: string, test: (at: number) => string): Scenario => ({
  name,
  source: (n) => {
    const rules = Array.from(
      { length: n / 5 },
      (_, at) => `rule r${at} { when p: P x: sum(q.v) from q: Q(k == p.k) where ${test(at)} then log(x) }`,
    );
    return `${TYPES}${rules.join("\n")}`;
  },
  fill: (session) => {
    session.assert("P", ONE_P);
    many("Q", (at) => ({ id: `q${at}`, k: "one", v: at }))(session, 5);
    session.update("Q~q0", { v: 7 }); // which finds out what reads the field
    run(session);
  },
  changes: comesAndGoes("Q", { id: "low", k: "one", v: -5 }, { v: -6 }, run),
});

export const FOLDS: readonly Scenario[] = [
  ...[...AGGREGATES.keys()].map((fn) =>
    group(fn, rule(`p: P x: ${fn}(${takenWords(fn, "q.v", "q.v")}) from q: Q(k == p.k)`)),
  ),
  ...[...AGGREGATES.keys()].map((fn) =>
    group(`${fn}, few values`, rule(`p: P x: ${fn}(${takenWords(fn, "q.v", "q.v")}) from q: Q(k == p.k)`), few),
  ),
  ...aggregatesOver("values").map((fn) =>
    group(`${fn} of lists`, rule(`p: P x: ${fn}([q.k, q.v]) from q: Q(k == p.k)`), few),
  ),
  ...["COUNT", ...capitals([...NUMBER_AGGREGATES, ...RANKED_NUMBERS])].map((fn) =>
    group(
      `${fn} inside a test`,
      rule(
        `p: P where ${fn}(q: Q / q.k == p.k ; ${takenWords(fn, "q.v", "q.v")}) > 1`.replace(
          "COUNT(q: Q / q.k == p.k ; q.v)",
          "COUNT(q: Q / q.k == p.k)",
        ),
      ),
    ),
  ),
  ...["count()", "sum(q.v)", "min(q.v)", "max(q.k)", "median(q.v)", "distinct(q.k)"].map((fn) =>
    pairs(`${fn}, a key for each match`, `p: P x: ${fn} from q: Q(k == p.k)`),
  ),
  pairs(
    "two aggregates with a test each",
    "p: P x: count() from Q(k == p.k, v > 3) y: sum(q.v) from q: Q(k == p.k) where y >= x",
  ),
  pairs("an aggregate over two keys", "p: P x: max(q.v) from q: Q(k == p.k, v == p.v)"),
  group("min of strings", rule("p: P x: min(q.id) from q: Q(k == p.k)")),
  group("max of strings", rule("p: P x: max(q.id) from q: Q(k == p.k)")),
  rulesOn("rules that ask for one value, with tests that are false", (at) => `x >= ${1e12 + at}`),
  group("exists over a group of many", rule("p: P exists (q: Q(k == p.k) P(k == q.k))")),
  group("not over a group of many", rule("p: P not (q: Q(k == p.k) P(k == q.k))")),
  group("forall over many", rule("p: P forall (q: Q(k == p.k) : q.v > -1)")),
  group("exists inside a test, many", rule("p: P where EXISTS(q: Q / q.k == p.k)")),
];

// ---------------------------------------------------------------- agenda, tuple spaces

const waiting = (name: string, source: string): Scenario => ({
  name,
  source,
  fill: all(many("P", p), many("Q", q)),
  changes: [...comesAndGoes("P", ONE_P, { v: 4 }), ...comesAndGoes("Q", { ...ONE_Q, k: "k7" }, { v: 5 })],
});

const CONTROL = `${TYPES}type Stage(#id: string, name: string)
rule "take" { when s: Stage(name == "on") p: P q: Q(k == p.k) then log(p.id) s.name = "off" }`;

const switchOn = (session: RuleSession): void => {
  session.update("Stage~s", { name: "on" });
  session.run();
};

/** Sessions that are asked, or that tell what differs: both cost what they find or touch, not what is there. */
const LIVE = `${TYPES}query by_id(id: string) { p: P(p.id == id) }
query of_key(key: string) { p: P(p.k == key, v > 3) q: Q(k == p.k) }
query total(key: string) { sum: sum(q.v) from q: Q(q.k == key) }
rule only { when p: P(id == "p7") then log(p.id) }`;

const subscribed: Scenario["fill"] = (session, n) => {
  for (let at = 0; at < n; at++) {
    session.subscribe({ query: "by_id" }, { id: `p${at}` }, () => undefined);
    session.subscribe({ query: "total" }, { key: `k${at}` }, () => undefined);
    session.subscribe({ type: "Q" }, { k: `k${at}` }, () => undefined);
  }
};

const QUESTIONS: readonly Scenario["changes"][number][] = [
  { name: "by id", make: (session) => session.query("by_id", { id: "p7" }) },
  { name: "join", make: (session) => session.query("of_key", { key: "k7" }) },
  { name: "aggregate", make: (session) => session.query("total", { key: "k7" }) },
  { name: "matches", make: (session) => session.matches("only") },
];

const askAll: Scenario["fill"] = (session) => {
  for (const question of QUESTIONS) question.make(session, 0);
};

/** Rules over the same pattern, each with a constant of its own. */
export function manyRules(n: number): string {
  const one = (at: number): string => `rule r${at} { when p: P(v > 3) q: Q(k == p.k, v == ${at}) then log(p.id) }`;
  return `${TYPES}\n${Array.from({ length: n }, (_, at) => one(at)).join("\n")}`;
}

/** Changes of a program by rules, among as many rules as there are facts elsewhere. */
export const PROGRAMS: readonly Scenario[] = [
  {
    name: "a rule more, a rule less",
    source: manyRules,
    // The first extension collects the names of the files.
    fill: (session) => void session.program.extend(""),
    changes: [
      {
        name: "extend",
        make: ({ program }) => program.extend("rule more { when p: P(v > 3) q: Q(k == p.k, v == 7) then log(q.id) }"),
      },
      {
        name: "extend by a new pattern",
        make: ({ program }) => program.extend("rule more { when q: Q then log(q.id) }"),
      },
      { name: "without", make: ({ program }) => program.without("r7") },
      { name: "without the first", make: ({ program }) => program.without("r0") },
    ],
  },
];

export const SESSIONS: readonly Scenario[] = [
  {
    name: "queries",
    source: LIVE,
    fill: all(many("P", p), many("Q", q), askAll),
    changes: [
      ...QUESTIONS,
      ...comesAndGoes("P", ONE_P, { v: 4 }),
      ...comesAndGoes("Q", ONE_Q, { k: "k8" }),
      ...QUESTIONS,
    ],
  },
  {
    name: "subscriptions, as many as facts",
    source: LIVE,
    fill: all(many("P", p), many("Q", q), subscribed),
    changes: [
      ...comesAndGoes("P", ONE_P, { v: 4 }),
      ...comesAndGoes("Q", { ...ONE_Q, k: "k7" }, { k: "k8" }),
      {
        name: "subscribe and close",
        make: (session) => session.subscribe({ query: "by_id" }, { id: "p7 again" }, () => undefined).close(),
      },
    ],
  },
  ...["breadth", "depth", "lex"].flatMap((strategy) => [
    waiting(`agenda, ${strategy}`, `option strategy ${strategy}\n${rule("p: P q: Q(k == p.k)")}`),
    waiting(`agenda, ${strategy}, one pattern`, `option strategy ${strategy}\n${rule("p: P(v > 3)")}`),
    {
      name: `run, ${strategy}`,
      source: `option strategy ${strategy}\n${rule("p: P q: Q(k == p.k)")}`,
      fill: all(many("P", p), many("Q", q), run),
      changes: [
        ...comesAndGoes("P", ONE_P, { v: 4 }, run),
        ...comesAndGoes("Q", { ...ONE_Q, k: "k7" }, { k: "k8" }, run),
      ],
    },
  ]),
  {
    name: "a large batch",
    source: rule("p: P(v > 5)"),
    fill: many("P", p),
    changes: [
      {
        name: "batch",
        make: (session) => session.batch(() => many("P", (at) => ({ ...p(at), id: `b${at}` }))(session, 1000)),
      },
    ],
  },
  {
    name: "control fact",
    source: CONTROL,
    fill: all(
      (session) => void session.assert("Stage", { id: "s", name: "off" }),
      many("P", p),
      many("Q", q),
      switchOn,
    ),
    changes: [
      ...comesAndGoes("P", ONE_P, { v: 4 }),
      ...comesAndGoes("Q", { ...ONE_Q, k: "k7" }, { k: "k8" }),
      { name: "switch on, run", make: switchOn },
      { name: "switch on, run again", make: switchOn },
    ],
  },
  ...["fifo", "lifo", "random"].flatMap((selection) =>
    ["once", "per-agent"].map((consumption): Scenario => ({
      name: `tuple space, ${selection}, ${consumption}`,
      source: `${TYPES}type Job(#id: string)
xuple-space jobs { selection: ${selection} consumption: ${consumption} retention: duration(10m) }
rule r : {p: P} / ==> Xuple("jobs", Job(id: p.id))`,
      fill: all(many("P", p), run, (session) => void session.takeXuple("jobs", "a")),
      changes: [
        { name: "put one", make: (session) => [session.assert("P", ONE_P), session.run()] },
        { name: "take one", make: (session) => session.takeXuple("jobs", "a") },
        { name: "take another", make: (session) => session.takeXuple("jobs", "a") },
      ],
    })),
  ),
];

// ---------------------------------------------------------------- gates, flows

const GATE = `type S(#id: string)
type Ev(#id: string, s: string, ok: bool, at: number, by: string)
`;

const evidence = (at: number): Fields => ({ id: `e${at}`, s: "s", ok: true, at: mixed(at), by: `b${at}` });

const gate = (name: string, condition: string, require = "c(s)"): Scenario => ({
  name,
  source: `${GATE}condition c(s: S) : ${condition}
gate g for s: S { require ${require} on pass then log(s.id) }`,
  fill: all((session) => void session.assert("S", { id: "s" }), many("Ev", evidence), run),
  changes: comesAndGoes("Ev", { id: "one", s: "s", ok: true, at: 20_000, by: "x" }, { ok: false }, (session) => {
    session.run();
    session.gate("g", "S~s");
  }),
});

const subjects = (name: string, source: string, ask: (session: RuleSession) => unknown): Scenario => ({
  name,
  source,
  fill: all(
    many("S", (at) => ({ id: `s${at}` })),
    many("Ev", (at) => ({ ...evidence(at), s: `s${at}` })),
    run,
  ),
  changes: comesAndGoes("Ev", { id: "one", s: "s3", ok: true, at: 20_000, by: "x" }, { ok: false }, (session) => {
    session.run();
    ask(session);
  }),
});

const OK = "e.ok";
const OF = "e: Ev(e.s == s.id)";

export const GATES: readonly Scenario[] = [
  gate("condition", `${OK} from ${OF}`),
  gate("condition, any", `${OK} from any ${OF}`),
  gate("condition, every", `${OK} from every ${OF}`),
  gate("condition, latest", `${OK} from latest ${OF} by e.at`),
  gate("condition, exists", "exists e: Ev(e.s == s.id, e.ok == false)"),
  gate("aggregate in a gate", `${OK} from any ${OF}`, "c(s) and COUNT(e: Ev / e.s == s.id) > 1"),
  gate("list in a gate", `${OK} from any ${OF}`, "c(s) and AVG(e: Ev / e.s == s.id and e.ok ; e.at) > 1"),
  gate("quorum", `${OK} from any ${OF}`, `c(s) and at least 2 of ${OF} : e.ok == true`),
  gate("closed quorum", `${OK} from any ${OF}`, `c(s) and at least 2 of all ${OF} : e.ok == true`),
  subjects(
    "gate with many subjects",
    `${GATE}condition c(s: S) : ${OK} from ${OF}
gate g for s: S { require c(s) on pass then log(s.id) on fail then log(s.id) }`,
    (session) => session.gate("g", "S~s3"),
  ),
  subjects(
    "flow with many subjects",
    `${GATE}condition c(s: S) : ${OK} from ${OF}
gate g for s: S { require c(s) }
flow f for s: S { stage a { decide g(s) on pass goto b otherwise goto d } stage b final stage d final }`,
    (session) => session.gate("g", "S~s3"),
  ),
];

// ---------------------------------------------------------------- guardians, pipelines

const GUARDIAN = `${GATE}guardian g for s: S {
    check evidence risk med exit SAFE_REFUSAL using e: Ev(e.s == s.id) {
        need count(distinct(e.by)) >= 1 as "few" do ADD_EVIDENCE
        need avg(e.at) >= 0 as "low" do ADD_EVIDENCE
        forbid e.at < 0 as "old" do ADD_EVIDENCE
    }
}`;

const PIPELINE = `${GATE}type Kb(#s: string, text: string)
pipeline d for s: S {
    step known ANSWER k.text when k: Kb(k.s == s.id)
    step bad BLOCK "bad" when e: Ev(e.s == s.id, e.ok == false)
    otherwise FORWARD "next"
}`;

const standard = (
  name: string,
  source: (at: number) => string,
  last: Scenario["fill"] = () => undefined,
): Scenario => ({
  name,
  source: "use guardian standard",
  fill: all(
    (session) => {
      session.assert("Draft", { id: "d", request_type: "HOWTO_POLICY", query: "how do I", draft: "So." });
    },
    many("Evidence", (at) => ({ draft: "d", snippet: "s", source: source(at), ref: `r${at}`, confidence: 0.9 })),
    last,
  ),
  changes: comesAndGoes(
    "Evidence",
    { draft: "d", snippet: "s", source: "policy", ref: "x", confidence: 0.9 },
    { confidence: 0.8 },
  ),
});

export const JUDGES: readonly Scenario[] = [
  {
    name: "guardian, nobody asks",
    source: GUARDIAN,
    fill: all((session) => void session.assert("S", { id: "s" }), many("Ev", evidence)),
    changes: comesAndGoes("Ev", { id: "one", s: "s", ok: true, at: 20_000, by: "x" }, { at: 30_000 }),
  },
  subjects("guardian with many subjects", GUARDIAN, (session) => session.verdict("g", "S~s3")),
  standard("standard guardian, nobody asks", () => "doc"),
  standard(
    "standard guardian, asked once",
    (at) => ["db", "doc", "neo4j"][at % 3] ?? "",
    (session) => void session.verdict("standard"),
  ),
  subjects("pipeline with many requests", PIPELINE, () => undefined),
  {
    name: "pipeline, another request",
    source: PIPELINE,
    fill: all(
      many("S", (at) => ({ id: `s${at}` })),
      run,
    ),
    changes: comesAndGoes("S", { id: "one" }, {}, run).filter(({ name }) => !name.startsWith("update")),
  },
];
