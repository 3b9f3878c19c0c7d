/** Everything outside the process that a command may use: streams, files, clock and terminal. */
import type { OpenOptions, ReadFile } from "../index.ts";

export interface Io {
  out(text: string): void;
  err(text: string): void;
  /**
   * Returns the bytes of a file that the user names, `-` for standard input. Throws the error of the system, or a
   * `ReadRefused` when there are more than the limit.
   */
  read(file: string, limit: number): Uint8Array;
  /** Returns a reader of files that rules import: only `.tsd` files below these folders. */
  imports(folders: readonly string[]): ReadFile;
  /** Yields the bytes of a file piece by piece, for files larger than memory. */
  chunks(file: string): Iterable<Uint8Array>;
  write(file: string, content: string | Uint8Array): void;
  /** Creates a file that only the user can read. Throws when it exists. */
  create(file: string, text: string): void;
  /**
   * Appends a line to a file below the working folder or one of `roots`, and returns when it is on the disk. Throws the
   * error of the system.
   */
  append(file: string, text: string, roots: readonly string[]): void;
  isFolder(path: string): boolean;
  /** Returns the `.tsd` files below a folder, sorted; undefined when it is not a folder. */
  filesBelow(path: string): string[] | undefined;
  /** Runs the benchmarks of a clone and returns their exit code; undefined when there are none here. */
  benchmarks?(words: readonly string[]): number | undefined;
  /** Returns the bytes that are alive on the heap, after collecting garbage; absent where that cannot be measured. */
  heap?: (() => number) | undefined;
  /** The folders of `--root`, which programs may use besides their own. */
  readonly roots: readonly string[];
  /** The values of `--param`, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The functions of `--functions`, by name. */
  readonly functions: NonNullable<OpenOptions["functions"]>;
  /** Loads a JavaScript module and returns its exports. Rejects with whatever the module throws. */
  module(file: string): Promise<Readonly<Record<string, unknown>>>;
  /** Loads a package that is installed beside this one and returns its exports. Rejects as `import()` does. */
  package(name: string): Promise<Readonly<Record<string, unknown>>>;
  /** The value of `--clock`: `real`, `facts`, or an instant; undefined when it is not given. */
  readonly clock: string | undefined;
  /** Returns milliseconds from an arbitrary start. */
  now(): number;
  /** Returns the time of day, in milliseconds since 1970. */
  wallTime(): number;
  /** Reads lines from the user until there are no more. */
  dialogue(dialogue: Dialogue): Promise<void>;
  /** Does the work now and whenever one of the files changes, until the user stops it. The work may change the list of files. */
  watch(files: () => readonly string[], work: () => void): Promise<void>;
  /** Whether to use colours on the error stream. */
  readonly color: boolean;
  /** Whether to use colours on the output stream. */
  readonly outColor: boolean;
  /** The columns of the terminal that output goes to; absent when it is none. */
  readonly columns?: number | undefined;
  /** Whether standard input is a terminal. */
  readonly interactive: boolean;
  /** Whether the error stream is a terminal. */
  readonly terminal: boolean;
}

/** A conversation line by line. */
export interface Dialogue {
  prompt(): string;
  /** Returns completions of a line, and the part of it that they replace. */
  complete(line: string): readonly [hits: readonly string[], replaced: string];
  /** Runs a line; returns false to end the conversation. */
  line(text: string): boolean;
  /** Drops the line (Ctrl-C). */
  interrupted(): void;
}

/**
 * The exit codes. 0: success; 1: errors in rules, facts or tests; 2: wrong usage, or a file cannot be read; 3: a gate holds
 * or a guardian says RETRY; 4: a gate fails or a guardian says FAIL; 5: the firing limit was reached.
 */
export const EXIT = { fine: 0, fault: 1, usage: 2, hold: 3, fail: 4, limit: 5 } as const;
