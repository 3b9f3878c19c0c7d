/**
 * Adds a value with a name to each match: `let net = o.qty * o.price`. An unknown value is a value too: the match goes on.
 *
 * Invariant: after a flush, every match above has exactly one match here, with the value of its expression. An update that leaves
 * the value as it is leaves the match, and with it everything below.
 */
import { same } from "../base/value.ts";
import { ComputedNode } from "./computed-node.ts";
import type { Match } from "./match.ts";
import { firstChild, removeMatch } from "./match-tree.ts";

export class LetNode extends ComputedNode {
  leftAdded(match: Match): void {
    this.emit(match, undefined, this.compute(match));
  }

  /** Makes another match when the value is another one; returns the match when it stays. */
  protected computeAgain(match: Match): readonly Match[] {
    const below = firstChild(match, this);
    const before = this.thrownFor(match);
    const value = this.compute(match);
    if (below !== undefined && same(below.value, value) && before === this.thrownFor(match)) return [below];
    if (below !== undefined) removeMatch(below);
    this.emit(match, undefined, value);
    return [];
  }
}
