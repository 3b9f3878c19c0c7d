/** W4 by hand: rules that are the same disjunction up to order are one disjunction, tested once for each fact. */
import { type AlphaWork, type Test, type Thing, valueIn } from "../data/alpha-work.ts";

type Fire = (rule: number, id: number) => void;
type Predicate = (fact: Thing) => boolean;

export class PermutedOrs {
  readonly #groups: readonly { readonly terms: readonly Predicate[]; readonly rules: readonly number[] }[];

  constructor({ tests, rules }: Pick<AlphaWork, "tests" | "rules">) {
    const groups = new Map<string, { terms: Predicate[]; rules: number[] }>();
    for (const [rule, positions] of rules.entries()) {
      const sorted = [...positions].sort((a, b) => a - b);
      const key = sorted.join();
      const group = groups.get(key) ?? { terms: sorted.map((position) => predicateOf(tests[position])), rules: [] };
      group.rules.push(rule);
      groups.set(key, group);
    }
    this.#groups = [...groups.values()];
  }

  add(fact: Thing, fire: Fire): void {
    for (const { terms, rules } of this.#groups) {
      if (!anyHolds(terms, fact)) continue;
      for (let index = 0; index < rules.length; index++) fire(rules[index] ?? 0, fact.id);
    }
  }
}

function anyHolds(terms: readonly Predicate[], fact: Thing): boolean {
  for (const term of terms) if (term(fact)) return true;
  return false;
}

function predicateOf(test: Test | undefined): Predicate {
  const { field = "", op, value = 0 } = test ?? {};
  switch (op) {
    case "<":
      return (fact) => valueIn(fact, field) < value;
    case ">=":
      return (fact) => valueIn(fact, field) >= value;
    default:
      return (fact) => fact[field] === value;
  }
}
