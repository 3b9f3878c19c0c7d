/** The words of a command line of the benchmarks. */
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./registry.ts";

export interface Words {
  /** Benchmarks, in the order given. */
  readonly names: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly plot: string | undefined;
  readonly processes: number | undefined;
}

/** Throws when a word is not known; `also` are words that stand beside the names of benchmarks. */
export function readWords(flags: readonly string[], also: readonly string[] = []): Words {
  const known = Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" as const }]));
  const options = { ...known, plot: { type: "string" as const }, processes: { type: "string" as const } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  for (const name of positionals) {
    if (!(name in BENCHMARKS) && !also.includes(name)) throw new Error(`there is no benchmark "${name}"`);
  }
  const given = values as Readonly<Record<string, string | boolean | undefined>>;
  return {
    names: positionals,
    flags: new Set(flags.filter((flag) => given[flag] === true)),
    plot: given["plot"] === undefined ? undefined : String(given["plot"]),
    processes: given["processes"] === undefined ? undefined : countOf(String(given["processes"])),
  };
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--processes takes a whole number from 1 on, not "${text}"`);
}
