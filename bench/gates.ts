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
import { type Benchmark, type Case, type Figures, WrongAnswer } from "./lib/benchmark.ts";

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

function quorum(size: number): Figures {
  const session = quorumSession(size);
  session.assert("Release", { id: "r" });
  session.batch(() => {
    for (let n = 0; n < size; n++) session.assert("Approval", { by: `p${n}`, release: "r", ok: n % 2 === 0 });
  });
  session.run();
  return { change: leafChange(session, size, false), run: leafChange(session, size, true) };
}

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

/** Every gate kept up to date; after each change the outcome of the touched one is read. */
function live(): Figures {
  const before = heap();
  const bare = filled(TYPES);
  const withoutGates = heap() - before;
  const between = heap();
  const session = filled(TYPES + GATE);
  const bytes = (heap() - between - withoutGates) / GATES;
  if (bare.facts("Release").length !== GATES) throw new WrongAnswer("every gate has its release");
  const outcomes = timed(session, CHANGES, (n) => session.gate("deploy", `Release~${(n * 7919) % GATES}`).outcome);
  const runs = timed(session, 20_000, () => session.run());
  for (let id = 0; id < GATES; id++) {
    const { outcome } = session.gate("deploy", `Release~${id}`);
    const expected = OUTCOMES.get(fromScratch(session, id));
    if (outcome !== expected) throw new WrongAnswer(`gate ${id}: ${outcome} instead of ${expected}`);
  }
  return { change: (1000 * outcomes) / CHANGES, run: (1000 * runs) / 20_000, bytes };
}

const OUTCOMES = new Map<boolean | undefined, string>([
  [true, "pass"],
  [undefined, "hold"],
  [false, "fail"],
]);

/** The same facts and no gate. */
function noGate(): Figures {
  return { change: (1000 * timed(filled(TYPES), CHANGES, () => {})) / CHANGES };
}

/** The same decision from scratch: the facts of one release, found by scanning nothing (their ids are known), then tested. */
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

/** Only the touched gate is evaluated again, by somebody who knows which one that is. */
function touchedFromScratch(): Figures {
  const bare = filled(TYPES);
  const time = timed(bare, CHANGES, (n) => fromScratch(bare, (n * 7919) % GATES));
  return { change: (1000 * time) / CHANGES };
}

/** Without knowing which gates a change touches, every gate has to be evaluated again. */
function allFromScratch(): Figures {
  const bare = filled(TYPES);
  const changes = 20;
  const time = timed(bare, changes, () => {
    for (let id = 0; id < GATES; id++) fromScratch(bare, id);
  });
  return { change: (1000 * time) / changes };
}

const MANY: Readonly<Record<string, () => Figures>> = {
  sluice: live,
  "no gate": noGate,
  "touched gate from scratch": touchedFromScratch,
  "all gates from scratch": allFromScratch,
};

export const benchmark: Benchmark = {
  about: "gates that stay live (size: conditions of a quorum; gates of 5 conditions)",
  processes: 3,
  shows: "change",
  picture: "works",
  figures: [
    { key: "change", title: "one change", unit: "µs" },
    { key: "run", title: "with run", unit: "µs" },
    { key: "bytes", title: "memory per gate", unit: "B" },
  ],
  cases: [
    ...[10, 1000, 10_000].map((size): Case => ({
      work: "quorum",
      size,
      engine: "sluice",
      measure: () => quorum(size),
    })),
    ...Object.entries(MANY).map(([engine, measure]): Case => ({ work: "live gates", size: GATES, engine, measure })),
  ],
};
