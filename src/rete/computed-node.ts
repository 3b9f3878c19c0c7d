/**
 * What nodes have in common that add what is computed of a match: a value with a name (let.ts), the items of a list (items.ts).
 *
 * An update retracts nothing here: whether the result becomes another one is known when it is computed again.
 */
import type { Maybe } from "../base/value.ts";
import type { Match } from "./match.ts";
import { revalue } from "./node.ts";
import { RevaluedNode, type RevaluedSpec } from "./revalued-node.ts";

export interface ComputedSpec extends RevaluedSpec {
  /** Returns the value, and what a function of the host threw while it was computed, where that left something of it unknown. */
  readonly value: (match: Match) => { readonly value: Maybe; readonly threw: string | undefined };
  /** Returns why the value is unknown for a match above. */
  readonly unknown: (match: Match) => string;
  /** The name that the author gave it. */
  readonly words: string;
}

export abstract class ComputedNode<Spec extends ComputedSpec = ComputedSpec> extends RevaluedNode<Spec> {
  /** What was thrown while the value of a match above was computed. */
  readonly #threw = new Map<Match, string>();

  override otherEntries(ignore: (match: Match) => boolean): number {
    return super.otherEntries(ignore) + [...this.#threw.keys()].filter((match) => !ignore(match)).length;
  }

  override leftRemoved(match: Match): void {
    super.leftRemoved(match);
    this.#threw.delete(match);
  }

  /** Nodes below may use the values that changed above as well, and hear of them for what stays. */
  protected askAgain(match: Match): void {
    for (const kept of this.computeAgain(match)) {
      for (const level of this.spec.values) revalue(kept, level);
    }
  }

  retract(): void {
    // see reassert
  }

  override reassert(match: Match): void {
    this.computeAgain(match);
  }

  /** Returns what was thrown while the value of a match of this node was computed; undefined when nothing was. */
  threw(match: Match): string | undefined {
    return match.parent === undefined ? undefined : this.#threw.get(match.parent);
  }

  /** Makes other matches of a match where there is something else now; returns those that stay. */
  protected abstract computeAgain(match: Match): readonly Match[];

  /** Returns the value for a match above, and keeps what was thrown. */
  protected compute(match: Match): Maybe {
    const { value, threw } = this.spec.value(match);
    if (threw === undefined) this.#threw.delete(match);
    else this.#threw.set(match, threw);
    return value;
  }

  /** Returns what was thrown when the value of a match above was computed last. */
  protected thrownFor(match: Match): string | undefined {
    return this.#threw.get(match);
  }
}
