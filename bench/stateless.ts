/**
 * One decision per request: every request brings one new fact, and the answer is the list of the rules that hold for it. Rules
 * and facts are those of W1: two or three comparisons for each rule.
 *
 *   npm run bench -- stateless
 *
 * `sluice` is `program.evaluate`; beside it stand a session that is kept (assert, run, retract) and a new session for each
 * request. All engines are made once, with all rules, and kept; each is asked in the way that its documentation shows:
 *
 * - json-rules-engine: one `Engine`, `run` with the fields of the request, its events.
 * - json-logic-engine: every rule compiled once with `build`.
 * - zen-engine: one decision table with the hit policy "collect", `evaluate` for each request.
 * - cedar: policies parsed once (`preparsePolicySet`), `statefulIsAuthorized` with the request as context, its reasons.
 * - hand: a table of tests for each field and a trie of the rules.
 *
 * The answer to every request is compared with that of the rules evaluated one by one, before anything is measured; the sum of
 * all answers is compared again in every round.
 */
import type { Thing } from "./data/alpha-work.ts";
import { Tally } from "./data/random.ts";
import { Conjunctions } from "./hand/conjunctions.ts";
import { alphaWork } from "./lib/alpha-cases.ts";
import { type Answer, type Benchmark, type Case, type Figures, verify, WrongAnswer } from "./lib/benchmark.ts";
import { open, programOf } from "./lib/open.ts";
import { collectGarbage } from "./lib/repeat.ts";
import { cedar } from "./peers/engines/cedar.ts";
import { jsonLogicEngine } from "./peers/engines/json-logic-engine.ts";
import { jsonRulesEngine } from "./peers/engines/json-rules-engine.ts";
import { zenEngine } from "./peers/engines/zen-engine.ts";
import { installPeers, peerVersions } from "./peers/install.ts";
import { type Fire, type Peer, predicateOf } from "./peers/peer.ts";
import { conjunctionRules } from "./sluice/alpha-rules.ts";

type Work = ReturnType<typeof alphaWork>;
/** Decides requests one after the other, and calls `fire` for every rule that holds. */
type Decide = (facts: readonly Thing[]) => Promise<void> | void;
/** Makes an engine ready. */
type Make = (work: Work, fire: Fire) => Promise<Decide> | Decide;

const SIZES = [10, 100, 200, 1000];
const REQUESTS = 500;
/** Milliseconds that one round takes at least, and all rounds together. */
const ROUND = 100;
const PATIENCE = 2000;

const PEERS: readonly Peer[] = [jsonRulesEngine, jsonLogicEngine, zenEngine, cedar];

/** Through `program.evaluate`. */
export const evaluated: Make = (work, fire) => {
  const program = programOf(conjunctionRules(work));
  return (facts) => {
    for (const fact of facts) {
      const { effects } = program.evaluate([{ type: "Thing", fields: fact }]);
      for (const { args } of effects) fire(Number(args[0]), Number(args[1]));
    }
  };
};

/** In one session, which forgets each request before the next. */
export const kept: Make = (work, fire) => {
  const session = open(programOf(conjunctionRules(work)), {}, { history: 0 });
  return (facts) => {
    for (const fact of facts) {
      const handle = session.assert("Thing", fact);
      for (const { args } of session.run().effects) fire(Number(args[0]), Number(args[1]));
      session.retract(handle);
    }
  };
};

/** In a new session for each request. */
export const opened: Make = (work, fire) => {
  const program = programOf(conjunctionRules(work));
  return (facts) => {
    for (const fact of facts) {
      const session = program.session({ history: 0 });
      session.assert("Thing", fact);
      for (const { args } of session.run().effects) fire(Number(args[0]), Number(args[1]));
    }
  };
};

export const byHand: Make = (work, fire) => {
  const matcher = new Conjunctions(work);
  return (facts) => {
    for (const fact of facts) matcher.add(fact, fire);
  };
};

