/** The same work several times in one process: the first time, and the best time once the machine code is warm. */
import { type Answer, verify } from "./benchmark.ts";

export interface Work<Made> {
  /** Not part of the time. */
  readonly make: () => Made;
  readonly work: (made: Made) => Answer;
  readonly expected: Answer;
  /** Milliseconds after which no other round is begun; 3000 when absent. */
  readonly patience?: number;
}

/** The same for an engine that may be slow: one round is enough then. */
export interface SlowWork<Made> {
  readonly make: () => Made | Promise<Made>;
  readonly work: (made: Made) => Promise<Answer>;
  readonly expected: Answer;
}

type Times = { readonly first: number; readonly warm: number };

const PATIENCE = 3000;
const LEAST = 3;
const MOST = 30;

export function repeat<Made>({ make, work, expected, patience = PATIENCE }: Work<Made>): Times {
  const times: number[] = [];
  const end = performance.now() + patience;
  while (times.length < LEAST || (times.length < MOST && performance.now() < end)) {
    const made = make();
    collectYoung();
    const start = performance.now();
    const answer = work(made);
    times.push(performance.now() - start);
    verify(answer, expected);
  }
  return firstAndBest(times);
}

export async function repeatSlowly<Made>({ make, work, expected }: SlowWork<Made>): Promise<Times> {
  const times: number[] = [];
  const end = performance.now() + PATIENCE;
  while (times.length === 0 || (times.length < MOST && performance.now() < end)) {
    const made = await make();
    collectYoung();
    const start = performance.now();
    const answer = await work(made);
    times.push(performance.now() - start);
    verify(answer, expected);
  }
  return firstAndBest(times);
}

/** A single round is both. */
function firstAndBest([first = 0, ...later]: readonly number[]): Times {
  return { first, warm: later.length === 0 ? first : Math.min(...later) };
}

/**
 * What the round before left among the young objects is not charged to the next. Everything is not collected here: when no
 * object of a class is left, the machine code made for it is thrown away with them, and every round would be a first one.
 */
export function collectYoung(): void {
  collector()?.({ type: "minor" });
}

/** Does nothing unless node runs with --expose-gc. */
export function collectGarbage(): void {
  collector()?.();
}

function collector(): ((how?: { type: "minor" }) => void) | undefined {
  return (globalThis as { gc?: (how?: { type: "minor" }) => void }).gc;
}
