/** The token shapes that the lexer and the reader of plain facts share. */

/** A name: letters, digits, `_`; also `-` and `'` between letters. */
export const WORD: RegExp = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?<=[\p{L}\p{M}])['-]\p{L}[\p{L}\p{M}\p{N}_]*)*/u;

export const NUMBER: RegExp = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/u;

/** `10m`, `1.5h`. */
export const QUANTITY: RegExp = /\d+(?:\.\d+)?(?:ms|[smhd])(?![\p{L}\p{M}\p{N}_])/u;

/** The units of durations and of months, by every word for them: how many milliseconds or months one has. */
export const UNITS: ReadonlyMap<string, { readonly of: "duration" | "months"; readonly size: number }> = new Map(
  (
    [
      ["duration", 1, ["ms", "millisecond", "milliseconds"]],
      ["duration", 1000, ["s", "second", "seconds"]],
      ["duration", 60_000, ["min", "minute", "minutes"]],
      ["duration", 3_600_000, ["h", "hour", "hours"]],
      ["duration", 86_400_000, ["day", "days"]],
      ["duration", 604_800_000, ["week", "weeks"]],
      ["months", 1, ["month", "months"]],
      ["months", 12, ["year", "years"]],
    ] as const
  ).flatMap(([of, size, words]) => words.map((word) => [word, { of, size }] as const)),
);

/**
 * `90 days`: a number and a unit on the same line. A unit before `:`, `=`, `(` or `.` is a name that follows the number, such
 * as the variable in `where x > 5 h: Host`.
 */
export const AMOUNT: RegExp = new RegExp(
  String.raw`\d+(?:\.\d+)?[ \t]+(?:${unitPatterns()})(?![\p{L}\p{M}\p{N}_]|['-]\p{L})(?!\s*(?:[:(]|\.(?!\.)|=(?!=)))`,
  "u",
);

/** Returns the patterns of all units, longer words first. */
function unitPatterns(): string {
  const words = [...UNITS.keys()].sort((a, b) => b.length - a.length);
  return words.map(anyCase).join("|");
}

/** Returns a pattern for a word in upper and lower case. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/**
 * `wait until`, which is one token. Before `:`, `=`, `.`, `,`, `)` or `in`, and directly before `(`, `until` is a name as it is
 * elsewhere, such as the variable in `where wait until: Order`.
 */
export const WAIT: RegExp = /[wW][aA][iI][tT][ \t]+[uU][nN][tT][iI][lL](?=\s)(?!\s*(?:[:=.,)]|[iI][nN]\s))/u;

/** `@2026-11-16`, `@2026-11-16T09:30:00Z`; whether there is such a day is checked later. */
export const TIME: RegExp = /@\d[\d-]*(?:T[\d:.]*(?:Z|[+-]\d\d(?::?\d\d)?)?)?/u;

/**
 * Words that are never a bare name. Fields may have these names: `p.not`.
 * `contains (x)` and `like (x)` would also be patterns, calls and facts, and a second `require` a field.
 */
export const RESERVED: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "in",
  "true",
  "false",
  "exists",
  "forall",
  "where",
  "any",
  "all",
  "contains",
  "like",
  "require",
]);

/** The reserved words that are operators: between or before values. */
export const OPERATORS: ReadonlySet<string> = new Set(["and", "or", "not", "in", "contains", "like"]);

/** Words that start a built-in action. */
export const VERBS: ReadonlySet<string> = new Set([
  "insert",
  "update",
  "retract",
  "halt",
  "xuple",
  "decide",
  "verify",
  "assert",
]);

/** The actions that exist in every program, in lower case; a declaration of one changes nothing. */
export const BUILT_IN_ACTIONS: ReadonlySet<string> = new Set([...VERBS, "log", "print", "focus"]);