const ENGINES: Readonly<Record<string, Make>> = {
  sluice: evaluated,
  "sluice, kept session": kept,
  "sluice, new session": opened,
  hand: byHand,
  ...Object.fromEntries(
    PEERS.map((peer): [string, Make] => [peer.name, async (work, fire) => peer.alpha(work, "and", fire)]),
  ),
};

async function measure(make: Make, rules: number, built: () => void): Promise<Figures> {
  const work = alphaWork("W1", rules, REQUESTS);
  const given = new Answers();
  let fire: Fire = given.fire;
  const begin = performance.now();
  const decide = await make(work, (rule, id) => fire(rule, id));
  const build = performance.now() - begin;
  built();
  const start = performance.now();
  await decide(work.facts);
  const passes = Math.max(1, Math.ceil(ROUND / (performance.now() - start)));
  verifyAll(work, given);
  const tally = new Tally();
  fire = tally.fire;
  return { build, decision: await bestRound(decide, work.facts, passes, () => tally.take(), sumOf(given)) };
}

/** Returns the microseconds of one decision, in the best round. */
async function bestRound(
  decide: Decide,
  facts: readonly Thing[],
  firstPasses: number,
  take: () => Answer,
  expected: (passes: number) => Answer,
): Promise<number> {
  let passes = firstPasses;
  let best = Number.POSITIVE_INFINITY;
  collectGarbage();
  for (const end = performance.now() + PATIENCE; best === Number.POSITIVE_INFINITY || performance.now() < end;) {
    const start = performance.now();
    for (let pass = 0; pass < passes; pass++) await decide(facts);
    const time = performance.now() - start;
    verify(take(), expected(passes));
    best = Math.min(best, (1000 * time) / (passes * facts.length));
    // Once its machine code is made, an engine needs more passes for a round.
    if (time < ROUND / 2) passes *= 2;
  }
  return best;
}

/** The rules that hold, by request. */
export class Answers {
  readonly #byRequest = new Map<number, number[]>();

  readonly fire: Fire = (rule, id) => {
    const rules = this.#byRequest.get(id);
    if (rules === undefined) this.#byRequest.set(id, [rule]);
    else rules.push(rule);
  };

  of(id: number): readonly number[] {
    return (this.#byRequest.get(id) ?? []).toSorted((a, b) => a - b);
  }

  /** Calls with every answer. */
  each(fire: Fire): void {
    for (const [id, rules] of this.#byRequest) for (const rule of rules) fire(rule, id);
  }
}

/** Compares the answer to every request with that of the rules evaluated one by one. */
export function verifyAll(work: Work, given: Answers): void {
  const predicates = work.rules.map((positions) => predicateOf(work, positions, "and"));
  for (const fact of work.facts) {
    const expected = predicates.flatMap((holds, rule) => (holds(fact) ? [rule] : [])).join();
    const actual = given.of(fact.id).join();
    if (actual !== expected) throw new WrongAnswer(`request ${fact.id}: rules ${actual} instead of ${expected}`);
  }
}

/** Returns what the answers to all requests add up to, when they are given several times. */
function sumOf(given: Answers): (passes: number) => Answer {
  return (passes) => {
    const tally = new Tally();
    for (let pass = 0; pass < passes; pass++) given.each(tally.fire);
    return tally.take();
  };
}

export const benchmark: Benchmark = {
  about: "one decision per request, each with a new fact (size: rules)",
  processes: 1,
  prepare: installPeers,
  versions: () => {
    const versions = peerVersions();
    const names = ["@cedar-policy/cedar-wasm", "@gorules/zen-engine", "json-logic-engine", "json-rules-engine"];
    return Object.fromEntries(names.map((name) => [name, versions[name] ?? "unknown"]));
  },
  versus: "decision",
  picture: "works",
  figures: [
    { key: "build", title: "build", unit: "ms" },
    { key: "decision", title: "decision", unit: "µs" },
  ],
  cases: SIZES.flatMap((size) =>
    Object.entries(ENGINES).map(([engine, make]): Case => ({
      work: "W1",
      size,
      engine,
      seconds: 120,
      measure: (built) => measure(make, size, built),
    })),
  ),
};
