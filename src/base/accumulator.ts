/**
 * Running aggregates: one value about a group of members that are added and removed. The contract between the network
 * and the aggregates.
 */
import type { ListVersion, Member } from "./ordered-list.ts";
import type { Maybe } from "./value.ts";

/** A value as a match holds it: a long list is written out when it is first read. */
export type Held = Maybe | ListVersion;

/** The result for a group: whether the match that it belongs to passes, and with which value. */
export interface Answer {
  readonly passes: boolean;
  readonly value: Held;
}

/** Invariant: the answer depends on the members that were added and not removed, never on the order of these changes. */
export interface Accumulator {
  /** Adds a member that is not in the group. `value` is undefined when it is missing or unknown. */
  add(member: Member, value: Maybe): void;
  /** Removes a member that is in the group. */
  remove(member: Member): void;
  /** Returns the answer for the members that are in the group now. */
  answer(): Answer;
}

/** An accumulator that gets, with each member that goes, the value that it was added with, and so keeps none. */
export interface ToldAccumulator {
  add(member: Member, value: Maybe): void;
  remove(member: Member, value: Maybe): void;
  answer(): Answer;
}

/** Returns the answer for a value: an unknown one does not pass. */
export function known(value: Maybe): Answer {
  return { passes: value !== undefined, value };
}
