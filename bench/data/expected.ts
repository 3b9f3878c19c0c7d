/** The right answers: counted by CLIPS and by a program of loops, and kept in expected.json. */
import type { Answer } from "../lib/benchmark.ts";
import { readJson } from "../lib/files.ts";

type Pair = readonly [firings: number, checksum: number];

interface Expected {
  readonly W1: Readonly<Record<string, Readonly<Record<string, Pair>>>>;
  readonly W4: Readonly<Record<string, Readonly<Record<string, Pair>>>>;
  readonly W2: Readonly<Record<"inserts" | "changes", Pair>>;
  readonly W5: Readonly<Record<"inserts" | "changes", Pair>>;
  readonly manners: Readonly<Record<string, number>>;
  readonly waltz: Readonly<Record<string, number>>;
  readonly waltzdb: Readonly<Record<string, number>>;
  readonly "waltzdb lex": Readonly<Record<string, number>>;
}

const EXPECTED: Expected = readJson("bench/data/expected.json") as Expected;

export type ProgramName = "manners" | "waltz" | "waltzdb" | "waltzdb lex";

export function expectedFirings(program: ProgramName, size: number): number {
  return EXPECTED[program][size] ?? Number.NaN;
}

export function expectedAlpha(work: "W1" | "W4", rules: number, facts: number): Answer {
  const [firings, checksum] = EXPECTED[work][rules]?.[facts] ?? [Number.NaN, Number.NaN];
  return { firings, checksum };
}

export function expectedOrders(work: "W2" | "W5"): Readonly<Record<"inserts" | "changes", Answer>> {
  const { inserts, changes } = EXPECTED[work];
  return {
    inserts: { firings: inserts[0], checksum: inserts[1] },
    changes: { firings: changes[0], checksum: changes[1] },
  };
}
