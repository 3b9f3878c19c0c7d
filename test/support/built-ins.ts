/** Names from the tables of built-ins, by what they take. Generators draw from these, so that they use a new built-in at once. */
import { readdirSync, readFileSync } from "node:fs";
import { AGGREGATES } from "../../src/functions/aggregates.ts";
import type { Aggregate } from "../../src/functions/built-in.ts";
import { FUNCTIONS } from "../../src/functions/functions.ts";

/** Returns the names of the aggregates that work on one of these, and take a value alone. */
export function aggregatesOver(...takes: readonly Aggregate["takes"][]): readonly string[] {
  return [...AGGREGATES.values()]
    .filter((one) => takes.includes(one.takes) && one.count === undefined)
    .map(({ name }) => name);
}

/** Those that take a key or a number besides the value. */
export const RANKED_AGGREGATES: readonly string[] = [...AGGREGATES.values()].filter(isRanked).map(({ name }) => name);

/** Those of them whose value is a number when the values are numbers. */
export const RANKED_NUMBERS: readonly string[] = RANKED_AGGREGATES.filter((name) => name !== "top");

export function isRanked({ takes, count }: Aggregate): boolean {
  return takes === "keyed" || count !== undefined;
}

/** Returns what an aggregate is given of each fact: `2, v by key` for `top`, `v` for `sum`. */
export function takenWords(name: string, value: string, key: string, count = 2): string {
  const entry = AGGREGATES.get(name.toLowerCase());
  const number = entry?.count === undefined ? "" : `${count}, `;
  return `${number}${value}${entry?.takes === "keyed" ? ` by ${key}` : ""}`;
}

/** Those whose value is a number when the values are numbers. */
export const NUMBER_AGGREGATES: readonly string[] = aggregatesOver("numbers", "ordered");

/** Functions of numbers alone that return a number, with how many they need. */
export const NUMBER_FUNCTIONS: ReadonlyMap<string, number> = new Map(
  [...FUNCTIONS.values()].flatMap(({ name, signature: { params, result } }) => {
    const numeric = result !== "argument" && [result, ...params.map(({ type }) => type)].every(isNumber);
    return numeric ? [[name, params.length] as const] : [];
  }),
);

function isNumber({ kind }: { readonly kind: string }): boolean {
  return kind === "number";
}

/** In capitals, as the slash form writes them. */
export function capitals(names: readonly string[]): readonly string[] {
  return names.map((name) => name.toUpperCase());
}

/** Returns the names of the entries that the files of a folder of src/functions hold. */
export function namesIn(folder: "scalar" | "aggregate"): string[] {
  const path = new URL(`../../src/functions/${folder}/`, import.meta.url);
  return readdirSync(path).flatMap((file) => {
    const text = readFileSync(new URL(file, path), "utf8");
    return [...text.matchAll(/^ {2,4}name: "(\w+)",$/gmu)].map(([, name = ""]) => name);
  });
}
