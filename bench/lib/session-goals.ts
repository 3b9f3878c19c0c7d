/** The goals of a service: opening sessions, single decisions, rules that change, live results, loading the package. */
import { divided, type Goal } from "./goal.ts";

const KIB = 1024;
/** The least number of times that a decision is faster than with json-rules-engine. */
const FASTER = 20;

/** The benchmarks that these goals are worked out from. */
export const SESSION_BENCHES: readonly string[] = [
  "open",
  "tenants",
  "stateless",
  "churn",
  "query",
  "subscribe",
  "snapshot",
  "import",
];

export const SESSION_GOALS: readonly Goal[] = [
  ...[1000, 10_000].flatMap((rules) => opening(rules)),
  {
    what: "a stateless decision, 200 rules",
    must: undefined,
    goal: 10,
    unit: "µs",
    of: (find) => find("stateless", "W1", 200, "sluice", "decision"),
    why: "the fact is copied, checked, and returned with the answer",
  },
  ...[10, 100, 1000].map((rules): Goal => ({
    what: `a stateless decision, ${rules.toLocaleString("en")} rules, against json-rules-engine`,
    must: 1 / FASTER,
    goal: undefined,
    unit: "share",
    of: (find) =>
      divided(
        find("stateless", "W1", rules, "sluice", "decision"),
        find("stateless", "W1", rules, "json-rules-engine", "decision"),
      ),
    why: "emptying the session for the next request takes its part",
  })),
  {
    what: "10,000 idle sessions of a program of 1,000 rules",
    must: 200,
    goal: undefined,
    unit: "MB",
    of: (find) => find("tenants", "idle", 0, "sluice", "heap"),
    why: "each part of a session is an object of its own",
  },
  {
    what: "one rule more among 10,000, with 100,000 facts",
    must: undefined,
    goal: 50,
    unit: "ms",
    of: (find) => find("churn", "churn", 10_000, "sluice", "more"),
    why: "what belongs to the whole program is made again",
  },
  {
    what: "a lookup by key among 100,000 facts",
    must: 100,
    goal: 10,
    unit: "µs",
    of: (find) => find("query", "by key", 100_000, "indexed", "each"),
    why: "rows are copies",
  },
  {
    what: "an update with 10,000 subscriptions to other keys, against none",
    must: 2,
    goal: 1.2,
    unit: "x",
    of: (find) =>
      divided(
        find("subscribe", "other keys", 10_000, "sluice", "each"),
        find("subscribe", "other keys", 0, "sluice", "each"),
      ),
    why: "half of the updates have a subscriber, whose listener is called",
  },
  ...(
    [
      ["save", "saving 1,000,000 facts", 1_000_000],
      ["open", "opening with 1,000,000 facts", 1_000_000],
      ["compile", "compiling 10,000 rules", 10_000],
    ] as const
  ).map(([work, words, size]): Goal => ({
    what: `${words}: the longest block of the event loop`,
    must: 20,
    goal: undefined,
    unit: "ms",
    of: (find) => find("snapshot", work, size, "sluice", "block"),
    why: "the longest garbage collection alone can take as long",
  })),
  {
    what: "import sluice, processor time over bare Node",
    must: undefined,
    goal: 60,
    unit: "ms",
    of: (find) => find("import", "import sluice", 1, "sluice", "over"),
    why: "all of the compiler is in one file",
  },
  {
    what: "sluice --version, processor time",
    must: undefined,
    goal: 90,
    unit: "ms",
    of: (find) => find("import", "sluice --version", 1, "sluice", "cpu"),
    why: "Node itself takes most of it",
  },
  {
    what: "sluice/runtime with all that it loads, compressed",
    must: undefined,
    goal: 60_000,
    unit: "B",
    of: (find) => find("import", "import sluice/runtime", 1, "sluice", "gzip"),
    why: "gates, guardians and explanations are in it",
  },
];

function opening(rules: number): Goal[] {
  const what = `opening a session, ${rules.toLocaleString("en")} join rules`;
  const why = "each part of a session is an object of its own";
  return [
    {
      what: `${what}: time`,
      must: 100,
      goal: 20,
      unit: "µs",
      of: (find) => find("open", "joins", rules, "sluice", "open"),
      why,
    },
    {
      what: `${what}: memory while idle`,
      must: 20 * KIB,
      goal: 5 * KIB,
      unit: "B",
      of: (find) => find("open", "joins", rules, "sluice", "idle"),
      why,
    },
  ];
}
