/** An argument of an action that needs no expression: a constant, or a slot of a fact. */
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";

/** Immutable, so all sessions share the arguments of a rule. */
export class SimpleArg {
  readonly #value: Maybe;
  /** Below 0 for a constant. */
  readonly #slot: number;
  /** The fact is that of the match so many levels up; below 0 it is the only fact of a rule with a direct terminal. */
  readonly #up: number;

  private constructor(value: Maybe, slot: number, up: number) {
    this.#value = value;
    this.#slot = slot;
    this.#up = up;
  }

  static constant(value: Maybe): SimpleArg {
    return new SimpleArg(value, -1, -1);
  }

  static field(slot: number, up: number): SimpleArg {
    return new SimpleArg(undefined, slot, up);
  }

  read(match: Match | undefined, fact: Fact | undefined): Maybe {
    if (this.#slot < 0) return this.#value;
    if (this.#up < 0) return fact?.values[this.#slot];
    let found = match;
    for (let up = this.#up; up > 0; up--) found = found?.parent;
    return found?.fact?.values[this.#slot];
  }
}
