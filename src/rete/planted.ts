/**
 * Bugs that tests plant to see whether they are found. Each names a mistake that engines have made; none is ever on
 * unless a test says so.
 */
export type PlantedBug =
  | "duplicate-ancestor"
  | "not-never-unblocks"
  | "join-key-without-operator"
  | "alpha-by-hash-only"
  | "join-compares-as-text"
  | "delete-only-first"
  | "exists-ends-at-one"
  | "alpha-without-type";

export function planted(bug: PlantedBug): boolean {
  return (globalThis as { __sluicePlantedBug?: string }).__sluicePlantedBug === bug;
}
