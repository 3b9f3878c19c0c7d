/**
 * Opening a session: how long it takes and what an idle session keeps, by the number of rules; and what the first facts cost.
 *
 *   npm run bench -- open
 *
 * `joins` are rules over two patterns with a `not`, each with constants of its own; `single` are rules with one pattern; `gates` are
 * gates about the facts of a type, each with subjects of its own; `types` is a program without rules that declares many types. What belongs to the program is there before anything is measured.
 */
import { compile, type Program, type RuleSession } from "../src/index.ts";
import { type Benchmark, type Figures, WrongAnswer } from "./lib/benchmark.ts";
import { heapUsed } from "./lib/heap.ts";

const SIZES = [10, 1000, 10_000];
/** Sessions that are held at once while their bytes are counted; fewer of a size where one takes megabytes. */
const HELD = 100;
const FACTS = [1, 10, 100];
const MOST_SECONDS = 2;

const TYPES = `
type P(#id: string, city: number)
type O(#num: string, buyer: string, total: number)
`;

function joins(rules: number): string {
  const all = Array.from(
    { length: rules },
    (_, n) =>
      `rule r${n} { when p: P(city == ${n}) o: O(buyer == p.id, total > ${n}) not O(buyer == p.id, total > ${n + 1_000_000}) then log(o.num) }`,
  );
  return `${TYPES}${all.join("\n")}`;
}

function single(rules: number): string {
  return `${TYPES}${Array.from({ length: rules }, (_, n) => `rule r${n} { when p: P(city == ${n}) then log(p.id) }`).join("\n")}`;
}

function gates(count: number): string {
  const all = Array.from(
    { length: count },
    (_, n) => `gate g${n} for p: P(city == ${n}) { require exists O(buyer == p.id, total > ${n}) }`,
  );
  return `${TYPES}${all.join("\n")}`;
}

function types(count: number): string {
  return Array.from(
    { length: count },
    (_, n) => `type T${n}(#id: string, a: number, b: number, c: string, d: string)`,
  ).join("\n");
}

function measure(program: Program, withFacts: boolean): Figures {
  program.session(); // plans and assembles what all sessions share
  const open = microseconds(() => program.session());
  const figures: Record<string, number> = { open, idle: bytesOf(() => program.session(), open) };
  if (!withFacts) return figures;
  for (const facts of FACTS) figures[`facts${facts}`] = microseconds(() => used(program, facts)) - open;
  figures["used"] = bytesOf(() => used(program, 10), open);
  return figures;
}

/** Opens a session and asserts facts, each of which touches a rule of its own. */
function used(program: Program, facts: number): RuleSession {
  const session = program.session();
  for (let n = 0; n < facts; n++) session.assert("P", { id: `p${n}`, city: n });
  if (session.counters().facts !== facts) throw new WrongAnswer("facts are missing");
  return session;
}

/** Returns the best time of several, in microseconds. */
function microseconds(work: () => unknown): number {
  const end = performance.now() + MOST_SECONDS * 1000;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 2000 && (round < 3 || performance.now() < end); round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best * 1000;
}

/** Returns the bytes that one session keeps alive. */
function bytesOf(open: () => RuleSession, openMicroseconds: number): number {
  const count = openMicroseconds > 5000 ? 3 : HELD;
  const held: RuleSession[] = [open()];
  const before = heapUsed();
  for (let at = 0; at < count; at++) held.push(open());
  const bytes = (heapUsed() - before) / count;
  if (held.length !== count + 1) throw new WrongAnswer("sessions are missing");
  return bytes;
}

export const benchmark: Benchmark = {
  about: "opening sessions (size: rules, gates or types)",
  processes: 1,
  shows: "open",
  picture: "curves",
  figures: [
    { key: "open", title: "open", unit: "µs" },
    { key: "idle", title: "idle", unit: "B" },
    { key: "facts1", title: "1 fact", unit: "µs" },
    { key: "facts10", title: "10 facts", unit: "µs" },
    { key: "facts100", title: "100 facts", unit: "µs" },
    { key: "used", title: "with 10 facts", unit: "B" },
  ],
  cases: [
    ...SIZES.map((size) => ({ work: "joins", size, rules: joins, withFacts: true })),
    ...SIZES.map((size) => ({ work: "single", size, rules: single, withFacts: true })),
    ...SIZES.slice(0, 2).map((size) => ({ work: "gates", size, rules: gates, withFacts: true })),
    ...[1, 50].map((size) => ({ work: "types", size, rules: types, withFacts: false })),
  ].map(({ work, size, rules, withFacts }) => ({
    work,
    size,
    engine: "sluice",
    measure: () => measure(compile(rules(size)), withFacts),
  })),
};
