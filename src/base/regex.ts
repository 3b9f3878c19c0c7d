/** Regular expressions as the engine needs them: patterns in RE2 syntax, matched in linear time. */

/** Compiles the patterns of `matches`. The default export of `sluice/regex` is one. */
export interface Regex {
  /** Returns a test that is true for strings in which the pattern occurs anywhere. */
  compile(pattern: string): (text: string) => boolean;
}
