/** Manners, Waltz and WaltzDB: their facts, and what the rules need to know about angles. */
import { readJson } from "../lib/files.ts";

export type Facts = Readonly<Record<string, readonly Readonly<Record<string, number | string>>[]>>;

export function factsOf(program: string, size: number): Facts {
  return readJson(`bench/data/${program}${size}.json`) as Facts;
}
