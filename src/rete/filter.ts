/** Lets matches pass for which a test is true. */
import type { Match } from "./match.ts";
import { childrenOf, removeMatch } from "./match-tree.ts";
import { revalue } from "./node.ts";
import { RevaluedNode, type RevaluedSpec } from "./revalued-node.ts";

export type MatchTest = (match: Match) => boolean;

export interface FilterSpec extends RevaluedSpec {
  readonly test: MatchTest;
  /** What is known of a test of nothing but the value of the match above; undefined for other tests. */
  readonly ofValue?: ValueTest | undefined;
}

/** A test that can be asked about a value before there is a match with it. */
export interface ValueTest {
  /** The number below which it is not true. */
  readonly least: number;
}

export class FilterNode extends RevaluedNode<FilterSpec> {
  leftAdded(match: Match): void {
    if (this.spec.test(match)) this.emit(match, undefined, undefined);
  }

  retract(match: Match): void {
    for (const passed of childrenOf(match, this)) removeMatch(passed);
  }

  protected askAgain(match: Match): void {
    const passed = childrenOf(match, this);
    const passes = this.spec.test(match);
    if (passes && passed.length === 0) this.emit(match, undefined, undefined);
    if (!passes) for (const one of passed) removeMatch(one);
    else for (const one of passed) this.#revalueBelow(one);
  }

  /** Nodes below may use the values that changed above as well, and hear of them for what stays. */
  #revalueBelow(passed: Match): void {
    for (const level of this.spec.values) revalue(passed, level);
  }
}
