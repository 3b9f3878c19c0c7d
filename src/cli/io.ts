/** What a command may touch of the world: handed in, so that tests can watch. */
import type { ReadFile } from "../index.ts";

export interface Io {
  out(text: string): void;
  err(text: string): void;
  /**
   * The bytes of a file that the user names, `-` for standard input. Throws what the system says, and a `ReadRefused` when
   * there are more than the limit.
   */
  read(file: string, limit: number): Uint8Array;
  /** Reads files that rules import: only rules below these folders. */
  imports(folders: readonly string[]): ReadFile;
  /** The same piece by piece, for files that need not fit into memory. */
  chunks(file: string): Iterable<Uint8Array>;
  write(file: string, text: string): void;
  /** Writes a file that nobody else can read, and that was not there. */
  create(file: string, text: string): void;
  /**
   * Adds a line to the end of a file below the working folder or one of `roots`, and returns when it is on the disk. Throws
   * what the system says.
   */
  append(file: string, text: string, roots: readonly string[]): void;
  isFolder(path: string): boolean;
  /** The `.tsd` files below a folder, sorted, or undefined when it is no folder. */
  filesBelow(path: string): string[] | undefined;
  /** Runs the benchmarks of a clone with these words and gives their exit code; undefined when there are none here. */
  benchmarks?(words: readonly string[]): number | undefined;
  /** Folders that programs may use beside their own, from `--root`. */
  readonly roots: readonly string[];
  /** A clock in milliseconds, from any beginning. */
  now(): number;
  /** Takes lines from the user until there are no more. */
  dialogue(dialogue: Dialogue): Promise<void>;
  /** Does the work now and whenever one of the files changes, until the user ends it. It may change which files these are. */
  watch(files: () => readonly string[], work: () => void): Promise<void>;
  /** Whether to use colours on the error stream. */
  readonly color: boolean;
  /** Whether to use colours on the output stream. */
  readonly outColor: boolean;
  /** Whether a person types what is read from standard input. */
  readonly interactive: boolean;
  /** Whether a person watches the error stream. */
  readonly terminal: boolean;
}

/** A conversation in lines. */
export interface Dialogue {
  prompt(): string;
  /** What the end of a line could become, and the part that would be replaced. */
  complete(line: string): readonly [hits: readonly string[], replaced: string];
  /** False ends the conversation. */
  line(text: string): boolean;
  /** The user gave up the line (Ctrl-C). */
  interrupted(): void;
}

/**
 * 0 fine; 1 the rules, facts or tests are at fault; 2 wrong usage, or a file cannot be read; 3 a gate held or a guardian
 * said RETRY; 4 a gate failed or a guardian said FAIL; 5 the limit of firings was reached.
 */
export const EXIT = { fine: 0, fault: 1, usage: 2, hold: 3, fail: 4, limit: 5 } as const;
