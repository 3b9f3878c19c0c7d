/** One input that tries to make a command hang, crash or print without end. A file in this folder exports a list of them. */
export interface Attack {
  readonly name: string;
  /** The command line, without `sluice`. */
  readonly args: readonly string[];
  /** Files by name, made only when the case runs. */
  readonly files: () => Readonly<Record<string, string>>;
  readonly exit: number;
  /** A part of what is printed, on either stream. */
  readonly says?: string;
  /** Characters on both streams together (100,000). */
  readonly most?: number;
}

/** `count` pieces of text, one for each number from 0. */
export function times(count: number, piece: (index: number) => string, between = "\n"): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join(between);
}
