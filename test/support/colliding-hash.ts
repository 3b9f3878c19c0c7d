/** Stands in for src/plan/hash.ts where every text shall have the same hash. */
export const xxHash64 = (): bigint => 0n;
