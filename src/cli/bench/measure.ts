/**
 * Measures a program with sharing on and off, for a growing part of its rules. Both ways take turns in one process, and a time is the
 * median of several rounds. The matches and firings of both must be the same.
 */
import type { FactView, Program, RuleSession } from "../../index.ts";
import type { HostFunctions } from "../host-functions.ts";
import { answersOf } from "./answers.ts";

/** What is measured one way. */
export interface Figures {
  readonly nodes: number;
  /** Bytes of a session with the facts; undefined where memory cannot be measured. */
  readonly bytes: number | undefined;
  /** Milliseconds from the first `assert` to all matches: the median of the rounds. */
  readonly ms: number;
}

/** A part of the rules, measured both ways. */
export interface Size {
  readonly rules: number;
  readonly facts: number;
  readonly matches: number;
  readonly firings: number;
  /** The code of the error that ended both runs, such as E510 at the limit of firings; undefined when nothing was left to fire. */
  readonly stopped: string | undefined;
  /** With sharing, and with nodes of its own for every rule. */
  readonly shared: Figures;
  readonly apart: Figures;
  /** The time with sharing as a part of that without: the median of the rounds, and the middle half of them. */
  readonly ratio: Spread;
  /** Where the answers differ; undefined when they are the same. */
  readonly difference: string | undefined;
}

export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** What sessions are loaded with. */
interface Load {
  readonly facts: readonly FactView[];
  /** The functions of the host. */
  readonly functions: HostFunctions;
  /** What the clock shows; undefined when the rules do not read it. */
  readonly clock: string | undefined;
}

export interface MeasureOptions extends Load {
  readonly rounds: number;
  readonly now: () => number;
  /** Returns the bytes that are alive on the heap, after collecting garbage. */
  readonly heap: (() => number) | undefined;
  /** Called before each part. */
  begin(rules: number): void;
}

/** Measures an eighth, a quarter, half and all of the rules, in program order. */
export function measureSizes(program: Program, options: MeasureOptions): Size[] {
  const names = ruleNames(program);
  const counts = [...new Set([8, 4, 2, 1].map((part) => Math.ceil(names.length / part)))];
  const parts = counts.map((count) => ({ count, part: firstRules(program, names, count) }));
  const timed = parts.map(({ count, part }) => {
    options.begin(count);
    return measureOne(part, count, options);
  });
  // Memory comes last: collecting garbage throws machine code away, and times after it would be longer.
  return timed.map((size, at) => withMemory(size, parts[at]?.part ?? program, options));
}

function withMemory(size: Size, program: Program, options: MeasureOptions): Size {
  const { heap } = options;
  if (heap === undefined) return size;
  const bytes = (sharing: boolean): number => bytesOf(program, sharing, options, heap);
  bytes(true); // the first collections also free what the times before left behind
  const rounds = Array.from({ length: MEMORY_ROUNDS }, (_, round) => {
    const [first, second] = [bytes(round % 2 === 0), bytes(round % 2 !== 0)];
    return round % 2 === 0 ? { shared: first, apart: second } : { shared: second, apart: first };
  });
  const median = (way: "shared" | "apart"): number => spread(rounds.map((one) => one[way])).median;
  return {
    ...size,
    shared: { ...size.shared, bytes: median("shared") },
    apart: { ...size.apart, bytes: median("apart") },
  };
}

/** Returns the rules that a program states; reactions of gates and guardians come with these. */
export function ruleNames(program: Program): string[] {
  return program.network().rules.flatMap(({ name, reaction }) => (reaction === true ? [] : [name]));
}

function firstRules(program: Program, names: readonly string[], count: number): Program {
  return count === names.length ? program : program.without(names.slice(count));
}

function measureOne(program: Program, rules: number, options: MeasureOptions): Size {
  const { facts } = options;
  const [one, other] = [true, false].map((sharing) => answersOf(loaded(program, sharing, options), program));
  const times = timesOf(program, options);
  const figures = (sharing: boolean): Figures => ({
    nodes: program.plan(sharing).nodes.length,
    bytes: undefined,
    ms: spread(times[sharing ? "shared" : "apart"]).median,
  });
  return {
    rules,
    facts: facts.length,
    matches: one?.matches ?? 0,
    firings: one?.firings ?? 0,
    stopped: one?.stopped,
    shared: figures(true),
    apart: figures(false),
    ratio: spread(times.shared.map((time, round) => time / (times.apart[round] ?? time))),
    difference: one?.digest === other?.digest ? undefined : `${one?.words}; without sharing ${other?.words}`,
  };
}

const BY_PROGRAM = { role: "policy" } as const;

function loaded(program: Program, sharing: boolean, options: Load): RuleSession {
  const session = opened(program, sharing, options);
  load(session, options.facts);
  return session;
}

function opened(program: Program, sharing: boolean, { functions, clock }: Load): RuleSession {
  const at = clock === undefined ? {} : { clock };
  return program.session({ sharing, facts: "none", functions, missingFunctions: "unknown", ...at });
}

function load(session: RuleSession, facts: readonly FactView[]): void {
  for (const { type, fields } of facts) session.assert(type, fields, BY_PROGRAM);
}

// ---------------------------------------------------------------- time

/** The least milliseconds of one measurement: shorter work is done several times, in new sessions. */
const LEAST = 40;
/** The most sessions of one measurement. */
const MOST_SESSIONS = 50;
/** Rounds that do not count: they make machine code. */
const WARM_UP = 3;

function timesOf(program: Program, options: MeasureOptions): Record<"shared" | "apart", number[]> {
  const first = Math.max(timeOf(program, true, 1, options), timeOf(program, false, 1, options), 0.01);
  const sessions = Math.min(MOST_SESSIONS, Math.max(1, Math.ceil(LEAST / first)));
  const times = { shared: [] as number[], apart: [] as number[] };
  for (let round = -WARM_UP; round < options.rounds; round++) {
    // The order changes with each round, so that neither way is always the one that comes after garbage of the other.
    for (const sharing of round % 2 === 0 ? [true, false] : [false, true]) {
      const time = timeOf(program, sharing, sessions, options);
      if (round >= 0) times[sharing ? "shared" : "apart"].push(time);
    }
  }
  return times;
}

/** Returns the milliseconds to assert all facts; opening the sessions is not counted. */
function timeOf(program: Program, sharing: boolean, sessions: number, options: MeasureOptions): number {
  const { facts, now } = options;
  const all = Array.from({ length: sessions }, () => opened(program, sharing, options));
  const start = now();
  for (const session of all) load(session, facts);
  return (now() - start) / sessions;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

// ---------------------------------------------------------------- memory

/** How often the memory is measured each way, taking turns. */
const MEMORY_ROUNDS = 3;

/** Sessions that are measured together: one alone would show what the heap does besides. */
const TOGETHER = 8;

function bytesOf(program: Program, sharing: boolean, load: Load, heap: () => number): number {
  const before = heap();
  const kept = Array.from({ length: TOGETHER }, () => loaded(program, sharing, load));
  const bytes = (heap() - before) / kept.length;
  return Math.max(0, Math.round(bytes));
}
