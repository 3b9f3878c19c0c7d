/**
 * Gates that stay live.
 *
 *   npm run bench -- gates
 *
 * 1. One leaf changes under a quorum of 10, 1,000 and 10,000 conditions: the cost must not follow the size.
 * 2. 10,000 gates (`for` over 10,000 facts) with 5 conditions each, 100,000 changes of evidence: changes per second, memory
 *    per gate, and the same with every gate evaluated from scratch on each change.
 */
import { compile, type RuleSession } from "../src/index.ts";

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

function heap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

// ---------------------------------------------------------------- one leaf under a quorum

function quorumSession(size: number): RuleSession {
  const leaves = Array.from({ length: size }, (_, number) => `approved(r, "p${number}")`);
  return compile(
    `type Release(#id: string)
     type Approval(#by: string, release: string, ok: bool)
     condition approved(r: Release, who: string) : a.ok from a: Approval(a.release == r.id, a.by == who)
     gate "deploy" for r: Release { require at least ${size >> 1} of (${leaves.join(", ")}) }`,
    { limits: { statementLexemes: 1_000_000 } },
  ).session();
}

/** Microseconds for one update of an approval, with the outcome read after it; `run` when asked for. */
function leafChange(session: RuleSession, size: number, run: boolean): number {
  const changes = 2000;
  const change = (n: number): void => {
    session.update(`Approval~p${(n * 7919) % size}`, { ok: n % 2 === 0 });
    if (run) session.run();
    if (session.gate("deploy").outcome === "hold") throw new Error("every approval is there");
  };
  for (let n = 0; n < changes; n++) change(n);
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const start = performance.now();
    for (let n = 0; n < changes; n++) change(n + round);
    times.push(performance.now() - start);
  }
  return (1000 * median(times)) / changes;
}

console.log("one leaf change under a quorum");
console.log("conditions   update µs   with run µs");
const costs: number[][] = [];
for (const size of [10, 1000, 10_000]) {
  const session = quorumSession(size);
  session.assert("Release", { id: "r" });
  session.batch(() => {
    for (let n = 0; n < size; n++) session.assert("Approval", { by: `p${n}`, release: "r", ok: n % 2 === 0 });
  });
  session.run();
  const cost = [leafChange(session, size, false), leafChange(session, size, true)];
  costs.push(cost);
  console.log(`${String(size).padStart(10)}   ${cost.map((one) => one.toFixed(2).padStart(9)).join("   ")}`);
}
const ratio = (at: 0 | 1): string => ((costs[2]?.[at] ?? 0) / (costs[0]?.[at] ?? 1)).toFixed(2);
console.log(`10,000 against 10: ${ratio(0)} times the cost, with run ${ratio(1)} (allowed: 3)\n`);

// ---------------------------------------------------------------- many gates

const GATES = 10_000;
const CHANGES = 100_000;

const TYPES = `
type Release(#id: number, env: string)
type TestRun(#release: number, failed: number)
type Coverage(#release: number, pct: number)
type Approval(#release: number, #by: string, ok: bool)
type Blocked(#release: number)
`;

const GATE = `
condition tests_ok(r: Release) : t.failed == 0 from t: TestRun(t.release == r.id)
condition coverage_ok(r: Release) : c.pct > 85 from c: Coverage(c.release == r.id)
condition approved(r: Release, who: string) : a.ok from a: Approval(a.release == r.id, a.by == who)
condition blocklisted(r: Release) : exists Blocked(release == r.id)
gate "deploy" for r: Release {
    require tests_ok(r) and coverage_ok(r) and at least 1 of (approved(r, "ann"), approved(r, "bob")) and not blocklisted(r)
}
`;

