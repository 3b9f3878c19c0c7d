/**
 * Plays random histories of facts and clocks, and compares at every step: the matches are those that the brute-force matcher finds
 * with the same facts and clock, and nothing turns before the instant that `nextTime` names.
 */
import { expect } from "vitest";
import { compile, type Program, type Session, SeededRandom } from "../../src/index.ts";
import type { OracleFact } from "../oracle/naive.ts";
import { type ClockWorld, instantText, newFact, type Random, rulesOf } from "./clock-model.ts";
import { below, pick } from "./gate-model.ts";
import { engineTexts, type MatchTexts, naiveTexts } from "./rig.ts";

const STEPS = 10;

function factsOf(session: Session): OracleFact[] {
  return session.facts().map(({ id, type, fields }, order) => ({ id, type, fields, order }));
}

function naive(program: Program, session: Session, clock = session.clock): MatchTexts {
  return naiveTexts(program.checked, { facts: factsOf(session) }, clock);
}

/** The facts of the type that may expire, as they should be: each with its time. */
type Alive = Map<string, string | undefined>;

/** Expects that exactly those facts are live whose ends are still to come. */
function expectAlive(world: ClockWorld, session: Session, alive: Alive, where: string): void {
  const isExpiring = session.program.data().schema.types.get("B")?.expires !== undefined;
  for (const [id, time] of alive) {
    if (!isExpiring || session.clock === undefined || time === undefined) continue;
    if (world.endOf(time, session.program) <= Date.parse(session.clock)) alive.delete(id);
  }
  expect(
    session
      .facts("B")
      .map(({ id }) => id)
      .sort(),
    where,
  ).toEqual([...alive.keys()].sort());
}

/** Makes one random change of facts. */
function change(world: ClockWorld, random: Random, session: Session, id: number, alive: Alive): void {
  const known = session.facts().filter(({ type }) => type !== "Seen");
  const fact = known.length === 0 ? undefined : pick(random, known);
  const roll = below(random, 6);
  if (fact !== undefined && roll === 0) {
    session.retract(fact);
    alive.delete(fact.id);
  } else if (fact !== undefined && roll === 1) {
    const fields = world.fields(random, fact.type);
    session.update(fact, fields);
    if (fact.type === "B" && "t" in fields) alive.set(fact.id, fields["t"] as string);
  } else {
    const { type, fields } = newFact(world, random, id);
    const made = session.assert(type, fields);
    if (type === "B") alive.set(made.id, fields["t"] as string | undefined);
  }
}

/** Expects that nothing turns before the next instant: neither just before it nor somewhere in between. */
function expectQuiet(program: Program, session: Session, random: Random, now: MatchTexts, where: string): void {
  if (session.clock === undefined) return;
  const from = Date.parse(session.clock);
  const next = session.nextTime === undefined ? from + 40 * 86_400_000 : Date.parse(session.nextTime);
  expect(next, where).toBeGreaterThan(from);
  const between = from + Math.floor(random() * (next - from));
  for (const at of session.nextTime === undefined ? [between] : [next - 1]) {
    expect(naive(program, session, instantText(at)), `${where}\nat ${instantText(at)}`).toEqual(now);
  }
}

/** Histories of one program: reading it takes longer than a history. */
const HISTORIES = 8;

/**
 * Goes through all instants at which something may turn, one after the other, with changes of facts in between; throws at the first
 * difference. What the brute-force matcher finds may become something else only at an instant that was the next one.
 */
export function tryAllInstants(world: ClockWorld, cases: number): void {
  const random = randomFrom(17);
  for (let at = 0; at < cases; at++) {
    const source = world.program(random);
    const program = compile(source);
    const session = program.session();
    const told: string[] = [source];
    const alive: Alive = new Map();
    const instants = world.instants(program);
    const often = 12 / instants.length;
    for (let id = 0; id < 4; id++) change(world, random, session, id, alive);
    told.push(JSON.stringify(session.facts()));
    let id = 4;
    let last = naive(program, session);
    for (const instant of instants) {
      const { clock, nextTime: next } = session;
      session.advance(instantText(instant));
      const where = [...told, `at ${instantText(instant)}, next was ${next}`].join("\n");
      expectAlive(world, session, alive, where);
      const found = naive(program, session);
      expect(engineTexts(session, rulesOf(program)), where).toEqual(found);
      if (clock !== undefined && next !== instantText(instant)) expect(found, where).toEqual(last);
      last = found;
      if (random() >= often) continue;
      change(world, random, session, id++, alive);
      last = naive(program, session);
      told.push(`at ${session.clock}: ${JSON.stringify(session.facts())}`);
    }
  }
}

/** Tries so many histories; throws at the first difference. */
export function tryAll(world: ClockWorld, cases: number): void {
  const random = randomFrom(0);
  let source = "";
  let program: Program | undefined;
  for (let at = 0; at < cases; at++) {
    if (program === undefined || at % HISTORIES === 0) program = compile((source = world.program(random)));
    tryOne(world, random, source, program);
  }
}

/** Returns random numbers; `by` is added to the seed. */
export function randomFrom(by: number): Random {
  const seeded = new SeededRandom(Number(process.env["SLUICE_SEED"] ?? 1) + by);
  return () => seeded.next();
}

function tryOne(world: ClockWorld, random: Random, source: string, program: Program): void {
  const open = { sharing: random() < 0.8, indexing: random() < 0.8, shortcuts: random() < 0.8 } as const;
  let current = program;
  let session = program.session(open);
  const told: string[] = [source];
  const alive: Alive = new Map();
  for (let step = 0; step < (world.steps ?? STEPS); step++) {
    const roll = below(random, 10);
    if (roll < 5) {
      change(world, random, session, step, alive);
      told.push(JSON.stringify(session.facts()));
    } else if (roll < 9) {
      const { clock, nextTime } = session;
      const near = nextTime === undefined ? undefined : Date.parse(nextTime) + pick(random, [-1, 0, 0, 1]);
      const now = clock === undefined ? world.start : Date.parse(clock);
      const to = near !== undefined && random() < 0.6 ? near : world.later(random, now);
      session.advance(instantText(to));
      told.push(`advance ${instantText(to)}`);
    } else if (random() < 0.4) {
      const source = world.rule(random, "more");
      const hasMore = rulesOf(current).includes("more");
      session.reload((current = hasMore ? current.without("more") : current.extend(source)));
      told.push(hasMore ? "without" : `extend ${source}`);
    } else {
      if (random() < 0.5) session.run({ limit: 500 });
      const { clock } = session;
      session = current.session({ ...open, from: session.snapshot() });
      expect(session.clock, told.join("\n")).toBe(clock);
      told.push("restore");
    }
    const where = told.join("\n");
    expectAlive(world, session, alive, where);
    const found = engineTexts(session, rulesOf(current));
    expect(found, where).toEqual(naive(current, session));
    expectQuiet(current, session, random, found, where);
  }
  for (const fact of session.facts()) session.retract(fact);
  for (const fact of session.facts()) session.retract(fact);
  expect(session.nextTime, told.join("\n")).toBeUndefined();
  expect(session.counters(), told.join("\n")).toMatchObject({ matches: 0, indexEntries: 0, timers: 0 });
}
