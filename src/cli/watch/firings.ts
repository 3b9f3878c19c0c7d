/** Compares the firings of two runs: the same rule with the same variables and effects is the same firing. */
import type { Effect, Fired } from "../../index.ts";
import { bindingTexts, type FactVariables } from "../bindings.ts";
import { factName } from "../fact-names.ts";
import { fieldsText, messageText, valueText } from "../value-text.ts";
import { visible } from "../visible.ts";

export interface Firing extends Fired {
  readonly effects: readonly Effect[];
}

export interface Difference<Item> {
  readonly gone: readonly Item[];
  readonly added: readonly Item[];
}

/** Returns what is gone and what is new; items with the same key are the same. */
export function differenceOf<Item>(
  before: readonly Item[],
  after: readonly Item[],
  key: (item: Item) => string,
): Difference<Item> {
  return { gone: without(before, after, key), added: without(after, before, key) };
}

/** Returns the items of `all` that have no counterpart in `others`; each counterpart counts once. */
function without<Item>(all: readonly Item[], others: readonly Item[], key: (item: Item) => string): Item[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(key(other), (left.get(key(other)) ?? 0) + 1);
  return all.filter((one) => {
    const count = left.get(key(one)) ?? 0;
    if (count > 0) left.set(key(one), count - 1);
    return count === 0;
  });
}

export function keyOf({ rule, bindings, effects }: Firing): string {
  return JSON.stringify([rule, bindings, effects.map(({ action, args }) => [action, args])]);
}

/** Returns a firing on one line. */
export function firingText({ rule, bindings, effects }: Firing, facts: FactVariables): string {
  const names = bindingTexts(facts, rule, bindings);
  const said = effects.map(({ action, args }) =>
    action === "log" || action === "print" ? messageText(args) : `${action}(${args.map(valueText).join(", ")})`,
  );
  const words = [`${visible(rule)}  ${names.join(", ")}`.trimEnd(), ...said].join("  →  ");
  return words.replaceAll("\n", " ");
}

/** Returns a fact on one line: `Person p1  name: "Ann", age: 44`. */
export function factText(id: string, fields: Parameters<typeof fieldsText>[0]): string {
  return `${factName(id)}  ${fieldsText(fields)}`.trimEnd();
}
