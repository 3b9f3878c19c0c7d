/** What aborts a call. The package names no type that only a browser or Node declares, so that it compiles without either. */

/** The part of an `AbortSignal` that everybody has. */
interface SignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
}

/** An `AbortSignal`, where the types of the host declare it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : SignalLike;
