/** The functions that every program can call, by name. A new one is an entry in a file of `scalar/`, and its line here. */
import type { BuiltInFunction } from "./built-in.ts";
import { CLAMP } from "./scalar/clamp.ts";
import { COALESCE } from "./scalar/coalesce.ts";
import { FIXED } from "./scalar/fixed.ts";
import { LIST_FUNCTIONS } from "./scalar/list.ts";
import { NUMBER_FUNCTIONS } from "./scalar/number.ts";
import { PHRASE_FUNCTIONS } from "./scalar/phrases.ts";
import { TEXT_FUNCTIONS } from "./scalar/text.ts";

const ENTRIES: readonly BuiltInFunction[] = [
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  CLAMP,
  FIXED,
  COALESCE,
  ...LIST_FUNCTIONS,
  ...PHRASE_FUNCTIONS,
];

export const FUNCTIONS: ReadonlyMap<string, BuiltInFunction> = new Map(ENTRIES.map((entry) => [entry.name, entry]));

/** Returns the function of a name, in any case; undefined when it is not built in. */
export function functionNamed(name: string): BuiltInFunction | undefined {
  return FUNCTIONS.get(name.toLowerCase());
}
