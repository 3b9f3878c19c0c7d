/**
 * What a benchmark is: a list of cases, each a piece of work on one engine. A case is measured in child processes of its
 * own, and its times count only when its answer is the expected one.
 */
export interface Benchmark {
  /** What it is about, in one line. */
  readonly about: string;
  readonly figures: readonly FigureKind[];
  readonly cases: readonly Case[];
  /** Child processes for each case; the best of them counts. */
  readonly processes?: number;
  /** Called once before the first case. */
  prepare?(): void;
  /** Of the other engines, by name. */
  versions?(): Readonly<Record<string, string>>;
  /** Which figure is compared with that of the hand-written program. */
  readonly versus?: string;
  /** The figure whose growth over the sizes is worked out, as the figure `grows`. */
  readonly growth?: string;
  /** Which figure a picture shows, when it is not that one; several stand beside each other. */
  readonly shows?: string | readonly string[];
  /** Works beside each other, or one curve over size for each work. */
  readonly picture: "works" | "curves";
}

/** A column of the table. */
export interface FigureKind {
  readonly key: string;
  readonly title: string;
  readonly unit: "ms" | "µs" | "MB" | "B" | "count" | "x" | "%";
}

export interface Case {
  /** The kind of work, such as "W1". */
  readonly work: string;
  /** How much of it: rules, guests, drawings. */
  readonly size: number;
  readonly engine: string;
  /** Seconds after which the child process is stopped; 300 when absent. */
  readonly seconds?: number;
  /** Called in the child process. Throws WrongAnswer or CannotExpress. After `built()` the seconds are counted from 0 again. */
  measure(built: () => void): Figures | Promise<Figures>;
}

/** What a child process says when the engine is ready, a line by itself. */
export const BUILT = "built\n";

export type Figures = Readonly<Record<string, number>>;

/** What the work came to: how often rules fired, and a sum over what fired on what. */
export type Answer = Readonly<Record<string, number>>;

export interface Row {
  readonly bench: string;
  readonly work: string;
  readonly size: number;
  readonly engine: string;
  /** `cannot`: the engine has no way to say it. */
  readonly status: "ok" | "wrong" | "failed" | "too long" | "cannot";
  readonly note?: string;
  /** The best of all processes. */
  readonly figures: Figures;
  /** The median of all processes. */
  readonly median: Figures;
  readonly processes: number;
}

export class WrongAnswer extends Error {}

/** The engine has no way to express the work. */
export class CannotExpress extends Error {}

/** The engine was stopped before it had an answer. */
export class TooLong extends Error {}

export function verify(answer: Answer, expected: Answer): void {
  for (const [name, value] of Object.entries(expected)) {
    if (answer[name] !== value) throw new WrongAnswer(`${name} ${answer[name]} instead of ${value}`);
  }
}
