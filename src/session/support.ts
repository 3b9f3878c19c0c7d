/**
 * Truth maintenance: a logical fact lives as long as a match that inserted it.
 *
 * Invariant after every commit: each logical fact that was not also asserted plainly is founded, that is, it has a support
 * all of whose facts are plain or founded themselves. Facts that only support each other in a circle are not.
 *
 * A fact that has no record here is plain.
 */
import type { Fact } from "../rete/fact.ts";
import type { Activation } from "./activation.ts";
import { contentOf } from "./content.ts";
import { Foundation } from "./foundation.ts";

export interface LogicalFact {
  /** Also asserted by the host, or inserted without `logical`. */
  plain: boolean;
  readonly supports: Set<Activation>;
  /** For facts without a key: what makes two of them equal. */
  readonly content: string | undefined;
}

export interface Suspects {
  /** These have nothing to rest on. */
  readonly unfounded: readonly Fact[];
  /** These have, as far as rules name their facts; only a trial can tell. */
  readonly doubtful: readonly Fact[];
}

const NO_SUSPECTS: Suspects = { unfounded: [], doubtful: [] };

export class Support {
  readonly #logical = new Map<Fact, LogicalFact>();
  readonly #supported = new Map<Activation, Set<Fact>>();
  readonly #byContent = new Map<string, Fact>();
  /** Facts that lost a support, or their plain assertion, since the last check. */
  readonly #suspects = new Set<Fact>();
  /** Facts with a support that may rest on facts it does not name. */
  readonly #vague = new Set<Fact>();
  #someFactGone = false;

  get size(): number {
    return this.#logical.size;
  }

  isLogical(fact: Fact): boolean {
    return this.#logical.has(fact);
  }

  isPlain(fact: Fact): boolean {
    return this.#logical.get(fact)?.plain ?? true;
  }

  /** The logical fact without a key that has this content. */
  withContent(content: string): Fact | undefined {
    return this.#byContent.get(content);
  }

  supportsOf(fact: Fact): Iterable<Activation> {
    return this.#logical.get(fact)?.supports ?? [];
  }

  /** A fact that is there because of activations, which are told next; without any it is withdrawn by the next check. */
  addLogical(fact: Fact, how: { readonly plain: boolean; readonly keyless: boolean }): void {
    this.#record(fact, how.plain, how.keyless);
    this.#suspects.add(fact);
  }

  /** One more reason for a fact that is there. */
  support(fact: Fact, activation: Activation): void {
    (this.#logical.get(fact) ?? this.#record(fact, true, false)).supports.add(activation);
    if (activation.production.namesAllFacts !== true) this.#vague.add(fact);
    const facts = this.#supported.get(activation);
    if (facts === undefined) this.#supported.set(activation, new Set([fact]));
    else facts.add(fact);
  }

  /** The fact is asserted plainly as well, or no longer. */
  setPlain(fact: Fact, plain: boolean): void {
    const logical = this.#logical.get(fact);
    if (logical === undefined) return;
    logical.plain = plain;
    if (!plain) this.#suspects.add(fact);
  }

  /** The fact is retracted, or changed and so no longer what the rules concluded. */
  release(fact: Fact): void {
    const logical = this.#logical.get(fact);
    if (logical === undefined) return;
    for (const activation of logical.supports) this.#unlink(activation, fact);
    if (logical.content !== undefined) this.#byContent.delete(logical.content);
    this.#logical.delete(fact);
    this.#suspects.delete(fact);
    this.#vague.delete(fact);
  }

  /**
   * A fact went away or changed: an `exists` may now be true only through what rests on itself. All facts with such a
   * support are then looked at together, for together they may hold each other up.
   */
  factGone(): void {
    this.#someFactGone = true;
  }

  activationEnded(activation: Activation): void {
    const facts = this.#supported.get(activation);
    if (facts === undefined) return;
    this.#supported.delete(activation);
    this.#someFactGone = true;
    for (const fact of facts) {
      this.#logical.get(fact)?.supports.delete(activation);
      this.#suspects.add(fact);
    }
  }

  /** What became of the facts that lost a support since the last time. */
  takeSuspects(): Suspects {
    if (this.#someFactGone) this.suspect(this.#vague);
    this.#someFactGone = false;
    if (this.#suspects.size === 0) return NO_SUSPECTS;
    const suspects = [...this.#suspects].filter((fact) => !this.#isPlainlyFounded(fact));
    this.#suspects.clear();
    if (suspects.length === 0) return NO_SUSPECTS;
    const foundation = new Foundation(this.#logical, this.#supported);
    for (const fact of suspects) foundation.visit(fact);
    const [sure, possible] = [foundation.founded("sure"), foundation.founded("possible")];
    return {
      unfounded: foundation
        .visited()
        .filter((fact) => !possible.has(fact))
        .sort(byOrder),
      doubtful: suspects.filter((fact) => possible.has(fact) && !sure.has(fact)).sort(byOrder),
    };
  }

  /** Has a support whose match is there. */
  isSupported(fact: Fact): boolean {
    for (const activation of this.supportsOf(fact)) if (activation.alive) return true;
    return false;
  }

  /** The logical facts that an activation supports and that nothing plain keeps. */
  restingOn(activation: Activation): Fact[] {
    return [...(this.#supported.get(activation) ?? [])].filter((fact) => !this.isPlain(fact));
  }

  /** To be looked at again. */
  suspect(facts: Iterable<Fact>): void {
    for (const fact of facts) this.#suspects.add(fact);
  }

  #record(fact: Fact, plain: boolean, keyless: boolean): LogicalFact {
    const content = keyless ? contentOf(fact.shape, fact.values) : undefined;
    const logical: LogicalFact = { plain, supports: new Set(), content };
    this.#logical.set(fact, logical);
    if (content !== undefined) this.#byContent.set(content, fact);
    return logical;
  }

  /** A fact that needs no search: it is plain, or a support of it rests on plain facts only. */
  #isPlainlyFounded(fact: Fact): boolean {
    const logical = this.#logical.get(fact);
    if (logical === undefined || logical.plain) return true;
    for (const { facts, production } of logical.supports) {
      if (production.namesAllFacts === true && facts.every((one) => this.isPlain(one))) return true;
    }
    return false;
  }

  #unlink(activation: Activation, fact: Fact): void {
    const facts = this.#supported.get(activation);
    facts?.delete(fact);
    if (facts?.size === 0) this.#supported.delete(activation);
  }
}

function byOrder(a: Fact, b: Fact): number {
  return a.order - b.order;
}
