/** What a command may touch of the world: handed in, so that tests can watch. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** The bytes of a file, `-` for standard input. Throws what the system says. */
  read(file: string): Uint8Array;
  /** The same piece by piece, for files that need not fit into memory. */
  chunks(file: string): Iterable<Uint8Array>;
  write(file: string, text: string): void;
  /** Adds to the end of a file, and returns when it is on the disk. Throws what the system says. */
  append(file: string, text: string): void;
  /** The `.tsd` files below a folder, sorted, or undefined when it is no folder. */
  filesBelow(path: string): string[] | undefined;
  /** A clock in milliseconds, from any beginning. */
  now(): number;
  /** Whether to use colours on the error stream. */
  readonly color: boolean;
  /** Whether to use colours on the output stream. */
  readonly outColor: boolean;
  /** Whether a person watches the error stream. */
  readonly terminal: boolean;
}

/**
 * 0 fine; 1 the rules, facts or tests are at fault; 2 wrong usage, or a file cannot be read; 3 a gate held or a guardian
 * said RETRY; 4 a gate failed or a guardian said FAIL; 5 the limit of firings was reached.
 */
export const EXIT = { fine: 0, fault: 1, usage: 2, hold: 3, fail: 4, limit: 5 } as const;
