/** What a goal is: a figure that is worked out from the rows, with what must hold and what we would like. */
export interface Goal {
  readonly what: string;
  /** The figure must be at most that much. */
  readonly must: number | undefined;
  readonly goal: number | undefined;
  readonly unit: "x" | "s" | "B" | "MB" | "ms" | "µs" | "share" | "power";
  readonly of: (find: Find) => number | undefined;
  /** Why the goal is missed. */
  readonly why?: string;
}

export type Find = (bench: string, work: string, size: number, engine: string, figure: string) => number | undefined;

export function divided(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined || Number.isNaN(a) ? undefined : a / b;
}

/** Debian's CLIPS 6.30 is what can be installed; 6.41, which the goals speak of, is about 1.6 times faster. */
export const NEWER = 1.6;