function filled(source: string): RuleSession {
  const session = compile(source).session();
  session.batch(() => {
    for (let id = 0; id < GATES; id++) {
      session.assert("Release", { id, env: "production" });
      session.assert("TestRun", { release: id, failed: id % 3 });
      session.assert("Coverage", { release: id, pct: 80 + (id % 10) });
      session.assert("Approval", { release: id, by: "ann", ok: id % 2 === 0 });
    }
  });
  session.run();
  return session;
}

/** One change of evidence, spread over all gates and kinds. */
function change(session: RuleSession, n: number): void {
  const id = (n * 7919) % GATES;
  if (n % 3 === 0) session.update(`TestRun~${id}`, { failed: n % 2 });
  else if (n % 3 === 1) session.update(`Coverage~${id}`, { pct: 80 + (n % 10) });
  else session.update(`Approval~${id}_ann`, { ok: n % 2 === 0 });
}

/** How long all changes take, in milliseconds. */
function timed(session: RuleSession, count: number, after: (n: number) => void): number {
  for (let n = 0; n < Math.min(count, 5000); n++) change(session, n);
  const start = performance.now();
  for (let n = 0; n < count; n++) {
    change(session, n);
    after(n);
  }
  return performance.now() - start;
}

const before = heap();
const bare = filled(TYPES);
const withoutGates = heap() - before;
const plainTime = timed(bare, CHANGES, () => {});
const between = heap();
const live = filled(TYPES + GATE);
const withGates = heap() - between;
const liveTime = timed(live, CHANGES, (n) => live.gate("deploy", `Release~${(n * 7919) % GATES}`).outcome);
const runTime = timed(live, 20_000, () => live.run());

/** The same decision made anew: the facts of one release, found by scanning nothing (their ids are known), then tested. */
function fromScratch(session: RuleSession, id: number): boolean | undefined {
  const read = (fact: string, field: string): unknown => session.fact(fact)?.fields[field];
  const failed = read(`TestRun~${id}`, "failed");
  const pct = read(`Coverage~${id}`, "pct");
  const oks = [read(`Approval~${id}_ann`, "ok"), read(`Approval~${id}_bob`, "ok")];
  const leaves = [
    failed === undefined ? undefined : failed === 0,
    typeof pct === "number" ? pct > 85 : undefined,
    oks.includes(true) ? true : oks.includes(undefined) ? undefined : false,
    session.fact(`Blocked~${id}`) === undefined,
  ];
  return leaves.includes(false) ? false : leaves.includes(undefined) ? undefined : true;
}

/** Without knowing which gates a change touches, every gate has to be evaluated again. */
const all = 20;
const allTime = timed(bare, all, () => {
  for (let id = 0; id < GATES; id++) fromScratch(bare, id);
});
const oneTime = timed(bare, CHANGES, (n) => fromScratch(bare, (n * 7919) % GATES));

const perSecond = (count: number, time: number): string => Math.round((1000 * count) / time).toLocaleString("en");
console.log(`${GATES.toLocaleString("en")} gates of 5 conditions, ${CHANGES.toLocaleString("en")} changes of evidence`);
console.log(`live, outcome read after each      ${perSecond(CHANGES, liveTime)} changes per second`);
console.log(`live, with a run after each        ${perSecond(20_000, runTime)} changes per second`);
console.log(`the same facts without any gate    ${perSecond(CHANGES, plainTime)} changes per second`);
console.log(`only the touched gate from scratch ${perSecond(CHANGES, oneTime)} changes per second`);
console.log(`every gate from scratch            ${perSecond(all, allTime)} changes per second`);
const gateCost = (1000 * (liveTime - plainTime)) / CHANGES;
const scratchCost = (1000 * (allTime - (plainTime * all) / CHANGES)) / all;
console.log(
  `keeping the gates costs ${gateCost.toFixed(2)} µs a change; all from scratch ${scratchCost.toFixed(0)} µs,`,
);
console.log(`${(scratchCost / gateCost).toFixed(0)} times as much`);
console.log(`memory: ${((withGates - withoutGates) / GATES).toFixed(0)} bytes a gate beyond its facts`);
