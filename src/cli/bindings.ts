/** The variables of a match as text: facts by their labels, other values as one writes them in a program. */
import type { Maybe, Plan } from "../index.ts";
import { factName } from "./fact-names.ts";
import { valueText } from "./value-text.ts";

/** For each rule the variables that stand for facts: their values are ids. */
export type FactVariables = ReadonlyMap<string, ReadonlySet<string>>;

export function factVariables({ rules }: Plan): FactVariables {
  return new Map(
    rules.map(({ name, layouts }) => {
      const facts = layouts.flatMap(({ bindings }) => bindings.filter(({ kind }) => kind === "fact"));
      return [name, new Set(facts.map((binding) => binding.name))];
    }),
  );
}

/** Returns `p = Person p1`, `total = 30` for the variables of a match of a rule. */
export function bindingTexts(facts: FactVariables, rule: string, bindings: Readonly<Record<string, Maybe>>): string[] {
  return Object.entries(bindings).map(([name, value]) => {
    const isFact = typeof value === "string" && facts.get(rule)?.has(name) === true;
    return `${name} = ${isFact ? factName(value) : valueText(value)}`;
  });
}
