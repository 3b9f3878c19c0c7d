/** W14: one group of values, and changes of them: of the least, of the greatest, and of any other. */
import { below, SEED, seeded } from "./random.ts";

interface Change {
  readonly id: number;
  readonly value: number;
}

export interface ExtremesWork {
  /** By id. */
  readonly values: readonly number[];
  readonly changes: readonly Change[];
}

const VALUES = 1_000_000;

export function extremesWork(size: number, changes: number): ExtremesWork {
  const random = seeded(SEED + 15);
  const values = Array.from({ length: size }, () => below(random, VALUES));
  const now = [...values];
  const chosen = [least, greatest, (): number => below(random, size)];
  return {
    values,
    changes: Array.from({ length: changes }, (_, change) => {
      const id = chosen[change % chosen.length]?.(now) ?? 0;
      const value = below(random, VALUES);
      now[id] = value;
      return { id, value };
    }),
  };
}

function least(values: readonly number[]): number {
  return values.reduce((best, value, id) => (value < (values[best] ?? 0) ? id : best), 0);
}

function greatest(values: readonly number[]): number {
  return values.reduce((best, value, id) => (value > (values[best] ?? 0) ? id : best), 0);
}
