/**
 * Work in sizes n, 2n, 4n and 8n, done by Sluice, by a program written by hand and, where it can, by CLIPS. What fires is compared in every
 * round, and the table shows how the time grows.
 */
import type { Program, RuleSession } from "../../src/index.ts";
import { Tally } from "../data/random.ts";
import { clipsVersion, type ClipsScript, PlainTally, scriptOnClips } from "../peers/clips/clips.ts";
import { type Answer, type Benchmark, type Case, type Figures, verify } from "./benchmark.ts";
import { Collections } from "./collections.ts";
import { open } from "./open.ts";
import { collectYoung } from "./repeat.ts";

export type Fire = (rule: number, id: number) => void;

/** The part of the work that is timed. */
interface Timed {
  readonly work: () => void;
  /** Returns what is compared beside what fired. */
  readonly answer?: () => Answer;
  readonly figures?: () => Figures;
}

export interface Task<Given> {
  readonly work: string;
  readonly sizes: readonly number[];
  /** Generates what every engine is given. */
  readonly given: (size: number) => Given;
  readonly program: (given: Given) => Program;
  /** Brings a new session where the clock starts. */
  readonly onSluice: (session: RuleSession, given: Given) => Timed;
  /** The same by hand; its answers are the right ones. */
  readonly byHand: (given: Given, fire: Fire) => Timed;
  readonly onClips?: (given: Given) => ClipsScript;
  /** Whether the program by hand is only asked for the answer; the same work of another task measures it. */
  readonly alone?: boolean;
  /** Seconds after which Sluice is stopped; 60 when absent. */
  readonly seconds?: number;
}

/** Milliseconds of processor time in which rounds are begun, and in which the least number of rounds is. */
const PATIENCE = 1000;
const MORE_PATIENCE = 10_000;
const LEAST = 3;
const MOST = 100;
const SECONDS = 60;

export function casesOf<Given>(task: Task<Given>): Case[] {
  const { work, sizes, seconds = SECONDS, onClips, alone = false } = task;
  return sizes.flatMap((size) => [
    { work, size, engine: "sluice", seconds, measure: () => onSluice(task, size) },
    ...(alone ? [] : [{ work, size, engine: "hand", seconds, measure: () => byHand(task, size) }]),
    ...(onClips === undefined
      ? []
      : [{ work, size, engine: "clips", seconds, measure: () => inClips(task, onClips(task.given(size)), size) }]),
  ]);
}

/** Returns a benchmark of tasks. */
export function benchmarkOf(about: string, cases: readonly Case[], more: Partial<Benchmark> = {}): Benchmark {
  const withClips = cases.some(({ engine }) => engine === "clips");
  return {
    about,
    processes: 1,
    picture: "curves",
    versus: "warm",
    growth: "warm",
    ...(withClips ? { versions: () => ({ clips: clipsVersion() }) } : {}),
    ...more,
    figures: [
      { key: "build", title: "build", unit: "ms" },
      { key: "first", title: "first run", unit: "ms" },
      { key: "warm", title: "warm", unit: "ms" },
      { key: "collecting", title: "collecting", unit: "%" },
      { key: "grows", title: "grows as n^", unit: "x" },
      ...(more.figures ?? []),
    ],
    cases,
  };
}

async function onSluice<Given>(task: Task<Given>, size: number): Promise<Figures> {
  const given = task.given(size);
  const expected = answerByHand(task, given);
  const tally = new Tally();
  const begin = performance.now();
  const program = task.program(given);
  open(program, { fire: tally.fire });
  const build = performance.now() - begin;
  const make = (): Timed => task.onSluice(open(program, { fire: tally.fire }), given);
  return { build, ...(await rounds(make, tally, expected)) };
}

function byHand<Given>(task: Task<Given>, size: number): Promise<Figures> {
  const given = task.given(size);
  const tally = new Tally();
  return rounds(() => task.byHand(given, tally.fire), tally, answerByHand(task, given));
}

/** Returns what fires, and what else is compared. */
export function answerByHand<Given>(task: Task<Given>, given: Given): Answer {
  const tally = new Tally();
  return answerOf(() => task.byHand(given, tally.fire), tally);
}

/** Returns what one round on Sluice gives. */
export function answerOnSluice<Given>(task: Task<Given>, given: Given): Answer {
  const tally = new Tally();
  return answerOf(() => task.onSluice(open(task.program(given), { fire: tally.fire }), given), tally);
}

function answerOf(make: () => Timed, tally: Tally): Answer {
  const { work, answer } = make();
  tally.take();
  work();
  return { ...tally.take(), ...answer?.() };
}

function inClips<Given>(task: Task<Given>, script: ClipsScript, size: number): Figures {
  const tally = new PlainTally();
  const { work } = task.byHand(task.given(size), tally.fire);
  tally.clear();
  work();
  return scriptOnClips(script, { firings: tally.firings, sum: tally.sum });
}

/** Returns the milliseconds of all threads so far: what else the machine does counts less. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The first round, the best one, and which part of that went into collecting garbage. */
async function rounds(make: () => Timed, tally: Tally, expected: Answer): Promise<Figures> {
  const collections = new Collections();
  const begin = processorTime();
  let first = Number.NaN;
  let best: Figures = { warm: Number.POSITIVE_INFINITY };
  for (let round = 0; goesOn(round, processorTime() - begin); round++) {
    const { work, answer, figures } = make();
    tally.take();
    collectYoung();
    const start = performance.now();
    const used = processorTime();
    work();
    const warm = processorTime() - used;
    const end = performance.now();
    verify({ ...tally.take(), ...answer?.() }, expected);
    const collecting = (100 * (await collections.within(start, end))) / (end - start);
    if (round === 0) first = warm;
    if (warm < (best["warm"] ?? 0)) best = { warm, collecting, ...figures?.() };
  }
  collections.stop();
  return { first, ...best };
}

function goesOn(round: number, passed: number): boolean {
  return round === 0 || (round < MOST && passed < (round < LEAST ? MORE_PATIENCE : PATIENCE));
}
