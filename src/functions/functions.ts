/** The functions that every program can call, by name. A new one is an entry in a file of `scalar/`, and its line here. */
import type { BuiltInFunction } from "./built-in.ts";
import { CLAMP } from "./scalar/clamp.ts";
import { COALESCE } from "./scalar/coalesce.ts";
import { EDIT_FUNCTIONS } from "./scalar/edit-text.ts";
import { FORMAT } from "./scalar/format.ts";
import { LIST_FUNCTIONS } from "./scalar/list.ts";
import { LIST_PART_FUNCTIONS } from "./scalar/list-parts.ts";
import { LIST_TOTAL_FUNCTIONS } from "./scalar/list-totals.ts";
import { NUMBER_FUNCTIONS } from "./scalar/number.ts";
import { PHRASE_FUNCTIONS } from "./scalar/phrases.ts";
import { POWER_FUNCTIONS } from "./scalar/power.ts";
import { FIXED, ROUND } from "./scalar/round.ts";
import { TEXT_FUNCTIONS } from "./scalar/text.ts";
import { TIME_FUNCTIONS } from "./scalar/time.ts";
import { type CalledFunction, OVER_LAST, OVER_LAST_FACTS, WITHIN } from "./window-length.ts";

const ENTRIES: readonly BuiltInFunction[] = [
  ...TEXT_FUNCTIONS,
  ...EDIT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ROUND,
  CLAMP,
  ...POWER_FUNCTIONS,
  FIXED,
  FORMAT,
  COALESCE,
  ...LIST_FUNCTIONS,
  ...LIST_PART_FUNCTIONS,
  ...LIST_TOTAL_FUNCTIONS,
  ...PHRASE_FUNCTIONS,
  ...TIME_FUNCTIONS,
];

export const FUNCTIONS: ReadonlyMap<string, BuiltInFunction> = new Map(ENTRIES.map((entry) => [entry.name, entry]));

const LENGTHS: ReadonlyMap<string, CalledFunction> = new Map(
  [OVER_LAST, OVER_LAST_FACTS, WITHIN].map((entry) => [entry.name, entry]),
);

/** Returns the function that a call means, those that no program can name included; undefined when it is not built in. */
export function calledFunction(name: string): CalledFunction | undefined {
  return FUNCTIONS.get(name) ?? LENGTHS.get(name);
}

/** Returns the function of a name, in any case; undefined when it is not built in. */
export function functionNamed(name: string): BuiltInFunction | undefined {
  return FUNCTIONS.get(name.toLowerCase());
}
