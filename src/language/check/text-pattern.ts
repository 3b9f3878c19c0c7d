/** Checks the patterns of `matches` and `like` before they are used. */
import { RE2JS } from "re2js";
import type { Code } from "../../base/codes.ts";
import type { Limits } from "../../base/limits.ts";

export interface PatternFault {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
}

/** Constructs of other regular expression engines that cannot be matched in linear time. */
const NOT_LINEAR: readonly (readonly [shape: RegExp, name: string])[] = [
  [/\(\?<?[=!]/u, "lookaround"],
  [/\\[1-9]|\\k</u, "a back reference"],
  [/\(\?>|[*+?}]\+/u, "possessive matching"],
];

export function checkMatches(pattern: string, limits: Limits): PatternFault | undefined {
  if (pattern.length > limits.matchesPattern) return tooLong(pattern, limits.matchesPattern);
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return explain(pattern, error);
  }
}

export function checkLike(pattern: string, limits: Limits): PatternFault | undefined {
  return pattern.length > limits.likePattern ? tooLong(pattern, limits.likePattern) : undefined;
}

function tooLong(pattern: string, limit: number): PatternFault {
  return {
    code: "E305",
    message: `this pattern has ${pattern.length} characters; the limit is ${limit}`,
    hint: "split it into several tests",
  };
}

function explain(pattern: string, error: unknown): PatternFault {
  const withoutEscapes = pattern.replace(/\\\\/gu, "");
  const construct = NOT_LINEAR.find(([shape]) => shape.test(withoutEscapes));
  if (construct !== undefined) {
    return {
      code: "E220",
      message: `${construct[1]} cannot be matched in linear time`,
      hint: "patterns use RE2 syntax: split the test in two, or write the pattern without it",
    };
  }
  const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /u, "") : String(error);
  return {
    code: "E221",
    message: `invalid pattern: ${reason}`,
    hint: 'to match a special character literally, put "\\" before it',
  };
}
