/** The token shapes that the lexer and the reader of plain facts share. */

/** A name: letters, digits, `_`; also `-` and `'` between letters. */
export const WORD: RegExp = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?<=[\p{L}\p{M}])['-]\p{L}[\p{L}\p{M}\p{N}_]*)*/u;

export const NUMBER: RegExp = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/u;

/** `10m`, `1.5h`. */
export const QUANTITY: RegExp = /\d+(?:\.\d+)?(?:ms|[smhd])(?![\p{L}\p{M}\p{N}_])/u;

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
