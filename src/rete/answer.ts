/** What is said about a group of matches. */
import type { Maybe } from "../base/value.ts";
import type { Held, Match } from "./match.ts";

/** Whether the match that the group belongs to passes, and with which value. */
export interface Answer {
  readonly passes: boolean;
  /** A list is written out when somebody reads it. */
  readonly value: Held;
}

export interface Accumulator {
  add(match: Match, value: Maybe): void;
  remove(match: Match): void;
  answer(): Answer;
}

/** A result that is not known does not pass. */
export function known(value: Maybe): Answer {
  return { passes: value !== undefined, value };
}
