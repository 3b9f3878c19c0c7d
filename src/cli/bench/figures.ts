/** The three figures that are compared, for the table, the bars and the plot. */
import { count, isMemoryClear, isTimeClear, megabytes, milliseconds } from "./conclusion.ts";
import type { Figures, Size } from "./measure.ts";

export interface Figure {
  readonly title: string;
  of(figures: Figures): number | undefined;
  /** Returns a value with its unit, which fits the least value beside it. */
  text(value: number, least: number): string;
  /** Returns whether the difference is more than noise. */
  isClear(size: Size): boolean;
  /** Returns the unit of an axis that ends at a value: how much it is, and its name. */
  unit(end: number): { readonly size: number; readonly name: string };
}

const KILOBYTE = 1024;

/** Returns the figures that were measured. */
export function figuresOf(sizes: readonly Size[]): Figure[] {
  const facts = count(sizes.at(-1)?.facts ?? 0);
  const all: Figure[] = [
    {
      title: "nodes",
      of: ({ nodes }) => nodes,
      text: (value) => count(value),
      isClear: () => true,
      unit: () => ({ size: 1, name: "" }),
    },
    {
      title: "memory of a session",
      of: ({ bytes }) => bytes,
      text: megabytes,
      isClear: isMemoryClear,
      unit: (end) => (end < KILOBYTE ** 2 ? { size: KILOBYTE, name: " kB" } : { size: KILOBYTE ** 2, name: " MB" }),
    },
    {
      title: `time to match ${facts} facts`,
      of: ({ ms }) => ms,
      text: milliseconds,
      isClear: isTimeClear,
      unit: (end) => (end < 1000 ? { size: 1, name: " ms" } : { size: 1000, name: " s" }),
    },
  ];
  return all.filter((figure) => sizes.every(({ shared }) => figure.of(shared) !== undefined));
}
