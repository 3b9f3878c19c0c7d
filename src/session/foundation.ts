/** The least fixpoint of "founded" over the facts that some suspects rest on, however far back. */
import type { Fact } from "../rete/fact.ts";
import type { Activation } from "./activation.ts";
import type { LogicalFact } from "./support.ts";

export class Foundation {
  readonly #logical: ReadonlyMap<Fact, LogicalFact>;
  readonly #supported: ReadonlyMap<Activation, ReadonlySet<Fact>>;
  readonly #visited = new Set<Fact>();
  /** For each support, how many of its facts must be founded first. */
  readonly #needs = new Map<Activation, number>();
  /** The supports that need a fact, once for each time it occurs in them. */
  readonly #needing = new Map<Fact, Activation[]>();

  constructor(logical: ReadonlyMap<Fact, LogicalFact>, supported: ReadonlyMap<Activation, ReadonlySet<Fact>>) {
    this.#logical = logical;
    this.#supported = supported;
  }

  visit(start: Fact): void {
    const stack = [start];
    for (let fact = stack.pop(); fact !== undefined; fact = stack.pop()) {
      if (this.#visited.has(fact)) continue;
      this.#visited.add(fact);
      for (const activation of this.#logical.get(fact)?.supports ?? []) this.#lookAt(activation, stack);
    }
  }

  visited(): Fact[] {
    return [...this.#visited];
  }

  /** `sure` counts only supports of rules that name all their facts; the others may rest on facts not seen here. */
  founded(which: "sure" | "possible"): ReadonlySet<Fact> {
    const founded = new Set<Fact>();
    const open = new Map(this.#needs);
    const ready = [...open.keys()].filter((activation) => open.get(activation) === 0);
    for (let activation = ready.pop(); activation !== undefined; activation = ready.pop()) {
      if (which === "sure" && activation.production.namesAllFacts !== true) continue;
      for (const fact of this.#supported.get(activation) ?? []) {
        if (founded.has(fact)) continue;
        founded.add(fact);
        for (const other of this.#needing.get(fact) ?? []) if (countDown(open, other) === 0) ready.push(other);
      }
    }
    return founded;
  }

  #lookAt(activation: Activation, stack: Fact[]): void {
    if (this.#needs.has(activation)) return;
    const needed = activation.facts.filter((fact) => this.#logical.get(fact)?.plain === false);
    this.#needs.set(activation, needed.length);
    for (const fact of needed) {
      stack.push(fact);
      const needing = this.#needing.get(fact);
      if (needing === undefined) this.#needing.set(fact, [activation]);
      else needing.push(activation);
    }
  }
}

function countDown(open: Map<Activation, number>, activation: Activation): number {
  const left = (open.get(activation) ?? 0) - 1;
  open.set(activation, left);
  return left;
}
